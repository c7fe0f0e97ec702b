package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight, with a surprise round when some but not all are
// surprised (reading: when everybody is, nobody could act in one).
//
// rcr.surprise.no-initiative
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	underwater.Begin(r, start.GetFacts())
	movement.Lighting(r, start.GetFacts())
	named, _ := spoken.Words(start.GetFacts(), "surprised")
	mounts.Settle(r)
	var ready []string
	anyone := false
	for _, id := range r.CreatureIDs() {
		c := r.Creature(id)
		switch {
		case body.Dead(c):
		case slices.Contains(named, id) && !answers.IgnoresSurprise(c) || answers.Surprised(c):
			anyone = true
		default:
			ready = append(ready, id)
		}
	}
	if !anyone || len(ready) == 0 {
		startRound(r, 1)
		answers.RollInitiative(r, 1, placed(r.State(), living(r.State()))...)
		return advance(r)
	}
	for _, id := range living(r.State()) {
		if !slices.Contains(ready, id) {
			answers.Surprise(r, id)
		}
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: 0})
	r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseSurprise}, cite.SurpriseOneAction)
	answers.RollInitiative(r, 0, placed(r.State(), ready)...)
	return advance(r)
}

// mLeaving is on a creature that is being taken off the field.
const mLeaving = "leaving"

// living lists the creatures that are in the fight and not dead.
func living(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if !body.Dead(s.Creatures[id]) && s.Creatures[id].Marks[mLeaving] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// placed are those among creatures that have a place of their own in the order.
//
// rcr.mount.shared-initiative
func placed(s *eventv1.State, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return mounts.Placeless(s, id) })
}

// startRound begins a round. Reactions are had from the first on; those spent
// come back at the start of one's own turn.
func startRound(r *rules.Resolution, round int32) {
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.InitiativeEveryRound)
	r.Set("", body.CBlock, 0, "the round begins", cite.InitiativeRangeCall)
	if r.Content() != nil {
		for _, id := range living(r.State()) {
			body.Happen(r, "round/"+id, r.Creature(id), effects.TriggerRoundStart, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
		}
	}
	if round != 1 {
		return
	}
	for _, id := range living(r.State()) {
		dice.EndCondition(r, id, body.CondSurprised, "the surprise round is over", cite.SurpriseEnd)
		r.Set(id, body.CReaction, 1, "the first round begins", cite.BaseOpportunityFrame)
	}
}

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	mounts.Settle(r)
	goOn(r)
	checks.TellAll(r)
	return nil
}

func goOn(r *rules.Resolution) {
	underwater.Settle(r)
	for len(r.State().Active) == 0 {
		id := answers.NextUp(r)
		switch {
		case id != "":
			startTurn(r, id)
			comeDown(r)
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
	answers.CallBlocks(r, len(answers.Blocks)-1)
	body.EndBlock(r, len(answers.Blocks)-1)
	body.EndRoundEffects(r)
	round := r.State().Round
	var late []string
	for _, id := range placed(r.State(), living(r.State())) {
		if answers.InitiativeOf(r.Creature(id), round+1) == nil {
			late = append(late, id)
		}
	}
	answers.RollInitiative(r, round+1, late...)
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: round})
	startRound(r, round+1)
}

// hadTurn notes the round whose turn a creature has. It is said of round 0 too,
// which a counter that was never set looks like.
func hadTurn(r *rules.Resolution, id string, round int32) {
	r.Emit(r.Audience(rules.FactCounter, body.CTurn, id), &eventv1.CounterSet{Subject: id, Counter: body.CTurn, Value: int64(round), Was: r.Count(id, body.CTurn)})
}

// startTurn gives a creature its turn. One that only has a death save to make
// has had its turn with that.
func startTurn(r *rules.Resolution, id string) {
	round := r.State().Round
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}})
	hadTurn(r, id, round)
	if i := answers.InitiativeOf(r.Creature(id), round); i != nil {
		r.Set("", body.CRunning, int64(i.Total), "")
	}
	if !freshen(r, id) {
		finishTurn(r, id)
		return
	}
	share(r)
}

