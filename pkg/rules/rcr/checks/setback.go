package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// Grades of a setback.
const (
	GradeMinor = "minor"
	GradeMajor = "major"
)

// SetbackDice are the dice of a setback of a level from 1 to 20.
//
// rcr.injury.setback-table
func SetbackDice(tables *body.RuleBook, level int32, grade string) string {
	dice, _ := SetbackRowOf(tables, level, grade)
	return dice
}

// SetbackRowOf is that with the number of the row, from 0.
func SetbackRowOf(tables *body.RuleBook, level int32, grade string) (dice string, at int) {
	for i, row := range tables.Setback {
		if level > row.Last {
			continue
		}
		if grade == GradeMajor {
			return row.Major, i
		}
		return row.Minor, i
	}
	return "", -1
}
