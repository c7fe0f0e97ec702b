package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with. Into a fight under way
// it comes for the next declaration; with the fact "surprised" it loses that
// round.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if err := ofAnotherFight(add); err != nil {
		return err
	}
	id, s := add.Sheet.Id, add.Sheet.GetBasic()
	r.SetHitPoints(id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	for _, kind := range rules.SortedKeys(s.Ammunition) {
		r.Set(id, cAmmunition+kind, int64(s.Ammunition[kind]), "sheet")
	}
	for _, sp := range s.Spells {
		r.Set(id, cSpell+sp.Name, int64(sp.Uses), "sheet")
	}
	for _, w := range s.Weapons {
		if w.Natural {
			continue
		}
		values := map[string]int32{}
		if w.ReloadRounds > 0 {
			values = map[string]int32{"loaded": 1, "spares": w.Spares}
		}
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: startingPlace(w), Values: values, Cause: "sheet"})
	}
	for _, it := range s.Items {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: it.Name, Place: "carried", Cause: "sheet"})
		if n := it.Effect.GetUses(); n > 0 {
			r.Set(id, cItem+it.Name, int64(n), "sheet")
		}
	}
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	forget(r, id)
	settleBody(r, id)
	if r.State().Status == eventv1.State_STATUS_STARTED {
		freshRound(r, id)
	}
	if spoken.Truth(add.Facts, "surprised") {
		beSurprised(r, id)
	}
	return nil
}

// forget drops what belongs to the rounds of an earlier fight, from which the
// creature may come: their numbers mean nothing here.
func forget(r *rules.Resolution, id string) {
	const why = "another fight"
	for _, name := range ofTheFight.Counters {
		r.Set(id, name, 0, why)
	}
	for _, name := range ofTheFight.Marks {
		r.Mark(id, name, "")
	}
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		if slices.Contains(ofTheFight.Conditions, x.Name) {
			r.RemoveCondition(id, x, why, x.Rule)
		}
	}
}

// wakeLater turns the round in which the unconscious wake into the turns left until
// then, which is how time passes between fights.
//
// basic.healing.subdual-wake
func wakeLater(r *rules.Resolution, id string) {
	if left := r.Count(id, cWake) - int64(r.State().Round); unconscious(r.Creature(id)) && left > 0 {
		r.Set(id, cWakeTurns, (left+turnRounds(r)-1)/turnRounds(r), "the encounter ends", cite.HealingSubdualWake)
	}
}

// beSurprised makes a newcomer lose the first round that it could declare in.
//
// basic.surprise.lose-one-round, basic.turn.sequence
func beSurprised(r *rules.Resolution, id string) {
	round := r.State().Round
	if r.State().Phase != phaseDeclare {
		round++
	}
	r.AddCondition(id, &eventv1.Condition{Name: condSurprised, Cause: "surprise", Rule: cite.SurpriseLoseOneRound,
		Until: &eventv1.Until{When: "round", Round: round}})
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	letGo(r, creature)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	r.Mark(creature, mLeaving, "yes")
	return settle(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	settleBody(r, creature)
	if !up(r.Creature(creature)) {
		letGo(r, creature)
	}
	return settle(r)
}

// settleBody brings life in line with hit points that the game master set.
func settleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	switch {
	case dead(c) || c.Hp == nil:
	case c.GetHp() < 1 && !unconscious(c):
		fall(r, id, "no hit points left")
	case c.GetHp() > 0 && unconscious(c):
		wake(r, id, c.GetHp(), "hit points regained")
	}
}

// letGo ends every hold that a creature has on others, and those on it.
func letGo(r *rules.Resolution, id string) {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			if x.Name == condHeld && (x.Source == id || other == id) {
				free(r, other, x, "the hold ends")
			}
		}
	}
}

// Finish settles what the end of the encounter means: what lasts for rounds,
// and what stays until the end of the fight, is over.
func (System) Finish(r *rules.Resolution) error {
	resolveNumber(r)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.Until.GetWhen() == "round" || slices.Contains([]string{condShaken, condBlinded, condHeld, condBurning}, x.Name) {
				r.RemoveCondition(id, x, "the encounter ends", cite.CriticalEffectChart)
			}
		}
	}
	for _, id := range living(r.State()) {
		wakeLater(r, id)
	}
	for _, id := range pools(r.State(), nil) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "the encounter ends"}, cite.ItemOilGroundFire)
	}
	return nil
}
