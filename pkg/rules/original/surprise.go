package original

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// normalSurprise is the top face on which ordinary creatures surprise and are
// surprised.
const normalSurprise = 2

// surpriseChance is the top face of a d6 on which a side is surprised: what
// the other surprises on, shifted by how alert it is itself; 0 means never.
// One whose own face is below 0 is never surprised.
//
// original.surprise.combined-chance
func surpriseChance(surprisesOn, surprisedOn int32) int32 {
	if surprisedOn < 0 {
		return 0
	}
	return max(0, min(6, surprisesOn+surprisedOn-normalSurprise))
}

// sidesOf lists the sides of the fight: the party of player characters first.
func sidesOf(s *eventv1.State) []string {
	var players, rest []string
	for _, id := range present(s) {
		c := s.Creatures[id]
		if sheetOf(c).IsPc && !slices.Contains(players, c.Side) {
			players = append(players, c.Side)
		}
	}
	for _, id := range present(s) {
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
func sideValue(s *eventv1.State, stated *structpb.Struct, side string, of func(*eventv1.OriginalSheet) int32) (int32, error) {
	if _, is := stated.GetFields()[side]; is {
		n, ok := spoken.Number(stated, side)
		if !ok || n < 0 || n > 6 {
			return 0, wrongNumber("start.facts."+side, 0, 6)
		}
		return n, nil
	}
	value := int32(20)
	for _, id := range present(s) {
		if s.Creatures[id].Side != side {
			continue
		}
		n := of(sheetOf(s.Creatures[id]))
		if n == 0 {
			n = normalSurprise
		}
		value = min(value, max(-1, n))
	}
	return value, nil
}

// rollSurprise finds out which sides are surprised: those stated, and of those
// who do not know of the other each that rolls its chance or less. When every
// side is surprised, none is.
//
// original.surprise.when-possible, original.surprise.negated, original.surprise.roll, original.surprise.both-cancel
func rollSurprise(r *rules.Resolution, facts *structpb.Struct) ([]string, error) {
	s := r.State()
	sides := sidesOf(s)
	lists := map[string][]string{}
	for _, key := range []string{"surprised", "unaware", "negated"} {
		lists[key], _ = spoken.Words(facts, key)
		for i, side := range lists[key] {
			if !slices.Contains(sides, side) {
				return nil, fault.Field("start.facts."+key+"["+itoa(i)+"]", "there is no side %q", side)
			}
		}
	}
	var caught []string
	for _, side := range sides {
		switch {
		case slices.Contains(lists["negated"], side):
			continue // original.surprise.negated
		case slices.Contains(lists["surprised"], side):
			caught = append(caught, side)
			continue
		case !slices.Contains(lists["unaware"], side):
			continue
		}
		hit, err := rollSide(r, facts, sides, side)
		if err != nil {
			return nil, err
		}
		if hit {
			caught = append(caught, side)
		}
	}
	if len(caught) == len(sides) {
		return nil, nil // original.surprise.both-cancel
	}
	return caught, nil
}

// rollSide rolls whether a side is surprised, by the stealthiest of the others.
func rollSide(r *rules.Resolution, facts *structpb.Struct, sides []string, side string) (bool, error) {
	on := func(field string) *structpb.Struct { return facts.GetFields()[field].GetStructValue() }
	alert, err := sideValue(r.State(), on("surprised_on"), side, (*eventv1.OriginalSheet).GetSurprisedOn)
	if err != nil {
		return false, err
	}
	chance := int32(0)
	for _, other := range sides {
		if other == side {
			continue
		}
		quiet, err := sideValue(r.State(), on("surprises_on"), other, (*eventv1.OriginalSheet).GetSurprisesOn)
		if err != nil {
			return false, err
		}
		chance = max(chance, surpriseChance(quiet, alert))
	}
	rolled := r.Roll(rules.RollSpec{Label: "surprise/" + side, Expression: "1d6", Reason: "is " + side + " surprised?",
		Target: &eventv1.TargetNumber{Kind: "surprised up to", Value: chance},
		Judge: func(_, total int32) (string, int32) {
			if total <= chance {
				return "surprised", 0
			}
			return "ready", 0
		}, Rules: []string{"original.surprise.roll", "original.surprise.combined-chance"}})
	return rolled.Outcome == "surprised", nil
}
