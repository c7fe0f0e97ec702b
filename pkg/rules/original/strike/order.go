package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Segment is one call of the round: who acts, all at the same time.
type Segment struct {
	Kind string
	Ids  []string
}

// DieOf is a creature's initiative for the round; 0 when it has none.
func DieOf(s *eventv1.State, id string) int32 {
	for _, i := range s.Creatures[id].GetInitiative() {
		if i.Round == s.Round {
			return i.Total
		}
	}
	return 0
}

// PlaceToCome tells whether a creature's own place in the order of the round is
// now or still to come.
func PlaceToCome(s *eventv1.State, id string) bool {
	own := func(g Segment) bool {
		return g.Kind != body.SegLast && slices.Contains(g.Ids, id)
	}
	plan, step := PlanOf(s), int(s.Counters[body.CStep])
	return slices.ContainsFunc(plan[min(step, len(plan)):], own) ||
		slices.Contains(s.Active, id) && s.Phase != body.SegLast
}

// Ahead tells how a creature's own place in the order of the round lies to that of
// another: above 0 it comes before, below 0 after, at 0 together. Haste counts as soon as
// it is there, then the places, which reach may have changed; the dice where one has none.
//
// original.initiative.haste-first, original.initiative.reach-first-strike
func Ahead(s *eventv1.State, c, other *eventv1.Creature) int {
	if swift := body.Has(c, body.CondHasted); swift != body.Has(other, body.CondHasted) {
		if swift {
			return 1
		}
		return -1
	}
	plan := PlanOf(s)
	place := func(id string) int {
		return slices.IndexFunc(plan, func(g Segment) bool {
			return g.Kind != body.SegFirst && slices.Contains(g.Ids, id)
		})
	}
	if mine, its := place(c.Id), place(other.Id); mine >= 0 && its >= 0 {
		return its - mine
	}
	return int(DieOf(s, c.Id) - DieOf(s, other.Id))
}

// PlanOf reads the order of the round.
func PlanOf(s *eventv1.State) []Segment {
	left := 0
	// order-free: they are counted
	for _, t := range s.Tasks {
		if t.Kind == body.TaskSegment {
			left++
		}
	}
	plan := make([]Segment, 0, left)
	for i := range 3 * len(s.Creatures) { // first, in its slot and last: nobody is called more often
		if left == 0 {
			break
		}
		t := s.Tasks[SegmentID(i)]
		if t == nil {
			continue // one that a viewer is not told of
		}
		left--
		for len(plan) < i {
			plan = append(plan, Segment{})
		}
		plan = append(plan, Segment{Kind: t.Text, Ids: t.Targets})
	}
	return plan
}

// SegmentID is the task of a segment, from 0.
func SegmentID(i int) string {
	if i < len(segmentIDs) {
		return segmentIDs[i]
	}
	return body.TaskSegment + "-" + body.Itoa(i+1)
}

// segmentIDs are the first ids, which every command looks at.
var segmentIDs = func() (ids [32]string) {
	for i := range ids {
		ids[i] = body.TaskSegment + "-" + body.Itoa(i+1)
	}
	return ids
}()
