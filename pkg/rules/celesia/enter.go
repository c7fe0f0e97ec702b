package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; into a fight under way
// it joins at once.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	id, sheet := add.Sheet.Id, add.Sheet
	if err := refuseJoin(r, add); err != nil {
		return err
	}
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	for _, sp := range sheet.GetCelesia().GetSpells() {
		if sp.Uses > 0 {
			r.Set(id, body.CLeft+sp.Name, int64(sp.Uses), "sheet")
		}
	}
	for _, p := range sheet.GetCelesia().GetPotions() {
		r.Set(id, body.CLeft+p.Name, int64(p.Count), "sheet")
	}
	for _, w := range sheet.GetCelesia().GetWeapons() {
		if body.Bodyless(w) {
			continue
		}
		r.Emit(body.AudienceOf(id, body.StartPlace(w)), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: body.StartPlace(w), Values: body.StartValues(w), Cause: "sheet"})
	}
	for _, th := range sheet.GetCelesia().GetThings() {
		if n := th.GetSpell().GetUses(); n > 0 {
			r.Set(id, body.CLeft+th.Name, int64(n), "sheet")
		}
		r.Emit(body.AudienceOf(id, body.ThingPlace(th)), &eventv1.ItemChanged{Creature: id, Item: th.Name, Place: body.ThingPlace(th), Values: body.ThingValues(th), Cause: "sheet"})
	}
	for _, a := range sheet.GetCelesia().GetSpecialAbilities() {
		if n := manners.StartUses(a); n > 0 {
			r.Set(id, body.CLeft+a.Name, n, "sheet")
		}
	}
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	mending.SettleBody(r, id, false)
	if err := saddle.EnterMounted(r, id, add.Facts); err != nil {
		return err
	}
	if spoken.Truth(add.Facts, "unaware") {
		r.AddCondition(id, checks.Surprised("unaware of its opponents", cite.SurpriseAwareness))
	}
	body.SettleImplied(r, id)
	saddle.KeepPace(r)
	saddle.Own(r, "enter", id, effects.TriggerEnter)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		body.Sight(r)
		return nil
	}
	if r.State().Round > 0 {
		body.Lift(r, id, body.CondSurprised, "the surprise round is over", cite.SurpriseUnaware)
	}
	notActed(r, id)
	strike.Join(r, id, add.Facts)
	return advance(r)
}

// refuseJoin says why a creature cannot come in as it is said to.
func refuseJoin(r *rules.Resolution, add *eventv1.AddCreature) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		for _, name := range []string{answers.FactFavoured, answers.FactHampered} {
			if _, said := add.Facts.GetFields()[name]; said {
				return fault.Field("add.facts."+name, "the fight has not begun: say it in start.facts")
			}
		}
	}
	return refusePlacing(r, "add.vitals.injuries", r.Creature(add.Sheet.Id), add.Vitals.GetInjuries(), add.Sheet.Patient == "")
}

// sideless are the crippling injuries of a part that is there once.
var sideless = []string{"scar", "major-scar", "head"}

// refusePlacing says which injury is of no side of the body, though its part has
// sides, or of one that its part has not. Exactly tells that the body is as it was
// when the injuries came to be.
func refusePlacing(r *rules.Resolution, field string, c *eventv1.Creature, list []*eventv1.Injury, exactly bool) error {
	for i, in := range list {
		at, known := field+"["+body.Itoa(i)+"].side", body.Sides(body.Parts(c, in.Kind))
		switch {
		case slices.Contains(sideless, in.Kind) || strike.Added(in.Kind):
			if in.Side != "" {
				return fault.Field(at, "an injury of kind %s has no side", in.Kind)
			}
		case in.Side == "":
			return fault.Field(at, "missing: an injury of kind %s has one of %v", in.Kind, known)
		case exactly && !slices.Contains(known, in.Side):
			return fault.Field(at, "%q is not one of %v, the sides that %s has", in.Side, known, c.Name)
		}
	}
	return nil
}
