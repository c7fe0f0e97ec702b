package strike

import (
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// swing is one attack of an action that has several; without a weapon when the hand
// is empty by now.
type swing struct {
	weapon *eventv1.BasicWeapon
	// ofTwo is 1 or 2 for the first and the second of two weapons.
	ofTwo int
}

// series lists the attacks of an action, in order: those of the routine, or one with
// each hand.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func series(c *eventv1.Creature, action string) []swing {
	var out []swing
	if action == "routine" {
		for _, name := range body.SheetOf(c).Routine {
			out = append(out, swing{weapon: body.WeaponOf(c, name)})
		}
		return out
	}
	main, off := pair(c)
	for i, w := range []*eventv1.BasicWeapon{main, off} {
		out = append(out, swing{w, i + 1})
	}
	return out
}

func refuseRoutine(at *play.At) error {
	s, c := at.State, at.Actor
	if len(body.SheetOf(c).Routine) == 0 {
		return body.Refuse("NO_ROUTINE", cite.AttackRoutine, "%s has no attack routine", c.Name)
	}
	for _, name := range body.SheetOf(c).Routine {
		if err := refuseMeleeWith(s, c, name); err != nil {
			return err
		}
	}
	return nil
}

// pair finds the weapons of the two hands.
func pair(c *eventv1.Creature) (main, off *eventv1.BasicWeapon) {
	for _, w := range body.SheetOf(c).Weapons {
		switch {
		case w.Kind != "melee":
		case body.Place(c, w) == "main":
			main = w
		case body.Place(c, w) == "off":
			off = w
		}
	}
	return main, off
}

// refuseTwo: one of the two must be a small weapon.
//
// basic.attack.two-weapon-size
func refuseTwo(at *play.At) error {
	s, c := at.State, at.Actor
	if err := body.RefuseAttacking(s, c); err != nil {
		return err
	}
	main, off := pair(c)
	if main == nil || off == nil || !main.Small && !off.Small {
		return body.Refuse("NO_PAIR", cite.AttackTwoWeaponSize, "two weapons are needed, one of them a small one")
	}
	return nil
}

func refuseSeriesReach(at *play.At, t *eventv1.Creature) error {
	s, c, facts := at.State, at.Actor, at.Take.Facts
	return RefuseBlow(s, c, body.EngagedFeet, t, facts)
}

func seriesFields(at *play.At) []play.Field { return howMany(len(series(at.Actor, at.Action.ID))) }

// howMany says how many attacks can go to the target named; the rest may go to others.
func howMany(most int) []play.Field {
	f := play.Field{Name: "attacks"}
	for n := int32(1); n <= int32(most); n++ {
		f.Numbers = append(f.Numbers, n)
	}
	return []play.Field{f}
}

// doSeries begins the attacks of an action, each with its own roll.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func doSeries(r *rules.Resolution, at *play.At) error {
	c, take := at.Actor, at.Take
	rule := cite.AttackRoutine
	if take.Action != "routine" {
		rule = cite.AttackTwoWeaponPenalty
	}
	list := series(c, take.Action)
	n := attacksNow(at, len(list))
	b := Begin(r, at, rule)
	swings(r, b, take.Action, list, 0, n)
	return nil
}

// attacksNow is how many of the attacks left are made now.
func attacksNow(at *play.At, left int) int {
	if n, given := at.Number("attacks"); given {
		return int(n)
	}
	return left
}

// swings makes attacks of a series from one on. They end when the target or the
// attacker falls; what is then left may go to another target, as long as the attacker
// stays where it is.
func swings(r *rules.Resolution, b Blow, action string, list []swing, from, n int) {
	next := from
	for ; next < from+n && body.Up(r.Creature(b.Attacker)); next++ {
		if t := r.Creature(b.Target); body.Dead(t) || struckDown(r.State(), t) {
			break
		}
		if w := list[next].weapon; w != nil && body.AtHand(r.Creature(b.Attacker), w) {
			b.Weapon, b.ofTwo, b.Label = w, list[next].ofTwo, "attack/"+body.Itoa(next+1)
			b.Strike(r)
		}
	}
	if next == len(list) || !body.Up(r.Creature(b.Attacker)) {
		r.EndBegun(b.Attacker, body.BSeries, "done", cite.AttackRoutine)
		return
	}
	r.Begin(b.Attacker, &eventv1.Begun{Kind: body.BSeries, Action: &eventv1.TakeAction{Creature: b.Attacker, Action: action}, Round: r.State().Round,
		Done: int32(next), Needed: int32(len(list)), Counter: "attacks", Rule: cite.AttackRoutine,
		Values: map[string]int32{"moved": int32(r.Count(b.Attacker, body.CMoved))}}, cite.AttackRoutine)
}

// unfinished is the action of which attacks are left and the first of them; empty when
// none are, or when the creature has moved since.
//
// basic.movement.split
func unfinished(c *eventv1.Creature) (action string, next int) {
	b := rules.BegunOf(c, body.BSeries)
	if b == nil || int64(b.Values["moved"]) != c.Counters[body.CMoved] {
		return "", 0
	}
	list := series(c, b.Action.GetAction())
	for _, x := range list[min(int(b.Done), len(list)):] {
		if x.weapon != nil && body.AtHand(c, x.weapon) {
			return b.Action.Action, int(b.Done)
		}
	}
	return "", 0
}

func onFields(at *play.At) []play.Field {
	action, next := unfinished(at.Actor)
	return howMany(len(series(at.Actor, action)) - next)
}

func refuseOn(at *play.At) error {
	s, c := at.State, at.Actor
	if action, _ := unfinished(c); action == "" {
		return body.Refuse("NO_ATTACKS_LEFT", cite.AttackRoutine, "%s has no attack left of an action", c.Name)
	}
	return body.RefuseAttacking(s, c)
}

// doOn goes on with the attacks of the action.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func doOn(r *rules.Resolution, at *play.At) error {
	c := at.Actor
	action, next := unfinished(c)
	list := series(c, action)
	n := attacksNow(at, len(list)-next)
	b := Begin(r, at, cite.AttackRoutine)
	swings(r, b, action, list, next, n)
	return nil
}
