package strike

import (
	"cmp"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DexBonus is what DEX is worth.
//
// original.attack.ability-bonus-table
func (k *Tables) DexBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.DexBonus != nil {
		return *s.DexBonus
	}
	return body.Find(k.Ability, body.Score(c, "dexterity")).Value
}

// StrBonus is what STR is worth.
//
// original.attack.ability-bonus-table
func (k *Tables) StrBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.StrBonus != nil {
		return *s.StrBonus
	}
	return body.Find(k.Ability, body.Score(c, "strength")).Value
}

// HitAC0 is the number needed against armour class 0; the sheet's own goes
// before the table.
//
// original.attack.hit-matrix-table
func (k *Tables) HitAC0(c *eventv1.Creature) int32 {
	if own := body.SheetOf(c).HitAc0; own != nil {
		return *own
	}
	return k.hitRow(c).Value
}

// hitRow is the row of the table that a creature goes by.
func (k *Tables) hitRow(c *eventv1.Creature) body.Band {
	s := body.SheetOf(c)
	switch {
	case body.FighterClass(c):
		return body.Find(k.Hit["fighter"], body.LevelOf(c))
	case s.Class == "cleric" || body.Thief(c):
		return body.Find(k.Hit["priest"], body.LevelOf(c))
	case s.Class != "":
		return body.Find(k.Hit["other"], body.LevelOf(c))
	}
	steps := 2 * max(1, s.HitDice)
	if s.HitDice == 0 {
		steps = 2 * body.LevelOf(c)
	}
	switch {
	case s.HitDicePlus > 0:
		steps++
	case s.HitDicePlus < 0: // less than its dice, and more than one die fewer
		steps--
	}
	return body.Find(k.Hit["monster"], steps)
}

// AbilityRule is the rule behind what an ability is worth to a creature: that of a row
// of the table that content changed, or else the one given.
func (k *Tables) AbilityRule(c *eventv1.Creature, ability, rule string) string {
	s := body.SheetOf(c)
	if ability == "dexterity" && s.DexBonus != nil || ability == "strength" && s.StrBonus != nil || ability == "psyche" && s.PsyBonus != nil {
		return rule
	}
	return cmp.Or(body.Find(k.Ability, body.Score(c, ability)).By, rule)
}

// HitRule is the rule behind the number needed against armour class 0.
func (k *Tables) HitRule(c *eventv1.Creature) string {
	if body.SheetOf(c).HitAc0 != nil {
		return cite.AttackHitMatrixTable
	}
	return cmp.Or(k.hitRow(c).By, cite.AttackHitMatrixTable)
}

// ReachRank is how long a weapon is.
//
// original.equipment.reach-table
func (k *Tables) ReachRank(w *eventv1.OriginalWeapon) int32 {
	if w.ReachRank > 0 {
		return w.ReachRank
	}
	return k.Reach[cmp.Or(w.Kind, "melee")]
}
