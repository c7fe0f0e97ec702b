package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Cited are the rule ids of what took part.
func Cited(cites ...effects.Cite) []string {
	var out []string
	for _, c := range cites {
		if c.Rule != "" && !slices.Contains(out, c.Rule) {
			out = append(out, c.Rule)
		}
	}
	return out
}

// HouseKeepsOff tells whether content keeps a condition off a creature, and says
// so.
func HouseKeepsOff(r *rules.Resolution, c *eventv1.Creature, condition string) bool {
	by, off := r.Content().ConditionImmune(c, condition, effects.Env{State: r.State(), Target: c})
	if off {
		r.Note(r.Audience(rules.FactCondition, condition, c.Id), c.Id, "immune to "+condition+": "+by.Title, Cited(by)...)
	}
	return off
}

// CContentSpeed and a mode of movement is the counter of the feet that content
// adds to a speed: whoever sees a creature move reckons with it, without the
// content.
const CContentSpeed = "content-speed."
