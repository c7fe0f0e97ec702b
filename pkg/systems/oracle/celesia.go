package oracle

// Cripple is a row of celesia's table of crippling injuries, typed from the document.
type Cripple struct {
	// To is the highest sum of the die that gives it.
	To int
	// Kind of injury.
	Kind string
	// Negated points of damage.
	Negated int
	// Sided: there is one of it on either side of the body.
	Sided bool
}

// Cripples is the table from its first row.
var Cripples = []Cripple{
	{4, "scar", 5, false}, {8, "major-scar", 10, false}, {10, "finger", 15, true}, {12, "eye", 20, true},
	{14, "hand", 25, true}, {16, "head", 30, false}, {18, "leg", 35, true}, {20, "arm", 40, true},
}

// CrippledBy is the row that a sum of the die gives; what lies beyond the table is its
// last row.
func CrippledBy(sum int) Cripple {
	for _, row := range Cripples {
		if sum <= row.To {
			return row
		}
	}
	return Cripples[len(Cripples)-1]
}

// MayBeCrippled tells whether damage may be met by an injury: it would bring hit points
// to 0 or lower.
func MayBeCrippled(hp, damage int) bool { return hp-damage <= 0 }

// AfterCrippling are the hit points when an injury is taken in place of damage: what it
// does not negate applies.
func AfterCrippling(hp, damage int, by Cripple) int { return hp - max(0, damage-by.Negated) }

// Massive tells whether the damage of one attack is massive: half of all hit points or
// more, and at least 50.
func Massive(most, damage int) bool { return damage >= 50 && 2*damage >= most }

// MassiveDC is the difficulty of the save against dying of it: half of what exceeds 50
// on top of 15.
func MassiveDC(damage int) int { return 15 + (damage-50)/2 }

// MassiveCripple is the injury of who survives massive damage: the die and 1 for every 5
// points of damage.
func MassiveCripple(die, damage int) Cripple { return CrippledBy(die + damage/5) }