// share has the mounts that riders control act in the turns that run.
//
// rcr.mount.shared-initiative
func share(r *rules.Resolution) {
	for _, rider := range r.State().Active {
		id := mounts.Sharing(r.State(), rider)
		if id == "" || slices.Contains(r.State().Active, id) {
			continue
		}
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: append(slices.Clone(r.State().Active), id)}, cite.MountSharedInitiative)
		hadTurn(r, id, r.State().Round)
		if !freshen(r, id) && slices.Contains(r.State().Active, id) {
			mounts.EndPart(r, id)
			continue
		}
		r.Set(id, body.CBonus, 0, "it is controlled", cite.MountActionMenu)
	}
}

// freshen gives a creature what its turn brings, and tells whether there is any more
// to its turn.
func freshen(r *rules.Resolution, id string) bool {
	answers.StartTurnEffects(r, id)
	answers.FillTurn(r, id)
	recharge(r, id)
	if turnStartDue(r.State(), r.Creature(id)) {
		injuries.TurnStartDeed(r, id)
	}
	underwater.Breathe(r, id)
	answers.HouseSpeed(r, id)
	house.Turn(r, id)
	body.Happen(r, "turn/"+id, r.Creature(id), effects.TriggerTurnStart, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
	movement.TurnTraits(r, id)
	flight.Settle(r)
	movement.Burst(r)
	c := r.Creature(id)
	if body.Dead(c) || body.Down(c) {
		return false
	}
	mounts.Refresh(r, id)
	r.Set(id, body.CMovement, int64(turnMovement(r.State(), id)), "the turn begins")
	r.Set(id, body.CPace, int64(movement.StandingBase(r.State(), c)), "the turn begins")
	return true
}

// turnMovement is the movement of a turn, in feet.
func turnMovement(s *eventv1.State, id string) int32 {
	if checks.BareAction(s, s.Creatures[id]) {
		return 0 // rcr.surprise.one-action
	}
	if feet := body.SpeedIn(s, id, "walk"); feet > 0 {
		return feet
	}
	feet := int32(0)
	// order-free: the largest is taken
	for mode := range s.Creatures[id].GetSheet().GetSpeeds() {
		feet = max(feet, body.SpeedIn(s, id, mode))
	}
	return feet
}

// recharge rolls for what may come back at the start of a turn.
func recharge(r *rules.Resolution, id string) {
	c := r.Creature(id)
	var tried []string
	roll := func(name string, u *eventv1.RcrUsage) {
		uses := body.UsesOf(name, u)
		if u.GetRecharge() != "recharge" || r.Count(id, uses) > 0 || body.Down(c) || slices.Contains(tried, uses) {
			return
		}
		tried, name = append(tried, uses), uses[len(body.CLeft):] // one roll for what is shared
		rolled := r.Roll(rules.RollSpec{Label: "recharge/" + id + "/" + name, Creature: id, Expression: "1d6",
			Reason: "recharge of " + name, Audience: event.Controllers(id), Target: &eventv1.TargetNumber{Kind: "recharge", Value: max(u.RechargeFrom, 2)},
			Rules: []string{cite.BaseFifthEditionFallback}})
		if rolled.Success() {
			r.Set(id, uses, int64(max(u.Uses, 1)), "recharged")
		}
	}
	for _, p := range body.SheetOf(c).Powers {
		roll(p.Name, p.Usage)
	}
	for _, a := range body.SheetOf(c).Attacks {
		roll(a.Name, a.Usage)
	}
}

// turnStartDue tells whether medicine has anything to do at the start of a turn.
func turnStartDue(s *eventv1.State, c *eventv1.Creature) bool {
	if body.Dead(c) {
		return false
	}
	suffocates := c.Counters[body.CSuffocating] > 0
	for _, x := range c.Conditions {
		if x.Name == body.CondParalyzed && x.Variant == body.VariantDisabled && !body.SheetOf(c).Breathless || x.Name == body.CondSuffocating {
			suffocates = true
		}
	}
	return c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || body.StableInSecret(c) && (c.Counters[body.CInspiration] > 0 || c.Marks[body.MInspired] != "") || suffocates || injuries.Regenerates(c) || c.Marks[body.MStanched] != "" || body.RowInForce(c, 3, body.Defaults.On(s, body.SetSkippedRows))
}

// finishTurn ends a turn and rolls the creature's place for the next round.
//
// rcr.initiative.roll-at-turn-end
func finishTurn(r *rules.Resolution, id string) {
	mounts.TurnEnds(r, id)
	flight.EndTurn(r, id)
	if !body.Dead(r.Creature(id)) {
		body.Happen(r, "turn/"+id, r.Creature(id), effects.TriggerTurnEnd, effects.Env{Actor: r.Creature(id), Target: r.Creature(id)})
		dice.EndTurnEffects(r, id)
		movement.CalmDown(r, id)
		underwater.EndTurn(r, id, fightTires(r))
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	answers.OpenLegendary(r, id)
	for _, other := range r.CreatureIDs() {
		if r.Creature(other).Marks[body.MParried] != "" {
			r.Mark(other, body.MParried, "", cite.FeatDefensiveDuelistDouble)
		}
	}
	for _, m := range movement.TurnMarks {
		r.Mark(id, m, "")
	}
	for _, kind := range movement.TurnRelations {
		r.Unrelate(id, kind, "", "the turn ends")
	}
	dice.EndCondition(r, id, body.CondDisengaged, "the turn ends", cite.BaseFifthEditionFallback)
	mounts.OwnTurnEnds(r, id)
	c, round := r.Creature(id), r.State().Round
	switch {
	case body.Dead(c), mounts.Placeless(r.State(), id):
	case c.Marks[body.MFreeAction] != "":
		r.Mark(id, body.MFreeAction, "")
		answers.JoinOrder(r, id)
	case checks.SurpriseRound(r.State()):
		// rcr.surprise.end: everybody rolls when the surprise round is over.
	case answers.InitiativeOf(c, round+1) == nil:
		answers.RollInitiative(r, round+1, id)
	}
}

// fightTires exhausts a creature in a fight, which is a deed of medicine.
func fightTires(r *rules.Resolution) underwater.Tires {
	return func(id string) {
		r.Harm("swim/tires/"+id, &eventv1.Harm{Deed: body.DeedExhaust, Target: id, Cause: "swimming", Amount: 1})
		movement.KeepPace(r, id)
	}
}

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	c := r.Creature(creature)
	if err := body.FirstError(mounts.RefuseEnd(r.State(), c), flight.RefuseEndTurn(r.State(), c)); err != nil {
		return err
	}
	finishTurn(r, creature)
	return advance(r)
}

// settle sees what an act has led to; it runs at the end of every action.
func settle(r *rules.Resolution) error {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	comeDown(r)
	share(r)
	return advance(r)
}

// comeDown lets fall what falls, ends the turns of those whom that or anything before
// left dead or dying, and counts the movement of the others by their speed now. Mounts
// may throw their riders in that, who then fall in their turn.
func comeDown(r *rules.Resolution) {
	for again := true; again; again = flight.Unsettled(r.State()) || slices.ContainsFunc(r.State().Active, outOfTurn(r)) {
		movement.SettleImplied(r)
		underwater.Settle(r)
		flight.Settle(r)
		movement.Burst(r)
		for _, id := range r.State().Active {
			if outOfTurn(r)(id) {
				finishTurn(r, id)
				continue
			}
			movement.KeepPace(r, id)
		}
		mounts.Settle(r)
	}
}

// outOfTurn tells whether a creature is dead or at no hit points, and so has no turn.
func outOfTurn(r *rules.Resolution) func(id string) bool {
	return func(id string) bool { return body.Dead(r.Creature(id)) || body.Down(r.Creature(id)) }
}

// Finish settles what the end of the encounter means: what lasts for turns and
// rounds is over, checks never called for were never made.
//
// rcr.dice.delayed-roll
func (System) Finish(r *rules.Resolution) error {
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if x.Name == body.CondDodging || x.Name == body.CondHelped {
				r.RemoveCondition(id, x, "the encounter ends")
			}
		}
		r.EndBegun(id, body.BegunReadied, "the encounter ends")
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: id, Outcome: "dropped"}, cite.DiceDelayedRoll)
	}
	return nil
}
