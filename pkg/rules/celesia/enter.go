package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; into a fight under way
// it joins at once.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	id, sheet := add.Sheet.Id, add.Sheet
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	for _, sp := range sheet.GetCelesia().GetSpells() {
		if sp.Uses > 0 {
			r.Set(id, cLeft+sp.Name, int64(sp.Uses), "sheet")
		}
	}
	for _, p := range sheet.GetCelesia().GetPotions() {
		r.Set(id, cLeft+p.Name, int64(p.Count), "sheet")
	}
	for _, w := range sheet.GetCelesia().GetWeapons() {
		if bodyless(w) {
			continue
		}
		r.Emit(audienceOf(id, startPlace(w)), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: startPlace(w), Values: startValues(w), Cause: "sheet"})
	}
	for _, th := range sheet.GetCelesia().GetThings() {
		if n := th.GetSpell().GetUses(); n > 0 {
			r.Set(id, cLeft+th.Name, int64(n), "sheet")
		}
		r.Emit(audienceOf(id, thingPlace(th)), &eventv1.ItemChanged{Creature: id, Item: th.Name, Place: thingPlace(th), Values: thingValues(th), Cause: "sheet"})
	}
	for _, a := range sheet.GetCelesia().GetSpecialAbilities() {
		if n := startUses(a); n > 0 {
			r.Set(id, cLeft+a.Name, n, "sheet")
		}
	}
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	settleBody(r, id, false)
	if err := enterMounted(r, id, add.Facts); err != nil {
		return err
	}
	if spoken.Truth(add.Facts, "unaware") || spoken.Truth(add.Facts, "surprised") {
		r.Mark(id, mUnaware, "yes", "celesia.surprise.awareness")
	}
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	if r.State().Round > 0 {
		r.Mark(id, mUnaware, "")
	}
	notActed(r, id)
	join(r, id, add.Facts)
	return advance(r)
}
