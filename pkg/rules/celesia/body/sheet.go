package body

import (
	"slices"
	"strconv"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SheetOf is the system's section of a creature's sheet; an empty one when the
// viewer may not see it.
func SheetOf(c *eventv1.Creature) *eventv1.CelesiaSheet {
	if s := c.GetSheet().GetCelesia(); s != nil {
		return s
	}
	return &eventv1.CelesiaSheet{}
}

// Score is an ability score as penalties leave it, at least 1 (a reading), and
// whether the creature has one.
func Score(c *eventv1.Creature, ability string) (int32, bool) {
	v, ok := c.GetSheet().GetAbilities()[ability]
	if less := penalised(c, ability); less > 0 {
		v = max(1, v-less)
	}
	return v, ok
}

// Modifier is the modifier of an ability; 0 without a score.
func Modifier(c *eventv1.Creature, ability string) int32 {
	v, ok := Score(c, ability)
	if !ok {
		return 0
	}
	return (v+100)/2 - 55 // rounds down below 10 as well
}

// Bonus is a modifier when positive, else 0.
func Bonus(c *eventv1.Creature, ability string) int32 { return max(0, Modifier(c, ability)) }

// Constitution is the current Constitution score; false without one.
//
// celesia.injury.hp-bands
func Constitution(c *eventv1.Creature) (int32, bool) {
	v, ok := Score(c, "constitution")
	return v - int32(c.GetCounters()[CConstitution]), ok
}

// Feature tells whether the sheet of a creature lists a feature, such as
// FeatQuickDraw.
func Feature(c *eventv1.Creature, name string) bool {
	return slices.Contains(SheetOf(c).Features, name)
}

// Immune tells whether the sheet of a creature lists an immunity, such as
// ImmuneCritical.
func Immune(c *eventv1.Creature, name string) bool {
	return slices.Contains(SheetOf(c).Immunities, name)
}

// WeaponOf finds a weapon of the sheet by its name; nil when there is none.
func WeaponOf(c *eventv1.Creature, name string) *eventv1.CelesiaWeapon {
	for _, w := range SheetOf(c).Weapons {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// SpellOf finds a spell of the sheet by its name; nil when there is none.
func SpellOf(c *eventv1.Creature, name string) *eventv1.CelesiaSpell {
	for _, s := range SheetOf(c).Spells {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Bodyless tells whether a weapon is a part of the body: nothing to draw or drop.
func Bodyless(w *eventv1.CelesiaWeapon) bool {
	return w.Kind == KindNatural || w.Kind == KindNaturalRanged || w.Kind == KindUnarmed
}

// shoots tells whether a weapon attacks at range.
func shoots(w *eventv1.CelesiaWeapon) bool {
	return w.Kind == KindProjectile || w.Kind == KindNaturalRanged
}

// Place is where a weapon is: main, off, both, stowed, dropped; "body" for what
// is part of the body.
func Place(c *eventv1.Creature, w *eventv1.CelesiaWeapon) string {
	if Bodyless(w) {
		return "body"
	}
	if it := c.GetItems()[w.Name]; it != nil {
		return it.Place
	}
	return StartPlace(w)
}

// StartPlace is where a weapon is before the fight.
func StartPlace(w *eventv1.CelesiaWeapon) string {
	switch {
	case w.Hand == "" && w.Hands == 2, w.Hand == PlaceMain && w.Hands == 2:
		return PlaceBoth
	case w.Hand == "":
		return PlaceMain
	}
	return w.Hand
}

// Held tells whether a weapon is in hand and ready.
func Held(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	switch Place(c, w) {
	case PlaceMain, PlaceOff, PlaceBoth, "body":
		return true
	}
	return false
}

// ThreatOf is the lowest face that threatens, 20 unless the sheet says otherwise.
//
// celesia.critical.threat
func ThreatOf(w *eventv1.CelesiaWeapon) int32 {
	if w.Threat == 0 {
		return 20
	}
	return w.Threat
}

// MultiplierOf is what a critical hit multiplies the damage by; 2 when the sheet
// says nothing.
func MultiplierOf(w *eventv1.CelesiaWeapon) int32 {
	if w.Multiplier == 0 {
		return 2
	}
	return w.Multiplier
}

// NaturalReach is the reach without weapons, in feet.
func NaturalReach(c *eventv1.Creature) int32 {
	if n := SheetOf(c).ReachFeet; n > 0 {
		return n
	}
	return 5
}

// Span is what a weapon reaches in melee: from a nearest to a farthest distance
// in feet.
//
// celesia.attack.melee-reach, celesia.attack.reach-weapon, celesia.attack.natural-reach, celesia.attack.lunge
func Span(c *eventv1.Creature, w *eventv1.CelesiaWeapon) (nearest, farthest int32) {
	switch {
	case w.Reach:
		return NaturalReach(c) + 5, 2*NaturalReach(c) + lungeReach(c)
	default:
		return 0, NaturalReach(c) + lungeReach(c)
	}
}

// DieSet is dice of one size.
type DieSet struct{ Count, Sides, Plus int32 }

// ParseDice reads "2d6" or "1d8+3".
func ParseDice(text string) (DieSet, bool) {
	head, tail, _ := strings.Cut(text, "+")
	count, sides, ok := strings.Cut(head, "d")
	n, err1 := strconv.Atoi(count)
	s, err2 := strconv.Atoi(sides)
	d := DieSet{int32(n), int32(s), 0}
	if tail != "" {
		p, err := strconv.Atoi(tail)
		if err != nil {
			return DieSet{}, false
		}
		d.Plus = int32(p)
	}
	if !ok || err1 != nil || err2 != nil || n < 1 || n > 100 || s < 1 || s > 100 || d.Plus < 0 || d.Plus > 1000 {
		return DieSet{}, false
	}
	return d, true
}

// Maximum is the highest sum.
func (d DieSet) Maximum() int32 { return d.Count*d.Sides + d.Plus }

// Times are so many rolls of the dice, in notation.
func (d DieSet) Times(n int32) string {
	return Itoa(d.Count*n) + "d" + Itoa(d.Sides)
}

// ManeuverBonus is CMB: base attack, Strength, Dexterity and special size.
//
// celesia.maneuver.cmb
func ManeuverBonus(c *eventv1.Creature) int32 {
	s := SheetOf(c)
	return s.BaseAttack + Modifier(c, "strength") + Modifier(c, "dexterity") + s.SpecialSizeModifier + s.ManeuverBonus
}

// Sizes in order.
var Sizes = []string{"fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"}

// SizeOf is the rank of a creature's size; medium when it has no known word.
func SizeOf(c *eventv1.Creature) int {
	if i := slices.Index(Sizes, c.GetSize()); i >= 0 {
		return i
	}
	return slices.Index(Sizes, "medium")
}

// Abilities of the skills, lower case; performances are Charisma's.
var SkillAbilities = map[string]string{
	"acrobatics": "dexterity", "appraise": "intelligence", "bluff": "charisma", "climb": "strength",
	"craft": "intelligence", "diplomacy": "charisma", "disable-device": "dexterity", "disguise": "charisma",
	"escape-artist": "dexterity", "fly": "dexterity", "handle-animal": "charisma", "heal": "wisdom",
	"intimidate": "charisma", "linguistics": "intelligence", "lore": "intelligence", "perception": "wisdom",
	"perform": "charisma", "profession": "wisdom", "sailing": "wisdom", "ride": "dexterity", "sense-motive": "wisdom",
	"sleight-of-hand": "dexterity", "spellcraft": "intelligence", "stealth": "dexterity", "survival": "wisdom",
	"swim": "strength", "use-magic-device": "charisma",
}

// SkillAbility is the ability of a skill; a skill after a hyphen is a kind of
// the one before it, such as perform-dance.
func SkillAbility(skill string) string {
	if a, ok := SkillAbilities[skill]; ok {
		return a
	}
	family, _, _ := strings.Cut(skill, "-")
	return SkillAbilities[family]
}

// SkillBonus is the total bonus of a skill.
func SkillBonus(c *eventv1.Creature, skill string) int32 {
	if b, ok := SheetOf(c).Skills[skill]; ok {
		return b
	}
	return Modifier(c, SkillAbility(skill))
}

// Saves are the saving throws.
var Saves = []string{"fortitude", "reflex", "will"}

// SaveBonus is the total bonus of a saving throw.
func SaveBonus(c *eventv1.Creature, save string) int32 {
	switch s := SheetOf(c); save {
	case "fortitude":
		return s.Fortitude
	case "reflex":
		return s.Reflex
	default:
		return s.Will
	}
}
