package oracle

// Weapon is one that a hand holds.
type Weapon struct {
	// Attack with it, as its sheet has it: the flat bonus of the first part holds the
	// modifier of the ability.
	Attack Attack
	// Light weapons alone are used two at a time.
	Light bool
	// Finesse: the better of Strength and Dexterity.
	Finesse bool
}

// modifier that the damage with the weapon has.
func (w Weapon) modifier(by *Creature) int {
	strength := by.Modifier("strength")
	if w.Finesse {
		return max(strength, by.Modifier("dexterity"))
	}
	return strength
}

// Second is an attack with the other hand, a bonus action after an attack with a
// light weapon in the first: both weapons must be light, and a modifier above 0 is
// not added to the damage.
func (w Weapon) Second(first *Weapon, by, at *Creature, party int, roll Roll) (outcome string, may bool) {
	if first == nil || !first.Light || !w.Light {
		return "", false
	}
	a := w.Attack
	a.Parts = append([]Part{}, a.Parts...)
	a.Parts[0].Bonus -= max(0, w.modifier(by))
	return a.Make(by, at, party, roll), true
}
