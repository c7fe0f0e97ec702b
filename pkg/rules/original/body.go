package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// out tells whether a creature is dead or knocked out.
func out(c *eventv1.Creature) bool {
	return dead(c) || c.Life == eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
}

// surprised tells whether a creature is surprised in this round.
func surprised(s *eventv1.State, c *eventv1.Creature) bool {
	return c.GetMarks()[mSurprised] == itoa(s.Round)
}

func condition(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

func has(c *eventv1.Creature, name string) bool { return condition(c, name) != nil }

// helpless is the condition that leaves a creature without a turn; nil when
// there is none.
func helpless(c *eventv1.Creature) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		switch x.Name {
		case condPinned, condStunned, condHeld, condSurrendered:
			return x
		}
	}
	return nil
}

// helplessRule is the rule behind a condition that leaves a creature without a
// turn: its own, or where the game master laid it the one that knows such.
func helplessRule(x *eventv1.Condition) string {
	switch {
	case x.Rule != "":
		return x.Rule
	case x.Name == condStunned:
		return cite.GrappleThrownOff
	case x.Name == condSurrendered:
		return cite.MoraleTable
	}
	return cite.GrapplePinned
}

// able tells whether a creature can act in this round.
func able(s *eventv1.State, c *eventv1.Creature) bool {
	return !out(c) && c.Marks[mLeaving] == "" && helpless(c) == nil && !surprised(s, c)
}

// present lists the creatures in the fight in order.
func present(s *eventv1.State) []string {
	var ids []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		if s.Creatures[id].Marks[mLeaving] == "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// foes lists the creatures of other sides that are not dead.
func foes(s *eventv1.State, c *eventv1.Creature) []string {
	var ids []string
	for _, id := range present(s) {
		if s.Creatures[id].Side != c.GetSide() && !dead(s.Creatures[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// feetBetween is the distance between two places, rounded up.
func feetBetween(a, b *eventv1.Position) int32 {
	square := int64(0)
	for _, d := range []int64{int64(a.X) - int64(b.X), int64(a.Y) - int64(b.Y), int64(a.Z) - int64(b.Z)} {
		square += d * d
	}
	root := int64(0)
	for bit := int64(1 << 21); bit > 0; bit >>= 1 {
		if (root+bit)*(root+bit) <= square {
			root += bit
		}
	}
	if root*root < square {
		root++
	}
	return int32(root)
}

// distance between two creatures in feet; -1 when nobody knows.
func distance(a, b *eventv1.Creature) int32 {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return -1
	}
	return feetBetween(a.Position, b.Position)
}

// meleeFeet is how near melee is.
const meleeFeet = 10

// inMelee tells whether two foes are in melee: 10 feet or less apart without
// an obstacle; those without a place on the map when they are marked so.
//
// original.movement.in-melee-definition
func inMelee(a, b *eventv1.Creature) bool {
	if a == nil || b == nil || a.Side == b.Side || dead(a) || dead(b) || a.Marks[mLeaving] != "" || b.Marks[mLeaving] != "" || apart(a, b) {
		return false
	}
	if d := distance(a, b); d >= 0 {
		return d <= meleeFeet
	}
	return a.Marks[mEngaged+b.Id] != "" || b.Marks[mEngaged+a.Id] != ""
}

func apart(a, b *eventv1.Creature) bool {
	return a.Marks[mApart+b.Id] != "" || b.Marks[mApart+a.Id] != ""
}

// engagedWith lists the foes that a creature is in melee with and that are up.
func engagedWith(s *eventv1.State, c *eventv1.Creature) []string {
	var ids []string
	for _, id := range foes(s, c) {
		if !out(s.Creatures[id]) && inMelee(c, s.Creatures[id]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// heldBack lists the foes that a creature cannot leave freely: those in melee
// with it and with nobody else of its side.
//
// original.movement.free-disengage
func heldBack(s *eventv1.State, c *eventv1.Creature) []string {
	var ids []string
	for _, id := range engagedWith(s, c) {
		if !slices.ContainsFunc(engagedWith(s, s.Creatures[id]), func(other string) bool { return other != c.Id }) {
			ids = append(ids, id)
		}
	}
	return ids
}

// fullMove is the full Turn movement in feet a round.
//
// original.initiative.haste-movement
func fullMove(s *eventv1.State, c *eventv1.Creature) int32 {
	feet := c.GetSheet().GetSpeeds()["walk"]
	if defaults.On(s, setOutdoors) {
		feet *= 3
	}
	if has(c, condHasted) {
		feet *= 2
	}
	if has(c, condProne) {
		return 0
	}
	return feet
}

// groupOf is the group whose initiative die a creature goes by.
//
// original.initiative.roll, original.initiative.option-party-die
func groupOf(s *eventv1.State, c *eventv1.Creature) string {
	sh := sheetOf(c)
	switch {
	case sh.IsPc && defaults.On(s, setPartyDie):
		return "a/" + c.Side
	case sh.IsPc && len(c.Controllers) > 0:
		return "a/" + c.Controllers[0]
	case sh.IsPc:
		return "a/" + c.Id
	}
	return "b/" + moraleGroup(c)
}

// moraleGroup is the group of foes that a creature stands or breaks with.
func moraleGroup(c *eventv1.Creature) string {
	if g := sheetOf(c).Group; g != "" {
		return g
	}
	return c.GetSide()
}
