package oracle

// Save is a saving throw that is called for.
type Save struct {
	// Ability of it, and DC.
	Ability string
	DC      int
	// StayUp: it is against being made prone.
	StayUp bool
	// Cover between the creature and what it saves from.
	Cover string
	// Stated kinds of advantage and of disadvantage.
	Advantage, Disadvantage []string
}

// Make makes it.
func (v Save) Make(c *Creature, roll Roll) bool {
	physical := v.Ability == "strength" || v.Ability == "dexterity"
	if physical && c.cannotResist() {
		return false // without a roll
	}
	s := NewScale()
	if physical && c.Has("prone") {
		s.Against["prone"] = true
	}
	if v.Ability == "dexterity" && c.Has("restrained") {
		s.Against["restrained"] = true
	}
	if v.Ability == "dexterity" && c.dodges() {
		s.For["dodge"] = true
	}
	if v.StayUp && c.Has("crouching") {
		s.Against["crouching"] = true
	}
	if c.Suffers(1) {
		s.Against["shock"] = true
	}
	for _, k := range v.Advantage {
		s.For["stated "+k] = true
	}
	for _, k := range v.Disadvantage {
		s.Against["stated "+k] = true
	}
	bonus, own := c.SaveBonus[v.Ability]
	if !own {
		bonus = c.Modifier(v.Ability)
	}
	if v.Ability == "dexterity" {
		bonus += coverBonus(v.Cover, c)
	}
	return s.D20(roll)-c.Exhaustion+bonus >= v.DC
}
