package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with; into a fight under
// way it joins at once.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	id, sheet := add.Sheet.Id, add.Sheet
	r.SetHitPoints(id, sheet.HitPoints, sheet.HitPoints, 0)
	counters := startingCounters(sheet)
	for _, name := range rules.SortedKeys(counters) {
		r.Set(id, name, counters[name], "sheet")
	}
	placeItems(r, id, sheet)
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	if err := checkConditions(r.Creature(id)); err != nil {
		return err
	}
	settleBody(r, id)
	houseSpeed(r, id)
	tellAll(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		if spoken.Truth(add.Facts, "surprised") && !ignoresSurprise(r.Creature(id)) {
			surprise(r, id)
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
		out[cSlot+itoa(i+1)] = int64(n)
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if limited(u) {
			out[usesOf(name, u)] = int64(max(1, u.Uses))
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
	out[cLegendary] = int64(s.GetLegendaryActions())
	for _, i := range s.GetItems() {
		out[cLeft+i.Name] = int64(i.Charges)
	}
	for _, res := range s.GetResources() {
		out[cLeft+res.Name] = int64(res.Current)
	}
	for _, h := range s.GetHitDice() {
		out[cHitDice+itoa(h.Size)] += int64(h.Total - h.Spent)
	}
	out[cKit] = int64(s.GetHealersKitUses())
	if s.GetInspiration() {
		out[cInspiration] = 1 // rcr.base.inspiration-held
	}
	return out
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
		if where == "main" && property(a, "two-handed") {
			where = "both"
		}
		values := map[string]int32{}
		if property(a, "reload") {
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
	if c.Counters[cInspiration] > 1 {
		r.Set(id, cInspiration, 1, "never more than one", cite.BaseInspirationHeld)
	}
	switch {
	case dead(c):
	case c.Counters[cExhaustion] > mostExhaustion:
		die(r, id, "exhaustion", cite.ConditionExhaustionScale)
	case c.Hp != nil && c.GetHp() <= 0 && !down(c):
		bringDown(r, id, unconsciousFrom0)
	case c.GetHp() > 0 && down(c) && !suffocates(c):
		wake(r, id, "hit points regained")
	}
	c = r.Creature(id)
	if dead(c) {
		letGo(r, id)
		return
	}
	setBloodied(r, id)
	for _, x := range slices.Clone(c.Conditions) {
		limp := x.Name == condParalyzed && x.Variant == variantDisabled // rcr.condition.paralyzed-disabled
		if (limp || x.Name == condUnconscious) && !has(r.Creature(id), condProne) {
			setProne(r, id, x.Name, cite.BaseFifthEditionFallback)
		}
	}
	if has(r.Creature(id), condProne) {
		endCrouch(r, id)
	}
	letGo(r, id)
}

// setBloodied brings the condition in line with the hit points: fewer than
// half, temporary ones not counted.
//
// rcr.condition.bloodied
func setBloodied(r *rules.Resolution, id string) {
	c := r.Creature(id)
	now := condition(c, condBloodied)
	below := c.Hp != nil && 2*c.GetHp() < c.GetHpMax()
	switch {
	case below && now == nil:
		r.AddCondition(id, &eventv1.Condition{Name: condBloodied, Cause: "fewer than half its hit points", Rule: cite.ConditionBloodied})
	case !below && now != nil:
		r.RemoveCondition(id, now, "half its hit points or more", cite.ConditionBloodied)
	}
}

// Leave settles what a creature's removal means; it is still there. Its turn
// ends, and so does what it holds.
func (System) Leave(r *rules.Resolution, creature string) error {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			if x.Name == condGrappled && x.Source == creature {
				r.RemoveCondition(other, x, "the grappler is gone", cite.ConditionReplaceBase)
			}
		}
	}
	endConcentration(r, creature, "gone")
	tellHolds(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	// Out of the order first: whoever acts next must not be the one that leaves.
	r.Flag(creature, mLeaving, true)
	for _, i := range slices.Clone(r.Creature(creature).Initiative) {
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
	if err := checkConditions(r.Creature(creature)); err != nil {
		return err
	}
	settleBody(r, creature)
	tellAll(r)
	return settle(r)
}
