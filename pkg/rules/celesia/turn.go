package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight: initiative, and a surprise round when some but not
// all are aware of their opponents.
//
// celesia.surprise.awareness, celesia.surprise.surprised-definition, celesia.surprise.round-occurs
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	unaware, _ := spoken.Words(start.GetFacts(), "unaware")
	ids := living(r.State())
	for _, id := range ids {
		if body.Has(r.Creature(id), body.CondSurprised) {
			unaware = append(unaware, id)
		}
	}
	aware := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(unaware, id) })
	surprise := len(aware) > 0 && len(aware) < len(ids)
	for _, id := range ids {
		// Everyone sees now what a check may have kept from them.
		body.Lift(r, id, body.CondSurprised, "the fight begins", cite.SurpriseUnaware)
		if surprise && slices.Contains(unaware, id) {
			r.AddCondition(id, checks.Surprised("unaware of its opponents", cite.SurpriseUnaware))
		}
		notActed(r, id)
	}
	round := int32(1)
	if surprise {
		round = 0
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.TurnRoundSixSeconds)
	if surprise {
		r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: body.PhaseSurprise}, cite.SurpriseRoundOccurs)
	}
	favoured, _ := spoken.Words(start.GetFacts(), answers.FactFavoured)
	hampered, _ := spoken.Words(start.GetFacts(), answers.FactHampered)
	totals := strike.RollPlaces(r, ids, favoured, hampered)
	answers.SetOrder(r, round, answers.Ranked(r, totals), totals, cite.InitiativeOrderDescending)
	saddle.SettleMounts(r)
	saddle.InForce(r, "round", effects.TriggerRoundStart)
	return advance(r)
}

// notActed makes a creature flat-footed until it acts; uncanny dodge keeps it
// from that, and with Combat Reflexes it can react all the same.
//
// celesia.condition.flat-footed, celesia.condition.flat-footed-no-aoo, celesia.feat.uncanny-dodge
func notActed(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if !body.Feature(c, body.FeatUncannyDodge) && !body.Has(c, body.CondFlatFooted) {
		body.Inflict(r, id, &eventv1.Condition{Name: body.CondFlatFooted, Cause: "has not acted yet", Rule: cite.ConditionFlatFooted})
	}
	if body.Feature(c, body.FeatUncannyDodge) || body.Feature(c, body.FeatCombatReflexes) {
		saddle.GainReactions(r, id, "ready before its first turn", cite.ConditionFlatFootedNoAoo)
	}
}

// living lists the creatures that are in the fight and not dead.
func living(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if !body.Dead(s.Creatures[id]) && s.Creatures[id].Marks[body.MLeaving] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// quietRounds is how many rounds in a row may pass without anybody able to act
// before the fight waits for the game master.
const quietRounds = 50

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	for quiet := 0; len(r.State().Active) == 0; {
		body.Sight(r)
		id := nextUp(r.State())
		switch {
		case id != "":
			startTurn(r, id)
			continue
		case !goingOn(r.State()) || quiet >= quietRounds:
			r.Note(event.Everyone(), "", "nobody is left who could act")
			return nil
		}
		quiet++
		nextRound(r)
	}
	body.Sight(r)
	return nil
}

// nextUp is the first in the order who has not had this round's turn.
func nextUp(s *eventv1.State) string {
	for _, id := range answers.Order(s) {
		c := s.Creatures[id]
		if saddle.WithRider(s, c) || saddle.HadTurn(s, c) || s.Round == 0 && body.Has(c, body.CondSurprised) {
			continue
		}
		return id
	}
	return ""
}

// goingOn tells whether another round could change anything by itself.
func goingOn(s *eventv1.State) bool {
	for _, id := range living(s) {
		c := s.Creatures[id]
		if !body.Has(c, body.CondUnconscious) || c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || mending.Lasting(c) {
			return true
		}
	}
	return false
}

