package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits of monsters and classes about light, breath, the body and weapons.
const (
	TraitBarbedHide     = "barbed hide"
	TraitBrutalCritical = "brutal critical"
	TraitColossus       = "colossus slayer"
	TraitEcholocation   = "echolocation"
	TraitFireAura       = "fire aura"
	TraitHeatedBody     = "heated body"
	TraitHoldBreath     = "hold breath"
	TraitImprovedSmite  = "improved divine smite"
	TraitLightSensitive = "light sensitivity"
	TraitLimitedAmphib  = "limited amphibiousness"
	TraitMagicResist    = "magic resistance"
	TraitRunningLeap    = "running leap"
	TraitStandingLeap   = "standing leap"
	TraitStench         = "stench"
	TraitSunSensitive   = "sunlight sensitivity"
	TraitSunWeakness    = "sunlight weakness"
)

// Bursts are the traits of those that explode when they die.
//
// rcr.trait.death-burst
var Bursts = []string{"death burst", "death throes"}

// MBurst, behind MOnce, is on whoever has exploded.
const MBurst = "burst"

// Lacks says in words what numbers a trait needs that the sheet does not give; empty
// when it has them, or needs none.
func Lacks(c *eventv1.Creature, trait string) string {
	f, name := Feature(c, trait), strings.ToLower(trait)
	switch {
	case slices.Contains(Charges, name) && f == nil, name == TraitBoarRelentless && f == nil:
		return "numbers"
	case slices.Contains(Bursts, name) && (f.GetDice() == "" || f.GetType() == "" || f.GetSave() == nil):
		return "dice, type and saving throw"
	case slices.Contains([]string{TraitHeatedBody, TraitFireAura, TraitBarbedHide}, name) && (f.GetDice() == "" || f.GetType() == ""):
		return "dice and type"
	case name == TraitStench && f.GetSave() == nil:
		return "saving throw"
	case name == TraitHoldBreath && f.GetNumber() < 1:
		return "number of minutes"
	case (name == TraitStandingLeap || name == TraitRunningLeap) && f.GetFeet() < 1 && f.GetNumber() < 1:
		return "feet"
	}
	return ""
}

// BreathMinutes is how long a creature holds its breath by a trait, in minutes; 0 for
// none.
//
// rcr.trait.hold-breath
func BreathMinutes(c *eventv1.Creature) int32 { return Feature(c, TraitHoldBreath).GetNumber() }

// BreathesBoth tells whether a creature breathes water as well as air.
//
// rcr.trait.limited-amphibiousness
func BreathesBoth(c *eventv1.Creature) bool {
	return HasTrait(c, TraitAmphibious) || HasTrait(c, TraitWaterBreathing) || HasTrait(c, TraitLimitedAmphib)
}

// TraitLeap is how far or how high a creature leaps by a trait, in feet; 0 for none.
//
// rcr.trait.leap
func TraitLeap(c *eventv1.Creature, high, running bool) int32 {
	feet := func(f *eventv1.RcrFeature) int32 {
		if high {
			return f.GetNumber()
		}
		return f.GetFeet()
	}
	most := feet(Feature(c, TraitStandingLeap))
	if running {
		most = max(most, feet(Feature(c, TraitRunningLeap)))
	}
	return most
}

// blindsight is how far a creature's blindsight reaches, in feet.
//
// rcr.trait.echolocation
func blindsight(c *eventv1.Creature) int32 {
	if Has(c, CondDeafened) && HasTrait(c, TraitEcholocation) {
		return 0
	}
	return SheetOf(c).GetSenses()["blindsight"]
}

// Absorbs tells whether damage of a type gives a creature hit points.
//
// rcr.trait.absorption
func Absorbs(c *eventv1.Creature, kind string) bool {
	kind = strings.ToLower(kind)
	return slices.Contains([]string{"acid", "fire", "lightning"}, kind) && HasTrait(c, kind+" absorption")
}

// BrutalDice is how many dice of the weapon a critical hit adds by the trait.
//
// rcr.trait.brutal-critical
func BrutalDice(c *eventv1.Creature) int32 {
	switch n := Feature(c, TraitBrutalCritical).GetNumber(); {
	case !HasTrait(c, TraitBrutalCritical):
		return 0
	case n > 0:
		return n
	}
	switch level := SheetOf(c).Level; {
	case level >= 17:
		return 3
	case level >= 13:
		return 2
	}
	return 1
}

// onSelf is the light that a command states for whoever acts; empty for none.
func (w WaterSaid) onSelf() string {
	if w.OwnLight != "" {
		return w.OwnLight
	}
	return w.Light
}

// sunlit tells whether a creature is in sunlight: by what is said of the light on it,
// else by the light of the fight, but under water.
//
// rcr.trait.sunlight-sensitivity
func sunlit(r *roll, said WaterSaid, light string) bool {
	if light != "" {
		return light == LightSun
	}
	return r.State.GetMarks()[MLight] == LightSun && !UnderWater(r.State, r.Self, said)
}

// inBrightLight tells whether bright light falls on whoever rolls.
//
// rcr.trait.light-sensitivity
func inBrightLight(r *roll, said WaterSaid) bool {
	said.Light, said.OwnLight = said.onSelf(), ""
	if UnderWater(r.State, r.Self, said) {
		return shown(LightAt(r.State, r.Self, said)) == LightBright
	}
	return LightOn(r.State, r.Self, said) == LightBright
}

// water is what is said about water and light of a roll, an attack or not.
func water(r *roll) WaterSaid {
	if r.Kind == RollAttack {
		return r.More.Attack.Water
	}
	return r.More.Water
}

// limitsOfMoreTraits are the limits of the rows of these traits.
var limitsOfMoreTraits = map[string]situation.Limit[Asked]{
	"sun-sensitive":   func(r *roll) bool { return HasTrait(r.Self, TraitSunSensitive) },
	"sun-weak":        func(r *roll) bool { return HasTrait(r.Self, TraitSunWeakness) },
	"light-sensitive": func(r *roll) bool { return HasTrait(r.Self, TraitLightSensitive) },
	"in-sunlight":     func(r *roll) bool { return sunlit(r, water(r), water(r).onSelf()) },
	// The light of a command is that on the target, which makes the saving throw.
	"saves-in-sunlight": func(r *roll) bool { return sunlit(r, r.More.Water, r.More.Water.Light) },
	"in-bright-light":   func(r *roll) bool { return inBrightLight(r, water(r)) },
	"perception-by-sight": func(r *roll) bool {
		return r.More.Skill == "perception" && (r.More.Purpose == "" || r.More.Purpose == "sight")
	},
	"magic-resistance": func(r *roll) bool { return r.More.Magic && HasTrait(r.Self, TraitMagicResist) },
}
