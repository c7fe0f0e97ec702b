package body

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// StringRule is the rule by which a string snapped.
func StringRule(s *eventv1.State) string {
	if Defaults.On(s, RuleAlt) {
		return cite.FumbleAltStringSnaps
	}
	return cite.FumbleStringBreaks
}

// Points of the checks that creatures make.
const (
	PointStrength      = house.PointCheck + "/strength"
	PointSleightOfHand = house.PointCheck + "/sleight-of-hand"
	PointCounterspell  = house.PointCheck + "/counterspell"
	PointHeal          = house.PointCheck + "/heal"
)

// StrengthCheck is an ability check of Strength: d20 and the modifier. The table of
// situations says what a pulled muscle of the part of the body that it needs means.
//
// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs, spark.fumble.checks
func StrengthCheck(r *rules.Resolution, id, label, reason, muscles string, dc int32, ruleIDs ...string) rules.Rolled {
	c := r.Creature(id)
	var edges []*eventv1.Edge
	if r.On(RuleAdvantage) {
		edges = TablesOf(r.Content()).Situations.Edges(&Roll{State: r.State(), Kind: muscles, Self: c})
	}
	return Tried(r, rules.RollSpec{Label: label, Creature: id, Reason: reason,
		Modifiers: []*eventv1.Modifier{Mod(SheetOf(c).StrengthModifier, "Strength", cite.DiceMeetOrBeat)},
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: JudgeCheck(dc, false), Rules: ruleIDs}, PointStrength, nil, edges)
}
