package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stray lets a shot that missed fly on: the same roll is compared with the DV of
// whoever stands beyond, 4 higher for the cover that the first target gives. It
// returns where the missile ends.
//
// celesia.attack.stray-resolution, celesia.attack.stray-cover
func stray(r *rules.Resolution, a body.Attack, rolled rules.Rolled) *eventv1.Position {
	c, t, w := r.Creature(a.By), r.Creature(a.Target), a.Weapon
	feet, _ := body.Distance(c, t)
	if feet == 0 { // or nobody knows
		return t.GetPosition()
	}
	limit := manners.StrayLimit(w, feet)
	for _, id := range manners.InTheWay(r.State(), a.Take, c, t, limit) {
		other := r.Creature(id)
		dv := strike.DefenseBy(r, c, other, false)
		dv.Value += 4
		one := body.Attack{By: c.Id, Target: id, Weapon: w, Label: a.Label + "/stray", Take: &eventv1.TakeAction{Creature: c.Id, Parameters: a.Take.GetParameters()}}
		threat := r.Content().CriticalFrom(c, body.ThreatOf(w), checks.BlowEnv(r, one, c, other))
		outcome, inc := mending.JudgeAttack(r.On(body.SetNaturalFaces), dv.Value, threat.Value, !body.Immune(other, body.ImmuneCritical))(rolled.Natural, rolled.Total)
		word := mending.OutcomeWord(rules.Rolled{Outcome: outcome})
		r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: id, Weapon: w.Name, Outcome: word,
			Roll: rolled.Told(event.Everyone()),
			Note: "stray shot: " + body.Itoa(rolled.Total) + " against DV " + body.Itoa(dv.Value)}, cite.AttackStrayResolution, cite.AttackStrayCover)
		if outcome == "failure" {
			continue
		}
		at := other.Position
		harm(r, one, inc, outcome == "critical", "")
		struck(r, one, true, house.PointAttack+checks.Way(w), rules.Rolled{Natural: rolled.Natural, Total: rolled.Total, Outcome: outcome})
		return at
	}
	return manners.Beyond(c, t, max(feet, limit))
}
