package moving

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MoveActions move, run, withdraw, leave busy foes and get up.
func MoveActions() []*play.Action {
	return []*play.Action{
		Moving(Journey{Id: "move", Title: "Move up to half", Rule: cite.MovementHalfMoveAndAttack, Refused: moveRefused, Feet: strike.MoveLeft, along: true, ends: leaves}, doMove),
		Moving(Journey{Id: "run", Title: "Run", Rule: cite.MovementRunning, Refused: runRefused, Feet: FullWay, along: true}, doRun),
		Moving(Journey{Id: "withdraw", Title: "Fighting withdrawal", Rule: cite.MovementFightingWithdrawal, Refused: withdrawRefused, Feet: HalfWay, along: true}, doWithdraw),
		Moving(Journey{Id: "disengage", Title: "Leave foes who are busy", Rule: cite.MovementFreeDisengage, Refused: disengageRefused, Feet: HalfWay, along: true}, doDisengage),
		{ID: "rise", Title: "Get up", Rule: cite.ActionWhipOutcome, Group: play.GroupMove, Refuse: strike.AsSeen(riseRefused), Do: body.Deed(doRise)},
	}
}

// Journey is an action that goes some way.
type Journey struct {
	Id, Title, Rule string
	// Refused says why the creature may not go.
	Refused func(v *strike.Sight) error
	// Feet is how far it may go at most.
	Feet func(v *strike.Sight) int32
	// along: not through a line of foes.
	along bool
	// ends says why it cannot go to a point; nil for any point.
	ends func(v *strike.Sight, to *eventv1.Position) error
}

// FullWay is a full move in feet, whatever the creature has moved already.
func FullWay(v *strike.Sight) int32 { return strike.FullMove(v.S, v.C) }

// HalfWay is what is left of a half move, in feet.
func HalfWay(v *strike.Sight) int32 { return halfLeft(v.S, v.C) }

