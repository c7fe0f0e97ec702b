package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
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
func setbackDice(level int32, grade string) string {
	for _, row := range book.setback {
		if level < row.first || level > row.last {
			continue
		}
		if grade == gradeMajor {
			return row.major
		}
		return row.minor
	}
	return ""
}

// setback rolls a setback and deals it as damage of no type, which nothing
// resists. Whoever controls the creature sees the dice: they would tell others
// of its wounds.
//
// rcr.injury.setback-table
func setback(r *rules.Resolution, id, grade, cause, label string, ruleIDs ...string) (harmed, error) {
	c := r.Creature(id)
	dice := setbackDice(effectiveLevel(c), grade)
	if dice == "" {
		return harmed{}, bookError
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: dice, Reason: cause + ": " + grade + " setback",
		Audience: event.Controllers(id), Rules: append(ruleIDs, cite.InjurySetbackTable)})
	return damage(r, &eventv1.Harm{Deed: deedSetback, Target: id, Cause: cause,
		Parts: []*eventv1.DamagePart{{Rolled: rolled.Total}}}), nil
}
