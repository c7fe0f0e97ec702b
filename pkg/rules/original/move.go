package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func moveActions() []*play.Action {
	return []*play.Action{
		moving(journey{id: "move", title: "Move up to half", rule: cite.MovementHalfMoveAndAttack, refused: moveRefused, feet: moveLeft, along: true, ends: leaves}, doMove),
		moving(journey{id: "run", title: "Run", rule: cite.MovementRunning, refused: runRefused, feet: fullWay, along: true}, doRun),
		moving(journey{id: "withdraw", title: "Fighting withdrawal", rule: cite.MovementFightingWithdrawal, refused: withdrawRefused, feet: halfWay, along: true}, doWithdraw),
		moving(journey{id: "disengage", title: "Leave foes who are busy", rule: cite.MovementFreeDisengage, refused: disengageRefused, feet: halfWay, along: true}, doDisengage),
		{ID: "rise", Title: "Get up", Rule: cite.ActionWhipOutcome, Group: play.GroupMove, Refuse: asSeen(riseRefused), Do: deed(doRise)},
	}
}

// journey is an action that goes some way.
type journey struct {
	id, title, rule string
	// refused says why the creature may not go.
	refused func(v *sight) error
	// feet is how far it may go at most.
	feet func(v *sight) int32
	// along: not through a line of foes.
	along bool
	// ends says why it cannot go to a point; nil for any point.
	ends func(v *sight, to *eventv1.Position) error
}

// ways of the feet that a creature may go.
func fullWay(v *sight) int32 { return fullMove(v.s, v.c) }
func halfWay(v *sight) int32 { return halfLeft(v.s, v.c) }

