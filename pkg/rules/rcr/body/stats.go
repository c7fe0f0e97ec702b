package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpeedIn is a creature's speed by a mode of movement, in feet, as far as a
// viewer's state tells: flat changes first, then halvings, each rounded down.
//
// rcr.condition.exhaustion-speed, rcr.injury.row2-crippled-speed,
// rcr.condition.crouching-speed
func SpeedIn(s *eventv1.State, id, mode string) int32 {
	c := s.GetCreatures()[id]
	feet := StandingSpeedIn(s, id, mode)
	if Has(c, CondCrouching) {
		feet /= 2
	}
	return feet
}

// HasSwimSpeed tells whether a creature has a swimming speed, its own or an athlete's,
// whatever keeps it from using it now.
//
// rcr.underwater.swim-exhaustion, rcr.feat.athlete-climb-swim
func HasSwimSpeed(s *eventv1.State, c *eventv1.Creature) bool {
	speeds := c.GetSheet().GetSpeeds()
	return speeds["swim"] > 0 || speeds["walk"] > 0 && Feat(s, c, FeatAthlete, cite.FeatAthleteClimbSwim)
}

// StandingSpeedIn is the speed leaving a crouch aside: what is left of it is
// had again on rising.
//
// rcr.feat.athlete-climb-swim
func StandingSpeedIn(s *eventv1.State, id, mode string) int32 {
	c := s.GetCreatures()[id]
	if immobile(c) {
		return 0
	}
	feet := c.GetSheet().GetSpeeds()[mode]
	if walk := c.GetSheet().GetSpeeds()["walk"]; (mode == "climb" || mode == "swim") && walk > feet && Feat(s, c, FeatAthlete, cite.FeatAthleteClimbSwim) {
		return StandingSpeedIn(s, id, "walk")
	}
	if mode == "fly" {
		lift, _ := Lift(c)
		feet = max(feet, lift)
	}
	if feet == 0 {
		return 0 // nothing gives a creature a way of moving that it has not
	}
	feet += Flat(c, ChSpeed) + int32(c.Counters[house.CounterSpeed+mode])
	feet -= 5 * int32(c.Counters[CExhaustion]/2) // rcr.condition.exhaustion-speed
	feet = max(0, feet)
	for ch := range ChangesOf(c) {
		if ch.Key == chSpeedTimes {
			feet *= max(0, ch.Value)
		}
	}
	if RowInForce(c, 2, Defaults.On(s, SetSkippedRows)) {
		feet /= 2 // rcr.injury.row2-crippled-speed
	}
	return feet
}

// immobile tells whether a condition holds the speed at 0; no bonus helps.
//
// rcr.condition.grappled-speed, rcr.condition.restrained-speed,
// rcr.condition.helpless-incapacitated, rcr.condition.paralyzed-common
func immobile(c *eventv1.Creature) bool {
	return Dead(c) || Down(c) || heldFast(c)
}

// Cover words of the fact "cover".
const (
	CoverHalf          = "half"
	CoverThreeQuarters = "three-quarters"
	CoverTotal         = "total"
	// CoverIgnored is that of an attack which no cover short of total hinders, a
	// shield that somebody crouches behind included; nobody states it.
	CoverIgnored = "ignored"
)

// CoverBonus is what the best cover adds to armour class and to Dexterity
// saving throws; covers never add up.
//
// rcr.base.half-cover, rcr.condition.crouching-shield
func CoverBonus(s *eventv1.State, target *eventv1.Creature, stated string) (bonus int32, source, rule string) {
	switch {
	case stated == CoverIgnored: // rcr.feat.spell-sniper-cover
		return 0, "", ""
	case stated == CoverThreeQuarters:
		return 5, "three-quarters cover", cite.BaseHalfCover
	case stated == CoverHalf:
		return 2, "half cover", cite.BaseHalfCover
	case Has(target, CondCrouching) && shieldCovers(s, target):
		return 2, "half cover: crouching behind a shield", cite.ConditionCrouchingShield
	}
	return 0, "", ""
}

func shieldCovers(s *eventv1.State, c *eventv1.Creature) bool {
	switch SheetOf(c).Shield {
	case eventv1.RcrSheet_SHIELD_SHIELD:
		return true
	case eventv1.RcrSheet_SHIELD_BUCKLER, eventv1.RcrSheet_SHIELD_ARM_GUARD:
		return !Defaults.On(s, SetRMEShields)
	}
	return false
}

// EffectDC is the difficulty of a save against something of a creature: the
// number given, else its spell DC, less one for each level of exhaustion.
//
// rcr.condition.exhaustion-dc
func EffectDC(source *eventv1.Creature, dc int32) int32 {
	return FullDC(source, dc) - int32(OpenExhaustion(source))
}

// FullDC is that difficulty before exhaustion.
func FullDC(source *eventv1.Creature, dc int32) int32 {
	if dc == 0 {
		dc = SheetOf(source).SpellDc
	}
	if dc == 0 {
		dc = 8 + SheetOf(source).ProficiencyBonus
	}
	return dc
}

// SpaceFeet is the side of the space that a creature controls.
// Whoever rides has the place on the mount.
//
// rcr.mount.rider-square
func SpaceFeet(c *eventv1.Creature) int32 {
	if side := Seat(c).GetValues()[ValSeatSide]; side > 0 {
		return side
	}
	switch c.GetSize() {
	case "large":
		return 10
	case "huge":
		return 15
	case "gargantuan":
		return 20
	}
	return 5
}

// Distance is the way between the nearest squares of two creatures on a grid
// of 5 feet where a diagonal counts as one step: 5 when they are adjacent, 0 in
// one space. It is false when one of them stands nowhere. A position is the
// corner of the space with the smallest coordinates.
func Distance(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return Between(a, a.Position, b, b.Position), true
}

// ReachOf is the longest reach of a creature's melee attacks in feet.
func ReachOf(c *eventv1.Creature) int32 {
	reach := int32(5) // of an unarmed strike
	for _, a := range SheetOf(c).Attacks {
		if InHand(c, a) {
			reach = max(reach, a.ReachFeet)
		}
	}
	return reach
}

// Hostile tells whether two creatures are of different sides.
func Hostile(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }
