package oracle

// Special is what the second roll after a natural 20 makes of a hit in basic, typed from
// the document: its total picks the row.
type Special string

// The rows of the document's list.
const (
	Regular Special = "regular"
	Maximum Special = "maximum"
	Doubled Special = "critical"
	Charted Special = "charted" // critical, and a roll on the chart
)

// SpecialOf is the row of a total.
func SpecialOf(total int) Special {
	switch {
	case total <= 10:
		return Regular
	case total <= 15:
		return Maximum
	case total <= 19:
		return Doubled
	}
	return Charted
}

// Chart is the document's chart of four conditions.
var Chart = []string{"disarmed", "shaken", "prone", "blinded"}

// SpecialDamage is the damage of a weapon of some dice and a modifier, by its row; rolled
// is the sum of the dice, which maximum damage does not roll.
func SpecialDamage(row Special, rolled, count, sides, modifier int) int {
	switch most := count*sides + modifier; row {
	case Regular:
		return max(1, rolled+modifier)
	case Maximum:
		return max(1, most)
	default:
		return max(1, rolled+most)
	}
}
