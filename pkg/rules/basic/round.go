package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/movement"
	theorder "github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
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
	for _, id := range r.CreatureIDs() {
		c := r.Creature(id)
		if body.Unconscious(c) && c.Counters[body.CWake] > 0 && c.Counters[body.CWake] <= int64(round) {
			r.Harm("wake/"+id, &eventv1.Harm{Deed: body.DeedWake, Target: id, Cause: "comes to", Amount: 1})
		}
	}
	for _, id := range body.Living(r.State()) {
		freshRound(r, id)
	}
	for _, id := range body.Living(r.State()) {
		strike.Turn(r, id, effects.TriggerRoundStart)
	}
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseDeclare}, cite.TurnDeclare)
}

// ofTheRound are the things begun that end with the round.
var ofTheRound = []string{body.BDeclared, body.BWaiting, body.BDelayed, body.BSeries, body.BMoving}

// freshRound gives a creature what a round brings.
func freshRound(r *rules.Resolution, id string) {
	const why = "the round begins"
	r.Set(id, body.CAction, 1, why)
	r.Set(id, body.CMovement, 0, why)
	r.Set(id, body.CMoved, 0, why)
	for _, kind := range ofTheRound {
		r.EndBegun(id, kind, why)
	}
	r.Unrelate(id, body.RelAttacks, "", why)
	r.Unrelate(id, body.RelFollows, "", why)
}

// advance goes on until somebody has to declare or to act, or nobody can.
func advance(r *rules.Resolution) error {
	for len(r.State().Active) == 0 {
		if r.State().Phase == body.PhaseDeclare {
			ready, wait := declared(r)
			if wait {
				return nil
			}
			if !ready {
				endRound(r) // everybody is surprised: the round passes
				continue
			}
			countDown(r)
		}
		resolveNumber(r)
		theorder.AskBetween(r)
		if group := nextGroup(r); len(group) > 0 {
			reachNumber(r, group)
			if !fire.Flames(r, group) {
				startNumber(r, group)
				dropOut(r)
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
	for _, id := range body.Living(r.State()) {
		c := r.Creature(id)
		able := declares(r.State(), r.Content(), c)
		surprised = surprised || body.Up(c) && !able
		if !able {
			continue
		}
		if theorder.DeclaredBy(c) == "" {
			return false, true
		}
		ready = true
	}
	return ready, !ready && !surprised
}

// silenced tells whether content bars a creature from declaring anything: nobody waits
// for it.
func silenced(s *eventv1.State, content *effects.Book, c *eventv1.Creature) bool {
	_, barred := content.Barred(c, "declare", effects.Env{State: s, Actor: c})
	return barred
}

// countDown begins the count: it rolls for each creature that can act and gives it
// its movement.
//
// basic.initiative.roll, basic.initiative.dex, basic.condition.blinded
func countDown(r *rules.Resolution) {
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseCount}, cite.TurnSequence)
	for _, id := range body.Living(r.State()) {
		c := r.Creature(id)
		if !body.Able(c) {
			continue
		}
		mods := []*eventv1.Modifier{{Value: body.SheetOf(c).DexterityModifier, Source: "Dexterity", Rule: cite.InitiativeDex}}
		mods = append(mods, strike.Hampered(r, c, body.RollInitiative)...)
		env := effects.Env{Actor: c, Roll: effects.Roll{Point: house.PointInitiative}}
		mods = append(mods, house.Mods(r, "initiative/"+id, c, nil, house.PointInitiative, env)...)
		expression, again := house.Again(r, c, house.PointInitiative, env, "1d6")
		rolled := r.Roll(rules.RollSpec{Label: "initiative/" + id, Creature: id, Expression: expression, Reason: "initiative",
			Modifiers: mods, Rules: append([]string{cite.InitiativeRoll}, again...)})
		strike.Pace(r, id)
		house.Turn(r, id)
		theorder.PutOn(r, id, rolled.Total, 0, cite.InitiativeRoll)
		r.Set(id, body.CMovement, int64(theorder.Allowance(r.Creature(id))), "declared "+theorder.DeclaredBy(c), cite.MovementMoveAndAction)
	}
	r.Set("", body.CRunningNumber, 0, "")
}

// nextGroup lists who acts next: all on the highest number; when nobody is
// left, those who hold without naming anyone, just below the last number.
//
// basic.initiative.high-first, basic.initiative.ties-simultaneous, basic.turn.round-ends
func nextGroup(r *rules.Resolution) []string {
	s := r.State()
	var group, holding []string
	var best *eventv1.Initiative
	for _, id := range body.Living(s) {
		c := s.Creatures[id]
		if !theorder.Waiting(s, c) {
			continue
		}
		if theorder.HoldsOpen(c) {
			holding = append(holding, id)
			continue
		}
		p := theorder.PlaceOf(s, c)
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
		theorder.PutOn(r, id, int32(s.Counters[body.CCount])-1, 0, cite.TurnRoundEnds)
		theorder.Wait(r, id, body.TrigLast)
	}
	return holding
}

// reachNumber lets the count come to the number of a group. Whoever cannot act as it
// comes or passes by its own number is done, even if somebody helps it up later.
//
// basic.turn.resolve-on-count, basic.turn.round-ends
func reachNumber(r *rules.Resolution, group []string) {
	p := theorder.PlaceOf(r.State(), r.Creature(group[0]))
	r.Set("", body.CCount, int64(p.Total), "")
	r.Set("", body.CTie, int64(p.Tiebreak), "")
	for _, id := range body.Living(r.State()) {
		c := r.Creature(id)
		own := theorder.PlaceOf(r.State(), c)
		if body.Up(c) || own == nil || own.Total < p.Total || own.Total == p.Total && own.Tiebreak < p.Tiebreak {
			continue
		}
		r.Set(id, body.CTurn, int64(r.State().Round), "it cannot act on its number", cite.TurnRoundEnds)
	}
}

// startNumber lets a group act. One who holds could step in on any number, so
// that effects wait for its end even when one creature alone has it.
func startNumber(r *rules.Resolution, group []string) {
	together := int64(0)
	if len(group) > 1 || slices.ContainsFunc(body.Living(r.State()), func(id string) bool {
		return theorder.Waiting(r.State(), r.Creature(id)) && theorder.HoldsOpen(r.Creature(id))
	}) {
		together = 1
	}
	r.Set("", body.CTogether, together, "", cite.InitiativeTiesSimultaneous)
	r.Set("", body.CRunningNumber, 1, "")
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: group}, cite.InitiativeHighFirst)
	for _, id := range group {
		r.EndBegun(id, body.BDelayed, "its number has come")
		theorder.BeginCharge(r, id)
		holds.KeepHold(r, id)
	}
	for _, id := range group {
		strike.Turn(r, id, effects.TriggerTurnStart)
	}
}

