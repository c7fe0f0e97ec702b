package celesia

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight: initiative, and a surprise round when some but not
// all are aware of their opponents.
//
// celesia.surprise.awareness, celesia.surprise.surprised-definition, celesia.surprise.round-occurs
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	unaware, _ := spoken.Words(start.GetFacts(), "unaware")
	more, _ := spoken.Words(start.GetFacts(), "surprised")
	unaware = append(unaware, more...)
	ids := living(r.State())
	for _, id := range ids {
		if r.Creature(id).Marks[mUnaware] != "" {
			unaware = append(unaware, id)
		}
	}
	aware := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(unaware, id) })
	surprise := len(aware) > 0 && len(aware) < len(ids)
	for _, id := range ids {
		mark, was := "", r.Creature(id).Marks[mUnaware]
		if surprise && slices.Contains(unaware, id) {
			mark = "yes"
		}
		if mark != "" || was != "" { // everyone sees now what a check may have kept from them
			r.Emit(r.Audience(rules.FactMark, mUnaware, id), &eventv1.MarkSet{Subject: id, Mark: mUnaware, Value: mark}, cite.SurpriseUnaware)
		}
		notActed(r, id)
	}
	round := int32(1)
	if surprise {
		round = 0
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: round}, cite.TurnRoundSixSeconds)
	if surprise {
		r.Emit(event.Everyone(), &eventv1.PhaseStarted{Phase: phaseSurprise}, cite.SurpriseRoundOccurs)
	}
	favoured, _ := spoken.Words(start.GetFacts(), factFavoured)
	hampered, _ := spoken.Words(start.GetFacts(), factHampered)
	totals := rollPlaces(r, ids, favoured, hampered)
	setOrder(r, round, ranked(r, totals), totals, cite.InitiativeOrderDescending)
	settleMounts(r)
	return advance(r)
}

// notActed makes a creature flat-footed until it acts; uncanny dodge keeps it
// from that, and with Combat Reflexes it can react all the same.
//
// celesia.condition.flat-footed, celesia.condition.flat-footed-no-aoo, celesia.feat.uncanny-dodge
func notActed(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if !feature(c, featUncannyDodge) && !has(c, condFlatFooted) {
		r.AddCondition(id, &eventv1.Condition{Name: condFlatFooted, Cause: "has not acted yet", Rule: cite.ConditionFlatFooted})
	}
	if feature(c, featUncannyDodge) || feature(c, featCombatReflexes) {
		r.Set(id, cReactions, int64(reactionsOf(c)), "ready before its first turn", cite.ConditionFlatFootedNoAoo)
	}
}

// reactionsOf is how many reactions a completed turn brings.
//
// celesia.turn.one-reaction, celesia.feat.combat-reflexes
func reactionsOf(c *eventv1.Creature) int32 {
	if feature(c, featCombatReflexes) {
		return 1 + bonus(c, "dexterity")
	}
	return 1
}

// allowance is how many acts a creature has in its turn, those already spent
// included. Of several extra acts only the best source counts.
//
// celesia.turn.three-acts, celesia.turn.haste, celesia.turn.extra-acts-no-stack,
// celesia.injury.disabled-one-less-act, celesia.surprise.acts
func allowance(s *eventv1.State, c *eventv1.Creature) int32 {
	if !able(c) {
		return 0
	}
	surprise := s.Round == 0
	acts := 3 + extraOf(s, c) - lessActs(s, c)
	if surprise {
		acts = min(2, acts)
	}
	if c.Counters[cRode] > 5 {
		acts = min(2, acts) // celesia.mount.moved-two-acts
	}
	if c.Marks[mRuled] == itoa(s.Round) {
		acts = min(3, acts) // celesia.mount.control-check
	}
	if has(c, condUnruled) {
		acts = 0 // celesia.mount.control-check
	}
	if has(c, condStaggered) {
		acts = min(1, acts) // celesia.condition.staggered-by-nonlethal
	}
	return max(0, acts)
}

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

// quietRounds is how many rounds in a row may pass without anybody able to act
// before the fight waits for the game master.
const quietRounds = 50

