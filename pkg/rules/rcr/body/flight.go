package body

import (
	"fmt"
	"slices"
	"strings"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/csvtable"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Conditions of flight.
const (
	// CondAirborne is on whoever is in the air; the variant says how.
	CondAirborne = "airborne"
	// CondEncumbered says that a load weighs on flight, and how much.
	CondEncumbered = "encumbered"
	// CondLifted is flight by magic; the variant says by what.
	CondLifted = "lifted"
)

// Variants of airborne. Whoever flies but does not hover travels.
const (
	AirFlying    = "flying"
	AirHovering  = "hovering"
	AirDiving    = "diving"
	AirArresting = "arresting"
	AirFalling   = "falling"
)

// Variants of lifted, and of encumbered.
const (
	LiftWorn  = "worn"
	LiftHeld  = "held"
	LiftSpell = "spell"

	LoadLight = "lightly"
	LoadHeavy = "heavily"
	LoadOver  = "over"
)

// Counters of flight.
const (
	// CAltitude is the height above the ground in feet where nobody has positions,
	// CGround the height of the ground on the map.
	CAltitude = "altitude"
	CGround   = "ground"
	// CFacing is where a flyer faces in degrees clockwise from north, 45 to 360; 0
	// where nobody knows.
	CFacing = "facing"
	// CTravelled, CDescended and CDived are the feet flown, come down and dived in
	// the turn that runs.
	CTravelled = "travelled"
	CDescended = "descended"
	CDived     = "dived"
	// CDiveFrom is the altitude at which a dive began, CFallFrom that by which a fall
	// is reckoned.
	CDiveFrom = "dive-from"
	CFallFrom = "fall-from"
	// CHalf is 1 when the half of a foot of movement that is spent is still to be had.
	CHalf = "half-foot"
	// CStrikes counts the attacks of the turn.
	CStrikes = "strikes"
	// CLoad is what a creature carries in pounds.
	CLoad = "load"
)

// Marks of flight.
const (
	// MHovered is on whoever has hovered by a check this turn.
	MHovered = "hovered"
	// MFallBegan is on whoever began to fall in its own turn that runs: it sinks
	// from its next on.
	MFallBegan = "fall-began"
	// MDropped is on whoever falls on in its next turn.
	MDropped = "dropped"
	// MReversed is on whoever may not reverse again yet.
	MReversed = "reversed"
	// MBlasted is on whoever may launch itself now.
	MBlasted = "blasted"
	// MInside is on whoever has dived into another's space where nobody has positions.
	MInside = "inside"
	// MOverWater says of a flyer whether what it flies over is water, "true" or "false";
	// of the encounter, that it is fought above water.
	MOverWater = "over-water"
	// MSeized is on whoever has tried in this fall, or this round of it, to seize a mount.
	MSeized = "seized"
)

// RelAloft is of whoever is carried through the air in a grapple to the flyer that
// holds it.
const RelAloft = "held-aloft"

// ChFlySpeed is the fly speed that a condition gives, in feet.
const ChFlySpeed = "fly-speed"

// Feats of flyers.
const (
	FeatAerialAce   = "aerial ace"
	FeatMightyWings = "mighty wings"
)

// Lifts are the ways in which an item bears its user.
var Lifts = []string{LiftWorn, LiftHeld}

// MaxPounds bounds weights and loads of sheets.
const MaxPounds = 1_000_000

// Shaken is told of damage that a creature has taken, by the chapter of flight.
var Shaken = func(r *rules.Resolution, id string, taken int32) {}

// Airborne tells whether a creature is in the air, flying or falling.
func Airborne(c *eventv1.Creature) bool { return Has(c, CondAirborne) }

// AirState is how a creature is in the air, a variant of airborne; empty for one on
// the ground.
func AirState(c *eventv1.Creature) string {
	x := Condition(c, CondAirborne)
	switch {
	case x == nil:
		return ""
	case x.Variant == "":
		return AirFlying
	}
	return x.Variant
}

// Flies tells whether a creature is in the air by its own flight. An arrested fall
// counts as hovering.
//
// rcr.flight.arrest-is-hovering
func Flies(c *eventv1.Creature) bool { return Airborne(c) && AirState(c) != AirFalling }

// Altitude is the height of a creature above the ground in feet, never below 0.
func Altitude(c *eventv1.Creature) int32 {
	if c.GetPosition() != nil {
		return max(0, c.Position.Z-int32(c.Counters[CGround]))
	}
	return max(0, int32(c.GetCounters()[CAltitude]))
}

// Lift is the fly speed that magic gives a creature, and the condition that does.
func Lift(c *eventv1.Creature) (feet int32, by *eventv1.Condition) {
	for _, x := range c.GetConditions() {
		if n := x.Values[ChFlySpeed]; n > feet {
			feet, by = n, x
		}
	}
	return feet, by
}

// FlightBy is what bears a flyer: LiftWorn, LiftHeld, LiftSpell, or nothing but its
// nature. The faster way counts, nature before magic.
func FlightBy(c *eventv1.Creature) string {
	feet, by := Lift(c)
	switch {
	case feet <= c.GetSheet().GetSpeeds()["fly"]:
		return ""
	case by.Variant == LiftWorn || by.Variant == LiftHeld:
		return by.Variant
	}
	return LiftSpell
}

// Winged tells whether a creature has wings of its own.
func Winged(c *eventv1.Creature) bool {
	return c.GetSheet().GetSpeeds()["fly"] > 0 && !SheetOf(c).Wingless
}

// EndFlight brings a creature to the ground where it is.
func EndFlight(r *rules.Resolution, id, cause string, ruleIDs ...string) {
	for _, x := range r.Creature(id).GetConditions() {
		if x.Name == CondAirborne {
			r.RemoveCondition(id, x, cause, ruleIDs...)
		}
	}
	for _, name := range []string{CAltitude, CDiveFrom, CFallFrom} {
		r.Set(id, name, 0, cause)
	}
	for _, mark := range []string{MHovered, MFallBegan, MDropped, MInside, MSeized, MOverWater} {
		r.Flag(id, mark, false)
	}
	r.Unrelate(id, RelLost, "", cause)
}

// Advanced tells whether a rule of the advanced layer of flight is in force: as it is
// switched by itself, else as the layer is.
//
// rcr.flight.adv-toggle
func Advanced(s *eventv1.State, rule string) bool {
	if s.GetSettings()[rule] != "" {
		return Defaults.On(s, rule)
	}
	return Defaults.On(s, cite.FlightAdvToggle)
}

// Ace tells whether a rule of Aerial Ace holds for a creature now: it has the feat
// and flies.
func Ace(s *eventv1.State, c *eventv1.Creature, rule string) bool {
	return Flies(c) && HasFeat(c, FeatAerialAce) && Defaults.On(s, rule)
}

// Mighty tells whether a creature has the feat Mighty Wings and the rule of it is on.
func Mighty(s *eventv1.State, c *eventv1.Creature, rule string) bool {
	return HasFeat(c, FeatMightyWings) && Defaults.On(s, rule)
}

// OwnTurn tells whether it is a creature's turn.
func OwnTurn(s *eventv1.State, id string) bool { return slices.Contains(s.GetActive(), id) }

// HigherBy is by how many feet one creature stands above another, by their places or
// their altitudes. Of one that hides, where it was seen last counts.
func HigherBy(c, other *eventv1.Creature) int32 {
	if at := PlaceKnown(other); c.GetPosition() != nil && at != nil {
		return at.Z - c.Position.Z
	}
	if Has(other, CondHidden) {
		return 0
	}
	return Altitude(other) - Altitude(c)
}

// CountStrike counts an attack of a creature that can fly in its own turn, where the
// table plays by the first of them.
//
// rcr.flight.adv-dive-double-dice
func CountStrike(r *rules.Resolution, id string) {
	s := r.State()
	if Advanced(s, cite.FlightAdvDiveDoubleDice) && OwnTurn(s, id) && SpeedIn(s, id, "fly") > 0 {
		r.Set(id, CStrikes, r.Count(id, CStrikes)+1, "an attack")
	}
}

// WindRow is a strength of the wind.
type WindRow struct {
	// Name of it, and the speed in miles an hour from which on it blows.
	Name string
	From int32
	// DC is what it adds to the difficulties of flight; Smallest is the size from
	// which on creatures can fly in it.
	DC       int32
	Smallest string
}

// SpaceRow is what a size takes up.
type SpaceRow struct {
	Size string
	// Own is the side of the space controlled, Flying that of the space that wings
	// take, in half feet.
	Own, Flying int32
}

// Winds and Spaces are the tables of flight; FlightError says what is wrong with them.
var Winds, Spaces, FlightError = readFlight()

func readFlight() (winds []WindRow, spaces []SpaceRow, err error) {
	text, err := content.Book().Table("wind")
	if err != nil {
		return nil, nil, err
	}
	var cellErr error
	number := func(cell string) int32 {
		n, err := csvtable.Int(cell)
		if err != nil {
			cellErr = err
		}
		return n
	}
	halves := func(cell string) int32 { // 2.5 is 5
		feet, half := strings.CutSuffix(cell, ".5")
		if half {
			return 2*number(feet) + 1
		}
		return 2 * number(feet)
	}
	if _, err = csvtable.Read(text, "tier,from,dc,smallest", func(cells []string) error {
		row := WindRow{Name: cells[0], From: number(cells[1]), DC: number(cells[2]), Smallest: cells[3]}
		if len(winds) > 0 && winds[len(winds)-1].From >= row.From {
			return fmt.Errorf("%d does not follow", row.From)
		}
		winds = append(winds, row)
		return cellErr
	}); err != nil {
		return nil, nil, fmt.Errorf("rcr: table wind: %w", err)
	}
	if text, err = content.Book().Table("flying-space"); err != nil {
		return nil, nil, err
	}
	if _, err = csvtable.Read(text, "size,own,flying_size,flying", func(cells []string) error {
		spaces = append(spaces, SpaceRow{Size: cells[0], Own: halves(cells[1]), Flying: halves(cells[3])})
		return cellErr
	}); err != nil {
		return nil, nil, fmt.Errorf("rcr: table flying-space: %w", err)
	}
	return winds, spaces, csvtable.Rows(len(winds)+len(spaces), 10)
}
