package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FactOpportunity is the fact of a provoking act that says what weighs on the
// opportunity attacks it brings, by enemy: {"orc": {"cover": "half",
// "advantage": "why", "disadvantage": "why"}}.
const FactOpportunity = "opportunity"

// checkOpportunityFacts says what is wrong with what is stated about
// opportunity attacks.
func checkOpportunityFacts(r *rules.Resolution, take *eventv1.TakeAction) error {
	said := take.GetFacts().GetFields()[FactOpportunity].GetStructValue()
	for _, enemy := range rules.SortedKeys(said.GetFields()) {
		field := "take.facts." + FactOpportunity + "." + enemy
		if r.Known(enemy) == nil {
			return fault.Field(field, "there is no creature %q", enemy)
		}
		about := said.Fields[enemy].GetStructValue()
		if about == nil {
			return fault.Field(field, "must be an object with cover, advantage or disadvantage")
		}
		for _, key := range rules.SortedKeys(about.GetFields()) {
			if !slices.Contains([]string{"cover", "advantage", "disadvantage"}, key) {
				return fault.Field(field, "%q is not cover, advantage or disadvantage", key)
			}
			if !isText(about.Fields[key]) {
				return fault.Field(field+"."+key, "must be text")
			}
		}
		if cover := spoken.Word(about, "cover"); !slices.Contains([]string{"", "none", CoverHalf, CoverThreeQuarters}, cover) {
			return fault.Field(field+".cover", "%q is not none, half or three-quarters", cover)
		}
	}
	return nil
}
