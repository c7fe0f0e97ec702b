package rcr

import (
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Begin starts the fight, with a surprise round when some but not all are
// surprised (reading: when everybody is, nobody could act in one).
//
// rcr.surprise.no-initiative
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	named, _ := spoken.Words(start.GetFacts(), "surprised")
	var ready []string
	anyone := false
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		c := r.Creature(id)
		switch {
		case dead(c):
		case slices.Contains(named, id) && !ignoresSurprise(c) || surprised(c):
			anyone = true
		default:
			ready = append(ready, id)
		}
	}
	if !anyone || len(ready) == 0 {
		startRound(r, 1)
		rollInitiative(r, 1, living(r.State())...)
		return advance(r)
	}
	for _, id := range living(r.State()) {
		if !slices.Contains(ready, id) {
			surprise(r, id)
		}
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 0})
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: phaseSurprise}, cite.SurpriseOneAction)
	rollInitiative(r, 0, ready...)
	return advance(r)
}

// mLeaving is on a creature that is being taken off the field.
const mLeaving = "leaving"

// living lists the creatures that are in the fight and not dead.
func living(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if !dead(s.Creatures[id]) && s.Creatures[id].Marks[mLeaving] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// startRound begins a round. Reactions are had from the first on; those spent
// come back at the start of one's own turn.
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.InitiativeEveryRound)
	r.Set("", cBlock, 0, "the round begins", cite.InitiativeRangeCall)
	if round != 1 {
		return
	}
	for _, id := range living(r.State()) {
		endCondition(r, id, condSurprised, "the surprise round is over", cite.SurpriseEnd)
		r.Set(id, cReaction, 1, "the first round begins", cite.BaseOpportunityFrame)
	}
}

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	goOn(r)
	tellAll(r)
	return nil
}

func goOn(r *rules.Resolution) {
	for r.State().Status == eventv1.State_STATUS_STARTED && len(r.State().Active) == 0 {
		id := nextUp(r)
		switch {
		case id != "":
			startTurn(r, id)
		case !goingOn(r.State()):
			r.Note(event.Everyone(), "", "nobody is left who could act")
			return
		default:
			endRound(r)
		}
	}
}

// goingOn tells whether another round could change anything by itself.
func goingOn(s *eventv1.State) bool {
	for _, id := range living(s) {
		if s.Creatures[id].Life != eventv1.LifeStatus_LIFE_STATUS_STABLE {
			return true
		}
	}
	return false
}

// endRound ends the round: the ranges left are called, whoever has not rolled
// for the next round does so now.
//
// rcr.initiative.roll-at-turn-end, rcr.surprise.end
func endRound(r *rules.Resolution) {
	callBlocks(r, len(blocks)-1)
	endBlock(r, len(blocks)-1)
	endRoundEffects(r)
	round := r.State().Round
	var late []string
	for _, id := range living(r.State()) {
		if initiativeOf(r.Creature(id), round+1) == nil {
			late = append(late, id)
		}
	}
	rollInitiative(r, round+1, late...)
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round})
	startRound(r, round+1)
}

// hadTurn notes the round whose turn a creature has. It is said of round 0 too,
// which a counter that was never set looks like.
func hadTurn(r *rules.Resolution, id string, round int32) {
	r.Emit(r.Audience(rules.FactCounter, cTurn, id), &eventv1.CounterSet{Subject: id, Counter: cTurn, Value: int64(round), Was: r.Count(id, cTurn)})
}

// hasHadTurn tells whether a creature has had its turn of a round.
func hasHadTurn(c *eventv1.Creature, round int32) bool {
	had, ok := c.GetCounters()[cTurn]
	return ok && had == int64(round)
}

// startTurn gives a creature its turn. One that only has a death save to make
// has had its turn with that.
func startTurn(r *rules.Resolution, id string) {
	round := r.State().Round
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}})
	hadTurn(r, id, round)
	if i := initiativeOf(r.Creature(id), round); i != nil {
		r.Set("", cRunning, int64(i.Total), "")
	}
	startTurnEffects(r, id)
	fillTurn(r, id)
	recharge(r, id)
	if turnStartDue(r.State(), r.Creature(id)) {
		turnStartDeed(r, id)
	}
	houseSpeed(r, id)
	houseTurn(r, id)
	happen(r, "turn/"+id, r.Creature(id), effects.TriggerTurnStart, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
	c := r.Creature(id)
	if dead(c) || down(c) {
		finishTurn(r, id)
		return
	}
	r.Set(id, cMovement, int64(turnMovement(r.State(), id)), "the turn begins")
	r.Set(id, cPace, int64(standingBase(r.State(), c)), "the turn begins")
}

