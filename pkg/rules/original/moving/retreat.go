package moving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RetreatRefused says why a creature may not retreat.
//
// original.movement.retreat-contest
func RetreatRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	switch {
	case len(v.Engaged()) == 0:
		return v.Refuse("NOT_ENGAGED", cite.MovementRetreatContest, "%s is not in melee", c.Name)
	case c.Counters[body.CAttacks] > 0 || c.Counters[body.CMoved] > 0 || body.Has(c, body.CondParrying) || body.Has(c, body.CondWithdrawing) || rules.BegunOf(c, body.BegunSet) != nil:
		return v.Refuse("ACTED", cite.MovementRunning, "%s has done something else this round", c.Name)
	case strike.FullMove(s, c) == 0:
		return v.Refuse("NO_MOVEMENT", cite.MovementRunning, "%s cannot move", c.Name)
	}
	return nil
}

// Passers lists the foes near the way who are in melee with nobody: those
// stated, or those within 10 feet of the way.
//
// original.movement.retreat-passersby
func Passers(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) ([]string, error) {
	named, stated := spoken.Words(take.GetFacts(), "passes")
	for i, id := range named {
		if s.Creatures[id].GetSide() == c.Side || slices.Contains(named[:i], id) {
			return nil, fault.Field("take.facts.passes["+body.Itoa(i)+"]", "%q is no foe or named twice", id)
		}
	}
	var ids []string
	for _, id := range body.Foes(s, c) {
		t := s.Creatures[id]
		near := slices.Contains(named, id) ||
			!stated && t.Position != nil && comesNear(c.Position, take.Path, t.Position) && !body.Apart(c, t)
		if near && idle(s, t) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Shot is a foe's parting shot with the total it won the contest by.
type Shot struct {
	Foe   string
	Total int32
}

// Contest rolls the d6 and DEX of one who leaves and of each foe left, and
// returns those who won, highest first.
//
// original.movement.retreat-contest
func Contest(r *rules.Resolution, id string, left []string) []Shot {
	var ready []string
	for _, foe := range left {
		if c := r.Creature(foe); strike.Able(r.State(), c) && !strike.Barred(r.State(), c) {
			ready = append(ready, foe)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	roll := func(who string, target *eventv1.TargetNumber) rules.Rolled {
		mods, expression, again := house.Check(r, "contest/"+who, who, strike.PointRetreat, "1d6")
		return r.Roll(rules.RollSpec{Label: "contest/" + who, Creature: who, Expression: expression, Reason: "breaking away",
			Modifiers: append([]*eventv1.Modifier{dexMod(r, who)}, mods...),
			Target:    target, Rules: append([]string{cite.MovementRetreatContest}, again...)})
	}
	mine := roll(id, nil).Total
	var won []Shot
	for _, foe := range ready {
		// A tie lets the mover go: the foe needs one more.
		if total := roll(foe, &eventv1.TargetNumber{Kind: "contest", Value: mine + 1}).Total; total > mine {
			won = append(won, Shot{foe, total})
		}
	}
	slices.SortStableFunc(won, func(a, b Shot) int { return int(b.Total - a.Total) })
	return won
}

// dexMod is what DEX adds to the contest.
func dexMod(r *rules.Resolution, id string) *eventv1.Modifier {
	k, c := strike.TablesOf(r.Content()), r.Creature(id)
	return body.Mod(k.DexBonus(c), "DEX", k.AbilityRule(c, "dexterity", cite.MovementRetreatContest))
}

// RefuseThrough says why a creature may not move through any line.
//
// original.movement.through-line
func RefuseThrough(v *strike.Sight) error {
	if err := castAndMoved(v); err != nil {
		return err
	}
	if halfLeft(v.S, v.C) == 0 {
		return v.Refuse("NO_MOVEMENT", cite.MovementThroughLine, "%s has no movement left", v.C.Name)
	}
	return nil
}

// RefuseLine says why a creature is no part of a line of foes.
//
// original.movement.through-line
func RefuseLine(v *strike.Sight, foe *eventv1.Creature) error {
	if foe.Side == v.C.Side || body.Dead(foe) {
		return v.Refuse("NO_FOE", cite.MovementThroughLine, "a line is of living foes")
	}
	return nil
}

// TurnRefused says why a creature may not turn on its pursuers.
//
// original.movement.retreat-faster-pursuer
func TurnRefused(v *strike.Sight) error {
	c := v.C
	if !body.Has(c, body.CondFleeing) {
		return v.Refuse("NOT_FLEEING", cite.MovementRetreatFasterPursuer, "%s does not flee", c.Name)
	}
	return nil
}

// DoTurn ends the actor's flight, so that it faces its pursuers.
func DoTurn(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementRetreatFasterPursuer)
	body.Lift(r, c.Id, body.CondFleeing, cite.MovementRetreatFasterPursuer)
	return nil
}
