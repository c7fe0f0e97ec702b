package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// helpedWith is the variant of the condition "helped" on whoever is helped with
// a check of a skill, a tool or an ability.
func helpedWith(skill string) string { return "check." + skill }

// refuseAlly says why a creature is nobody to help.
func refuseAlly(c, ally *eventv1.Creature) error {
	if ally.GetId() == c.Id || hostile(c, ally) || dead(ally) {
		return refuse("NO_ALLY", fallback, "%s is nobody to help", ally.GetName())
	}
	return nil
}

// useHelp takes the help that a creature has with a check of a skill and gives
// its advantage: once, however many help.
//
// rcr.base.fifth-edition-fallback, rcr.dice.same-kind-no-stack
func useHelp(r *rules.Resolution, c *eventv1.Creature, skill string) (edges []*eventv1.Edge) {
	for _, x := range slices.Clone(r.Creature(c.Id).GetConditions()) {
		if x.Name == condHelped && x.Variant == helpedWith(skill) {
			r.RemoveCondition(c.Id, x, "used", fallback)
			edges = append(edges, adv("help", "helped by "+x.Source, fallback))
		}
	}
	return edges
}
