package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func moveActions() []*action {
	return []*action{
		moving("move", "Move up to half", cite.MovementHalfMoveAndAttack, moveRefused, doMove),
		moving("run", "Run", cite.MovementRunning, runRefused, doRun),
		moving("withdraw", "Fighting withdrawal", cite.MovementFightingWithdrawal, withdrawRefused, doWithdraw),
		moving("disengage", "Leave foes who are busy", cite.MovementFreeDisengage, disengageRefused, doDisengage),
		{id: "rise", title: "Get up", do: doRise, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", riseRefused(s, c))}
		}},
	}
}

// moving makes an action that goes some way.
func moving(id, title, rule string, refused func(s *eventv1.State, c *eventv1.Creature) error,
	do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) *action {
	return &action{id: id, title: title, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
		o := option("", refused(s, c))
		if o.Legal {
			o.Rule = rule
		}
		o.Parameters = []*eventv1.Parameter{{Name: "path", Type: "path", Text: "The way, for one with a place on the map"},
			{Name: "feet", Type: "number", Text: "How far, for one without"}}
		return []*eventv1.Option{o}
	}, do: func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		if err := refused(r.State(), c); err != nil {
			return err
		}
		return do(r, c, take)
	}}
}

// way is how far a command goes, and where to; nil for nowhere on the map.
func way(c *eventv1.Creature, take *eventv1.TakeAction, limit int32, rule string) (int32, *eventv1.Position, error) {
	feet, _ := spoken.Number(take.GetParameters(), "feet")
	var to *eventv1.Position
	if n := len(take.Path); n > 0 {
		if c.Position == nil {
			return 0, nil, fault.Field("take.path", "%s has no place on the map", c.Name)
		}
		at, walked := c.Position, int32(0)
		for _, p := range take.Path {
			walked = min(1_000_000, walked+feetBetween(at, p))
			at = p
		}
		feet, to = max(feet, walked), at
	}
	if feet < 0 {
		return 0, nil, wrongNumber("take.parameters.feet", 0, limit)
	}
	if feet > limit {
		return 0, nil, refuse("TOO_FAR", rule, "%d feet, at most %d", feet, limit)
	}
	return feet, to, nil
}

// travel carries a way out.
func travel(r *rules.Resolution, c *eventv1.Creature, action, mode string, feet int32, to *eventv1.Position, rule string) {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: action}, rule)
	if to != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: mode, Feet: feet}, rule)
	}
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(feet), action, rule)
	stirs(r, c.Id)
}

// stirs notes that a creature stands still no more: it moves, or defends itself.
//
// original.defense.dex-denied-when-stationary
func stirs(r *rules.Resolution, id string) {
	r.Mark(id, mStationary, "", cite.DefenseDexDeniedWhenStationary)
}

// halfLeft is what is left of a half move, in feet.
func halfLeft(s *eventv1.State, c *eventv1.Creature) int32 {
	return max(0, fullMove(s, c)/2-int32(c.Counters[cMoved]))
}

// moveRefused says why a creature may not make a half move. One in melee may
// shift its place as long as all its foes stay in reach.
//
// original.movement.half-move-and-attack, original.movement.engaged-restricts
func moveRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) > 0 && c.Position == nil:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", c.Name)
	case moveLeft(s, c) == 0 && c.Marks[mCast] == itoa(s.Round):
		return refuse("CAST", cite.MovementSpellcaster10Feet, "%s casts and moves no further", c.Name)
	case moveLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementHalfMoveAndAttack, "%s has no movement left", c.Name)
	}
	return nil
}

func doMove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	rule := cite.MovementHalfMoveAndAttack
	if c.Marks[mCast] == itoa(r.State().Round) {
		rule = cite.MovementSpellcaster10Feet
	}
	feet, to, err := way(c, take, moveLeft(r.State(), c), rule)
	if err != nil {
		return err
	}
	for _, id := range engagedWith(r.State(), c) {
		foe := r.Creature(id)
		if to == nil || foe.Position == nil || feetBetween(to, foe.Position) > meleeFeet {
			return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", c.Name)
		}
	}
	if err := passes(r.State(), c, take); err != nil {
		return err
	}
	full := fullMove(r.State(), c)
	travel(r, c, "move", "walk", feet, to, rule)
	if 2*r.Count(c.Id, cMoved) > int64(full) {
		r.Mark(c.Id, mSwift, itoa(r.State().Round), runRule(c))
	}
	return nil
}

