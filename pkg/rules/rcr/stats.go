package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// speedIn is a creature's speed by a mode of movement, in feet, as far as a
// viewer's state tells: flat changes first, then halvings, each rounded down.
//
// rcr.condition.exhaustion-speed, rcr.injury.row2-crippled-speed,
// rcr.condition.crouching-speed
func speedIn(s *eventv1.State, id, mode string) int32 {
	c := s.GetCreatures()[id]
	feet := standingSpeedIn(s, id, mode)
	if has(c, condCrouching) {
		feet /= 2
	}
	return feet
}

// standingSpeedIn is the speed leaving a crouch aside: what is left of it is
// had again on rising.
func standingSpeedIn(s *eventv1.State, id, mode string) int32 {
	c := s.GetCreatures()[id]
	if c == nil || immobile(c) {
		return 0
	}
	feet := c.GetSheet().GetSpeeds()[mode]
	if feet == 0 {
		return 0 // nothing gives a creature a way of moving that it has not
	}
	feet += flat(c, chSpeed) + int32(c.Counters[cContentSpeed+mode])
	feet -= 5 * int32(c.Counters[cExhaustion]/2) // rcr.condition.exhaustion-speed
	feet = max(0, feet)
	for _, ch := range changesOf(c) {
		if ch.key == chSpeedTimes {
			feet *= max(0, ch.value)
		}
	}
	if rowInForce(c, 2, defaults.On(s, setSkippedRows)) {
		feet /= 2 // rcr.injury.row2-crippled-speed
	}
	return feet
}

// immobile tells whether a condition holds the speed at 0; no bonus helps.
//
// rcr.condition.grappled-speed, rcr.condition.restrained-speed,
// rcr.condition.helpless-incapacitated, rcr.condition.paralyzed-common
func immobile(c *eventv1.Creature) bool {
	return dead(c) || down(c) || heldFast(c)
}

// Cover words of the fact "cover".
const (
	coverHalf          = "half"
	coverThreeQuarters = "three-quarters"
	coverTotal         = "total"
)

// coverBonus is what the best cover adds to armour class and to Dexterity
// saving throws; covers never add up.
//
// rcr.base.half-cover, rcr.condition.crouching-shield
func coverBonus(s *eventv1.State, target *eventv1.Creature, stated string) (bonus int32, source, rule string) {
	switch {
	case stated == coverThreeQuarters:
		return 5, "three-quarters cover", cite.BaseHalfCover
	case stated == coverHalf:
		return 2, "half cover", cite.BaseHalfCover
	case has(target, condCrouching) && shieldCovers(s, target):
		return 2, "half cover: crouching behind a shield", cite.ConditionCrouchingShield
	}
	return 0, "", ""
}

func shieldCovers(s *eventv1.State, c *eventv1.Creature) bool {
	switch sheetOf(c).Shield {
	case eventv1.RcrSheet_SHIELD_SHIELD:
		return true
	case eventv1.RcrSheet_SHIELD_BUCKLER, eventv1.RcrSheet_SHIELD_ARM_GUARD:
		return !defaults.On(s, setRMEShields)
	}
	return false
}

// armorClass is what an attack on the target must reach. A stated cover beats
// none; a croucher's shield counts when it is the better one.
func armorClass(r *rules.Resolution, target, attacker *eventv1.Creature, _ bool, cover string) *eventv1.TargetNumber {
	ac := &eventv1.TargetNumber{Kind: "AC", Value: sheetOf(target).ArmorClass}
	for _, ch := range changesOf(target) {
		if ch.key == chArmorAtLeast {
			ac.Value = max(ac.Value, ch.value)
		}
	}
	for _, ch := range changesOf(target) {
		if ch.key == chArmor {
			ac.Value += ch.value
			ac.Modifiers = append(ac.Modifiers, mod(ch.value, ch.from.Cause, cite.BaseFifthEditionFallback))
		}
	}
	houseArmor(r, target, attacker, ac)
	if bonus, source, rule := coverBonus(r.State(), target, cover); bonus != 0 {
		ac.Value += bonus
		ac.Modifiers = append(ac.Modifiers, mod(bonus, source, rule))
	}
	return ac
}

// effectDC is the difficulty of a save against something of a creature: the
// number given, else its spell DC, less one for each level of exhaustion.
//
// rcr.condition.exhaustion-dc
func effectDC(source *eventv1.Creature, dc int32) int32 {
	return fullDC(source, dc) - int32(openExhaustion(source))
}

// fullDC is that difficulty before exhaustion.
func fullDC(source *eventv1.Creature, dc int32) int32 {
	if dc == 0 {
		dc = sheetOf(source).SpellDc
	}
	if dc == 0 {
		dc = 8 + sheetOf(source).ProficiencyBonus
	}
	return dc
}

// spaceFeet is the side of the space that a creature controls.
func spaceFeet(c *eventv1.Creature) int32 {
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

// distance is the way between the nearest squares of two creatures on a grid
// of 5 feet where a diagonal counts as one step: 5 when they are adjacent, 0 in
// one space. It is false when one of them stands nowhere. A position is the
// corner of the space with the smallest coordinates.
func distance(a, b *eventv1.Creature) (int32, bool) {
	if a.GetPosition() == nil || b.GetPosition() == nil {
		return 0, false
	}
	return grid.Distance(a.Position, spaceFeet(a), b.Position, spaceFeet(b)), true
}

// reachOf is the longest reach of a creature's melee attacks in feet.
func reachOf(c *eventv1.Creature) int32 {
	reach := int32(0)
	for _, a := range sheetOf(c).Attacks {
		if inHand(c, a) {
			reach = max(reach, a.ReachFeet)
		}
	}
	return reach
}

// hostile tells whether two creatures are of different sides.
func hostile(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }
