package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the encounter: who appears, surprise, how far apart the sides
// are, how monsters react, then a free round of the side that surprises, or
// initiative and the morale of those checked at the start. Facts: "appearing",
// "entries", "distance" or "roll_distance", and "reaction" as in meeting.go; "surprised", "unaware"
// and "negated" list sides, "surprises_on" and "surprised_on" give a side's top
// face, "engaged" says that foes without a place begin in melee, "morale" lists
// groups that are checked at the start.
//
// original.encounter.sequence
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	if bookError != nil {
		return bookError
	}
	// original.turn.morale-before-combat
	early, _ := spoken.Words(start.GetFacts(), "morale")
	if err := checkStart(r.State(), start.GetFacts()); err != nil {
		return err
	}
	appear(r, start.GetFacts())
	caught := rollSurprise(r, start.GetFacts())
	findDistance(r, start.GetFacts(), len(caught) > 0)
	reactions := start.GetFacts().GetFields()["reaction"].GetStructValue()
	for _, group := range rules.SortedKeys(reactions.GetFields()) {
		react(r, group, reactions.Fields[group].GetStringValue())
	}
	if spoken.Truth(start.GetFacts(), "engaged") {
		engageAll(r)
	}
	for _, g := range groups(r.State()) {
		unseen := int64(len(stagedOf(r.State(), g)))
		r.Set("", cStart+g, int64(len(members(r.State(), g)))-unseen, "strength at the start", cite.MoraleWhen)
		r.Set("", cUnseen+g, unseen, "strength at the start", cite.MoraleWhen)
	}
	if len(caught) == 0 {
		startRound(r, 1)
		for _, g := range early {
			rollMorale(r, g)
		}
		return advance(r)
	}
	for _, g := range early {
		rollMorale(r, g)
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 0}, cite.SurpriseFreeRound)
	r.Set("", cStep, 0, "the round begins")
	var ready []string
	for _, id := range present(r.State()) {
		if c := r.Creature(id); slices.Contains(caught, c.Side) {
			r.Mark(id, mSurprised, "0", cite.SurpriseFreeRound)
		} else if !out(c) {
			ready = append(ready, id)
		}
	}
	sayBehaviour(r, ready)
	r.Mark("", mPlan, planText([]segment{{phaseSurprise, ready}}), cite.SurpriseFreeRound)
	return advance(r)
}

// engageAll puts every pair of foes without a place in melee.
func engageAll(r *rules.Resolution) {
	for _, id := range present(r.State()) {
		for _, foe := range foes(r.State(), r.Creature(id)) {
			if distance(r.Creature(id), r.Creature(foe)) < 0 {
				r.Mark(id, mEngaged+foe, "yes", cite.MovementInMeleeDefinition)
			}
		}
	}
}

// startRound begins a round: stuns end, initiative stands or is rolled, the
// order is made.
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round})
	r.Set("", cStep, 0, "the round begins")
	for _, id := range present(r.State()) {
		r.Set(id, cAttacks, 0, "the round begins", cite.AttackMultiVsNormalMen)
		r.Set(id, cMoved, 0, "the round begins", cite.MovementHalfMoveAndAttack)
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.GetUntil().GetWhen() == "round" && x.Until.Round < round {
				r.RemoveCondition(id, x, "it is over", x.Rule)
			}
		}
	}
	rollInitiative(r, round)
	r.Mark("", mPlan, planText(planRound(r.State())), cite.TurnPrecedence)
}

// rollInitiative gives everyone a place: the die of the round before stands
// unless initiative is rolled anew. Every player has a die, then every group
// of foes.
//
// original.initiative.roll, original.initiative.option-reroll, original.grapple.new-initiative
func rollInitiative(r *rules.Resolution, round int32) {
	again := r.On(setReroll) || r.State().Marks[mReroll] != ""
	dice := map[string]int32{}
	byGroup := map[string][]string{}
	for _, id := range present(r.State()) {
		c := r.Creature(id)
		if dead(c) {
			continue
		}
		g := groupOf(r.State(), c)
		byGroup[g] = append(byGroup[g], id)
		for _, i := range c.Initiative {
			if i.Round == round-1 && i.Total > 0 && !again {
				dice[g] = i.Total
			}
		}
	}
	for _, g := range rules.SortedKeys(byGroup) {
		if dice[g] == 0 {
			dice[g] = r.Roll(rules.RollSpec{Label: "initiative/" + g[2:], Expression: "1d6", Reason: "initiative of " + g[2:], Creature: roller(r, byGroup[g], g),
				Rules: []string{cite.InitiativeRoll}}).Total
		}
		for _, id := range byGroup[g] {
			r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: round, Total: dice[g]}, cite.InitiativeHighestFirst)
		}
	}
	if r.State().Marks[mReroll] != "" {
		r.Mark("", mReroll, "", cite.GrappleNewInitiative)
	}
}

// roller is the creature whose player rolls a group's die; the game master
// rolls for groups of foes.
func roller(r *rules.Resolution, ids []string, group string) string {
	if group[0] == 'a' && len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	for r.State().Status == eventv1.State_STATUS_STARTED && len(r.State().Active) == 0 {
		layHeld(r)
		aftermath(r)
		plan, step := planOf(r.State()), int(r.Count("", cStep))
		if step < len(plan) {
			r.Set("", cStep, int64(step+1), "the next segment")
			startSegment(r, plan[step])
			continue
		}
		if !goingOn(r.State()) {
			r.Note(event.Everyone(), "", "nobody is left who could act")
			return nil
		}
		endRound(r)
	}
	return nil
}

