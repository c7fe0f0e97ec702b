package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RelRides is of whoever sits on a mount, to the mount: the variant says whether it
// has control, the values where it sits.
const (
	RelRides         = "rides"
	VariantRider     = "rider"
	VariantPassenger = "passenger"
)

// Values of RelRides: the place of the one who rides, in feet from the corner of the
// mount's space, the side of it, and how much farther than the squares say others
// are from it.
const (
	ValSeatX    = "x"
	ValSeatY    = "y"
	ValSeatSide = "side"
	ValSeatPast = "past"
)

// RelOver is of a ridden mount to a creature in whose space it was stated to stand.
const RelOver = "over"

// RelLost is of whoever falls to the mount that it fell off in the air, until one of
// them has come down or it is on the mount again; round is that of the last try.
const RelLost = "fell-from"

// Marks and counters of mounts, of one fight.
const (
	// MUrged is on a mount that its rider has urged to go toward danger this turn.
	MUrged = "urged"
	// MShied is on a mount whose fear has made it buck already.
	MShied = "shied"
	// MDanger is on a creature that mounts perceive as a danger.
	MDanger = "danger"
	// MConsents is on an intelligent creature that has agreed to be controlled.
	MConsents = "consents"
	// CDashPace is the speed that a mount dashed at, and 1 more, until its next turn.
	CDashPace = "dash-pace"
)

// Seat is what a creature rides on and how; nil for one that does not ride.
func Seat(c *eventv1.Creature) *eventv1.Relation {
	for _, rel := range c.GetRelations() {
		if rel.Kind == RelRides {
			return rel
		}
	}
	return nil
}

// MountOf is what a creature rides; nil for nothing.
func MountOf(s *eventv1.State, c *eventv1.Creature) *eventv1.Creature {
	if seat := Seat(c); seat != nil {
		return s.GetCreatures()[seat.To]
	}
	return nil
}

