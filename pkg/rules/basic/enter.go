package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/mending"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Enter gives a creature just added what it begins with. Into a fight under way
// it comes for the next declaration; with the fact "surprised" it loses that
// round.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error {
	if err := body.OfAnotherFight(add); err != nil {
		return err
	}
	id, s := add.Sheet.Id, add.Sheet.GetBasic()
	r.SetHitPoints(id, add.Sheet.HitPoints, add.Sheet.HitPoints, 0)
	for _, kind := range rules.SortedKeys(s.Ammunition) {
		r.Set(id, body.CAmmunition+kind, int64(s.Ammunition[kind]), "sheet")
	}
	for _, sp := range s.Spells {
		r.Set(id, body.CLeft+sp.Name, int64(sp.Uses), "sheet")
	}
	for _, w := range s.Weapons {
		if w.Natural {
			continue
		}
		values := map[string]int32{}
		if w.ReloadRounds > 0 {
			values = map[string]int32{"loaded": 1, "spares": w.Spares}
		}
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: w.Name, Place: body.StartingPlace(w), Values: values, Cause: "sheet"})
	}
	for _, it := range s.Items {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: it.Name, Place: "carried", Cause: "sheet"})
		if n := it.Effect.GetUses(); n > 0 {
			r.Set(id, body.CLeft+it.Name, int64(n), "sheet")
		}
	}
	if err := r.ApplyVitals(id, add.Vitals); err != nil {
		return err
	}
	r.Set(id, body.CRested, 0, "the rest is over", cite.RestFatigue)
	forget(r, id)
	settleBody(r, id)
	if r.State().Status == eventv1.State_STATUS_STARTED {
		freshRound(r, id)
	}
	if spoken.Truth(add.Facts, "surprised") {
		beSurprised(r, id)
	}
	strike.Pace(r, id)
	strike.Turn(r, id, effects.TriggerEnter)
	return nil
}

// forget drops what belongs to the rounds of an earlier fight, from which the
// creature may come: their numbers mean nothing here.
func forget(r *rules.Resolution, id string) {
	const why = "another fight"
	for _, name := range body.OfTheFight.Counters {
		r.Set(id, name, 0, why)
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if rules.Listed(body.OfTheFight.Counters, name) {
			r.Set(id, name, 0, why)
		}
	}
	for _, name := range body.OfTheFight.Marks {
		r.Mark(id, name, "")
	}
	for _, x := range r.Creature(id).Conditions {
		if slices.Contains(body.OfTheFight.Conditions, x.Name) {
			r.RemoveCondition(id, x, why, x.Rule)
		}
	}
}

// wakeLater turns the round in which the unconscious wake into the turns left until
// then, which is how time passes between fights.
//
// basic.healing.subdual-wake
func wakeLater(r *rules.Resolution, id string) {
	if left := r.Count(id, body.CWake) - int64(r.State().Round); body.Unconscious(r.Creature(id)) && left > 0 {
		r.Set(id, body.CWakeTurns, (left+body.TurnRounds(r)-1)/body.TurnRounds(r), "the encounter ends", cite.HealingSubdualWake)
	}
}

// beSurprised makes a newcomer lose the first round that it could declare in.
//
// basic.surprise.lose-one-round, basic.turn.sequence
func beSurprised(r *rules.Resolution, id string) {
	round := r.State().Round
	if r.State().Phase != body.PhaseDeclare {
		round++
	}
	body.Inflict(r, id, &eventv1.Condition{Name: body.CondSurprised, Cause: "surprise", Rule: cite.SurpriseLoseOneRound,
		Until: &eventv1.Until{When: "round", Round: round}})
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	strike.LetGo(r, creature)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	outOfIt(r, creature, "out of the fight")
	r.Flag(creature, body.MLeaving, true)
	return settle(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	settleBody(r, creature)
	settleHolds(r, creature)
	strike.Pace(r, creature)
	if !body.Up(r.Creature(creature)) {
		strike.LetGo(r, creature)
	}
	return settle(r)
}

// settleBody brings life in line with hit points that the game master set.
func settleBody(r *rules.Resolution, id string) {
	c := r.Creature(id)
	switch {
	case body.Dead(c):
	case c.GetHp() < 1 && !body.Unconscious(c):
		mending.Fall(r, id, "no hit points left")
	case c.GetHp() > 0 && body.Unconscious(c):
		mending.Wake(r, id, c.GetHp(), "hit points regained")
	}
}

// settleHolds brings the holds of a creature in line with what the game master
// changed: of one held its conditions say who holds it, of a holder its relations whom
// it holds.
func settleHolds(r *rules.Resolution, id string) {
	for _, other := range r.CreatureIDs() {
		settleHold(r, other, id, body.HeldBy(r.Creature(id), other) != nil)
		settleHold(r, id, other, rules.RelationTo(r.Creature(id), body.RelHolds, other) != nil)
	}
}

// settleHold makes both sides of a hold say whether it is there.
func settleHold(r *rules.Resolution, holder, held string, on bool) {
	x, rel := body.HeldBy(r.Creature(held), holder), rules.RelationTo(r.Creature(holder), body.RelHolds, held)
	switch {
	case on && x == nil:
		r.AddCondition(held, &eventv1.Condition{Name: body.CondHeld, Source: holder, Cause: "game master", Rule: cite.DiceGrappleCheck})
	case on && rel == nil:
		r.Relate(holder, &eventv1.Relation{Kind: body.RelHolds, To: held, Rule: cite.DiceGrappleCheck}, cite.DiceGrappleCheck)
	case !on && x != nil:
		strike.Free(r, held, x, "game master")
	case !on:
		r.Unrelate(holder, body.RelHolds, held, "game master", cite.DiceGrappleCheck)
	}
}

// outOfIt ends for a creature what lasts for rounds and what stays until the end of
// the fight: the fight is over for it.
func outOfIt(r *rules.Resolution, id, why string) {
	for _, x := range r.Creature(id).Conditions {
		if x.Until.GetWhen() == "round" || slices.Contains([]string{body.CondShaken, body.CondBlinded, body.CondHeld, body.CondBurning}, x.Name) {
			r.RemoveCondition(id, x, why, cite.CriticalEffectChart)
		}
	}
	if !body.Dead(r.Creature(id)) {
		wakeLater(r, id)
	}
}

// Finish settles what the end of the encounter means: what lasts for rounds,
// and what stays until the end of the fight, is over.
func (System) Finish(r *rules.Resolution) error {
	resolveNumber(r)
	for _, id := range r.CreatureIDs() {
		outOfIt(r, id, "the encounter ends")
	}
	for _, id := range fire.Pools(r.State()) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "the encounter ends"}, cite.ItemOilGroundFire)
	}
	return nil
}
