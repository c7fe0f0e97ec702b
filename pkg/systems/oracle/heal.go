package oracle

// Heal is healing that somebody gives: a power, a spell or an item.
type Heal struct {
	// Count of dice of so many Sides, and a flat Bonus.
	Count, Sides, Bonus int
	// Item heals by itself: its Rarity counts, and nothing of who uses it.
	Item bool
	// Rarity of the item, 1 (common) to 5 (legendary).
	Rarity int
	// Medicine bonus of who heals.
	Medicine int
	// Removes so many wounds: the level of a spell, the proficiency bonus of who uses
	// an ability.
	Removes int
}

// Make heals, and where one source gave 5 points or more, makes the check that may
// take wounds (rcr.healing.magic-five-hp, magic-check, item-check). Woken says that
// it brought somebody back from 0 hit points.
func (h Heal) Make(by, at *Creature, roll Roll) (woken bool) {
	if at.Life == Dead {
		return false
	}
	amount := h.Bonus
	for range h.Count {
		amount += roll(h.Sides)
	}
	before := at.HP
	at.HP = min(at.Max, at.HP+max(0, amount))
	if before == 0 && at.HP > 0 {
		at.Life, at.Successes, at.Failures = Alive, 0, 0
		woken = true
	}
	if at.HP-before < 5 || at.Wounds == 0 {
		return woken
	}
	if h.check(by, roll) >= 10 {
		at.Wounds = max(0, at.Wounds-h.wounds())
	}
	return woken
}

// wounds it removes if the check succeeds.
func (h Heal) wounds() int {
	if h.Item {
		return h.Rarity
	}
	return h.Removes
}

// check is that of who heals, or of the item (rcr.healing.item-check).
func (h Heal) check(by *Creature, roll Roll) int {
	if h.Item {
		return roll(20) + 2*h.Rarity - 1
	}
	s := NewScale()
	if by.Suffers(1) {
		s.Against["shock"] = true
	}
	if by.Has("poisoned") {
		s.Against["poisoned"] = true
	}
	return s.D20(roll) - by.Exhaustion + h.Medicine
}
