package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Begin starts the fight: surprise first, once, then the first round. The facts
// say which sides might be surprised ("surprise": list of sides) and which lie
// well hidden and prepared in ambush ("ambush": list of sides).
//
// basic.turn.sequence, basic.surprise.check
func (System) Begin(r *rules.Resolution, start *eventv1.StartEncounter) error {
	if bookError != nil {
		return bookError
	}
	risk, _ := spoken.Words(start.GetFacts(), "surprise")
	ambush, _ := spoken.Words(start.GetFacts(), "ambush")
	for key, list := range [][]string{risk, ambush} {
		for i, side := range list {
			if err := rules.OneOf("start.facts."+[]string{"surprise", "ambush"}[key]+"["+itoa(i)+"]", side, sidesOf(r.State())); err != nil {
				return err
			}
		}
	}
	sides := slices.Clone(risk)
	slices.Sort(sides)
	for _, side := range slices.Compact(sides) {
		surprise(r, side, slices.ContainsFunc(ambush, func(a string) bool { return a != side }))
	}
	startRound(r, 1)
	return advance(r)
}

// sidesOf lists the sides of those who live.
func sidesOf(s *eventv1.State) []string {
	var sides []string
	for _, id := range living(s) {
		sides = append(sides, s.Creatures[id].Side)
	}
	slices.Sort(sides)
	return slices.Compact(sides)
}

func membersOf(s *eventv1.State, side string) []string {
	var out []string
	for _, id := range living(s) {
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
	if tagged(c, "elf") {
		return 15
	}
	return 13
}

// surprise makes the one roll of a side and judges it for each member.
//
// basic.surprise.check, basic.surprise.ambush-plus-3, basic.surprise.lose-one-round
func surprise(r *rules.Resolution, side string, ambushed bool) {
	var mods []*eventv1.Modifier
	if ambushed {
		mods = append(mods, &eventv1.Modifier{Value: 3, Source: "ambush", Rule: cite.SurpriseAmbushPlus3})
	}
	rolled := r.Roll(rules.RollSpec{Label: "surprise/" + side, Expression: "1d20", Reason: "surprise of " + side, Modifiers: mods,
		Rules: []string{cite.SurpriseCheck}})
	for _, id := range membersOf(r.State(), side) {
		if rolled.Total >= surpriseDC(r.Creature(id)) {
			r.AddCondition(id, &eventv1.Condition{Name: condSurprised, Cause: "surprise", Rule: cite.SurpriseLoseOneRound,
				Until: &eventv1.Until{When: "round", Round: 1}})
		}
	}
}
