package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/barding"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/growth"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; into a fight under
// way it joins at once.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	id, sheet := add.Sheet.Id, add.Sheet
	if err := growth.Prerequisites(r.State(), r.Creature(id), func(feat string) bool { return body.ChosenFeat(sheet.GetRcr(), feat) == nil }); err != nil {
		return err // those chosen were asked as the sheet was read
	}
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	counters := startingCounters(sheet)
	for _, name := range rules.SortedKeys(counters) {
		r.Set(id, name, counters[name], "sheet")
	}
	placeItems(r, id, sheet)
	tellKnown(r, id, add.Vitals)
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	if err := body.CheckConditions(r.Creature(id)); err != nil {
		return err
	}
	flight.Enter(r, id)
	settleBody(r, id)
	answers.HouseSpeed(r, id)
	underwater.Enter(r, id, add.Facts)
	if sheet.GetRcr().GetBarding().GetOff() {
		barding.Change(r, id, false)
	}
	mounts.Settle(r)
	body.Happen(r, "enter/"+id, r.Creature(id), effects.TriggerEnter, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
	checks.TellAll(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		if spoken.Truth(add.Facts, "surprised") && !answers.IgnoresSurprise(r.Creature(id)) {
			answers.Surprise(r, id)
		}
		return nil
	}
	return join(r, id, spoken.Truth(add.Facts, "surprises_all"), spoken.Truth(add.Facts, "surprised"))
}

// startingCounters are what a sheet counts out: slots, resources, uses,
// charges, hit dice.
func startingCounters(sheet *eventv1.Sheet) map[string]int64 {
	s := sheet.GetRcr()
	out := map[string]int64{}
	for i, n := range s.GetSpellSlots() {
		out[body.CSlot+body.Itoa(i+1)] = int64(n)
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if body.Limited(u) {
			out[body.UsesOf(name, u)] = int64(max(1, u.Uses))
		}
	}
	for _, p := range s.GetPowers() {
		use(p.Name, p.Usage)
	}
	for _, a := range s.GetAttacks() {
		use(a.Name, a.Usage)
	}
	for _, sp := range s.GetSpells() {
		use(sp.Name, sp.Usage)
	}
	out[body.CLegendary] = int64(s.GetLegendaryActions())
	for _, i := range s.GetItems() {
		out[body.CLeft+i.Name] = int64(i.Charges)
	}
	for _, res := range s.GetResources() {
		out[body.CLeft+res.Name] = int64(res.Current)
	}
	for _, h := range s.GetHitDice() {
		out[body.CHitDice+body.Itoa(h.Size)] += int64(h.Total - h.Spent)
	}
	out[body.CKit] = int64(s.GetHealersKitUses())
	if s.GetInspiration() {
		out[body.CInspiration] = 1 // rcr.base.inspiration-held
	}
	return out
}

// tellKnown tells the controllers of one who comes in dying, or stable, as much of its
// exhaustion as they know: what failed saves added since it came down stays secret.
//
// rcr.death.secret-saves
func tellKnown(r *rules.Resolution, id string, v *eventv1.Vitals) {
	down := v.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING || v.GetLife() == eventv1.LifeStatus_LIFE_STATUS_STABLE
	if known := v.GetCounters()[body.CDeathExhaustion] - 1; down && known > 0 {
		r.Set(id, body.CExhaustion, known, "as far as it is known", cite.DeathSecretSaves)
	}
}

// placeItems says where the weapons are. What is put away only its owner knows.
func placeItems(r *rules.Resolution, id string, sheet *eventv1.Sheet) {
	for _, a := range sheet.GetRcr().GetAttacks() {
		if a.Natural || a.Spell {
			continue
		}
		where := a.Hand
		if where == "" {
			where = "main"
		}
		if where == "main" && checks.Property(a, "two-handed") {
			where = "both"
		}
		values := map[string]int32{}
		if checks.Property(a, "reload") {
			values["loaded"] = 1
		}
		audience := event.Everyone()
		if where == "stowed" {
			audience = event.Controllers(id)
		}
		r.Emit(audience, &eventv1.ItemChanged{Creature: id, Item: a.Name, Place: where, Values: values, Cause: "sheet"})
	}
}

// settleBody brings life and the conditions that go with hit points in line
// with numbers set by the game master or at the start. Lying at 0 hit points is
// being unconscious, not helpless: that only the game master sets.
//
// rcr.condition.helpless-definition
func settleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c.Counters[body.CInspiration] > 1 {
		r.Set(id, body.CInspiration, 1, "never more than one", cite.BaseInspirationHeld)
	}
	switch {
	case body.Dead(c):
	case c.Counters[body.CExhaustion] > checks.MostExhaustion:
		injuries.Die(r, id, "exhaustion", cite.ConditionExhaustionScale)
	case c.GetHp() <= 0 && !body.Down(c):
		injuries.BringDown(r, id, injuries.UnconsciousFrom0)
	case c.GetHp() <= 0 && !body.Has(c, body.CondUnconscious):
		r.AddCondition(id, &eventv1.Condition{Name: body.CondUnconscious, Cause: injuries.UnconsciousFrom0, Rule: cite.BaseDeathSaveFrame})
	case c.GetHp() > 0 && body.Down(c) && !injuries.Suffocates(c):
		injuries.Wake(r, id, "hit points regained")
	}
	c = r.Creature(id)
	if body.Dead(c) {
		dice.LetGo(r, id)
		return
	}
	injuries.SetBloodied(r, id)
	for _, x := range c.Conditions {
		limp := x.Name == body.CondParalyzed && x.Variant == body.VariantDisabled // rcr.condition.paralyzed-disabled
		if (limp || x.Name == body.CondUnconscious) && !body.Has(r.Creature(id), body.CondProne) {
			body.SetProne(r, id, x.Name, cite.BaseFifthEditionFallback)
		}
	}
	if body.Has(r.Creature(id), body.CondProne) {
		body.EndCrouch(r, id)
	}
	dice.LetGo(r, id)
}

// Leave settles what a creature's removal means; it is still there. Its turn
// ends, and so does what it holds.
func (System) Leave(r *rules.Resolution, creature string) error {
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			if x.Name == body.CondGrappled && x.Source == creature {
				r.RemoveCondition(other, x, "the grappler is gone", cite.ConditionReplaceBase)
			}
		}
	}
	mounts.Gone(r, creature)
	dice.EndConcentration(r, creature, "gone")
	body.TellHolds(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	// Out of the order first: whoever acts next must not be the one that leaves.
	r.Flag(creature, mLeaving, true)
	for _, i := range r.Creature(creature).Initiative {
		r.Emit(event.Everyone(), &eventv1.InitiativeCleared{Creature: creature, Round: i.Round})
	}
	if !slices.Contains(r.State().Active, creature) {
		return nil
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{creature}})
	return advance(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	if err := body.CheckConditions(r.Creature(creature)); err != nil {
		return err
	}
	settleBody(r, creature)
	movement.SettleImplied(r)
	underwater.Settle(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		mounts.Settle(r)
	}
	checks.TellAll(r)
	return settle(r)
}
