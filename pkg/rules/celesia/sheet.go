package celesia

import (
	"slices"
	"strconv"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sheetOf is the system's section of a creature's sheet; an empty one when the
// viewer may not see it.
func sheetOf(c *eventv1.Creature) *eventv1.CelesiaSheet {
	if s := c.GetSheet().GetCelesia(); s != nil {
		return s
	}
	return &eventv1.CelesiaSheet{}
}

// score is an ability score as penalties leave it, at least 1 (a reading), and
// whether the creature has one.
func score(c *eventv1.Creature, ability string) (int32, bool) {
	v, ok := c.GetSheet().GetAbilities()[ability]
	if less := penalised(c, ability); ok && less > 0 {
		v = max(1, v-less)
	}
	return v, ok
}

// modifier is the modifier of an ability; 0 without a score.
func modifier(c *eventv1.Creature, ability string) int32 {
	v, ok := score(c, ability)
	if !ok {
		return 0
	}
	return (v+100)/2 - 55 // rounds down below 10 as well
}

// bonus is a modifier when positive, else 0.
func bonus(c *eventv1.Creature, ability string) int32 { return max(0, modifier(c, ability)) }

// constitution is the current Constitution score; false without one.
//
// celesia.injury.hp-bands
func constitution(c *eventv1.Creature) (int32, bool) {
	v, ok := score(c, "constitution")
	return v - int32(c.GetCounters()[cConstitution]), ok
}

func feature(c *eventv1.Creature, name string) bool {
	return slices.Contains(sheetOf(c).Features, name)
}

func immune(c *eventv1.Creature, name string) bool {
	return slices.Contains(sheetOf(c).Immunities, name)
}

// weaponOf finds a weapon of the sheet by its name; nil when there is none.
func weaponOf(c *eventv1.Creature, name string) *eventv1.CelesiaWeapon {
	for _, w := range sheetOf(c).Weapons {
		if w.Name == name {
			return w
		}
	}
	return nil
}

func spellOf(c *eventv1.Creature, name string) *eventv1.CelesiaSpell {
	for _, s := range sheetOf(c).Spells {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// bodyless tells whether a weapon is a part of the body: nothing to draw or drop.
func bodyless(w *eventv1.CelesiaWeapon) bool {
	return w.Kind == kindNatural || w.Kind == kindNaturalRanged || w.Kind == kindUnarmed
}

// shoots tells whether a weapon attacks at range.
func shoots(w *eventv1.CelesiaWeapon) bool {
	return w.Kind == kindProjectile || w.Kind == kindNaturalRanged
}

// place is where a weapon is: main, off, both, stowed, dropped; "body" for what
// is part of the body.
func place(c *eventv1.Creature, w *eventv1.CelesiaWeapon) string {
	if bodyless(w) {
		return "body"
	}
	if it := c.GetItems()[w.Name]; it != nil {
		return it.Place
	}
	return startPlace(w)
}

// startPlace is where a weapon is before the fight.
func startPlace(w *eventv1.CelesiaWeapon) string {
	switch {
	case w.Hand == "" && w.Hands == 2, w.Hand == placeMain && w.Hands == 2:
		return placeBoth
	case w.Hand == "":
		return placeMain
	}
	return w.Hand
}

// held tells whether a weapon is in hand and ready.
func held(c *eventv1.Creature, w *eventv1.CelesiaWeapon) bool {
	switch place(c, w) {
	case placeMain, placeOff, placeBoth, "body":
		return true
	}
	return false
}

// threatOf is the lowest face that threatens, 20 unless the sheet says otherwise.
//
// celesia.critical.threat
func threatOf(w *eventv1.CelesiaWeapon) int32 {
	if w.Threat == 0 {
		return 20
	}
	return w.Threat
}

func multiplierOf(w *eventv1.CelesiaWeapon) int32 {
	if w.Multiplier == 0 {
		return 2
	}
	return w.Multiplier
}

// naturalReach is the reach without weapons, in feet.
func naturalReach(c *eventv1.Creature) int32 {
	if n := sheetOf(c).ReachFeet; n > 0 {
		return n
	}
	return 5
}

// span is what a weapon reaches in melee: from a nearest to a farthest distance
// in feet.
//
// celesia.attack.melee-reach, celesia.attack.reach-weapon, celesia.attack.natural-reach, celesia.attack.lunge
func span(c *eventv1.Creature, w *eventv1.CelesiaWeapon) (nearest, farthest int32) {
	switch {
	case w.Reach:
		return naturalReach(c) + 5, 2*naturalReach(c) + lungeReach(c)
	default:
		return 0, naturalReach(c) + lungeReach(c)
	}
}

// dieSet is dice of one size.
type dieSet struct{ count, sides, plus int32 }

// parseDice reads "2d6" or "1d8+3".
func parseDice(text string) (dieSet, bool) {
	head, tail, _ := strings.Cut(text, "+")
	count, sides, ok := strings.Cut(head, "d")
	n, err1 := strconv.Atoi(count)
	s, err2 := strconv.Atoi(sides)
	d := dieSet{int32(n), int32(s), 0}
	if tail != "" {
		p, err := strconv.Atoi(tail)
		if err != nil {
			return dieSet{}, false
		}
		d.plus = int32(p)
	}
	if !ok || err1 != nil || err2 != nil || n < 1 || n > 100 || s < 1 || s > 100 || d.plus < 0 || d.plus > 1000 {
		return dieSet{}, false
	}
	return d, true
}

// maximum is the highest sum.
func (d dieSet) maximum() int32 { return d.count*d.sides + d.plus }

// times are so many rolls of the dice, in notation.
func (d dieSet) times(n int32) string {
	return itoa(d.count*n) + "d" + itoa(d.sides)
}

// maneuverBonus is CMB: base attack, Strength, Dexterity and special size.
//
// celesia.maneuver.cmb
func maneuverBonus(c *eventv1.Creature) int32 {
	s := sheetOf(c)
	return s.BaseAttack + modifier(c, "strength") + modifier(c, "dexterity") + s.SpecialSizeModifier + s.ManeuverBonus
}

// sizes in order.
var sizes = []string{"fine", "diminutive", "tiny", "small", "medium", "large", "huge", "gargantuan", "colossal"}

// sizeOf is the rank of a creature's size; medium when it has no known word.
func sizeOf(c *eventv1.Creature) int {
	if i := slices.Index(sizes, c.GetSize()); i >= 0 {
		return i
	}
	return slices.Index(sizes, "medium")
}

// Abilities of the skills, lower case; performances are Charisma's.
var skillAbilities = map[string]string{
	"acrobatics": "dexterity", "appraise": "intelligence", "bluff": "charisma", "climb": "strength",
	"craft": "intelligence", "diplomacy": "charisma", "disable-device": "dexterity", "disguise": "charisma",
	"escape-artist": "dexterity", "fly": "dexterity", "handle-animal": "charisma", "heal": "wisdom",
	"intimidate": "charisma", "linguistics": "intelligence", "lore": "intelligence", "perception": "wisdom",
	"perform": "charisma", "profession": "wisdom", "sailing": "wisdom", "ride": "dexterity", "sense-motive": "wisdom",
	"sleight-of-hand": "dexterity", "spellcraft": "intelligence", "stealth": "dexterity", "survival": "wisdom",
	"swim": "strength", "use-magic-device": "charisma",
}

// skillAbility is the ability of a skill; a skill after a hyphen is a kind of
// the one before it, such as perform-dance.
func skillAbility(skill string) string {
	if a, ok := skillAbilities[skill]; ok {
		return a
	}
	family, _, _ := strings.Cut(skill, "-")
	return skillAbilities[family]
}

// skillBonus is the total bonus of a skill.
func skillBonus(c *eventv1.Creature, skill string) int32 {
	if b, ok := sheetOf(c).Skills[skill]; ok {
		return b
	}
	return modifier(c, skillAbility(skill))
}

// saves are the saving throws.
var saves = []string{"fortitude", "reflex", "will"}

// saveBonus is the total bonus of a saving throw.
func saveBonus(c *eventv1.Creature, save string) int32 {
	switch s := sheetOf(c); save {
	case "fortitude":
		return s.Fortitude
	case "reflex":
		return s.Reflex
	default:
		return s.Will
	}
}
