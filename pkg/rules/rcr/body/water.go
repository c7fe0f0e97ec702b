package body

import (
	"math"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Water of the fight and creatures in it.
const (
	// CondSubmerged is on whoever is wholly under water; "depth" among its values
	// is how many feet of water are above where no place says so.
	CondSubmerged = "submerged"
	// CondWaterBreathing is on whoever has been made to breathe water.
	CondWaterBreathing = "water breathing"
	// ValDepth is that value.
	ValDepth = "depth"
	// CSurface, of the encounter, is the height of the water's surface on the map in
	// feet; without it no place says who is under water.
	CSurface = "surface"
	// CDepth, of the encounter, is the depth in feet at which it is fought where
	// nobody has a place.
	CDepth = "depth"
	// MClarity, MSunlight and MLit, of the encounter, are the clarity of the water,
	// the light of the day at its surface, and whether lamps burn below.
	MClarity  = "clarity"
	MSunlight = "sunlight"
	MLit      = "lit"
	// CBreath is the rounds for which a creature can still hold its breath.
	CBreath = "breath"
	// CSwum is the seconds swum since the last rest of a minute.
	CSwum = "swum"
	// CAfloat is the rounds of the fight in a row without swimming.
	CAfloat = "afloat"
	// MSwam is on one who has swum this turn and has no swimming speed.
	MSwam = "swam"
)

// Traits of creatures of the water.
const (
	TraitAmphibious     = "amphibious"
	TraitWaterBreathing = "water breathing"
)

// Words of light.
const (
	LightBright = "bright"
	LightDim    = "dim"
	LightDark   = "dark"
	// LightSun is bright light of the sun.
	LightSun = "sunlight"
)

// NoLimit is how far one sees whom nothing hinders, in feet.
const NoLimit = int32(math.MaxInt32)

// unaidedFeet is how far eyes of the surface see under water.
const unaidedFeet = 60

// WaterSaid is what a command states about water and light: it beats what the fight and
// the places say, for that command.
type WaterSaid struct {
	// Under tells whether it happens under water; nil when nothing is said.
	Under *bool
	// Clarity and Light in words; empty when nothing is said.
	Clarity, Light string
	// OwnLight is the light on whoever acts, where it is not that of the target;
	// Obscured is how much fog, leaves and the like hide the two from each other.
	OwnLight, Obscured string
	// Depth in feet; nil when nothing is said.
	Depth *int32
}

// SaidOfWater reads what facts state about water.
func SaidOfWater(facts *structpb.Struct) WaterSaid {
	said := WaterSaid{Clarity: spoken.Word(facts, "clarity"), Light: spoken.Word(facts, "light"),
		OwnLight: spoken.Word(facts, "own_light"), Obscured: spoken.Word(facts, "obscured")}
	if facts.GetFields()["underwater"] != nil {
		under := spoken.Truth(facts, "underwater")
		said.Under = &under
	}
	if n, ok := spoken.Number(facts, "depth"); ok {
		said.Depth = &n
	}
	return said
}

// UnderWater tells whether a creature is under water, by what is said or by its
// condition, at a table that plays the chapter.
//
// rcr.underwater.intro
func UnderWater(s *eventv1.State, c *eventv1.Creature, said WaterSaid) bool {
	under := Has(c, CondSubmerged)
	if said.Under != nil {
		under = *said.Under
	}
	return under && Defaults.On(s, cite.UnderwaterIntro)
}

// InWater tells whether a rule of the chapter weighs on a creature: it is under
// water and the rule is on.
func InWater(s *eventv1.State, c *eventv1.Creature, said WaterSaid, rule string) bool {
	return UnderWater(s, c, said) && Defaults.On(s, rule)
}

// BreathesWater tells whether a creature needs no air of the surface: it breathes
// water or nothing at all.
func BreathesWater(c *eventv1.Creature) bool {
	return SheetOf(c).Breathless || BreathesBoth(c) || Has(c, CondWaterBreathing)
}

// surfaceEyes tells whether a creature's eyes are those of the surface: as the
// sheet says, else when it neither breathes water nor swims by nature (a reading).
//
// rcr.underwater.sight-unaided
func surfaceEyes(c *eventv1.Creature) bool {
	sheet := SheetOf(c)
	switch {
	case sheet.EyeProtection:
		return false
	case sheet.SurfaceCreature != nil:
		return sheet.GetSurfaceCreature()
	}
	return !BreathesBoth(c) && c.GetSheet().GetSpeeds()["swim"] == 0
}

// DepthOf is how many feet of water are above a creature: as stated, by its place
// and the surface, by its condition, or by the depth of the fight.
func DepthOf(s *eventv1.State, c *eventv1.Creature, said WaterSaid) int32 {
	if said.Depth != nil {
		return *said.Depth
	}
	surface, mapped := s.GetCounters()[CSurface]
	if mapped && c.GetPosition() != nil {
		return max(0, int32(surface)-c.Position.Z)
	}
	if feet := Condition(c, CondSubmerged).GetValues()[ValDepth]; feet > 0 {
		return feet
	}
	return int32(s.GetCounters()[CDepth])
}

// LightAt is the light where a creature is under water: that stated, lamps, or
// what the depth leaves of the light of day.
//
// rcr.underwater.depth-light
func LightAt(s *eventv1.State, c *eventv1.Creature, said WaterSaid) string {
	switch sun := s.GetMarks()[MSunlight]; {
	case !InWater(s, c, said, cite.UnderwaterDepthLight):
		return LightBright // of light elsewhere these rules say nothing
	case said.Light != "":
		return shown(said.Light)
	case s.GetMarks()[MLit] != "":
		return LightBright
	default:
		return darker(sun, Book.SunlightAt(DepthOf(s, c, said)))
	}
}

// darker is the darker of two words of light; an empty one is bright.
func darker(a, b string) string {
	for _, dark := range []string{LightDark, LightDim} {
		if a == dark || b == dark {
			return dark
		}
	}
	return LightBright
}

// ClarityOf is the clarity of the water in force; clear when nobody has said.
func ClarityOf(s *eventv1.State, said WaterSaid) string {
	if said.Clarity != "" {
		return said.Clarity
	}
	if stated := s.GetMarks()[MClarity]; stated != "" {
		return stated
	}
	return "clear"
}

// SightLimit is how far a creature sees another in feet, where one of the two is
// under water: first by its eyes, then by the clarity of the water. NoLimit where
// water hinders nobody.
//
// rcr.underwater.clarity, rcr.underwater.sight-unaided, rcr.underwater.sight-combination
func SightLimit(s *eventv1.State, c, other *eventv1.Creature, said WaterSaid) int32 {
	limit := NoLimit
	if unaided(s, c, said) {
		limit = unaidedFeet
	}
	if InWater(s, c, said, cite.UnderwaterClarity) || InWater(s, other, said, cite.UnderwaterClarity) {
		limit = min(limit, Book.ClarityFeet(ClarityOf(s, said)))
	}
	return limit
}

// unaided tells whether a creature's bare eyes hamper it under water. Where sight
// is not combined, they do so only where clarity and depth leave all to see.
func unaided(s *eventv1.State, c *eventv1.Creature, said WaterSaid) bool {
	if !InWater(s, c, said, cite.UnderwaterSightUnaided) || !surfaceEyes(c) {
		return false
	}
	return Defaults.On(s, cite.UnderwaterSightCombination) ||
		Book.ClarityFeet(ClarityOf(s, said)) == NoLimit && LightAt(s, c, said) == LightBright
}

// seesInDark tells whether darkness so far away is no more than dim to a creature;
// feet below 0 when nobody knows how far.
func seesInDark(c *eventv1.Creature, feet int32) bool {
	senses := SheetOf(c).Senses
	return slices.ContainsFunc([]string{"darkvision", "truesight"}, func(sense string) bool { return senses[sense] > 0 && senses[sense] >= feet })
}

// throughWater tells whether water lets one creature see another so many feet
// away, -1 when nobody knows: within the limit of its sight, and not in the dark.
//
// rcr.underwater.clarity, rcr.underwater.turbid-obscured, rcr.underwater.depth-light
func throughWater(s *eventv1.State, c, other *eventv1.Creature, feet int32, said WaterSaid) bool {
	if said.Under == nil && !Has(c, CondSubmerged) && !Has(other, CondSubmerged) {
		return true
	}
	limit := SightLimit(s, c, other, said)
	switch {
	case obscured(s, c, said) || obscured(s, other, said), limit == 0, feet > limit:
		return false
	}
	return LightAt(s, other, said) != LightDark || seesInDark(c, feet)
}

// obscured tells whether a creature is in turbid water.
//
// rcr.underwater.turbid-obscured
func obscured(s *eventv1.State, c *eventv1.Creature, said WaterSaid) bool {
	return InWater(s, c, said, cite.UnderwaterTurbidObscured) && Book.ClarityFeet(ClarityOf(s, said)) == 0
}

// BlindInWater tells whether the water leaves a creature nothing to see, and by
// which rule: in turbid water, or in the dark of the depth. What needs sight fails
// as for the blinded; how it moves is left alone (a reading: swimming needs none).
//
// rcr.underwater.turbid-obscured, rcr.underwater.depth-light
func BlindInWater(s *eventv1.State, c *eventv1.Creature, said WaterSaid) (rule string, blind bool) {
	switch {
	case obscured(s, c, said):
		return cite.UnderwaterTurbidObscured, true
	case LightAt(s, c, said) == LightDark && !seesInDark(c, 0):
		return cite.UnderwaterDepthLight, true
	}
	return "", false
}

// dimlyLit tells whether a check of perception by sight is made in bad light under
// water; darkvision makes the dark dim and the dim bright.
//
// rcr.underwater.depth-light
func dimlyLit(s *eventv1.State, c *eventv1.Creature, purpose string, said WaterSaid) bool {
	if purpose != "" && purpose != "sight" {
		return false
	}
	light := LightAt(s, c, said)
	return light == LightDark || light == LightDim && !seesInDark(c, 0) && !AtHomeInDimLight(s, c)
}

// AtHomeInDimLight tells whether a feat keeps dim light from hampering Perception,
// above water and under it.
//
// rcr.feat.dungeon-delver-dim-sight, rcr.feat.skulker-lowlight
func AtHomeInDimLight(s *eventv1.State, c *eventv1.Creature) bool {
	return Feat(s, c, FeatDungeonDelver, cite.FeatDungeonDelverDimSight) || Feat(s, c, FeatSkulker, cite.FeatSkulkerLowlight)
}

// fitForWater tells whether an attack is one for under water: a spell, a weapon
// with the property, or a natural weapon of a creature that swims by nature
// (readings).
//
// rcr.underwater.weapon-disadvantage
func fitForWater(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return a.GetSpell() || slices.Contains(a.GetProperties(), PropUnderwater) || a.GetNatural() && c.GetSheet().GetSpeeds()["swim"] > 0
}

// PropUnderwater is the property of weapons made for use under water.
const PropUnderwater = "underwater"

// Drowns tells whether a creature that has to make a death save fails it for the
// water about it: every one without the trait, as the document has it, or, by the
// table's choice, whoever needs air.
//
// rcr.underwater.drowning-death-saves
func Drowns(s *eventv1.State, c *eventv1.Creature) bool {
	if !InWater(s, c, WaterSaid{}, cite.UnderwaterDrowningDeathSaves) {
		return false
	}
	if Defaults.Value(s, SetDrowning) == "air" {
		return !BreathesWater(c)
	}
	return !HasTrait(c, TraitAmphibious)
}

// elements tells whether types of damage have fire, and lightning or thunder.
func elements(types []string) (fire, shock bool) {
	return slices.Contains(types, "fire"), slices.Contains(types, "lightning") || slices.Contains(types, "thunder")
}

// TypesOf are the types of damage of parts, in their order.
func TypesOf(parts ...[]*eventv1.RcrDamage) []string {
	var out []string
	for _, list := range parts {
		for _, p := range list {
			out = append(out, p.Type)
		}
	}
	return out
}

// LostInWater tells whether a shot goes beyond the normal range where it passes
// through water: from or at one who is under it (a reading). It misses whatever
// the die shows.
//
// rcr.underwater.ranged-beyond-normal
func LostInWater(s *eventv1.State, attacker, target *eventv1.Creature, k AttackKind) bool {
	return k.LongRange && eitherInWater(s, attacker, target, k.Water, cite.UnderwaterRangedBeyondNormal)
}

func eitherInWater(s *eventv1.State, a, b *eventv1.Creature, said WaterSaid, rule string) bool {
	return InWater(s, a, said, rule) || InWater(s, b, said, rule)
}
