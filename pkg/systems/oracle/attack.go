package oracle

// Part is dice of one type of damage.
type Part struct {
	// Count of dice, of so many Sides, and a flat Bonus.
	Count, Sides, Bonus int
	// Type of damage.
	Type string
}

// Attack is one attack as it is made.
type Attack struct {
	// Bonus to the roll.
	Bonus int
	// Ranged, or melee.
	Ranged bool
	// Magical weapon.
	Magical bool
	// CriticalFrom is the lowest face that is a critical hit.
	CriticalFrom int
	// Parts of its damage.
	Parts []Part
	// Distance to the target in feet, Normal range.
	Distance, Normal int
	// Cover of the target: "", "half", "three-quarters".
	Cover string
	// Between: something stands between the two.
	Between bool
	// Crowded: another enemy, able and seeing, stands beside the attacker.
	Crowded bool
	// Stated kinds of advantage and of disadvantage.
	Advantage, Disadvantage []string
}

// What an attack comes to.
const (
	Miss     = "miss"
	Hit      = "hit"
	Critical = "critical"
)

// weigh says what speaks for and against the roll.
func (a Attack) weigh(by, at *Creature) *Scale {
	s := NewScale()
	if by.Has("blinded") || at.Has("invisible") {
		s.Against["sight"] = true
	}
	// Who is unconscious perceives nobody anyhow: that it could not see either is the
	// same fact once more (rcr.dice.same-kind-no-stack).
	if (at.Has("blinded") || by.Has("invisible")) && !at.Has("unconscious") && !at.lies() {
		s.For["sight"] = true
	}
	for _, n := range []string{"prone", "restrained", "poisoned", "crouching", "frightened"} {
		if by.Has(n) {
			s.Against["own "+n] = true
		}
	}
	if by.Has("grappled") && by.Conditions["grappled"] != at.ID {
		s.Against["own grappled"] = true
	}
	if by.Suffers(2) {
		s.Against["own crippled"] = true
	}
	for _, n := range []string{"restrained", "paralyzed", "petrified", "stunned", "shackled"} {
		if at.Has(n) {
			s.For["its "+n] = true
		}
	}
	if at.Has("unconscious") || at.lies() {
		s.For["its unconscious"] = true
	}
	if at.Has("prone") && a.Ranged {
		s.Against["its prone"] = true
	} else if at.Has("prone") {
		s.For["its prone"] = true
	}
	if at.Has("crouching") && !a.Ranged {
		s.For["its crouching"] = true
	} else if at.Has("crouching") && a.Between {
		s.Against["its crouching"] = true
	}
	if at.dodges() && !at.Has("blinded") && !by.Has("invisible") {
		s.Against["dodge"] = true
	}
	if a.Ranged {
		if a.Distance > a.Normal {
			s.Against["long range"] = true
		}
		near := a.Distance <= 5 && !at.incapacitated() && !at.Has("blinded") && !by.Has("invisible")
		if a.Crowded || near {
			s.Against["close"] = true
		}
	}
	for _, k := range a.Advantage {
		s.For["stated "+k] = true
	}
	for _, k := range a.Disadvantage {
		s.Against["stated "+k] = true
	}
	return s
}

// coverBonus is what cover adds to armour class and Dexterity saving throws;
// the best alone counts.
func coverBonus(cover string, at *Creature) int {
	switch {
	case cover == "three-quarters":
		return 5
	case cover == "half", at.Has("crouching") && at.Shield == "shield":
		return 2
	}
	return 0
}

// Make makes the attack, harms the target and says what it came to.
func (a Attack) Make(by, at *Creature, party int, roll Roll) string {
	outcome := a.strike(by, at, roll)
	if outcome == Miss {
		return outcome
	}
	at.Harm(a.damage(at, outcome == Critical, roll), outcome == Critical, party, roll)
	return outcome
}

func (a Attack) strike(by, at *Creature, roll Roll) string {
	if at.Has("helpless") {
		return Critical // no roll
	}
	face := a.weigh(by, at).D20(roll)
	if face == 1 {
		return Miss
	}
	if face < 20 && face-by.Exhaustion+a.Bonus < at.AC+coverBonus(a.Cover, at) {
		return Miss
	}
	asleep := (at.Has("unconscious") || at.lies()) && a.Distance <= 5
	if face >= a.CriticalFrom || at.Has("paralyzed") || asleep {
		return Critical
	}
	return Hit
}

// damage rolls the parts and reckons what is taken of them, type by type.
func (a Attack) damage(at *Creature, critical bool, roll Roll) int {
	var types []string
	sums := map[string]int{}
	for _, p := range a.Parts {
		sum := p.Bonus
		count := p.Count
		if critical {
			count *= 2
		}
		for range count {
			sum += roll(p.Sides)
		}
		if _, known := sums[p.Type]; !known {
			types = append(types, p.Type)
		}
		sums[p.Type] += max(0, sum)
	}
	total := 0
	for _, t := range types {
		total += at.taken(sums[t], t, a.Magical)
	}
	return total
}

// taken is what comes through of damage of one type: none, or half rounded down,
// and then doubled, each once whatever the number of reasons.
func (c *Creature) taken(amount int, kind string, magical bool) int {
	speaks := func(list []Defense) bool {
		for _, d := range list {
			if d.Type == kind && !(d.Nonmagical && magical) {
				return true
			}
		}
		return false
	}
	if speaks(c.Immune) || c.Has("petrified") && kind == "poison" {
		return 0
	}
	if speaks(c.Resist) || c.Has("petrified") {
		amount /= 2
	}
	if speaks(c.Vulnerable) {
		amount *= 2
	}
	return amount
}