// advance goes on until somebody able to act has the turn, or nobody is left.
func advance(r *rules.Resolution) error {
	for quiet := 0; r.State().Status == eventv1.State_STATUS_STARTED && len(r.State().Active) == 0; {
		sight(r)
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
	sight(r)
	return nil
}

// nextUp is the first in the order who has not had this round's turn.
func nextUp(s *eventv1.State) string {
	for _, id := range order(s) {
		c := s.Creatures[id]
		if withRider(s, c) || c.Marks[mTurn] == itoa(s.Round) || s.Round == 0 && c.Marks[mUnaware] != "" {
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
		if !down(c) && !has(c, condUnconscious) || c.Life == eventv1.LifeStatus_LIFE_STATUS_DYING || lasting(c) {
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
	ids := order(s)
	totals := totalsOf(s, ids)
	r.Emit(event.Everyone(), &eventv1.RoundEnded{Round: was})
	r.Set("", cSeconds, r.Count("", cSeconds)+6, "a round is over", cite.TurnRoundSixSeconds)
	if was == 0 {
		for _, id := range ids {
			if c := r.Creature(id); c.Marks[mUnaware] == "" && able(c) {
				r.Set(id, cReactions, int64(reactionsOf(c)), "the surprise round is over", cite.SurpriseReaction)
			}
			r.Mark(id, mUnaware, "", cite.SurpriseUnaware)
		}
	}
	r.Emit(event.Everyone(), &eventv1.RoundStarted{Round: was + 1}, cite.TurnRoundSixSeconds)
	setOrder(r, was+1, ids, totals, cite.InitiativePersistentOrder)
}

// startTurn gives a creature its turn. One that cannot act has had it with
// what the start of a turn brings.
//
// celesia.initiative.inaction
func startTurn(r *rules.Resolution, id string) {
	r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}})
	r.Mark(id, mTurn, itoa(r.State().Round))
	if r.Creature(id).Marks[mDelaying] != "" {
		r.Mark(id, mDelaying, "", cite.TurnDelay)
		r.Set(id, cFirst, 0, "the first turn was lost", cite.TurnDelay)
	}
	turnBegins(r, id)
	guideAgain(r, id)
	mountTurn(r, id)
	if bodySuffers(r.Creature(id)) {
		deed(r, "turn-start/"+id, &eventv1.Harm{Deed: deedTurnStart, Target: id, Cause: "the turn begins"})
	}
	if !able(r.Creature(id)) {
		finishTurn(r, id)
		return
	}
	pickExtra(r, id)
	r.Set(id, cActs, int64(allowance(r.State(), r.Creature(id))), "the turn begins", cite.TurnThreeActs)
	completeOneRound(r, id)
	switch { // the effect may have struck the caster itself
	case !slices.Contains(r.State().Active, id):
	case !able(r.Creature(id)):
		finishTurn(r, id)
	default:
		r.Set(id, cActs, int64(allowance(r.State(), r.Creature(id))), "acts of the turn", cite.InjuryDisabledOneLessAct)
	}
}

// turnBegins ends what lasts until the start of a turn.
//
// celesia.turn.one-reaction, celesia.action.ready-expiry
func turnBegins(r *rules.Resolution, id string) {
	unbrace(r, id)
	holdBreath(r, id)
	expire(r, id, "start-of-turn")
	fadeSpells(r, id)
	lift(r, id, condFlatFooted, "its turn has come", cite.ConditionFlatFooted)
	r.Set(id, cReactions, 0, "its own turn", cite.TurnOneReaction)
	forget(r, id, "its next turn has come")
	for _, n := range []string{cSpent, cEscapes, cLoads, cMulti} {
		r.Set(id, n, 0, "the turn begins")
	}
	for _, m := range rules.SortedKeys(r.Creature(id).Marks) {
		if m == mBegun || m == mExtra || m == mKept || m == mDragging || strings.HasPrefix(m, mLimb) || strings.HasPrefix(m, mDone) {
			r.Mark(id, m, "")
		}
	}
}

// expire ends the conditions that last until the start or end of a creature's
// turn, on everybody.
func expire(r *rules.Resolution, id, when string) {
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			u := x.Until
			if u.GetWhen() != when || u.Creature != id {
				continue
			}
			if u.Turns > 1 {
				later := &eventv1.Condition{Id: x.Id, Name: x.Name, Variant: x.Variant, Source: x.Source, Cause: x.Cause,
					Until: &eventv1.Until{When: when, Creature: id, Turns: u.Turns - 1}, Values: x.Values, Rule: x.Rule}
				r.AddCondition(other, later)
				continue
			}
			r.RemoveCondition(other, x, "its time is over", x.Rule)
		}
	}
}

