package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/morale"
	"github.com/skaldrpg/skald/pkg/rules/original/moving"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
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
	if thestrike.BookError != nil {
		return thestrike.BookError
	}
	// original.turn.morale-before-combat
	early, _ := spoken.Words(start.GetFacts(), "morale")
	if err := checkStart(r, start.GetFacts()); err != nil {
		return err
	}
	appear(r, start.GetFacts())
	caught := reach.RollSurprise(r, start.GetFacts())
	findDistance(r, start.GetFacts(), len(caught) > 0)
	reactions := start.GetFacts().GetFields()["reaction"].GetStructValue()
	for _, group := range rules.SortedKeys(reactions.GetFields()) {
		react(r, group, reactions.Fields[group].GetStringValue())
	}
	if spoken.Truth(start.GetFacts(), "engaged") {
		engageAll(r)
	}
	for _, g := range morale.Groups(r.State()) {
		all, unseen := body.Strength(r.State(), g)
		r.Set("", body.CStart+g, int64(all-unseen), "strength at the start", cite.MoraleWhen)
		r.Set("", body.CUnseen+g, int64(unseen), "strength at the start", cite.MoraleWhen)
	}
	if len(caught) == 0 {
		startRound(r, 1)
		for _, g := range early {
			morale.RollMorale(r, g)
		}
		return advance(r)
	}
	for _, g := range early {
		morale.RollMorale(r, g)
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 0}, cite.SurpriseFreeRound)
	roundBegins(r)
	var ready []string
	for _, id := range body.PresentIn(r) {
		if c := r.Creature(id); slices.Contains(caught, c.Side) {
			body.During(r, id, body.CondSurprised, cite.SurpriseFreeRound)
		} else if !body.Out(c) {
			ready = append(ready, id)
		}
	}
	sayBehaviour(r, ready)
	setPlan(r, []thestrike.Segment{{Kind: body.PhaseSurprise, Ids: ready}}, cite.SurpriseFreeRound)
	return advance(r)
}

// engageAll puts every pair of foes without a place in melee.
func engageAll(r *rules.Resolution) {
	for _, id := range body.PresentIn(r) {
		for _, foe := range body.Foes(r.State(), r.Creature(id)) {
			if body.Distance(r.Creature(id), r.Creature(foe)) < 0 {
				body.Tie(r, id, body.RelEngaged, foe, cite.MovementInMeleeDefinition)
			}
		}
	}
}

// startRound begins a round: stuns end, initiative stands or is rolled, the
// order is made.
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round})
	r.Set("", body.CStep, 0, "the round begins")
	for _, id := range body.PresentIn(r) {
		for _, name := range body.OfTheRound {
			if r.Count(id, name) != 0 {
				r.Set(id, name, 0, "the round begins", cite.AttackMultiVsNormalMen)
			}
		}
		for _, w := range body.SheetOf(r.Creature(id)).Weapons {
			if w.Kind != "crossbow" {
				continue
			}
			if n := r.Count(id, body.CLoading+w.Name); n > 0 {
				r.Set(id, body.CLoading+w.Name, n-1, "the round begins", cite.AttackCrossbowEveryOtherRound)
			}
		}
		body.Expire(r, id, round)
	}
	for _, name := range rules.SortedKeys(r.State().Marks) {
		if strings.HasPrefix(name, body.MHunt) { // original.pursuit.pursue-roll: once a round
			r.Mark("", name, "", cite.PursuitPursueRoll)
		}
	}
	roundBegins(r)
	rollInitiative(r, round)
	setPlan(r, planRound(thestrike.TablesOf(r.Content()), r.State()), cite.TurnPrecedence)
}

// roundBegins lets content have its say of a round.
func roundBegins(r *rules.Resolution) {
	if r.Content() == nil {
		return
	}
	for _, id := range body.PresentIn(r) {
		thestrike.Pace(r, id)
		thestrike.MoreAttacks(r, id)
	}
	for _, id := range body.PresentIn(r) {
		thestrike.Turn(r, id, effects.TriggerRoundStart)
	}
	aftermath(r)
}