// resolveNumber lets what was done on the number take effect.
func resolveNumber(r *rules.Resolution) {
	if r.State().Counters[body.CRunningNumber] == 0 {
		return
	}
	takeEffect(r)
	r.Set("", body.CTogether, 0, "")
	r.Set("", body.CRunningNumber, 0, "")
}

// endRound ends the round and what lasts until its end.
//
// basic.turn.round-ends, basic.turn.round-length, basic.item.oil-ground-fire
func endRound(r *rules.Resolution) {
	round := r.State().Round
	for _, id := range body.Living(r.State()) {
		fire.Burn(r, id)
		fire.StandInFire(r, id)
	}
	fire.BurntOut(r, round)
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if x.Until.GetWhen() == "round" && x.Until.Round <= round {
				r.RemoveCondition(id, x, "the round ends", x.Rule)
			}
		}
		strike.Pace(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round}, cite.TurnRoundEnds)
	r.Set("", body.CClock, r.Count("", body.CClock)+roundSeconds, "the round ends", cite.TurnRoundLength)
	startRound(r, round+1)
}

// finishTurn ends the turn of a creature for this round.
func finishTurn(r *rules.Resolution, id string) {
	if body.Up(r.Creature(id)) {
		fire.Burn(r, id) // who meant to put out the flames and did not
	}
	movement.EndCharge(r, id)
	if body.Up(r.Creature(id)) {
		strike.Turn(r, id, effects.TriggerTurnEnd)
		strike.TurnSaves(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	r.Set(id, body.CTurn, int64(r.State().Round), "the action is completed", cite.TurnRoundEnds)
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
	dropOut(r)
	return advance(r)
}

// dropOut ends the turns of those who can no longer act.
func dropOut(r *rules.Resolution) {
	for _, id := range r.State().Active {
		if !body.Up(r.Creature(id)) {
			finishTurn(r, id)
		}
	}
}
