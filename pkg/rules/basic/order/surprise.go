package order

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SidesOf lists the sides of those who live.
func SidesOf(s *eventv1.State) []string {
	var sides []string
	for _, id := range body.Living(s) {
		sides = append(sides, s.Creatures[id].Side)
	}
	slices.Sort(sides)
	return slices.Compact(sides)
}

func membersOf(s *eventv1.State, side string) []string {
	var out []string
	for _, id := range body.Living(s) {
		if s.Creatures[id].Side == side {
			out = append(out, id)
		}
	}
	return out
}

// surpriseDC is the total from which a creature is surprised.
//
// basic.surprise.normal-dc-13, basic.surprise.elf-dc-15
func surpriseDC(c *eventv1.Creature) int32 {
	if body.Tagged(c, "elf") {
		return 15
	}
	return 13
}

// Surprise makes the one roll of a side and judges it for each member.
//
// basic.surprise.check, basic.surprise.ambush-plus-3, basic.surprise.lose-one-round
func Surprise(r *rules.Resolution, side string, ambushed bool) {
	var mods []*eventv1.Modifier
	if ambushed {
		mods = append(mods, &eventv1.Modifier{Value: 3, Source: "ambush", Rule: cite.SurpriseAmbushPlus3})
	}
	rolled := r.Roll(rules.RollSpec{Label: "surprise/" + side, Expression: "1d20", Reason: "surprise of " + side, Modifiers: mods,
		Rules: []string{cite.SurpriseCheck}})
	for _, id := range membersOf(r.State(), side) {
		if rolled.Total >= surpriseDC(r.Creature(id)) {
			body.Inflict(r, id, &eventv1.Condition{Name: body.CondSurprised, Cause: "surprise", Rule: cite.SurpriseLoseOneRound,
				Until: &eventv1.Until{When: "round", Round: 1}})
		}
	}
}
