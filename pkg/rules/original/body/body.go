package body

import (
	"math/bits"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Dead tells whether a creature is dead; one that is not there counts as dead.
func Dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// Out tells whether a creature is dead or knocked out.
func Out(c *eventv1.Creature) bool {
	return Dead(c) || c.Life == eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
}

// Surprised tells whether a creature is surprised in this round.
func Surprised(c *eventv1.Creature) bool {
	return Has(c, CondSurprised)
}

// ConditionOf finds a condition by name; nil when the creature has none.
func ConditionOf(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Has tells whether a creature has a condition of this name.
func Has(c *eventv1.Creature, name string) bool { return ConditionOf(c, name) != nil }

// HelplessRule is the rule behind a condition that leaves a creature without a
// turn: its own, or where the game master laid it the one that knows such.
func HelplessRule(x *eventv1.Condition) string {
	switch {
	case x.Rule != "":
		return x.Rule
	case x.Name == CondStunned:
		return cite.GrappleThrownOff
	case x.Name == CondSurrendered:
		return cite.MoraleTable
	}
	return cite.GrapplePinned
}

// Stumbled tells whether a creature lost its attacks of this round by a fumble: the
// round that its stumbling ends with, whenever it stumbled.
//
// original.fumble.table
func Stumbled(s *eventv1.State, c *eventv1.Creature) bool {
	x := ConditionOf(c, CondStumbled)
	return x != nil && (x.Until.GetWhen() != UntilRound || x.Until.Round == s.Round)
}

// Present lists the creatures in the fight in order.
func Present(s *eventv1.State) []string {
	return Those(s, func(*eventv1.Creature) bool { return true })
}

// Foes lists the creatures of other sides that are not dead.
func Foes(s *eventv1.State, c *eventv1.Creature) []string {
	return Those(s, func(other *eventv1.Creature) bool { return other.Side != c.GetSide() && !Dead(other) })
}

// Those lists the creatures in the fight that fit, in order; nil when none does.
func Those(s *eventv1.State, fits func(c *eventv1.Creature) bool) []string {
	var ids []string
	// order-free: sorted below
	for id, c := range s.Creatures {
		if c.Marks[MLeaving] != "" || !fits(c) {
			continue
		}
		if ids == nil {
			ids = make([]string, 0, len(s.Creatures))
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Any tells whether any creature in the fight fits.
func Any(s *eventv1.State, fits func(c *eventv1.Creature) bool) bool {
	// order-free: any one is enough
	for _, c := range s.Creatures {
		if c.Marks[MLeaving] == "" && fits(c) {
			return true
		}
	}
	return false
}

// PresentIn is [Present] for a run, which has its creatures in order already. The list
// must not be changed.
func PresentIn(r *rules.Resolution) []string {
	ids := r.CreatureIDs()
	leaves := func(id string) bool { return r.Creature(id).Marks[MLeaving] != "" }
	if slices.ContainsFunc(ids, leaves) {
		return slices.DeleteFunc(slices.Clone(ids), leaves)
	}
	return ids
}

// FeetBetween is the distance between two places, rounded up.
func FeetBetween(a, b *eventv1.Position) int32 {
	square := int64(0)
	for _, d := range []int64{int64(a.X) - int64(b.X), int64(a.Y) - int64(b.Y), int64(a.Z) - int64(b.Z)} {
		square += d * d
	}
	root := int64(0)
	for bit := int64(1) << (bits.Len64(uint64(square)) / 2); bit > 0; bit >>= 1 { //nolint:gosec // no square is below 0
		if (root+bit)*(root+bit) <= square {
			root += bit
		}
	}
	if root*root < square {
		root++
	}
	return int32(root)
}

// Distance between two creatures in feet; -1 when nobody knows.
func Distance(a, b *eventv1.Creature) int32 {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return -1
	}
	return FeetBetween(a.Position, b.Position)
}

// MeleeFeet is how near melee is.
const MeleeFeet = 10

// InMelee tells whether two foes are in melee: 10 feet or less apart without
// an obstacle; those without a place on the map when they are marked so.
//
// original.movement.in-melee-definition
func InMelee(a, b *eventv1.Creature) bool {
	if Dead(a) || Dead(b) || a.Side == b.Side || a.Marks[MLeaving] != "" || b.Marks[MLeaving] != "" || Apart(a, b) {
		return false
	}
	if d := Distance(a, b); d >= 0 {
		return d <= MeleeFeet
	}
	return Is(a, RelEngaged, b.Id) || Is(b, RelEngaged, a.Id)
}

// Apart tells whether an obstacle is marked between two creatures, on either of them.
func Apart(a, b *eventv1.Creature) bool {
	return Is(a, RelApart, b.Id) || Is(b, RelApart, a.Id)
}

// EngagedWith lists the foes that a creature is in melee with and that are up.
func EngagedWith(s *eventv1.State, c *eventv1.Creature) []string {
	return Those(s, func(foe *eventv1.Creature) bool { return !Out(foe) && InMelee(c, foe) })
}

// GroupOf is the group whose initiative die a creature goes by.
//
// original.initiative.roll, original.initiative.option-party-die
func GroupOf(s *eventv1.State, c *eventv1.Creature) string {
	sh := SheetOf(c)
	switch {
	case sh.IsPc && Defaults.On(s, SetPartyDie):
		return "a/" + c.Side
	case sh.IsPc && len(c.Controllers) > 0:
		return "a/" + c.Controllers[0]
	case sh.IsPc:
		return "a/" + c.Id
	}
	return "b/" + MoraleGroup(c)
}

// MoraleGroup is the group of foes that a creature stands or breaks with.
func MoraleGroup(c *eventv1.Creature) string {
	if g := SheetOf(c).Group; g != "" {
		return g
	}
	return c.GetSide()
}

// Nonlethal is the damage that only knocks out.
//
// original.injury.knocked-out-at-zero
func Nonlethal(c *eventv1.Creature) int32 {
	return int32(c.GetCounters()[CTemporary] + c.GetCounters()[OldTemporary]) // of records of builds before
}