// rollInitiative gives everyone a place: the die of the round before stands
// unless initiative is rolled anew. Every player has a die, then every group
// of foes.
//
// original.initiative.roll, original.initiative.option-reroll, original.grapple.new-initiative
func rollInitiative(r *rules.Resolution, round int32) {
	again := r.On(body.SetReroll) || r.State().Marks[body.MReroll] != ""
	dice := map[string]int32{}
	byGroup := map[string][]string{}
	for _, id := range body.PresentIn(r) {
		c := r.Creature(id)
		if body.Dead(c) {
			continue
		}
		g := body.GroupOf(r.State(), c)
		byGroup[g] = append(byGroup[g], id)
		for _, i := range c.Initiative {
			if i.Round == round-1 && !again {
				dice[g] = i.Total
			}
		}
	}
	for _, g := range rules.SortedKeys(byGroup) {
		if dice[g] == 0 {
			first := r.Creature(byGroup[g][0]) // what it has counts for the group
			env := effects.Env{Actor: first, Roll: effects.Roll{Point: house.PointInitiative}}
			mods := house.Mods(r, "initiative/"+g[2:], first, nil, house.PointInitiative, env)
			expression, again := house.Again(r, first, house.PointInitiative, env, "1d6")
			dice[g] = r.Roll(rules.RollSpec{Label: "initiative/" + g[2:], Expression: expression, Reason: "initiative of " + g[2:], Creature: roller(r, byGroup[g], g),
				Modifiers: mods, Rules: append([]string{cite.InitiativeRoll}, again...)}).Total
			if len(mods) > 0 {
				dice[g] = max(1, dice[g]) // 0 is none
			}
		}
		for _, id := range byGroup[g] {
			r.Emit(event.Everyone(), &eventv1.InitiativeSet{Creature: id, Round: round, Total: dice[g]}, cite.InitiativeHighestFirst)
		}
	}
	if r.State().Marks[body.MReroll] != "" {
		r.Mark("", body.MReroll, "", cite.GrappleNewInitiative)
	}
}

// roller is the creature whose player rolls a group's die; the game master
// rolls for groups of foes.
func roller(r *rules.Resolution, ids []string, group string) string {
	if group[0] == 'a' {
		return ids[0]
	}
	return ""
}

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	for len(r.State().Active) == 0 {
		layHeld(r)
		aftermath(r)
		plan, step := thestrike.PlanOf(r.State()), int(r.Count("", body.CStep))
		if step < len(plan) {
			r.Set("", body.CStep, int64(step+1), "the next segment")
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
	return body.Any(s, func(c *eventv1.Creature) bool {
		return !body.Out(c) && !body.Has(c, body.CondSurrendered) && !body.Has(c, body.CondHeld) && (!body.Has(c, body.CondPinned) || len(thestrike.Holders(s, c.Id)) > 0)
	})
}

// endRound ends the round: foes in melee now have met.
func endRound(r *rules.Resolution) {
	for _, id := range body.PresentIn(r) {
		for _, foe := range body.EngagedWith(r.State(), r.Creature(id)) {
			// In a surprise round only blows make it the first of the two.
			if !body.Out(r.Creature(id)) && r.State().Round > 0 {
				thestrike.Meet(r, id, foe)
			}
		}
	}
	moving.Chases(r)
	moving.FlightsOver(r)
	round := r.State().Round
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round})
	if round > 0 && round%max(1, int32(r.Number(body.SetTurnRounds))) == 0 {
		turnPassed(r)
	}
	startRound(r, round+1)
}

// turnPassed is the end of a full Turn: temporary damage comes back.
//
// original.healing.temporary-damage
func turnPassed(r *rules.Resolution) {
	for _, id := range body.PresentIn(r) {
		if c := r.Creature(id); !body.Dead(c) && body.Nonlethal(c) > 0 {
			r.Harm("recover/"+id, &eventv1.Harm{Deed: body.DeedRecover, Target: id, Cause: "time", Amount: 1})
		}
	}
}

