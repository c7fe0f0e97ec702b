package basic

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// swing is one attack of an action that has several; without a weapon when the hand
// is empty by now.
type swing struct {
	weapon *eventv1.BasicWeapon
	extra  []*eventv1.Modifier
}

// series lists the attacks of an action, in order: those of the routine, or one with
// each hand.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func series(c *eventv1.Creature, action string) []swing {
	var out []swing
	if action == "routine" {
		for _, name := range sheetOf(c).Routine {
			out = append(out, swing{weapon: weaponOf(c, name)})
		}
		return out
	}
	main, off := pair(c)
	for i, w := range []*eventv1.BasicWeapon{main, off} {
		out = append(out, swing{w, []*eventv1.Modifier{{Value: []int32{-2, -5}[i],
			Source: []string{"first of two weapons", "second of two weapons"}[i], Rule: cite.AttackTwoWeaponPenalty}}})
	}
	return out
}

func refuseRoutine(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if len(sheetOf(c).Routine) == 0 {
		return refuse("NO_ROUTINE", cite.AttackRoutine, "%s has no attack routine", c.Name)
	}
	for _, name := range sheetOf(c).Routine {
		if err := refuseMelee(s, c, name); err != nil {
			return err
		}
	}
	return nil
}

// pair finds the weapons of the two hands.
func pair(c *eventv1.Creature) (main, off *eventv1.BasicWeapon) {
	for _, w := range sheetOf(c).Weapons {
		switch {
		case w.Kind != "melee":
		case place(c, w) == "main":
			main = w
		case place(c, w) == "off":
			off = w
		}
	}
	return main, off
}

// refuseTwo: one of the two must be a small weapon.
//
// basic.attack.two-weapon-size
func refuseTwo(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if err := refuseAttacking(s, c); err != nil {
		return err
	}
	main, off := pair(c)
	if main == nil || off == nil || !main.Small && !off.Small {
		return refuse("NO_PAIR", cite.AttackTwoWeaponSize, "two weapons are needed, one of them a small one")
	}
	return nil
}

func refuseSeriesReach(s *eventv1.State, c *eventv1.Creature, _ string, t *eventv1.Creature, facts *structpb.Struct) error {
	return refuseBlow(s, c, engagedFeet, t, facts)
}

func seriesParameters(action string) func(*eventv1.State, *eventv1.Creature, string) []*eventv1.Parameter {
	return func(_ *eventv1.State, c *eventv1.Creature, _ string) []*eventv1.Parameter {
		return howMany(len(series(c, action)))
	}
}

// howMany is the parameter that says how many attacks go to the target named.
func howMany(most int) []*eventv1.Parameter {
	p := &eventv1.Parameter{Name: "attacks", Type: "number", Text: "How many of the attacks are made at this target; all if not given. The rest may go to others"}
	for n := 1; n <= most; n++ {
		if v, err := structpb.NewValue(n); err == nil {
			p.Values = append(p.Values, v)
		}
	}
	return []*eventv1.Parameter{p}
}

// doSeries begins the attacks of an action, each with its own roll.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func doSeries(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	rule := cite.AttackRoutine
	if take.Action != "routine" {
		rule = cite.AttackTwoWeaponPenalty
	}
	list := series(c, take.Action)
	n, err := attacksNow(take, len(list))
	if err != nil {
		return err
	}
	b := begin(r, c, take, rule)
	swings(r, b, take.Action, list, 0, n)
	return nil
}

// attacksNow is how many of the attacks left are made now.
func attacksNow(take *eventv1.TakeAction, left int) (int, error) {
	n, given := spoken.Number(take.Parameters, "attacks")
	switch {
	case !given:
		return left, nil
	case n < 1 || int(n) > left:
		return 0, fault.Field("take.parameters.attacks", "%d is not from 1 to %d", n, left)
	}
	return int(n), nil
}

// swings makes attacks of a series from one on. They end when the target or the
// attacker falls; what is then left may go to another target, as long as the attacker
// stays where it is.
func swings(r *rules.Resolution, b blow, action string, list []swing, from, n int) {
	next := from
	for ; next < from+n && up(r.Creature(b.attacker)); next++ {
		if t := r.Creature(b.target); dead(t) || struckDown(r.State(), t) {
			break
		}
		if w := list[next].weapon; w != nil && atHand(r.Creature(b.attacker), w) {
			b.weapon, b.extra, b.label = w, list[next].extra, "attack/"+itoa(next+1)
			b.strike(r)
		}
	}
	left := ""
	if next < len(list) && up(r.Creature(b.attacker)) {
		left = action + " " + itoa(next) + " " + itoa(r.Count(b.attacker, cMoved))
	}
	if left != r.Creature(b.attacker).Marks[mSeries] {
		r.Mark(b.attacker, mSeries, left, cite.AttackRoutine)
	}
}

// unfinished is the action of which attacks are left and the first of them; empty when
// none are, or when the creature has moved since.
//
// basic.movement.split
func unfinished(c *eventv1.Creature) (action string, next int) {
	words := strings.Fields(c.GetMarks()[mSeries])
	if len(words) != 3 || words[2] != itoa(c.Counters[cMoved]) {
		return "", 0
	}
	begun := false
	for i, x := range series(c, words[0]) {
		if words[1] == itoa(i) {
			begun, next = true, i
		}
		if begun && x.weapon != nil && atHand(c, x.weapon) {
			return words[0], next
		}
	}
	return "", 0
}

func onParameters(_ *eventv1.State, c *eventv1.Creature, _ string) []*eventv1.Parameter {
	action, next := unfinished(c)
	if action == "" {
		return howMany(0)
	}
	return howMany(len(series(c, action)) - next)
}

func refuseOn(s *eventv1.State, c *eventv1.Creature, _ string) error {
	if action, _ := unfinished(c); action == "" {
		return refuse("NO_ATTACKS_LEFT", cite.AttackRoutine, "%s has no attack left of an action", c.Name)
	}
	return refuseAttacking(s, c)
}

// doOn goes on with the attacks of the action.
//
// basic.attack.routine, basic.attack.two-weapon-penalty
func doOn(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	action, next := unfinished(c)
	list := series(c, action)
	n, err := attacksNow(take, len(list)-next)
	if err != nil {
		return err
	}
	b := begin(r, c, take, cite.AttackRoutine)
	swings(r, b, action, list, next, n)
	return nil
}
