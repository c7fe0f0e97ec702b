package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BodyOf is a creature's body; that of a human when the sheet gives none.
func BodyOf(c *eventv1.Creature) *eventv1.CelesiaBody {
	if b := SheetOf(c).Body; b != nil {
		return b
	}
	return &eventv1.CelesiaBody{Hands: 2, Fingers: 5, Eyes: 2, Arms: 2, Legs: 2, Head: true}
}

// pair names two parts of one kind; it is never changed.
var pair = []string{"left", "right"}

// Sides names parts of one kind; the list must not be changed.
func Sides(n int32) []string {
	if n == 2 {
		return pair
	}
	var out []string
	for i := int32(1); i <= n; i++ {
		out = append(out, Itoa(i))
	}
	return out
}

// Parts is how many of a part there are.
func Parts(c *eventv1.Creature, part string) int32 {
	b := BodyOf(c)
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

// Injuries counts the injuries of a row on a side; an empty side means all.
func Injuries(c *eventv1.Creature, row, side string, severed bool) int32 {
	n := int32(0)
	for _, in := range c.GetInjuries() {
		if in.Kind == row && (side == "" || in.Side == side) && (in.Values["severed"] > 0) == severed {
			n++
		}
	}
	return n
}

// Lost tells whether a part is out of use by injuries of its own row, a hand by
// its fingers, or because the limb that it is on was cut off.
//
// celesia.injury.finger-hand-lost
func Lost(c *eventv1.Creature, part, side string) bool {
	return Injuries(c, part, side, false) > 0 || CutOff(c, part, side) || part == "hand" && FingersLost(c, side)
}

// CutOff tells whether a part is gone: severed itself, or a hand whose arm was.
func CutOff(c *eventv1.Creature, part, side string) bool {
	if Injuries(c, part, side, true) > 0 {
		return true
	}
	return part == "hand" && Parts(c, "arm") == Parts(c, "hand") && Injuries(c, "arm", side, true) > 0
}

// FingersLost tells whether the hand of a side has lost all its fingers; never where
// the body has none.
func FingersLost(c *eventv1.Creature, side string) bool {
	n := BodyOf(c).Fingers
	return n > 0 && Injuries(c, "finger", side, false) >= n
}

// LostParts counts the parts out of use.
func LostParts(c *eventv1.Creature, part string) int32 {
	n := int32(0)
	for _, side := range Sides(Parts(c, part)) {
		if Lost(c, part, side) {
			n++
		}
	}
	return n
}

// OpenSides are the sides on which a row can still be taken; none when the body
// can take no more of it. Rows without sides have one empty side.
//
// celesia.injury.crippling-reroll
func OpenSides(c *eventv1.Creature, row string) []string {
	switch row {
	case "scar", "major-scar":
		return []string{""}
	case "head":
		if BodyOf(c).Head && Injuries(c, "head", "", false) < 5 {
			return []string{""}
		}
		return nil
	case "finger":
		return openFingers(c)
	case "eye", "hand", "leg", "arm":
	default: // of content: a whole, once
		if Injuries(c, row, "", false) > 0 {
			return nil
		}
		return []string{""}
	}
	all := Sides(Parts(c, row))
	open := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return Lost(c, row, s) })
	if len(open) == 0 {
		open = slices.DeleteFunc(slices.Clone(all), func(s string) bool { return CutOff(c, row, s) })
	}
	return open
}

// openFingers are the hands with a finger to lose, or, once all are lost, one
// to be severed. The fingers of a hand that is gone are gone with it.
//
// celesia.injury.finger-severed
func openFingers(c *eventv1.Creature) []string {
	n := BodyOf(c).Fingers
	all := slices.DeleteFunc(slices.Clone(Sides(Parts(c, "finger"))), func(s string) bool { return CutOff(c, "hand", s) })
	open := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return Injuries(c, "finger", s, false) >= n })
	if len(open) == 0 {
		open = slices.DeleteFunc(all, func(s string) bool { return Injuries(c, "finger", s, true) >= n })
	}
	return open
}

// Severs tells whether the next injury of a row cuts the part off.
func Severs(c *eventv1.Creature, row, side string) bool {
	switch row {
	case "scar", "major-scar", "head":
		return false
	case "finger":
		return Injuries(c, row, side, false) >= BodyOf(c).Fingers
	}
	return Lost(c, row, side)
}

// Has tells whether a creature has a condition.
func Has(c *eventv1.Creature, name string) bool { return Condition(c, name) != nil }

// Condition is the first condition of that name on a creature; nil when there is
// none.
func Condition(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Keep puts a condition of one cause on a creature, or takes it off.
func Keep(r *rules.Resolution, id, name, cause, rule string, want bool) {
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

// Lift takes a condition off a creature, whatever its cause.
func Lift(r *rules.Resolution, id, name, cause, rule string) {
	for _, x := range r.Creature(id).GetConditions() {
		if x.Name == name {
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

// Dead tells whether a creature is dead; one that does not exist counts as dead.
func Dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// Down tells whether a creature is unconscious by its life status.
func Down(c *eventv1.Creature) bool {
	switch c.GetLife() {
	case eventv1.LifeStatus_LIFE_STATUS_DYING, eventv1.LifeStatus_LIFE_STATUS_STABLE, eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS:
		return true
	}
	return false
}

// Disabled tells whether the life status of a creature is disabled.
func Disabled(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DISABLED
}