// startSegment gives the turn to those of a segment who can act.
func startSegment(r *rules.Resolution, g thestrike.Segment) {
	if g.Kind == body.SegSlot || g.Kind == body.SegHaste {
		thestrike.StruggleAgain(r, g.Ids)
		aftermath(r)
	}
	var ids []string
	for _, id := range g.Ids {
		c, extra := r.Creature(id), g.Kind == body.SegFirst || g.Kind == body.SegLast
		if c != nil && !extra { // also of one who loses the turn
			body.Lift(r, id, body.CondWithdrawing, cite.MovementFightingWithdrawal)
		}
		if !thestrike.Able(r.State(), c) {
			continue
		}
		if extra && (thestrike.Barred(r.State(), c) || !extraAttack(r.State(), c, g.Kind)) {
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return
	}
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: g.Kind}, cite.TurnPrecedence)
	for _, id := range ids {
		if r.Creature(id).Side != r.Creature(ids[0]).Side {
			r.Mark("", body.MTogether, rules.Yes, cite.InitiativeTiesSimultaneous)
			break
		}
	}
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: ids}, cite.TurnPrecedence)
	if r.Content() == nil || g.Kind == body.SegFirst || g.Kind == body.SegLast {
		return
	}
	for _, id := range ids {
		thestrike.Turn(r, id, effects.TriggerTurnStart)
	}
	endTurns(r, func(c *eventv1.Creature) bool { return !thestrike.Able(r.State(), c) })
	aftermath(r)
}

// extraAttack tells whether a fighter has its first or last attack to make now.
//
// original.initiative.fighters-first-and-last
func extraAttack(s *eventv1.State, c *eventv1.Creature, kind string) bool {
	used := int32(c.Counters[body.CAttacks])
	switch {
	case c.Counters[body.CStrong] > 0 || !normalFoeNear(s, c) || body.Has(c, body.CondStruggling):
		return false
	case kind == body.SegFirst:
		return used == 0
	}
	return used < body.AttacksAgainstNormal(s, c)
}

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	thestrike.FinishTurn(r, creature)
	return settle(r)
}

// aftermath settles what harm brought about: holds that ended, morale.
func aftermath(r *rules.Resolution) {
	thestrike.ReleaseHolds(r)
	morale.CheckMorale(r)
}

// settle ends the turns of those who are out of it; it runs at the end of
// every action. The fallen have no turn while others are asked whether they
// break; those who break and surrender then end theirs too.
func settle(r *rules.Resolution) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	endTurns(r, body.Out)
	aftermath(r)
	endTurns(r, func(c *eventv1.Creature) bool { return !thestrike.Able(r.State(), c) })
	return advance(r)
}

func endTurns(r *rules.Resolution, over func(*eventv1.Creature) bool) {
	for _, id := range r.State().Active {
		if over(r.Creature(id)) {
			thestrike.FinishTurn(r, id)
		}
	}
}

// Finish settles what the end of the encounter means: held blows fall, the men
// left in units are counted, and what was of this fight alone lapses.
//
// original.mass.survivors
func (System) Finish(r *rules.Resolution) error {
	layHeld(r)
	setPlan(r, nil, cite.TurnPrecedence)
	thestrike.ReleaseHolds(r)
	for _, id := range r.CreatureIDs() {
		thestrike.Lapse(r, id)
	}
	for _, id := range body.PresentIn(r) {
		if c := r.Creature(id); body.IsUnit(c) && r.On(body.SetMassLeft) {
			left := survivors(c.GetHp(), r.Count(id, body.COriginal), body.SheetOf(c).UnitSize)
			r.Set(id, body.CSurvivors, left, "after the fight", body.SetMassLeft)
			r.Note(event.Everyone(), id, body.Itoa(left)+" of "+body.Itoa(body.SheetOf(c).UnitSize)+" live", body.SetMassLeft)
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