// goingOn tells whether anybody could ever act again in this fight.
func goingOn(s *eventv1.State) bool {
	return slices.ContainsFunc(present(s), func(id string) bool {
		c := s.Creatures[id]
		return !out(c) && !has(c, condSurrendered) && !has(c, condHeld) && (!has(c, condPinned) || len(holders(s, id)) > 0)
	})
}

// endRound ends the round: foes in melee now have met.
func endRound(r *rules.Resolution) {
	for _, id := range present(r.State()) {
		for _, foe := range engagedWith(r.State(), r.Creature(id)) {
			// In a surprise round only blows make it the first of the two.
			if !out(r.Creature(id)) && r.State().Round > 0 {
				meet(r, id, foe)
			}
		}
	}
	chases(r)
	flightsOver(r)
	round := r.State().Round
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round})
	if round > 0 && round%max(1, int32(r.Number(setTurnRounds))) == 0 {
		turnPassed(r)
	}
	startRound(r, round+1)
}

// turnPassed is the end of a full Turn: temporary damage comes back.
//
// original.healing.temporary-damage
func turnPassed(r *rules.Resolution) {
	for _, id := range present(r.State()) {
		if c := r.Creature(id); !dead(c) && c.Counters[cTemporary] > 0 {
			r.Deed("recover/"+id, &eventv1.Harm{Deed: deedRecover, Target: id, Cause: "time", Amount: 1})
		}
	}
}

// startSegment gives the turn to those of a segment who can act.
func startSegment(r *rules.Resolution, g segment) {
	held := func(id string) bool { return r.Creature(id).GetMarks()[mHolds] != "" }
	if g.kind == segSlot || g.kind == segHaste {
		struggleAgain(r, g.ids)
		aftermath(r)
	}
	var ids []string
	for _, id := range g.ids {
		c, extra := r.Creature(id), g.kind == segFirst || g.kind == segLast
		if c != nil && !extra { // also of one who loses the turn
			r.Mark(id, mWithdrawing, "", cite.MovementFightingWithdrawal)
		}
		if c == nil || !able(r.State(), c) {
			continue
		}
		if extra && (held(id) || barred(r.State(), c) != nil || !extraAttack(r.State(), c, g.kind)) {
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return
	}
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: g.kind}, cite.TurnPrecedence)
	for _, id := range ids {
		if r.Creature(id).Side != r.Creature(ids[0]).Side {
			r.Mark("", mTogether, "yes", cite.InitiativeTiesSimultaneous)
			break
		}
	}
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: ids}, cite.TurnPrecedence)
}

// extraAttack tells whether a fighter has its first or last attack to make now.
//
// original.initiative.fighters-first-and-last
func extraAttack(s *eventv1.State, c *eventv1.Creature, kind string) bool {
	used := int32(c.Counters[cAttacks])
	switch {
	case c.Marks[mStrong] == itoa(s.Round) || !normalFoeNear(s, c) || has(c, condStruggling) || c.Marks[mStumbled] == itoa(s.Round):
		return false
	case kind == segFirst:
		return used == 0
	}
	return used < attacksAgainstNormal(s, c)
}

// finishTurn ends a creature's turn.
func finishTurn(r *rules.Resolution, id string) {
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
}

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	finishTurn(r, creature)
	return settle(r)
}

// aftermath settles what harm brought about: holds that ended, morale.
func aftermath(r *rules.Resolution) {
	releaseHolds(r)
	checkMorale(r)
}

// settle ends the turns of those who are out of it; it runs at the end of
// every action. The fallen have no turn while others are asked whether they
// break; those who break and surrender then end theirs too.
func settle(r *rules.Resolution) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	endTurns(r, func(c *eventv1.Creature) bool { return c == nil || out(c) })
	aftermath(r)
	endTurns(r, func(c *eventv1.Creature) bool { return c == nil || !able(r.State(), c) })
	return advance(r)
}

func endTurns(r *rules.Resolution, over func(*eventv1.Creature) bool) {
	for _, id := range slices.Clone(r.State().Active) {
		if over(r.Creature(id)) {
			finishTurn(r, id)
		}
	}
}

// Finish settles what the end of the encounter means: held blows fall, the men
// left in units are counted, and what was of this fight alone lapses.
//
// original.mass.survivors
func (System) Finish(r *rules.Resolution) error {
	layHeld(r)
	releaseHolds(r)
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		lapse(r, id)
	}
	for _, id := range present(r.State()) {
		if c := r.Creature(id); isUnit(c) && r.On(setMassLeft) {
			left := survivors(c.GetHp(), r.Count(id, cOriginal), sheetOf(c).UnitSize)
			r.Set(id, cSurvivors, left, "after the fight", setMassLeft)
			r.Note(event.Everyone(), id, itoa(left)+" of "+itoa(sheetOf(c).UnitSize)+" live", setMassLeft)
		}
	}
	return nil
}

// survivors is how many men of a unit live: its share of points left, of the
// men, rounded up.
//
// original.mass.survivors
func survivors(left int32, original int64, men int32) int64 {
	if left <= 0 || original <= 0 {
		return 0
	}
	return min(int64(men), (int64(left)*int64(men)+original-1)/original)
}
