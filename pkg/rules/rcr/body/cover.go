package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FactCovers is the fact that states the cover of each target by itself:
// {"orc": "half", "ogre": "none"}.
const FactCovers = "covers"

// CoverNone is the word of the fact "cover" for no cover at all.
const CoverNone = "none"

// checkCovers says what is wrong with the cover stated of each target.
func checkCovers(r *rules.Resolution, take *eventv1.TakeAction) error {
	said := take.GetFacts().GetFields()[FactCovers].GetStructValue()
	for _, id := range rules.SortedKeys(said.GetFields()) {
		field := "take.facts." + FactCovers + "." + id
		if r.Known(id) == nil {
			return fault.Field(field, "there is no creature %q", id)
		}
		words := []string{CoverNone, CoverHalf, CoverThreeQuarters, CoverTotal}
		if word := spoken.Word(said, id); !slices.Contains(words, word) {
			return NoSuch(field, word, "cover", words)
		}
	}
	return nil
}

// SaidCover is the cover stated of a target: its own, else that of all; empty when
// nothing is stated.
//
// rcr.base.half-cover
func SaidCover(take *eventv1.TakeAction, id string) string {
	if own := spoken.Word(take.GetFacts().GetFields()[FactCovers].GetStructValue(), id); own != "" {
		return own
	}
	return spoken.Word(take.GetFacts(), "cover")
}

// CoverBehind is the cover that a creature has from a point of origin, by what is stated
// and else by who stands in between: that whom the origin is at never does. The second
// value says that it was measured.
//
// rcr.base.half-cover
func CoverBehind(s *eventv1.State, origin, target *eventv1.Creature, take *eventv1.TakeAction) (cover string, measured bool) {
	if said := SaidCover(take, target.GetId()); said != "" {
		return said, false
	}
	if origin.GetId() == target.GetId() || !Defaults.On(s, SetCreatureCover) || !StandsBetween(s, origin, target, func(c *eventv1.Creature) bool { return shelters(s, c, origin, target) }) {
		return "", false
	}
	return CoverHalf, true
}

// shelters tells whether a creature in the line is half cover for a target: it stands,
// is at most one size smaller, and is neither a mount nor a rider of one of the two (a
// reading: less of it would not hide half of the target).
//
// rcr.base.half-cover
func shelters(s *eventv1.State, c, origin, target *eventv1.Creature) bool {
	for _, o := range []*eventv1.Creature{origin, target} {
		if m := MountOf(s, o); m != nil && m.Id == c.Id || Seat(c) != nil && Seat(c).To == o.GetId() {
			return false
		}
	}
	return Seat(c) == nil && !Has(c, CondProne) && !Down(c) && slices.Index(sizes, c.GetSize()) >= slices.Index(sizes, target.GetSize())-1
}

// StandsBetween tells whether a creature that counts stands on the line between two,
// measured from the middle of one space to the middle of the other. The dead and those
// who hide never do: to be in the way would tell.
//
// rcr.condition.crouching-ranged, rcr.base.half-cover
func StandsBetween(s *eventv1.State, a, b *eventv1.Creature, counts func(*eventv1.Creature) bool) bool {
	from, to := a.GetPosition(), PlaceKnown(b)
	if from == nil || to == nil {
		return false
	}
	const steps = 64
	// Twice the feet, so that middles of spaces are whole numbers.
	wide, wideTo := SpaceFeet(a), SpaceFeet(b)
	x, y, z := 2*from.X+wide, 2*from.Y+wide, 2*from.Z+wide
	toX, toY, toZ := 2*to.X+wideTo, 2*to.Y+wideTo, 2*to.Z+wideTo
	// order-free: any one is enough
	for id, c := range s.Creatures {
		if id == a.Id || id == b.Id || c.Position == nil || Dead(c) || Has(c, CondHidden) || !counts(c) {
			continue
		}
		space := SpaceFeet(c)
		for i := int32(1); i < steps; i++ {
			if inSpan(x, toX, i, steps, c.Position.X, space) && inSpan(y, toY, i, steps, c.Position.Y, space) &&
				inSpan(z, toZ, i, steps, c.Position.Z, space) {
				return true
			}
		}
	}
	return false
}

// inSpan tells whether the point i/steps of the way from a to b, in half feet,
// lies inside a span of feet.
func inSpan(a, b, i, steps, from, size int32) bool {
	at := a*(steps-i) + b*i
	return at > 2*from*steps && at < 2*(from+size)*steps
}