// fillTurn gives back what a turn brings.
//
// rcr.base.opportunity-frame, rcr.initiative.back-to-back, rcr.surprise.one-action
func fillTurn(r *rules.Resolution, id string) {
	full := int64(1)
	if bareAction(r.State(), r.Creature(id)) {
		full = 0
	}
	const why = "the turn begins"
	r.Set(id, cLegendary, int64(sheetOf(r.Creature(id)).LegendaryActions), why)
	closeLegendary(r, id)
	r.Set(id, cAction, 1, why)
	r.Set(id, cBonus, full, why)
	r.Set(id, cReaction, full, why, cite.BaseOpportunityFrame)
	r.Set(id, cInteraction, full, why)
	for _, spent := range []string{cMoved, cDangerous, cAttacks, cDashes} {
		r.Set(id, spent, 0, why)
	}
	for _, name := range rules.SortedKeys(r.Creature(id).Counters) {
		if len(name) > len(cMulti) && name[:len(cMulti)] == cMulti {
			r.Set(id, name, 0, why)
		}
	}
}

// turnMovement is the movement of a turn, in feet.
func turnMovement(s *eventv1.State, id string) int32 {
	if bareAction(s, s.Creatures[id]) {
		return 0 // rcr.surprise.one-action
	}
	if feet := speedIn(s, id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range s.Creatures[id].GetSheet().GetSpeeds() {
		feet = max(feet, speedIn(s, id, mode))
	}
	return feet
}

// recharge rolls for what may come back at the start of a turn.
func recharge(r *rules.Resolution, id string) {
	c := r.Creature(id)
	var tried []string
	roll := func(name string, u *eventv1.RcrUsage) {
		uses := usesOf(name, u)
		if u.GetRecharge() != "recharge" || r.Count(id, uses) > 0 || dead(c) || down(c) || slices.Contains(tried, uses) {
			return
		}
		tried, name = append(tried, uses), uses[len(cLeft):] // one roll for what is shared
		rolled := r.Roll(rules.RollSpec{Label: "recharge/" + id + "/" + name, Creature: id, Expression: "1d6",
			Reason: "recharge of " + name, Audience: event.Controllers(id), Target: &eventv1.TargetNumber{Kind: "recharge", Value: max(u.RechargeFrom, 2)},
			Rules: []string{cite.BaseFifthEditionFallback}})
		if rolled.Success() {
			r.Set(id, uses, int64(max(u.Uses, 1)), "recharged")
		}
	}
	for _, p := range sheetOf(c).Powers {
		roll(p.Name, p.Usage)
	}
	for _, a := range sheetOf(c).Attacks {
		roll(a.Name, a.Usage)
	}
}

// turnStartDue tells whether medicine has anything to do at the start of a turn.
func turnStartDue(s *eventv1.State, c *eventv1.Creature) bool {
	if dead(c) {
		return false
	}
	suffocates := c.Counters[cSuffocating] > 0
	for _, x := range c.Conditions {
		if x.Name == condParalyzed && x.Variant == variantDisabled && !sheetOf(c).Breathless || x.Name == "suffocating" {
			suffocates = true
		}
	}
	return c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || stableInSecret(c) && (c.Counters[cInspiration] > 0 || c.Marks[mInspired] != "") || suffocates || regenerates(c) || c.Marks[mStanched] != "" || rowInForce(c, 3, defaults.On(s, setSkippedRows))
}

// finishTurn ends a turn and rolls the creature's place for the next round.
//
// rcr.initiative.roll-at-turn-end
func finishTurn(r *rules.Resolution, id string) {
	if !dead(r.Creature(id)) {
		happen(r, "turn/"+id, r.Creature(id), effects.TriggerTurnEnd, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
		endTurnEffects(r, id)
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	openLegendary(r, id)
	for _, m := range turnMarks {
		r.Mark(id, m, "")
	}
	for _, kind := range turnRelations {
		r.Unrelate(id, kind, "", "the turn ends")
	}
	endCondition(r, id, condDisengaged, "the turn ends", cite.BaseFifthEditionFallback)
	c, round := r.Creature(id), r.State().Round
	switch {
	case dead(c):
	case c.Marks[mFreeAction] != "":
		r.Mark(id, mFreeAction, "")
		joinOrder(r, id)
	case surpriseRound(r.State()):
		// rcr.surprise.end: everybody rolls when the surprise round is over.
	case initiativeOf(c, round+1) == nil:
		rollInitiative(r, round+1, id)
	}
}

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	finishTurn(r, creature)
	return advance(r)
}

// settle ends the turns of those whom an act left dead or dying, and counts the
// movement of the others by the speed that they have now; it runs at the end of
// every action.
func settle(r *rules.Resolution) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	for _, id := range slices.Clone(r.State().Active) {
		if c := r.Creature(id); dead(c) || down(c) {
			finishTurn(r, id)
			continue
		}
		keepPace(r, id)
	}
	return advance(r)
}

// Finish settles what the end of the encounter means: what lasts for turns and
// rounds is over, checks never called for were never made.
//
// rcr.dice.delayed-roll
func (System) Finish(r *rules.Resolution) error {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.Name == condDodging || x.Name == condHelped {
				r.RemoveCondition(id, x, "the encounter ends")
			}
		}
		r.EndBegun(id, begunReadied, "the encounter ends")
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "dropped"}, cite.DiceDelayedRoll)
	}
	return nil
}