// moving makes an action of a journey; do gets how far it goes and where to, nil for
// nowhere on the map.
func moving(j journey, do func(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error) *play.Action {
	a := &play.Action{ID: j.id, Title: j.title, Rule: j.rule, Group: play.GroupMove, Refuse: asSeen(j.refused), Squares: placesOf(j)}
	a.Fields = func(at *play.At) []play.Field {
		if !at.Listing || at.Actor.Position != nil {
			return goingAnywhere
		}
		return []play.Field{{Name: "feet", Most: max(1, j.feet(sightOf(at)))}}
	}
	a.Check = func(at *play.At) error {
		feet, to, err := way(at)
		if err != nil {
			return err
		}
		return j.fits(sightOf(at), at.Take, feet, to)
	}
	a.Do = func(r *rules.Resolution, at *play.At) error {
		feet, to, err := way(at)
		if err != nil {
			return err
		}
		return do(r, at, feet, to)
	}
	return a
}

var goingAnywhere = []play.Field{{Name: "path"}, {Name: "feet"}}

// fits refuses a way that is too long, ends where it may not or leads through a line
// of foes.
func (j journey) fits(v *sight, take *eventv1.TakeAction, feet int32, to *eventv1.Position) error {
	if limit := j.feet(v); feet > limit {
		rule := j.rule
		if j.id == "move" && v.c.Counters[cCasts] > 0 {
			rule = cite.MovementSpellcaster10Feet
		}
		return refuse("TOO_FAR", rule, "%d feet, at most %d", feet, limit)
	}
	if j.ends != nil {
		if err := j.ends(v, to); err != nil {
			return err
		}
	}
	if j.along {
		return passes(v.s, v.c, take)
	}
	return nil
}

// way is how far a command goes, and where to; nil for nowhere on the map.
func way(at *play.At) (int32, *eventv1.Position, error) {
	feet, _ := at.Number("feet")
	var to *eventv1.Position
	if len(at.Take.Path) > 0 {
		if at.Actor.Position == nil {
			return 0, nil, fault.Field("take.path", "%s has no place on the map", at.Actor.Name)
		}
		from, walked := at.Actor.Position, int32(0)
		for _, p := range at.Take.Path {
			walked = min(1_000_000, walked+feetBetween(from, p))
			from = p
		}
		feet, to = max(feet, walked), from
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
	lift(r, id, condStationary, cite.DefenseDexDeniedWhenStationary)
}

// halfLeft is what is left of a half move, in feet.
func halfLeft(s *eventv1.State, c *eventv1.Creature) int32 {
	return max(0, fullMove(s, c)/2-int32(c.Counters[cMoved]))
}

// moveRefused says why a creature may not make a half move. One in melee may
// shift its place as long as all its foes stay in reach.
//
// original.movement.half-move-and-attack, original.movement.engaged-restricts
func moveRefused(v *sight) error {
	c := v.c
	switch {
	case len(v.engaged()) > 0 && c.Position == nil:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", c.Name)
	case moveLeft(v) == 0 && c.Counters[cCasts] > 0:
		return refuse("CAST", cite.MovementSpellcaster10Feet, "%s casts and moves no further", c.Name)
	case moveLeft(v) == 0:
		return refuse("NO_MOVEMENT", cite.MovementHalfMoveAndAttack, "%s has no movement left", c.Name)
	}
	return nil
}

// leaves refuses a point from which a foe in melee would be out of reach; nil is
// nowhere on the map.
//
// original.movement.engaged-restricts
func leaves(v *sight, to *eventv1.Position) error {
	for _, id := range v.engaged() {
		if foe := v.s.Creatures[id]; to == nil || foe.Position == nil || feetBetween(to, foe.Position) > meleeFeet {
			return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", v.c.Name)
		}
	}
	return nil
}

func doMove(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	c, rule := at.Actor, cite.MovementHalfMoveAndAttack
	if c.Counters[cCasts] > 0 {
		rule = cite.MovementSpellcaster10Feet
	}
	full := fullMove(r.State(), c)
	travel(r, c, "move", "walk", feet, to, rule)
	if 2*r.Count(c.Id, cMoved) > int64(full) {
		during(r, c.Id, condSwift, runRule(c))
	}
	return nil
}

// runRefused says why a creature may not run.
//
// original.movement.running
func runRefused(v *sight) error {
	s, c := v.s, v.c
	switch {
	case len(v.engaged()) > 0:
		return refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[cAttacks] > 0 || c.Counters[cMoved] > 0 || has(c, condParrying) || rules.BegunOf(c, begunSet) != nil:
		return refuse("ACTED", cite.MovementRunning, "%s has done something else this round", c.Name)
	case fullMove(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementRunning, "%s cannot move", c.Name)
	}
	return nil
}

func doRun(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	travel(r, at.Actor, "run", "run", feet, to, cite.MovementRunning)
	during(r, at.Actor.Id, condRan, cite.MovementRunning)
	return nil
}

// withdrawRefused says why a creature may not withdraw fighting.
//
// original.movement.fighting-withdrawal
func withdrawRefused(v *sight) error {
	s, c := v.s, v.c
	switch {
	case len(v.engaged()) == 0:
		return refuse("NOT_ENGAGED", cite.MovementFightingWithdrawal, "%s is not in melee", c.Name)
	case c.Counters[cAttacks] > 1 || c.Counters[cAttacks] == 1 && !firstAndLast(s, c):
		return refuse("ACTED", cite.MovementFightingWithdrawal, "%s has attacked: who withdraws says so first", c.Name)
	case halfLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementFightingWithdrawal, "%s has no movement left", c.Name)
	}
	return nil
}

func doWithdraw(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	c := at.Actor
	inflict(r, c.Id, condWithdrawing, nil, cite.MovementFightingWithdrawal)
	travel(r, c, "withdraw", "withdraw", feet, to, cite.MovementFightingWithdrawal)
	if to == nil && feet > 0 {
		part(r, c.Id)
	}
	return nil
}

// disengageRefused says why a creature may not simply leave.
//
// original.movement.free-disengage
func disengageRefused(v *sight) error {
	s, c := v.s, v.c
	switch {
	case len(v.engaged()) == 0:
		return refuse("NOT_ENGAGED", cite.MovementFreeDisengage, "%s is not in melee", c.Name)
	case len(v.heldBack()) > 0:
		return refuse("FOE_FREE", cite.MovementFreeDisengage, "%s fights nobody else", s.Creatures[v.heldBack()[0]].GetName())
	case halfLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementFreeDisengage, "%s has no movement left", c.Name)
	}
	return nil
}

func doDisengage(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	travel(r, at.Actor, "disengage", "walk", feet, to, cite.MovementFreeDisengage)
	if to == nil {
		part(r, at.Actor.Id)
	}
	return nil
}

// part ends the melee of one without a place on the map.
func part(r *rules.Resolution, id string) {
	r.Unrelate(id, relEngaged, "", "parted", cite.MovementInMeleeDefinition)
	for _, other := range rules.RelatedFrom(r.State(), relEngaged, id) {
		r.Unrelate(other, relEngaged, id, "parted", cite.MovementInMeleeDefinition)
	}
}

// riseRefused says why a creature may not get up; it takes its movement.
//
// original.action.whip-outcome
func riseRefused(v *sight) error {
	c := v.c
	switch {
	case !has(c, condProne):
		return refuse("NOT_PRONE", cite.ActionWhipOutcome, "%s is on its feet", c.Name)
	case c.Counters[cMoved] > 0:
		return refuse("NO_MOVEMENT", cite.ActionWhipOutcome, "%s has moved this round", c.Name)
	}
	return nil
}

func doRise(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionWhipOutcome)
	r.RemoveCondition(c.Id, conditionOf(c, condProne), "got up", cite.ActionWhipOutcome)
	r.Set(c.Id, cMoved, int64(fullMove(r.State(), r.Creature(c.Id))), "got up", cite.ActionWhipOutcome)
	return nil
}
