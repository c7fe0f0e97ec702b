package body

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// AttackKind is what the circumstances of an attack depend on besides the two
// creatures.
type AttackKind struct {
	// Melee attack; otherwise ranged.
	Melee bool
	// Spell attack; otherwise with a weapon.
	Spell bool
	// Between: an obstacle or a creature stands between the two.
	Between bool
	// LongRange: beyond the normal range.
	LongRange bool
	// CloseEnemy: somebody hostile stands within 5 feet of a ranged attacker.
	CloseEnemy bool
	// Higher is by how many feet the target is above the attacker.
	Higher int32
	// Distance in feet; -1 when nobody knows.
	Distance int32
	// Water is what is stated about it.
	Water WaterSaid
	// Blow is the attack itself, and Types are the types of its damage; known once
	// it is rolled.
	Blow  *eventv1.RcrAttack
	Types []string
	// Ally is whether an ally of the attacker that can act is within 5 feet of the
	// target, as stated; nil for what is measured.
	Ally *bool
}

// Apart is how far the two are from each other, as far as anybody knows: who strikes in
// melee is no farther than its weapon reaches. -1 when nobody knows.
func (k AttackKind) Apart() int32 {
	if k.Distance < 0 && k.Melee {
		return max(5, k.Blow.GetReachFeet())
	}
	return k.Distance
}

// Kinds of sources that count once on a side.
const (
	kindSight = "sight"
	kindFear  = "fear"
)

// Beset tells whether an ally of the attacker that can act stands within 5 feet of the
// target: as stated, else as measured.
//
// rcr.trait.sneak-attack, rcr.trait.martial-advantage
func Beset(s *eventv1.State, c, target *eventv1.Creature, k AttackKind) bool {
	if k.Ally != nil {
		return *k.Ally
	}
	return flanked(s, c, target)
}

// flanked tells whether an ally that can act stands within 5 feet of a target.
func flanked(s *eventv1.State, c, target *eventv1.Creature) bool {
	return slices.ContainsFunc(others(s, c.Id), func(id string) bool {
		ally := s.Creatures[id]
		feet, known := DistanceTo(ally, target)
		return known && !Has(ally, CondHidden) && feet <= 5 && id != target.GetId() && !Hostile(c, ally) && !Incapacitated(ally)
	})
}

// Perceives tells whether one creature can make out another: not blinded, the
// other neither invisible to it nor hidden from it, or within blindsight or
// tremorsense of it (a reading that tables may turn off).
//
// rcr.condition.blinded-definition, rcr.condition.blinded-sight, rcr.condition.blinded-attacks
func Perceives(s *eventv1.State, c, other *eventv1.Creature, feet int32) bool {
	return PerceivesIn(s, c, other, feet, WaterSaid{})
}

// PerceivesIn is Perceives where something is stated about water, which limits how
// far anybody sees, or about light.
//
// rcr.base.light, rcr.underwater.clarity, rcr.underwater.turbid-obscured
func PerceivesIn(s *eventv1.State, c, other *eventv1.Creature, feet int32, said WaterSaid) bool {
	unseen := Has(c, CondBlinded) || Has(c, CondUnconscious) || Has(other, CondInvisible) && !truly(c, feet) || Has(other, CondHidden) || !throughWater(s, c, other, feet, said) || !lit(s, c, other, feet, said)
	if !unseen {
		return true
	}
	if !Defaults.On(s, setBlindsightAttacks) || feet < 0 || Has(c, CondUnconscious) {
		return false
	}
	blind, tremor := blindsight(c), SheetOf(c).Senses["tremorsense"]
	return blind >= feet && blind > 0 || tremor >= feet && tremor > 0
}

// truly tells whether a creature's truesight reaches so far, which sees the invisible.
// Where nobody knows how far it is, it does not.
func truly(c *eventv1.Creature, feet int32) bool {
	reach := SheetOf(c).GetSenses()["truesight"]
	return feet >= 0 && reach > 0 && reach >= feet
}

// Afraid tells whether a frightened or terrified creature has the source of
// its fear in sight. A fear of nothing in particular is always in sight.
func Afraid(s *eventv1.State, c *eventv1.Creature) bool {
	for _, x := range c.GetConditions() {
		if x.Name != CondFrightened && x.Name != CondTerrified {
			continue
		}
		source := s.GetCreatures()[x.Source]
		if x.Source == "" || !Dead(source) && !Has(c, CondBlinded) && (!Has(source, CondInvisible) || truly(c, feetTo(c, source))) && !Has(source, CondHidden) && throughWater(s, c, source, feetTo(c, source), WaterSaid{}) && lit(s, c, source, feetTo(c, source), WaterSaid{}) {
			return true
		}
	}
	return false
}

// feetTo is the way from a creature to another in feet; -1 when nobody knows.
func feetTo(c, other *eventv1.Creature) int32 {
	if feet, known := DistanceTo(c, other); known {
		return feet
	}
	return -1
}

// grappledByOther tells whether the creature is grappled and the target is
// none of its grapplers.
//
// rcr.condition.grappled-attacks
func grappledByOther(c *eventv1.Creature, target string) bool {
	held := false
	for _, x := range c.GetConditions() {
		if x.Name == CondGrappled {
			if x.Source == target {
				return false
			}
			held = true
		}
	}
	return held
}

// dodges tells whether the Dodge of a creature that dodges is in force: not while
// incapacitated or at speed 0.
func dodges(s *eventv1.State, c *eventv1.Creature) bool {
	return !Incapacitated(c) && BaseSpeed(s, c) > 0
}