// nextRound ends the round and begins the next in the same order.
//
// celesia.initiative.persistent-order, celesia.surprise.reaction
func nextRound(r *rules.Resolution) {
	s := r.State()
	was := s.Round
	ids := answers.Order(s)
	totals := answers.TotalsOf(s, ids)
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: was})
	r.Set("", body.CSeconds, r.Count("", body.CSeconds)+6, "a round is over", cite.TurnRoundSixSeconds)
	if was == 0 {
		for _, id := range ids {
			if c := r.Creature(id); !body.Has(c, body.CondSurprised) && strike.Able(c) {
				saddle.GainReactions(r, id, "the surprise round is over", cite.SurpriseReaction)
			}
			body.Lift(r, id, body.CondSurprised, "the surprise round is over", cite.SurpriseUnaware)
		}
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: was + 1}, cite.TurnRoundSixSeconds)
	outlast(r)
	answers.SetOrder(r, was+1, ids, totals, cite.InitiativePersistentOrder)
	saddle.InForce(r, "round", effects.TriggerRoundStart)
}

// startTurn gives a creature its turn. One that cannot act has had it with
// what the start of a turn brings.
//
// celesia.initiative.inaction
func startTurn(r *rules.Resolution, id string) {
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}})
	answers.TookTurn(r, id)
	if r.EndBegun(id, body.BegunDelayed, "lost", cite.TurnDelay) != nil {
		r.Set(id, body.CFirst, 0, "the first turn was lost", cite.TurnDelay)
	}
	saddle.TurnBegins(r, id)
	saddle.GuideAgain(r, id)
	saddle.MountTurn(r, id)
	if mending.BodySuffers(r.Creature(id)) {
		saddle.Deed(r, "turn-start/"+id, &eventv1.Harm{Deed: body.DeedTurnStart, Target: id, Cause: "the turn begins"})
	}
	saddle.HouseTurn(r, id)
	saddle.KeepPace(r)
	saddle.Own(r, "turn", id, effects.TriggerTurnStart)
	if !strike.Able(r.Creature(id)) {
		finishTurn(r, id)
		return
	}
	manners.PickExtra(r, id)
	setActs(r, id, 0, "the turn begins")
	saddle.CompleteOneRound(r, id)
	switch { // the effect may have struck the caster itself
	case !slices.Contains(r.State().Active, id):
	case !strike.Able(r.Creature(id)):
		finishTurn(r, id)
	default:
		setActs(r, id, 0, "acts of the turn")
	}
}

// setActs gives a creature the acts of its turn but for those spent, by the rule that
// set their number.
//
// celesia.turn.three-acts
func setActs(r *rules.Resolution, id string, spent int64, cause string) {
	acts, rule := strike.Allowed(r.State(), r.Creature(id))
	r.Set(id, body.CActs, max(0, int64(acts)-spent), cause, rule)
}

// outlast ends the conditions that last until a round that is over. What content
// laid for turns of one that has none any more goes on by rounds.
func outlast(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if u := x.Until; u.GetWhen() == "round" && u.Round < r.State().Round {
				r.RemoveCondition(id, x, "its time is over", x.Rule)
			}
		}
	}
	saddle.Outlived(r)
}

// finishTurn ends a turn: acts left are lost, the reaction is gained, and who
// delays may come back.
//
// celesia.turn.three-acts, celesia.turn.one-reaction
func finishTurn(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if foe := answers.Holds(c); foe != "" && c.Marks[body.MKept] == "" {
		answers.EndGrapple(r, id, "not kept up", cite.ManeuverGrappleMaintain)
	}
	strike.DropUnderway(r, id, "the turn is over")
	if c.Counters[body.CActs] > 0 || !strike.Able(c) {
		answers.BreakTasks(r, id, "acts were left unused")
	}
	saddle.Own(r, "turn", id, effects.TriggerTurnEnd)
	saddle.Shake(r, id)
	if !body.Dead(c) {
		saddle.Expire(r, id, "end-of-turn")
	}
	magic.LapseSpells(r, id)
	saddle.MountDone(r, id)
	r.Set(id, body.CActs, 0, "the turn is over")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	if r.State().Round > 0 {
		r.Set(id, body.CFirst, 0, "the first turn is over")
		if strike.Able(r.Creature(id)) {
			saddle.GainReactions(r, id, "the turn is completed", cite.TurnOneReaction)
		}
	}
	offerReentry(r, id)
}

