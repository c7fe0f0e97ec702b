package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// segment is one call of the round: who acts, all at the same time.
type segment struct {
	kind string
	ids  []string
}

// dieOf is a creature's initiative for the round; 0 when it has none.
func dieOf(s *eventv1.State, id string) int32 {
	for _, i := range s.Creatures[id].GetInitiative() {
		if i.Round == s.Round {
			return i.Total
		}
	}
	return 0
}

// planRound is the order of a round: the hasted, the first attacks of
// fighters with several, the slots from high to low with superior reach before
// its opponent, the last attacks.
//
// original.turn.precedence, original.initiative.haste-first, original.initiative.haste-both
func planRound(s *eventv1.State) []segment {
	var hasted, first, slots, last []string
	for _, id := range present(s) {
		c := s.Creatures[id]
		if out(c) || dieOf(s, id) == 0 {
			continue
		}
		if has(c, condHasted) {
			hasted = append(hasted, id)
		} else {
			slots = append(slots, id)
		}
		if !firstAndLast(s, c) {
			continue
		}
		last = append(last, id)
		if !has(c, condHasted) && normalFoeNear(s, c) {
			first = append(first, id)
		}
	}
	var plan []segment
	plan = append(plan, bySlot(s, segHaste, hasted)...)
	plan = append(plan, bySlot(s, segFirst, first)...)
	plan = append(plan, bySlot(s, segSlot, slots)...)
	plan = reachBefore(s, plan)
	return append(plan, bySlot(s, segLast, last)...)
}

// bySlot makes segments of creatures by their initiative, the highest first;
// equal ones act together.
//
// original.initiative.highest-first, original.initiative.ties-simultaneous
func bySlot(s *eventv1.State, kind string, ids []string) []segment {
	slices.SortStableFunc(ids, func(a, b string) int { return int(dieOf(s, b) - dieOf(s, a)) })
	var list []segment
	for i, id := range ids {
		if i > 0 && dieOf(s, id) == dieOf(s, ids[i-1]) {
			list[len(list)-1].ids = append(list[len(list)-1].ids, id)
			continue
		}
		list = append(list, segment{kind, []string{id}})
	}
	return list
}

// normalFoeNear tells whether a Normal Man is in melee with a creature.
func normalFoeNear(s *eventv1.State, c *eventv1.Creature) bool {
	return slices.ContainsFunc(engagedWith(s, c), func(id string) bool { return s.Creatures[id].Marks[mNormal] != "" })
}

// reachBefore puts everyone with a superior reach just before the first
// opponent it holds against, in the first melee round of the two; haste goes
// before reach.
//
// original.initiative.reach-first-strike
func reachBefore(s *eventv1.State, plan []segment) []segment {
	// The longest weapons are placed last, so that nobody placed before is put
	// behind a foe again.
	ids := present(s)
	slices.SortStableFunc(ids, func(a, b string) int {
		return int(reachRank(inHand(s.Creatures[a])) - reachRank(inHand(s.Creatures[b])))
	})
	for _, id := range ids {
		c := s.Creatures[id]
		if out(c) {
			continue
		}
		kind, hasted := segSlot, has(c, condHasted)
		if hasted { // before another of the hasted, too
			kind = segHaste
		}
		own := slices.IndexFunc(plan, func(g segment) bool { return g.kind == kind && slices.Contains(g.ids, id) })
		at := slices.IndexFunc(plan, func(g segment) bool {
			return (hasted || g.kind != segHaste) && slices.ContainsFunc(g.ids, func(foe string) bool {
				return inMelee(c, s.Creatures[foe]) && superior(s, c, s.Creatures[foe])
			})
		})
		if own < 0 || at < 0 || own < at {
			continue
		}
		plan[own].ids = slices.DeleteFunc(slices.Clone(plan[own].ids), func(x string) bool { return x == id })
		plan = slices.Insert(plan, at, segment{kind, []string{id}})
	}
	return slices.DeleteFunc(plan, func(g segment) bool { return len(g.ids) == 0 })
}

// setPlan says the order of the round: a task for each segment.
func setPlan(r *rules.Resolution, plan []segment, rule string) {
	for i, g := range plan {
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: segmentID(i), Kind: taskSegment, Status: "pending", Text: g.kind, Targets: g.ids,
			Values: map[string]int32{"round": r.State().Round}, Rule: rule}}, rule)
	}
	for i := len(plan); r.State().Tasks[segmentID(i)] != nil; i++ {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: segmentID(i), Outcome: "the round is over"}, rule)
	}
}

// planOf reads the order of the round.
func planOf(s *eventv1.State) []segment {
	left := 0
	// order-free: they are counted
	for _, t := range s.Tasks {
		if t.Kind == taskSegment {
			left++
		}
	}
	plan := make([]segment, 0, left)
	for i := range 3 * len(s.Creatures) { // first, in its slot and last: nobody is called more often
		if left == 0 {
			break
		}
		t := s.Tasks[segmentID(i)]
		if t == nil {
			continue // one that a viewer is not told of
		}
		left--
		for len(plan) < i {
			plan = append(plan, segment{})
		}
		plan = append(plan, segment{t.Text, t.Targets})
	}
	return plan
}

// segmentID is the task of a segment, from 0.
func segmentID(i int) string {
	if i < len(segmentIDs) {
		return segmentIDs[i]
	}
	return taskSegment + "-" + itoa(i+1)
}

// segmentIDs are the first ids, which every command looks at.
var segmentIDs = func() (ids [32]string) {
	for i := range ids {
		ids[i] = taskSegment + "-" + itoa(i+1)
	}
	return ids
}()
