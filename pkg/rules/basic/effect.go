package basic

import (
	"cmp"
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/magic"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// takeEffect lets everything put down on a number happen together: first it is
// seen which spells were disturbed, then what the others give and do. Reading:
// healing counts before damage, so that the sum decides.
//
// basic.initiative.ties-simultaneous, basic.spell.disruption, basic.injury.subdual-zero
func takeEffect(r *rules.Resolution) {
	var spells []*eventv1.Task
	var harms []strike.Harm
	end := func(t *eventv1.Task, outcome string) {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: outcome}, cite.InitiativeTiesSimultaneous)
	}
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		switch t := r.State().Tasks[id]; t.Kind {
		case body.TaskSpell:
			if strike.Disrupted(r, t.Creature) {
				end(t, "disrupted")
				continue
			}
			spells = append(spells, t)
		case body.TaskHarm:
			harms = append(harms, strike.PendingHarm(t))
			end(t, "took effect")
		}
	}
	for _, t := range spells {
		end(t, "took effect")
		harms = append(harms, magic.SpellEffect(r, t.Creature, t.Item, slices.Clone(t.Targets))...)
	}
	// Blows of one number are neither before nor after each other: one that does not
	// kill spares the target that all of them bring down, whoever rolled first.
	slices.SortStableFunc(harms, func(a, b strike.Harm) int { return cmp.Compare(strike.Spares(b), strike.Spares(a)) })
	conscious := map[string]bool{}
	for _, h := range harms {
		conscious[h.Target] = body.Up(r.Creature(h.Target))
	}
	for _, h := range harms {
		h.Together = conscious[h.Target]
		h.Apply(r)
	}
	for _, t := range spells {
		magic.Cast(r, t.Creature, t.Item, body.SpellOf(r.Creature(t.Creature), t.Item), t.Targets)
	}
	takeHold(r)
	for _, id := range rules.SortedKeys(r.State().Tasks) {
		if t := r.State().Tasks[id]; t.Kind == body.TaskCondition {
			end(t, "took effect")
			strike.Lay(r, t.Creature, t.Conditions[0])
		}
	}
}