// finishTurn ends a turn: acts left are lost, the reaction is gained, and who
// delays may come back.
//
// celesia.turn.three-acts, celesia.turn.one-reaction
func finishTurn(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if foe := holds(c); foe != "" && c.Marks[mKept] == "" {
		endGrapple(r, id, "not kept up", cite.ManeuverGrappleMaintain)
	}
	dropUnderway(r, id, "the turn is over")
	if c.Counters[cActs] > 0 || !able(c) {
		breakTasks(r, id, "acts were left unused")
	}
	if !dead(c) {
		expire(r, id, "end-of-turn")
	}
	lapseSpells(r, id)
	mountDone(r, id)
	r.Set(id, cActs, 0, "the turn is over")
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{id}})
	if r.State().Round > 0 {
		r.Set(id, cFirst, 0, "the first turn is over")
		if able(r.Creature(id)) {
			r.Set(id, cReactions, int64(reactionsOf(r.Creature(id))), "the turn is completed", cite.TurnOneReaction)
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
	for _, id := range order(r.State()) {
		c := r.Creature(id)
		if id == last || c.Marks[mDelaying] == "" || !able(c) {
			continue
		}
		a := r.Ask("re-enter/"+id, rules.YesNo(decReenter, id, "the turn of "+r.Creature(last).GetName()+" is over",
			c.Name+" delays. Come back now?", "no", cite.TurnDelayReenter))
		if a.Option != "yes" {
			continue
		}
		r.Mark(id, mDelaying, "", cite.TurnDelayReenter)
		placeAfter(r, id, last)
		r.Emit(event.Everyone(), &eventv1.TurnStarted{Creatures: []string{id}}, cite.TurnDelayReenter)
		r.Set(id, cActs, int64(allowance(r.State(), r.Creature(id))), "the delayed turn begins", cite.TurnThreeActs)
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
	if r.State().Status != eventv1.State_STATUS_STARTED {
		sight(r)
		return nil
	}
	for _, id := range slices.Clone(r.State().Active) {
		c := r.Creature(id)
		over := c.Marks[mOver]
		r.Mark(id, mOver, "")
		switch {
		case over == "delay":
			putOff(r, id)
			continue
		case over != "" || !able(c):
			finishTurn(r, id)
			continue
		}
		left := max(0, int64(allowance(r.State(), c))-c.Counters[cSpent])
		r.Set(id, cActs, left, "acts of the turn", cite.InjuryDisabledOneLessAct)
	}
	return advance(r)
}

// Finish settles what the end of the encounter means: what lasts for turns is
// over.
func (System) Finish(r *rules.Resolution) error {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		unbrace(r, id)
		dropUnderway(r, id, "the encounter ends")
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.Until.GetWhen() != "" && x.Values["minutes"] == 0 || x.Name == condFlatFooted {
				r.RemoveCondition(id, x, "the encounter ends")
			}
		}
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		dropTask(r, r.State().Tasks[id])
	}
	return nil
}

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error {
	endHolds(r, creature, "gone")
	unseatAll(r, creature)
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[id]; t.Creature == creature || t.Kind == taskSpell && t.Status == creature {
			dropTask(r, t)
		}
	}
	if r.State().Status != eventv1.State_STATUS_STARTED {
		return nil
	}
	r.Mark(creature, mLeaving, "yes")
	r.Mark(creature, mDelaying, "")
	if !slices.Contains(r.State().Active, creature) {
		return nil
	}
	r.Emit(event.Everyone(), &eventv1.TurnEnded{Creatures: []string{creature}})
	return advance(r)
}

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error {
	if err := refusePlacing("edit.vitals.injuries", r.Creature(creature), r.Creature(creature).Injuries, false); err != nil {
		return err
	}
	settleBody(r, creature, false)
	afterHarm(r, creature)
	placed(r, creature)
	return settle(r)
}
