package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bodyOf is a creature's body; that of a human when the sheet gives none.
func bodyOf(c *eventv1.Creature) *eventv1.CelesiaBody {
	if b := sheetOf(c).Body; b != nil {
		return b
	}
	return &eventv1.CelesiaBody{Hands: 2, Fingers: 5, Eyes: 2, Arms: 2, Legs: 2, Head: true}
}

// pair names two parts of one kind; it is never changed.
var pair = []string{"left", "right"}

// sides names parts of one kind; the list must not be changed.
func sides(n int32) []string {
	if n == 2 {
		return pair
	}
	var out []string
	for i := int32(1); i <= n; i++ {
		out = append(out, itoa(i))
	}
	return out
}

// parts is how many of a part there are.
func parts(c *eventv1.Creature, part string) int32 {
	b := bodyOf(c)
	switch part {
	case "eye":
		return b.Eyes
	case "hand", "finger":
		return b.Hands
	case "leg":
		return b.Legs
	case "arm":
		return b.Arms
	}
	return 0
}

// injuries counts the injuries of a row on a side; an empty side means all.
func injuries(c *eventv1.Creature, row, side string, severed bool) int32 {
	n := int32(0)
	for _, in := range c.GetInjuries() {
		if in.Kind == row && (side == "" || in.Side == side) && (in.Values["severed"] > 0) == severed {
			n++
		}
	}
	return n
}

// lost tells whether a part is out of use by injuries of its own row, a hand by
// its fingers, or because the limb that it is on was cut off.
//
// celesia.injury.finger-hand-lost
func lost(c *eventv1.Creature, part, side string) bool {
	return injuries(c, part, side, false) > 0 || cutOff(c, part, side) || part == "hand" && fingersLost(c, side)
}

// cutOff tells whether a part is gone: severed itself, or a hand whose arm was.
func cutOff(c *eventv1.Creature, part, side string) bool {
	if injuries(c, part, side, true) > 0 {
		return true
	}
	return part == "hand" && parts(c, "arm") == parts(c, "hand") && injuries(c, "arm", side, true) > 0
}

func fingersLost(c *eventv1.Creature, side string) bool {
	n := bodyOf(c).Fingers
	return n > 0 && injuries(c, "finger", side, false) >= n
}

// lostParts counts the parts out of use.
func lostParts(c *eventv1.Creature, part string) int32 {
	n := int32(0)
	for _, side := range sides(parts(c, part)) {
		if lost(c, part, side) {
			n++
		}
	}
	return n
}

// usable tells whether a hand can hold anything: neither it nor its arm is lost,
// and the hands are not bound, by whatever means.
//
// celesia.injury.hand, celesia.injury.arm, celesia.attack.unarmed-basics
func usable(c *eventv1.Creature, side string) bool {
	return !lost(c, "hand", side) && !lost(c, "arm", side) && !barred(c, definitions.BarsHands)
}

// usableHands counts the hands that can hold anything.
func usableHands(c *eventv1.Creature) int32 {
	n := int32(0)
	for _, side := range sides(parts(c, "hand")) {
		if usable(c, side) {
			n++
		}
	}
	return n
}

// openSides are the sides on which a row can still be taken; none when the body
// can take no more of it. Rows without sides have one empty side.
//
// celesia.injury.crippling-reroll
func openSides(c *eventv1.Creature, row string) []string {
	switch row {
	case "scar", "major-scar":
		return []string{""}
	case "head":
		if bodyOf(c).Head && injuries(c, "head", "", false) < 5 {
			return []string{""}
		}
		return nil
	case "finger":
		return openFingers(c)
	}
	all := sides(parts(c, row))
	open := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return lost(c, row, s) })
	if len(open) == 0 {
		open = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return cutOff(c, row, s) })
	}
	return open
}

// openFingers are the hands with a finger to lose, or, once all are lost, one
// to be severed. The fingers of a hand that is gone are gone with it.
//
// celesia.injury.finger-severed
func openFingers(c *eventv1.Creature) []string {
	n := bodyOf(c).Fingers
	all := slices.DeleteFunc(slices.Clone(sides(parts(c, "finger"))), func(s string) bool { return cutOff(c, "hand", s) })
	open := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return injuries(c, "finger", s, false) >= n })
	if len(open) == 0 {
		open = slices.DeleteFunc(all, func(s string) bool { return injuries(c, "finger", s, true) >= n })
	}
	return open
}

// severs tells whether the next injury of a row cuts the part off.
func severs(c *eventv1.Creature, row, side string) bool {
	switch row {
	case "scar", "major-scar", "head":
		return false
	case "finger":
		return injuries(c, row, side, false) >= bodyOf(c).Fingers
	}
	return lost(c, row, side)
}

// has tells whether a creature has a condition.
func has(c *eventv1.Creature, name string) bool { return condition(c, name) != nil }

func condition(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// keep puts a condition of one cause on a creature, or takes it off.
func keep(r *rules.Resolution, id, name, cause, rule string, want bool) {
	var mine *eventv1.Condition
	for _, x := range r.Creature(id).Conditions {
		if x.Name == name && x.Cause == cause {
			mine = x
		}
	}
	switch {
	case want && mine == nil:
		r.AddCondition(id, &eventv1.Condition{Name: name, Cause: cause, Rule: rule})
	case !want && mine != nil:
		r.RemoveCondition(id, mine, cause+" is over", rule)
	}
}

// lift takes a condition off a creature, whatever its cause.
func lift(r *rules.Resolution, id, name, cause, rule string) {
	for _, x := range slices.Clone(r.Creature(id).GetConditions()) {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

func dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// down tells whether a creature is unconscious by its life status.
func down(c *eventv1.Creature) bool {
	switch c.GetLife() {
	case eventv1.LifeStatus_LIFE_STATUS_DYING, eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS:
		return true
	}
	return false
}

func disabled(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DISABLED
}

// helpless tells whether a creature cannot defend itself at all.
func helpless(c *eventv1.Creature) bool { return down(c) || conditions.Has(c, condHelpless) }

// barred tells whether a condition keeps a creature from something.
func barred(c *eventv1.Creature, what string) bool {
	x, _ := conditions.Barring(c, what)
	return x != nil
}

// able tells whether a creature can act at all. What the conditions do is the
// parent game's; the source only names them.
func able(c *eventv1.Creature) bool {
	return !dead(c) && !down(c) && !barred(c, definitions.BarsActing)
}
