package dice

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HelpedWith is the variant of the condition "helped" on whoever is helped with
// a check of a skill, a tool or an ability.
func HelpedWith(skill string) string { return "check." + skill }

// UseHelp takes the help that a creature has with a check of a skill and gives
// its advantage: once, however many help.
//
// rcr.base.fifth-edition-fallback, rcr.dice.same-kind-no-stack
func UseHelp(r *rules.Resolution, c *eventv1.Creature, skill string) (edges []*eventv1.Edge) {
	for _, x := range r.Creature(c.Id).GetConditions() {
		if x.Name == body.CondHelped && x.Variant == HelpedWith(skill) {
			r.RemoveCondition(c.Id, x, "used", body.Fallback)
			edges = append(edges, Adv("help", "helped by "+x.Source, body.Fallback))
		}
	}
	return edges
}
