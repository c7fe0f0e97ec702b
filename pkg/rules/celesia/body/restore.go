package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecRestore is which injury a restoration heals.
const DecRestore = "restored-injury"

// InjuryIDs lists the ids of a creature's injuries, in the order in which it carries
// them.
func InjuryIDs(c *eventv1.Creature) []string {
	var out []string
	for _, in := range c.GetInjuries() {
		out = append(out, in.Id)
	}
	return out
}

// SeveredParts are the severed parts of a creature; of one injury alone when it is
// named.
func SeveredParts(c *eventv1.Creature, injury string) []*eventv1.Injury {
	return slices.DeleteFunc(slices.Clone(c.Injuries), func(in *eventv1.Injury) bool {
		return in.Values["severed"] == 0 || injury != "" && in.Id != injury
	})
}

// RefuseRegrow: there must be a severed part to grow back, the one named if one is.
//
// celesia.healing.crippling-severed
func RefuseRegrow(c *eventv1.Creature, injury string) error {
	if len(SeveredParts(c, injury)) == 0 {
		return fault.Refuse("NO_INJURY", cite.HealingCripplingSevered, "there is no such severed part%s", rules.DidYouMean(injury, InjuryIDs(c)))
	}
	return nil
}

// RemoveInjury takes an injury off a creature; a limb that is whole again does not
// bleed (a reading).
//
// celesia.healing.crippling-severed, celesia.healing.crippling-regeneration
func RemoveInjury(r *rules.Resolution, id string, in *eventv1.Injury, cause, rule string) {
	if n := StumpBleeds[in.Kind]; n > 0 && in.Values["severed"] > 0 {
		r.Set(id, CBleed, max(0, r.Count(id, CBleed)-n), cause, rule)
	}
	r.Emit(r.Audience(rules.FactInjury, in.Kind, id), &eventv1.InjuryRemoved{Creature: id, Id: in.Id, Cause: cause}, rule)
}
