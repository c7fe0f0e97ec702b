package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Grades of a setback.
const (
	gradeMinor = "minor"
	gradeMajor = "major"
)

// setbackDice are the dice of a setback of a level from 1 to 20.
//
// rcr.injury.setback-table
func setbackDice(tables *ruleBook, level int32, grade string) string {
	dice, _ := setbackRowOf(tables, level, grade)
	return dice
}

// setbackRowOf is that with the number of the row, from 0.
func setbackRowOf(tables *ruleBook, level int32, grade string) (dice string, at int) {
	for i, row := range tables.setback {
		if level < row.first || level > row.last {
			continue
		}
		if grade == gradeMajor {
			return row.major, i
		}
		return row.minor, i
	}
	return "", -1
}

// setback rolls a setback and deals it as damage of no type, which nothing
// resists. Whoever controls the creature sees the dice: they would tell others
// of its wounds.
//
// rcr.injury.setback-table
func setback(r *rules.Resolution, id, grade, cause, label string, ruleIDs ...string) (harmed, error) {
	c := r.Creature(id)
	dice, row := setbackRowOf(tablesOf(r.Content()), effectiveLevel(c), grade)
	if dice == "" {
		return harmed{}, bookError
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: dice, Reason: cause + ": " + grade + " setback",
		Audience: event.Controllers(id), Rules: append(append(ruleIDs, cite.InjurySetbackTable), cited(effects.Cite{Rule: r.Content().TableCite("setback", row)})...)})
	return damage(r, &eventv1.Harm{Deed: deedSetback, Target: id, Cause: cause,
		Parts: []*eventv1.DamagePart{{Rolled: rolled.Total}}}), nil
}
