package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// roundSeconds is the length of a round.
//
// basic.turn.round-length
const roundSeconds = 10

// startRound begins a round with its declarations.
//
// basic.initiative.reroll-each-round
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.TurnSequence)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		c := r.Creature(id)
		if unconscious(c) && c.Counters[cWake] > 0 && c.Counters[cWake] <= int64(round) {
			r.Deed("wake/"+id, &eventv1.Harm{Deed: deedWake, Target: id, Cause: "comes to", Amount: 1})
		}
	}
	for _, id := range living(r.State()) {
		freshRound(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: phaseDeclare}, cite.TurnDeclare)
}

// freshRound gives a creature what a round brings.
func freshRound(r *rules.Resolution, id string) {
	const why = "the round begins"
	r.Set(id, cAction, 1, why)
	r.Set(id, cMovement, 0, why)
	r.Set(id, cMoved, 0, why)
	for _, m := range []string{mDeclared, mHold, mFollowed, mSeries} {
		r.Mark(id, m, "")
	}
}

// advance goes on until somebody has to declare or to act, or nobody can.
func advance(r *rules.Resolution) error {
	for r.State().Status == eventv1.State_STATUS_STARTED && len(r.State().Active) == 0 {
		if r.State().Phase == phaseDeclare {
			ready, wait := declared(r)
			if wait {
				return nil
			}
			if !ready {
				endRound(r) // everybody is surprised: the round passes
				continue
			}
			rollInitiative(r)
		}
		resolveNumber(r)
		askBetween(r)
		if group := nextGroup(r); len(group) > 0 {
			reachNumber(r, group)
			if !flames(r, group) {
				startNumber(r, group)
			}
			continue
		}
		endRound(r)
	}
	return nil
}

// declared tells whether all have declared, and whether to wait for people.
//
// basic.turn.declare
func declared(r *rules.Resolution) (ready, wait bool) {
	surprised := false
	for _, id := range living(r.State()) {
		c := r.Creature(id)
		surprised = surprised || up(c) && has(c, condSurprised)
		if !able(c) {
			continue
		}
		if c.Marks[mDeclared] == "" {
			return false, true
		}
		ready = true
	}
	return ready, !ready && !surprised
}

// rollInitiative rolls for each creature that can act and gives it its movement.
//
// basic.initiative.roll, basic.initiative.dex, basic.condition.blinded
func rollInitiative(r *rules.Resolution) {
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: phaseCount}, cite.TurnSequence)
	for _, id := range living(r.State()) {
		c := r.Creature(id)
		if !able(c) {
			continue
		}
		mods := []*eventv1.Modifier{{Value: sheetOf(c).DexterityModifier, Source: "Dexterity", Rule: cite.InitiativeDex}}
		if has(c, condBlinded) {
			mods = append(mods, &eventv1.Modifier{Value: -2, Source: condBlinded, Rule: cite.ConditionBlinded})
		}
		rolled := r.Roll(rules.RollSpec{Label: "initiative/" + id, Creature: id, Expression: "1d6", Reason: "initiative",
			Modifiers: mods, Rules: []string{cite.InitiativeRoll}})
		putOn(r, id, rolled.Total, 0, cite.InitiativeRoll)
		r.Set(id, cMovement, int64(allowance(r.Creature(id))), "declared "+c.Marks[mDeclared], cite.MovementMoveAndAction)
	}
	r.Set("", cRunningNumber, 0, "")
}

// putOn puts a creature on a number of the round; order above 0 is just before
// the others of the number.
func putOn(r *rules.Resolution, id string, number, order int32, ruleIDs ...string) {
	r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: r.State().Round, Total: number, Tiebreak: order}, ruleIDs...)
}

// placeOf is a creature's place in the order of the running round; nil when it
// has none.
func placeOf(s *eventv1.State, c *eventv1.Creature) *eventv1.Initiative {
	for _, i := range c.GetInitiative() {
		if i.Round == s.Round {
			return i
		}
	}
	return nil
}

// waiting tells whether a creature has still to come in this round.
func waiting(s *eventv1.State, c *eventv1.Creature) bool {
	return able(c) && placeOf(s, c) != nil && c.Counters[cDone] != int64(s.Round)
}

