package reach

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// normalSurprise is the top face on which ordinary creatures surprise and are
// surprised.
const normalSurprise = 2

// SurpriseChance is the top face of a d6 on which a side is surprised: what
// the other surprises on, shifted by how alert it is itself; 0 means never.
// One whose own face is below 0 is never surprised.
//
// original.surprise.combined-chance
func SurpriseChance(surprisesOn, surprisedOn int32) int32 {
	if surprisedOn < 0 {
		return 0
	}
	return max(0, min(6, surprisesOn+surprisedOn-normalSurprise))
}

// sidesOf lists the sides of the fight: the party of player characters first.
func sidesOf(s *eventv1.State) []string {
	var players, rest []string
	for _, id := range body.Present(s) {
		c := s.Creatures[id]
		if body.SheetOf(c).IsPc && !slices.Contains(players, c.Side) {
			players = append(players, c.Side)
		}
	}
	for _, id := range body.Present(s) {
		if side := s.Creatures[id].Side; !slices.Contains(players, side) && !slices.Contains(rest, side) {
			rest = append(rest, side)
		}
	}
	slices.Sort(players)
	slices.Sort(rest)
	return append(players, rest...)
}

// sideValue is a side's top face: the one stated, or that of its least
// stealthy or most alert member.
func sideValue(s *eventv1.State, stated *structpb.Struct, side string, of func(*eventv1.OriginalSheet) int32) int32 {
	if n, is := spoken.Number(stated, side); is {
		return n
	}
	value := int32(20)
	for _, id := range body.Present(s) {
		if s.Creatures[id].Side != side {
			continue
		}
		n := of(body.SheetOf(s.Creatures[id]))
		if n == 0 {
			n = normalSurprise
		}
		value = min(value, max(-1, n))
	}
	return value
}

// CheckSurprise says what is wrong with the facts about surprise.
func CheckSurprise(s *eventv1.State, facts *structpb.Struct) error {
	sides := sidesOf(s)
	for _, said := range saidOfSides(facts) {
		for i, side := range said.sides {
			if err := rules.OneOf("start.facts."+said.key+"["+body.Itoa(i)+"]", side, sides); err != nil {
				return err
			}
		}
	}
	for i, value := range []*structpb.Value{facts.GetFields()["surprises_on"], facts.GetFields()["surprised_on"]} {
		key, stated := []string{"surprises_on", "surprised_on"}[i], value.GetStructValue()
		for _, side := range rules.SortedKeys(stated.GetFields()) {
			if err := rules.OneOf("start.facts."+key+"."+side, side, sides); err != nil {
				return err
			}
			if n, ok := spoken.Number(stated, side); !ok || n < 0 || n > 6 {
				return wrongNumber("start.facts."+key+"."+side, 0, 6)
			}
		}
	}
	return nil
}

// said is what the start facts say of sides under a key.
type said struct {
	key   string
	sides []string
}

func saidOfSides(facts *structpb.Struct) []said {
	surprised, _ := spoken.Words(facts, "surprised")
	unaware, _ := spoken.Words(facts, "unaware")
	negated, _ := spoken.Words(facts, "negated")
	return []said{{"surprised", surprised}, {"unaware", unaware}, {"negated", negated}}
}

// RollSurprise finds out which sides are surprised: those stated, and of those
// who do not know of the other each that rolls its chance or less. When every
// side is surprised, none is.
//
// original.surprise.when-possible, original.surprise.negated, original.surprise.roll, original.surprise.both-cancel
func RollSurprise(r *rules.Resolution, facts *structpb.Struct) []string {
	sides, of := sidesOf(r.State()), saidOfSides(facts)
	surprised, unaware, negated := of[0].sides, of[1].sides, of[2].sides
	var caught []string
	for _, side := range sides {
		switch {
		case slices.Contains(negated, side): // original.surprise.negated
		case slices.Contains(surprised, side),
			slices.Contains(unaware, side) && rollSide(r, facts, sides, side):
			caught = append(caught, side)
		}
	}
	if len(caught) == len(sides) {
		return nil // original.surprise.both-cancel
	}
	return caught
}

// rollSide rolls whether a side is surprised, by the stealthiest of the others.
func rollSide(r *rules.Resolution, facts *structpb.Struct, sides []string, side string) bool {
	alert := sideValue(r.State(), facts.GetFields()["surprised_on"].GetStructValue(), side, (*eventv1.OriginalSheet).GetSurprisedOn)
	quiet := facts.GetFields()["surprises_on"].GetStructValue()
	chance := int32(0)
	for _, other := range sides {
		if other != side {
			chance = max(chance, SurpriseChance(sideValue(r.State(), quiet, other, (*eventv1.OriginalSheet).GetSurprisesOn), alert))
		}
	}
	return r.Roll(rules.RollSpec{Label: "surprise/" + side, Expression: "1d6", Reason: "is " + side + " surprised?",
		Target: &eventv1.TargetNumber{Kind: "surprised up to", Value: chance},
		Judge: func(_, total int32) (string, int32) {
			if total <= chance {
				return "surprised", 0
			}
			return "ready", 0
		}, Rules: []string{cite.SurpriseRoll, cite.SurpriseCombinedChance}}).Outcome == "surprised"
}