// Moving makes an action of a journey; do gets how far it goes and where to, nil for
// nowhere on the map.
func Moving(j Journey, do func(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error) *play.Action {
	a := &play.Action{ID: j.Id, Title: j.Title, Rule: j.Rule, Group: play.GroupMove, Refuse: strike.AsSeen(j.Refused), Squares: placesOf(j)}
	a.Fields = func(at *play.At) []play.Field {
		if !at.Listing || at.Actor.Position != nil {
			return goingAnywhere
		}
		return []play.Field{{Name: "feet", Most: max(1, j.Feet(strike.SightOf(at)))}}
	}
	a.Check = func(at *play.At) error {
		feet, to, err := way(at)
		if err != nil {
			return err
		}
		return j.fits(strike.SightOf(at), at.Take, feet, to)
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
func (j Journey) fits(v *strike.Sight, take *eventv1.TakeAction, feet int32, to *eventv1.Position) error {
	if limit := j.Feet(v); feet > limit {
		rule := j.Rule
		if v.C.Counters[body.CCasts] > 0 {
			rule = cite.MovementSpellcaster10Feet
		}
		return body.Refuse("TOO_FAR", rule, "%d feet, at most %d", feet, limit)
	}
	if j.ends != nil {
		// Wherever it turns on the way is a place that it went to.
		for i := range max(1, len(take.GetPath())) {
			if len(take.GetPath()) > 0 {
				to = take.Path[i]
			}
			if err := j.ends(v, to); err != nil {
				return err
			}
		}
	}
	if j.along {
		return passes(v.S, v.C, take)
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
			walked = min(1_000_000, walked+body.FeetBetween(from, p))
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
	r.Set(c.Id, body.CMoved, r.Count(c.Id, body.CMoved)+int64(feet), action, rule)
	strike.Stirs(r, c.Id)
}

// halfLeft is what is left of a half move, in feet: of 10 feet to one who has cast.
//
// original.movement.half-move-and-attack, original.movement.spellcaster-10-feet
func halfLeft(s *eventv1.State, c *eventv1.Creature) int32 {
	most := strike.FullMove(s, c) / 2
	if c.Counters[body.CCasts] > 0 {
		most = min(strike.FullMove(s, c), reach.CastingFeet)
	}
	return max(0, most-int32(c.Counters[body.CMoved]))
}

// castAndMoved says that a creature has cast and moved as far as one may who casts.
//
// original.movement.spellcaster-10-feet
func castAndMoved(v *strike.Sight) error {
	if v.C.Counters[body.CCasts] == 0 || strike.FullMove(v.S, v.C) == 0 || halfLeft(v.S, v.C) > 0 {
		return nil
	}
	return v.Refuse("CAST", cite.MovementSpellcaster10Feet, "%s casts and moves no further", v.C.Name)
}

// moveRefused says why a creature may not make a half move. One in melee may
// shift its place as long as all its foes stay in reach.
//
// original.movement.half-move-and-attack, original.movement.engaged-restricts
func moveRefused(v *strike.Sight) error {
	c := v.C
	switch {
	case len(v.Engaged()) > 0 && c.Position == nil:
		return v.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", c.Name)
	case strike.MoveLeft(v) == 0 && c.Counters[body.CCasts] > 0:
		return v.Refuse("CAST", cite.MovementSpellcaster10Feet, "%s casts and moves no further", c.Name)
	case strike.MoveLeft(v) == 0:
		return v.Refuse("NO_MOVEMENT", cite.MovementHalfMoveAndAttack, "%s has no movement left", c.Name)
	}
	return nil
}

// leaves refuses a point from which a foe in melee would be out of reach; nil is
// nowhere on the map.
//
// original.movement.engaged-restricts
func leaves(v *strike.Sight, to *eventv1.Position) error {
	for _, id := range v.Engaged() {
		if foe := v.S.Creatures[id]; to == nil || foe.Position == nil || body.FeetBetween(to, foe.Position) > body.MeleeFeet {
			return v.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee: withdraw, retreat, go through or disengage", v.C.Name)
		}
	}
	return nil
}

func doMove(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	c, rule := at.Actor, cite.MovementHalfMoveAndAttack
	if c.Counters[body.CCasts] > 0 {
		rule = cite.MovementSpellcaster10Feet
	}
	full := strike.FullMove(r.State(), c)
	travel(r, c, "move", "walk", feet, to, rule)
	if 2*r.Count(c.Id, body.CMoved) > int64(full) {
		body.During(r, c.Id, body.CondSwift, reach.RunRule(c))
	}
	return nil
}

// runRefused says why a creature may not run.
//
// original.movement.running
func runRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	switch {
	case len(v.Engaged()) > 0:
		return v.Refuse("ENGAGED", cite.MovementEngagedRestricts, "%s is in melee", c.Name)
	case c.Counters[body.CAttacks] > 0 || c.Counters[body.CMoved] > 0 || body.Has(c, body.CondParrying) || rules.BegunOf(c, body.BegunSet) != nil:
		return v.Refuse("ACTED", cite.MovementRunning, "%s has done something else this round", c.Name)
	case strike.FullMove(s, c) == 0:
		return v.Refuse("NO_MOVEMENT", cite.MovementRunning, "%s cannot move", c.Name)
	}
	return nil
}

func doRun(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	travel(r, at.Actor, "run", "run", feet, to, cite.MovementRunning)
	body.During(r, at.Actor.Id, body.CondRan, cite.MovementRunning)
	return nil
}

// withdrawRefused says why a creature may not withdraw fighting.
//
// original.movement.fighting-withdrawal
func withdrawRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	switch {
	case len(v.Engaged()) == 0:
		return v.Refuse("NOT_ENGAGED", cite.MovementFightingWithdrawal, "%s is not in melee", c.Name)
	case c.Counters[body.CAttacks] > 1 || c.Counters[body.CAttacks] == 1 && !body.FirstAndLast(s, c):
		return v.Refuse("ACTED", cite.MovementFightingWithdrawal, "%s has attacked: who withdraws says so first", c.Name)
	case halfLeft(s, c) == 0:
		return v.Refuse("NO_MOVEMENT", cite.MovementFightingWithdrawal, "%s has no movement left", c.Name)
	}
	return nil
}

func doWithdraw(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	c := at.Actor
	body.Inflict(r, c.Id, body.CondWithdrawing, nil, cite.MovementFightingWithdrawal)
	travel(r, c, "withdraw", "withdraw", feet, to, cite.MovementFightingWithdrawal)
	if to == nil && feet > 0 {
		Part(r, c.Id)
	}
	return nil
}

// disengageRefused says why a creature may not simply leave.
//
// original.movement.free-disengage
func disengageRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	switch {
	case len(v.Engaged()) == 0:
		return v.Refuse("NOT_ENGAGED", cite.MovementFreeDisengage, "%s is not in melee", c.Name)
	case len(v.HeldBack()) > 0:
		return v.Refuse("FOE_FREE", cite.MovementFreeDisengage, "%s fights nobody else", s.Creatures[v.HeldBack()[0]].GetName())
	}
	if err := castAndMoved(v); err != nil {
		return err
	}
	if halfLeft(s, c) == 0 {
		return v.Refuse("NO_MOVEMENT", cite.MovementFreeDisengage, "%s has no movement left", c.Name)
	}
	return nil
}

func doDisengage(r *rules.Resolution, at *play.At, feet int32, to *eventv1.Position) error {
	travel(r, at.Actor, "disengage", "walk", feet, to, cite.MovementFreeDisengage)
	if to == nil {
		Part(r, at.Actor.Id)
	}
	return nil
}

// Part ends the melee of one without a place on the map.
func Part(r *rules.Resolution, id string) {
	r.Unrelate(id, body.RelEngaged, "", "parted", cite.MovementInMeleeDefinition)
	for _, other := range rules.RelatedFrom(r.State(), body.RelEngaged, id) {
		r.Unrelate(other, body.RelEngaged, id, "parted", cite.MovementInMeleeDefinition)
	}
}

// riseRefused says why a creature may not get up; it takes its movement.
//
// original.action.whip-outcome
func riseRefused(v *strike.Sight) error {
	c := v.C
	switch {
	case !body.Has(c, body.CondProne):
		return v.Refuse("NOT_PRONE", cite.ActionWhipOutcome, "%s is on its feet", c.Name)
	case c.Counters[body.CMoved] > 0:
		return v.Refuse("NO_MOVEMENT", cite.ActionWhipOutcome, "%s has moved this round", c.Name)
	}
	return nil
}

func doRise(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionWhipOutcome)
	r.RemoveCondition(c.Id, body.ConditionOf(c, body.CondProne), "got up", cite.ActionWhipOutcome)
	r.Set(c.Id, body.CMoved, int64(strike.FullMove(r.State(), r.Creature(c.Id))), "got up", cite.ActionWhipOutcome)
	return nil
}
