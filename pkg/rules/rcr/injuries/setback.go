package injuries

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Setback rolls a setback and deals it as damage of no type, which nothing
// resists. Whoever controls the creature sees the dice: they would tell others
// of its wounds.
//
// rcr.injury.setback-table
func Setback(r *rules.Resolution, id, grade, cause, label string, ruleIDs ...string) (checks.Harmed, error) {
	c := r.Creature(id)
	dice, row := checks.SetbackRowOf(checks.TablesOf(r.Content()), body.EffectiveLevel(c), grade)
	if dice == "" {
		return checks.Harmed{}, body.BookError
	}
	rolled := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: dice, Reason: cause + ": " + grade + " setback",
		Audience: event.Controllers(id), Rules: append(append(ruleIDs, cite.InjurySetbackTable), rowCited(r, "setback", row)...)})
	return Damage(r, &eventv1.Harm{Deed: body.DeedSetback, Target: id, Cause: cause,
		Parts: []*eventv1.DamagePart{{Rolled: rolled.Total}}}), nil
}