// offerReentry asks those who delay, the higher old place first, whether they
// come back now.
//
// celesia.turn.delay-reenter
func offerReentry(r *rules.Resolution, last string) {
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return
	}
	for _, id := range answers.Order(r.State()) {
		c := r.Creature(id)
		if rules.BegunOf(c, body.BegunDelayed) == nil || !strike.Able(c) {
			continue
		}
		a := r.Ask("re-enter/"+id, rules.YesNo(body.DecReenter, id, "the turn of "+r.Creature(last).GetName()+" is over",
			c.Name+" delays. Come back now?", "no", cite.TurnDelayReenter))
		if a.Option != "yes" {
			continue
		}
		r.EndBegun(id, body.BegunDelayed, "taken", cite.TurnDelayReenter)
		answers.PlaceAfter(r, id, last)
		answers.TookTurn(r, id) // of this round, whose place has just passed
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}}, cite.TurnDelayReenter)
		setActs(r, id, 0, "the delayed turn begins")
		return
	}
}

// EndTurn ends the turn of a creature and goes on to whatever follows.
func (System) EndTurn(r *rules.Resolution, creature string) error {
	finishTurn(r, creature)
	return settle(r)
}

// settle brings the turn in line with what an act did: acts left are those of
// the allowance now in force, and who can no longer act has had the turn.
//
// celesia.injury.disabled-one-less-act
func settle(r *rules.Resolution) error {
	saddle.KeepPace(r)
	if r.State().Status != eventv1.State_STATUS_STARTED {
		body.Sight(r)
		return nil
	}
	for _, id := range r.State().Active {
		c := r.Creature(id)
		over := c.Marks[body.MOver]
		r.Mark(id, body.MOver, "")
		switch {
		case over == "delay":
			answers.PutOff(r, id)
			continue
		case over != "" || !strike.Able(c):
			finishTurn(r, id)
			continue
		}
		setActs(r, id, c.Counters[body.CSpent], "acts of the turn")
		saddle.MountActs(r, id)
	}
	return advance(r)
}

// Finish settles what the end of the encounter means: what lasts for turns is
// over.
func (System) Finish(r *rules.Resolution) error {
	for _, id := range r.CreatureIDs() {
		saddle.Unbrace(r, id)
		strike.DropUnderway(r, id, "the encounter ends")
		for _, kind := range []string{body.BegunCasting, body.BegunLoading, body.BegunUnderway} {
			r.EndBegun(id, kind, "dropped")
		}
		for _, x := range r.Creature(id).Conditions {
			if x.Until.GetWhen() != "" && x.Values["minutes"] == 0 || x.Name == body.CondFlatFooted {
				r.RemoveCondition(id, x, "the encounter ends")
			}
		}
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		magic.DropTask(r, r.State().Tasks[id])
	}
	return nil
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	maneuvers.EndHolds(r, creature, "gone")
	saddle.UnseatAll(r, creature)
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[id]; t.Creature == creature || slices.Contains(t.Targets, creature) {
			magic.DropTask(r, t)
		}
	}
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	r.Flag(creature, body.MLeaving, true)
	r.EndBegun(creature, body.BegunDelayed, "gone")
	if !slices.Contains(r.State().Active, creature) {
		return nil
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{creature}})
	offerReentry(r, creature)
	return advance(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	if err := refusePlacing(r, "edit.vitals.injuries", r.Creature(creature), r.Creature(creature).Injuries, false); err != nil {
		return err
	}
	mending.SettleBody(r, creature, false)
	body.SettleImplied(r, creature)
	if c := r.Creature(creature); answers.Holds(c) != "" && !body.Has(c, body.CondGrappled) {
		answers.EndGrapple(r, creature, "game master", cite.ManeuverGrappleRelease)
	}
	saddle.AfterHarm(r, creature)
	saddle.Placed(r, creature)
	return settle(r)
}
