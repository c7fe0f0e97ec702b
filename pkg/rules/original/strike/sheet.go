package strike

import (
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DexBonus is what DEX is worth.
//
// original.attack.ability-bonus-table
func DexBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.DexBonus != nil {
		return *s.DexBonus
	}
	return body.Find(Book.Ability, body.Score(c, "dexterity")).Value
}

// StrBonus is what STR is worth.
//
// original.attack.ability-bonus-table
func StrBonus(c *eventv1.Creature) int32 {
	if s := body.SheetOf(c); s.StrBonus != nil {
		return *s.StrBonus
	}
	return body.Find(Book.Ability, body.Score(c, "strength")).Value
}

// HitAC0 is the number needed against armour class 0; the sheet's own goes
// before the table.
//
// original.attack.hit-matrix-table
func HitAC0(c *eventv1.Creature) int32 {
	s := body.SheetOf(c)
	switch {
	case s.HitAc0 != nil:
		return *s.HitAc0
	case body.FighterClass(c):
		return body.Find(Book.Hit["fighter"], body.LevelOf(c)).Value
	case s.Class == "cleric" || body.Thief(c):
		return body.Find(Book.Hit["priest"], body.LevelOf(c)).Value
	case s.Class != "":
		return body.Find(Book.Hit["other"], body.LevelOf(c)).Value
	}
	steps := 2 * max(1, s.HitDice)
	if s.HitDice == 0 {
		steps = 2 * body.LevelOf(c)
	}
	if s.HitDicePlus > 0 {
		steps++
	}
	return body.Find(Book.Hit["monster"], steps).Value
}

// ReachRank is how long a weapon is.
//
// original.equipment.reach-table
func ReachRank(w *eventv1.OriginalWeapon) int32 {
	if w.ReachRank > 0 {
		return w.ReachRank
	}
	if rank, ok := Book.Reach[w.Kind]; ok || w.Kind != "" {
		return rank
	}
	return Book.Reach["melee"]
}