// nextGroup lists who acts next: all on the highest number; when nobody is
// left, those who hold without naming anyone, just below the last number.
//
// basic.initiative.high-first, basic.initiative.ties-simultaneous, basic.turn.round-ends
func nextGroup(r *rules.Resolution) []string {
	s := r.State()
	var group, holding []string
	var best *eventv1.Initiative
	for _, id := range living(s) {
		c := s.Creatures[id]
		if !waiting(s, c) {
			continue
		}
		if holdsOpen(c) {
			holding = append(holding, id)
			continue
		}
		p := placeOf(s, c)
		switch {
		case best == nil || p.Total > best.Total || p.Total == best.Total && p.Tiebreak > best.Tiebreak:
			best, group = p, []string{id}
		case p.Total == best.Total && p.Tiebreak == best.Tiebreak:
			group = append(group, id)
		}
	}
	if len(group) > 0 {
		return group
	}
	for _, id := range holding {
		putOn(r, id, int32(s.Counters[cCount])-1, 0, cite.TurnRoundEnds)
		r.Mark(id, mHold, "last")
	}
	return holding
}

// reachNumber lets the count come to the number of a group. Whoever cannot act as it
// comes or passes by its own number is done, even if somebody helps it up later.
//
// basic.turn.resolve-on-count, basic.turn.round-ends
func reachNumber(r *rules.Resolution, group []string) {
	p := placeOf(r.State(), r.Creature(group[0]))
	r.Set("", cCount, int64(p.Total), "")
	r.Set("", cTie, int64(p.Tiebreak), "")
	for _, id := range living(r.State()) {
		c := r.Creature(id)
		own := placeOf(r.State(), c)
		if up(c) || own == nil || own.Total < p.Total || own.Total == p.Total && own.Tiebreak < p.Tiebreak {
			continue
		}
		r.Set(id, cDone, int64(r.State().Round), "it cannot act on its number", cite.TurnRoundEnds)
	}
}

// startNumber lets a group act. One who holds could step in on any number, so
// that effects wait for its end even when one creature alone has it.
func startNumber(r *rules.Resolution, group []string) {
	together := int64(0)
	if len(group) > 1 || slices.ContainsFunc(living(r.State()), func(id string) bool {
		return waiting(r.State(), r.Creature(id)) && holdsOpen(r.Creature(id))
	}) {
		together = 1
	}
	r.Set("", cTogether, together, "", cite.InitiativeTiesSimultaneous)
	r.Set("", cRunningNumber, 1, "")
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: group}, cite.InitiativeHighFirst)
	for _, id := range group {
		beginCharge(r, id)
		keepHold(r, id)
	}
}

// resolveNumber lets what was done on the number take effect.
func resolveNumber(r *rules.Resolution) {
	if r.State().Counters[cRunningNumber] == 0 {
		return
	}
	takeEffect(r)
	r.Set("", cTogether, 0, "")
	r.Set("", cRunningNumber, 0, "")
}

// numberKey names the number that the count stands at.
func numberKey(s *eventv1.State) string { return itoa(s.Round) + "/" + itoa(s.Counters[cCount]) }

// endRound ends the round and what lasts until its end.
//
// basic.turn.round-ends, basic.turn.round-length, basic.item.oil-ground-fire
func endRound(r *rules.Resolution) {
	round := r.State().Round
	for _, id := range living(r.State()) {
		burn(r, id)
		standInFire(r, id)
	}
	burntOut(r, round)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.Until.GetWhen() == "round" && x.Until.Round <= round {
				r.RemoveCondition(id, x, "the round ends", x.Rule)
			}
		}
	}
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round}, cite.TurnRoundEnds)
	r.Set("", cClock, r.Count("", cClock)+roundSeconds, "the round ends", cite.TurnRoundLength)
	startRound(r, round+1)
}

// finishTurn ends the turn of a creature for this round.
func finishTurn(r *rules.Resolution, id string) {
	if up(r.Creature(id)) {
		burn(r, id) // who meant to put out the flames and did not
	}
	endCharge(r, id)
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	r.Set(id, cDone, int64(r.State().Round), "the action is completed", cite.TurnRoundEnds)
}

// EndTurn ends the turn of a creature; what it did not do is let go.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	finishTurn(r, creature)
	return advance(r)
}

// settle ends the turns of those who can no longer act; it runs at the end of
// every action.
func settle(r *rules.Resolution) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	for _, id := range slices.Clone(r.State().Active) {
		if !up(r.Creature(id)) {
			finishTurn(r, id)
		}
	}
	return advance(r)
}