// RidersOf lists those on a mount by their ids, riders and passengers.
func RidersOf(s *eventv1.State, mount string) (out []string) {
	// order-free: sorted below
	for id, c := range s.GetCreatures() {
		if seat := Seat(c); seat != nil && seat.To == mount {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// ControllerOf is the rider who has control of a mount; nil when nobody has.
//
// rcr.mount.rider
func ControllerOf(s *eventv1.State, mount string) *eventv1.Creature {
	for _, id := range RidersOf(s, mount) {
		if c := s.Creatures[id]; Seat(c).Variant == VariantRider {
			return c
		}
	}
	return nil
}

// UnderRein is the rider in whose running turn a mount acts; nil when it acts for
// itself, or not at all.
//
// rcr.mount.shared-initiative
func UnderRein(s *eventv1.State, c *eventv1.Creature) *eventv1.Creature {
	if !slices.Contains(s.GetActive(), c.GetId()) {
		return nil
	}
	if rider := ControllerOf(s, c.Id); rider != nil && slices.Contains(s.Active, rider.Id) {
		return rider
	}
	return nil
}

// Together tells whether two creatures are a mount and one on it, or both on one
// mount.
func Together(a, b *eventv1.Creature) bool {
	on := func(c *eventv1.Creature) string {
		if seat := Seat(c); seat != nil {
			return seat.To
		}
		return c.GetId()
	}
	return on(a) == on(b)
}

// Carry brings those on a mount to their places on it.
//
// rcr.mount.rider-square
func Carry(r *rules.Resolution, mount string) {
	m := r.Creature(mount)
	if m.GetPosition() == nil {
		return
	}
	for _, id := range RidersOf(r.State(), mount) {
		c := r.Creature(id)
		seat := Seat(c)
		to := &eventv1.Position{X: m.Position.X + seat.Values[ValSeatX], Y: m.Position.Y + seat.Values[ValSeatY], Z: m.Position.Z}
		if at := c.Position; at == nil || at.X != to.X || at.Y != to.Y || at.Z != to.Z {
			r.Move(&eventv1.Moved{Creature: id, To: to, Mode: "ride", Feet: grid.Steps(at, to)}, seat.Rule)
		}
	}
}

// past is how much farther than the squares say somebody on a mount is from those
// who are not on it.
//
// rcr.mount.reach
func past(a, b *eventv1.Creature) int32 {
	x, y := Seat(a), Seat(b)
	if x == nil && y == nil || Together(a, b) {
		return 0
	}
	return x.GetValues()[ValSeatPast] + y.GetValues()[ValSeatPast]
}

// Between is the way between two creatures if they stood at these places.
func Between(a *eventv1.Creature, at *eventv1.Position, b *eventv1.Creature, bt *eventv1.Position) int32 {
	return grid.Distance(at, SpaceFeet(a), bt, SpaceFeet(b)) + past(a, b)
}

// Saddles of a sheet.
const (
	SaddleNormal   = "normal"
	SaddleMilitary = "military"
)

// Saddles are the saddles that a mount may wear.
var Saddles = []string{SaddleNormal, SaddleMilitary}

// SaddleOn is the saddle that serves on a mount: none on a huge one unless it is
// exotic.
//
// rcr.mount.exotic-size
func SaddleOn(mount *eventv1.Creature) string {
	s := SheetOf(mount)
	if !s.SaddleExotic && (mount.GetSize() == "huge" || mount.GetSize() == "gargantuan") {
		return ""
	}
	return s.Saddle
}

// SaddleBars tells whether a saddle keeps a mount from moving by a mode: flying and
// swimming by a speed of its own need an exotic one, or none at all (a reading).
//
// rcr.mount.exotic-movement
func SaddleBars(c *eventv1.Creature, mode string) bool {
	s := SheetOf(c)
	return s.Saddle != "" && !s.SaddleExotic && (mode == "fly" || mode == "swim") && c.GetSheet().GetSpeeds()[mode] > 0
}

// squeezed tells whether somebody shares the one place on a mount: on anything up to
// large, and on bigger ones whose saddle is no platform.
//
// rcr.mount.passenger-space, rcr.mount.passenger-bigger-mount
func squeezed(s *eventv1.State, c *eventv1.Creature) bool {
	m := MountOf(s, c)
	if m == nil || len(RidersOf(s, m.Id)) < 2 {
		return false
	}
	roomy := m.Size == "huge" || m.Size == "gargantuan"
	return !roomy || !SheetOf(m).SaddlePlatform
}

// Traits of mounts.
const (
	MountBrave    = "brave"
	MountFierce   = "fierce"
	MountStalwart = "stalwart"
)

// MountTraits are the traits of mounts, in the order of the book.
//
// rcr.mount.traits
var MountTraits = []string{MountBrave, MountFierce, MountStalwart}

// HasMountTrait tells whether a mount has a trait.
func HasMountTrait(c *eventv1.Creature, trait string) bool {
	return Named(SheetOf(c).MountTraits, trait)
}

// CTraining is the total of a creature's training as a mount.
const CTraining = "training"

// TrainedAt is the total from which a creature is trained as a mount.
//
// rcr.mount.training-complete
const TrainedAt = 100

// IntelligentAt is the Intelligence from which a creature knows how to be a mount.
const IntelligentAt = 6

// TrainingOf is a creature's training total: what the encounter counts, else that of
// the sheet; at least 100 for the trained and for the intelligent.
//
// rcr.mount.training-head-start
func TrainingOf(c *eventv1.Creature) int32 {
	total := SheetOf(c).TrainingTotal
	if n, ok := c.GetCounters()[CTraining]; ok {
		total = int32(n)
	}
	if SheetOf(c).MountTrained || Intelligent(c) {
		total = max(total, TrainedAt)
	}
	return total
}

// trainedFor are the totals of training from which a mount is trained for light,
// medium and heavy barding.
//
// rcr.mount.training-barding
var trainedFor = []int32{120, 150, 200}

// TrainedForBarding is the heaviest barding that a creature's training total has
// trained it for: 0 for none, 1 for light, 2 for medium, 3 for heavy.
//
// rcr.mount.training-barding
func TrainedForBarding(c *eventv1.Creature) int {
	n := 0
	for i, total := range trainedFor {
		if TrainingOf(c) >= total {
			n = i + 1
		}
	}
	return n
}

// Intelligent tells whether a creature knows by itself how to be a mount, and must
// choose to be controlled. One whose Intelligence nobody gives does not.
//
// rcr.mount.intelligent-untrained
func Intelligent(c *eventv1.Creature) bool {
	return c.GetSheet().GetAbilities()["intelligence"] >= IntelligentAt
}

// spaces are the sides of spaces in feet by size, the smallest first.
var (
	sizes  = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}
	spaces = []int32{5, 5, 5, 10, 15, 20}
)

// spaceUnder is the side of the space of a mount in feet: in the air that of the next
// larger size.
//
// rcr.mount.rider-square
func spaceUnder(mount *eventv1.Creature) int32 {
	rank := slices.Index(sizes, mount.Size)
	if Airborne(mount) && FlightBy(mount) == "" {
		rank++
	}
	return spaces[max(0, min(rank, len(spaces)-1))]
}

// SeatOn is the place on a mount: the square in the middle of its space, or the four
// squares about its middle. On a gargantuan one others are farther than the squares
// say (a reading: the document wants ranged weapons there).
//
// rcr.mount.rider-square, rcr.mount.reach
func SeatOn(mount *eventv1.Creature) map[string]int32 {
	switch spaceUnder(mount) {
	case 5:
		return map[string]int32{ValSeatX: 0, ValSeatY: 0, ValSeatSide: 5}
	case 10:
		return map[string]int32{ValSeatX: 0, ValSeatY: 0, ValSeatSide: 10}
	case 15:
		return map[string]int32{ValSeatX: 5, ValSeatY: 5, ValSeatSide: 5}
	}
	return map[string]int32{ValSeatX: 5, ValSeatY: 5, ValSeatSide: 10, ValSeatPast: 5}
}

// BesideFeet is the way between a rider and a creature beside its mount.
//
// rcr.mount.reach
func BesideFeet(mount *eventv1.Creature) int32 {
	switch spaceUnder(mount) {
	case 5, 10:
		return 5
	case 15:
		return 10
	}
	return 15
}

// StatedFeet is the distance between an attacker and a target as a command states it:
// in feet, or as standing beside the mount of the other.
//
// rcr.mount.reach
func StatedFeet(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) (feet int32, said bool) {
	if feet, said = spoken.Number(take.GetFacts(), "distance"); said {
		return feet, true
	}
	if !spoken.Truth(take.GetFacts(), "beside_mount") || Together(c, target) {
		return 0, false
	}
	for _, x := range []*eventv1.Creature{c, target} {
		if m := MountOf(s, x); m != nil {
			feet, said = max(feet, BesideFeet(m)), true
		}
	}
	return feet, said
}