// runRefused says why a creature may not run.
//
// original.movement.running
func runRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) > 0:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[cAttacks] > 0 || c.Counters[cMoved] > 0 || c.Marks[mParrying] == itoa(s.Round) || c.Marks[mSet] == itoa(s.Round):
		return refuse("ACTED", cite.MovementRunning, "%s has done something else this round", c.Name)
	case fullMove(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementRunning, "%s cannot move", c.Name)
	}
	return nil
}

func doRun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, to, err := way(c, take, fullMove(r.State(), c), cite.MovementRunning)
	if err != nil {
		return err
	}
	if err := passes(r.State(), c, take); err != nil {
		return err
	}
	travel(r, c, "run", "run", feet, to, cite.MovementRunning)
	r.Mark(c.Id, mRan, itoa(r.State().Round), cite.MovementRunning)
	return nil
}

// withdrawRefused says why a creature may not withdraw fighting.
//
// original.movement.fighting-withdrawal
func withdrawRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) == 0:
		return refuse("NOT_ENGAGED", cite.MovementFightingWithdrawal, "%s is not in melee", c.Name)
	case c.Counters[cAttacks] > 1 || c.Counters[cAttacks] == 1 && !firstAndLast(s, c):
		return refuse("ACTED", cite.MovementFightingWithdrawal, "%s has attacked: who withdraws says so first", c.Name)
	case halfLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementFightingWithdrawal, "%s has no movement left", c.Name)
	}
	return nil
}

func doWithdraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, to, err := way(c, take, halfLeft(r.State(), c), cite.MovementFightingWithdrawal)
	if err != nil {
		return err
	}
	if err := passes(r.State(), c, take); err != nil {
		return err
	}
	r.Mark(c.Id, mWithdrawing, "yes", cite.MovementFightingWithdrawal)
	travel(r, c, "withdraw", "withdraw", feet, to, cite.MovementFightingWithdrawal)
	if to == nil && feet > 0 {
		part(r, c.Id)
	}
	return nil
}

// disengageRefused says why a creature may not simply leave.
//
// original.movement.free-disengage
func disengageRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) == 0:
		return refuse("NOT_ENGAGED", cite.MovementFreeDisengage, "%s is not in melee", c.Name)
	case len(heldBack(s, c)) > 0:
		return refuse("FOE_FREE", cite.MovementFreeDisengage, "%s fights nobody else", s.Creatures[heldBack(s, c)[0]].GetName())
	case halfLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementFreeDisengage, "%s has no movement left", c.Name)
	}
	return nil
}

func doDisengage(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, to, err := way(c, take, halfLeft(r.State(), c), cite.MovementFreeDisengage)
	if err != nil {
		return err
	}
	if err := passes(r.State(), c, take); err != nil {
		return err
	}
	travel(r, c, "disengage", "walk", feet, to, cite.MovementFreeDisengage)
	if to == nil {
		part(r, c.Id)
	}
	return nil
}

// part ends the melee of one without a place on the map.
func part(r *rules.Resolution, id string) {
	for _, other := range present(r.State()) {
		r.Mark(id, mEngaged+other, "", cite.MovementInMeleeDefinition)
		r.Mark(other, mEngaged+id, "", cite.MovementInMeleeDefinition)
	}
}

// riseRefused says why a creature may not get up; it takes its movement.
//
// original.action.whip-outcome
func riseRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case !has(c, condProne):
		return refuse("NOT_PRONE", cite.ActionWhipOutcome, "%s is on its feet", c.Name)
	case c.Counters[cMoved] > 0:
		return refuse("NO_MOVEMENT", cite.ActionWhipOutcome, "%s has moved this round", c.Name)
	}
	return nil
}

func doRise(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := riseRefused(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionWhipOutcome)
	r.RemoveCondition(c.Id, condition(c, condProne), "got up", cite.ActionWhipOutcome)
	r.Set(c.Id, cMoved, int64(fullMove(r.State(), r.Creature(c.Id))), "got up", cite.ActionWhipOutcome)
	return nil
}
