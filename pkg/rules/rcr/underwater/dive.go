package underwater

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecDive asks one that falls on water whether it tries to dive.
const DecDive = "dive"

// FactWater is the fact of a fall that it ends in water, "true" or "false".
const FactWater = "into-water"

// OnWater tells whether a fall ends on water: as stated, or where a map says so,
// when it comes down below the surface.
//
// rcr.underwater.dive-into-water
func OnWater(r *rules.Resolution, id string, facts map[string]string) bool {
	if !r.On(cite.UnderwaterIntro) {
		return false
	}
	if word := facts[FactWater]; word != "" {
		return word == rules.Yes
	}
	surface, mapped := r.State().Counters[body.CSurface]
	at := r.Creature(id).GetPosition()
	return mapped && at != nil && int64(at.Z) < surface
}

// Dive asks whether one that would take damage of a fall on water tries to dive,
// before that damage is rolled, and makes the check: Athletics against 15 and 1 for
// each full 10 feet. Who cannot act cannot try.
//
// rcr.underwater.dive-into-water
func Dive(r *rules.Resolution, id string, feet int32, said body.CheckOpts) (tried, dived bool) {
	const rule = cite.UnderwaterDiveIntoWater
	c := r.Creature(id)
	if feet < 10 || !r.On(rule) || body.Incapacitated(c) {
		return false, false
	}
	dc := 15 + feet/10
	answer := r.Ask("dive/"+id, &eventv1.Decision{Name: DecDive, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id,
		Cause: "a fall of " + body.Itoa(feet) + " feet on water", Question: "Dive into the water by a check of Athletics against " + body.Itoa(dc) + "?",
		Rule: rule, DefaultOption: "yes",
		Options: []*eventv1.DecisionOption{{Id: "yes", Text: "Dive: no damage, or half of it"}, {Id: "no", Text: "Take the fall"}}}).Option
	if answer != "yes" {
		return false, false
	}
	said.Reason, said.Rules = "dive into the water", []string{rule}
	rolled := dice.RollCheck(r, "dive/check/"+id, r.Creature(id), "athletics", dc, "movement", said)
	return true, rolled.Success()
}

// Plunge puts one that has come down in water under it, where no map says where it
// is (a reading).
func Plunge(r *rules.Resolution, id string) {
	if _, known := measured(r.State(), r.Creature(id)); !known {
		submerge(r, id, 0, "it has fallen into the water")
	}
}
