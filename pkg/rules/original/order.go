package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// planRound is the order of a round: the hasted, the first attacks of
// fighters with several, the slots from high to low with superior reach before
// its opponent, the last attacks.
//
// original.turn.precedence, original.initiative.haste-first, original.initiative.haste-both
func planRound(k *thestrike.Tables, s *eventv1.State) []thestrike.Segment {
	var hasted, first, slots, last []string
	for _, id := range body.Present(s) {
		c := s.Creatures[id]
		if body.Out(c) {
			continue
		}
		if body.Has(c, body.CondHasted) {
			hasted = append(hasted, id)
		} else {
			slots = append(slots, id)
		}
		if !body.FirstAndLast(s, c) {
			continue
		}
		last = append(last, id)
		if !body.Has(c, body.CondHasted) && normalFoeNear(s, c) {
			first = append(first, id)
		}
	}
	var plan []thestrike.Segment
	plan = append(plan, bySlot(s, body.SegHaste, hasted)...)
	plan = append(plan, bySlot(s, body.SegFirst, first)...)
	plan = append(plan, bySlot(s, body.SegSlot, slots)...)
	plan = reachBefore(k, s, plan)
	return append(plan, bySlot(s, body.SegLast, last)...)
}

// bySlot makes segments of creatures by their initiative, the highest first;
// equal ones act together.
//
// original.initiative.highest-first, original.initiative.ties-simultaneous
func bySlot(s *eventv1.State, kind string, ids []string) []thestrike.Segment {
	slices.SortStableFunc(ids, func(a, b string) int { return int(thestrike.DieOf(s, b) - thestrike.DieOf(s, a)) })
	var list []thestrike.Segment
	for i, id := range ids {
		if i > 0 && thestrike.DieOf(s, id) == thestrike.DieOf(s, ids[i-1]) {
			list[len(list)-1].Ids = append(list[len(list)-1].Ids, id)
			continue
		}
		list = append(list, thestrike.Segment{Kind: kind, Ids: []string{id}})
	}
	return list
}

// normalFoeNear tells whether a Normal Man is in melee with a creature.
func normalFoeNear(s *eventv1.State, c *eventv1.Creature) bool {
	return body.Any(s, func(foe *eventv1.Creature) bool {
		return foe.Marks[body.MNormal] != "" && !body.Out(foe) && body.InMelee(c, foe)
	})
}

// reachBefore puts everyone with a superior reach just before the first
// opponent it holds against, in the first melee round of the two; haste goes
// before reach.
//
// original.initiative.reach-first-strike
func reachBefore(k *thestrike.Tables, s *eventv1.State, plan []thestrike.Segment) []thestrike.Segment {
	// The longest weapons are placed last, so that nobody placed before is put
	// behind a foe again.
	ids := body.Present(s)
	slices.SortStableFunc(ids, func(a, b string) int {
		return int(k.ReachRank(body.InHand(s.Creatures[a])) - k.ReachRank(body.InHand(s.Creatures[b])))
	})
	for _, id := range ids {
		c := s.Creatures[id]
		if body.Out(c) {
			continue
		}
		kind, hasted := body.SegSlot, body.Has(c, body.CondHasted)
		if hasted { // before another of the hasted, too
			kind = body.SegHaste
		}
		own := slices.IndexFunc(plan, func(g thestrike.Segment) bool { return g.Kind == kind && slices.Contains(g.Ids, id) })
		at := slices.IndexFunc(plan, func(g thestrike.Segment) bool {
			return (hasted || g.Kind != body.SegHaste) && slices.ContainsFunc(g.Ids, func(foe string) bool {
				return body.InMelee(c, s.Creatures[foe]) && k.Superior(s, c, s.Creatures[foe])
			})
		})
		if at < 0 || own < at {
			continue
		}
		plan[own].Ids = slices.DeleteFunc(slices.Clone(plan[own].Ids), func(x string) bool { return x == id })
		plan = slices.Insert(plan, at, thestrike.Segment{Kind: kind, Ids: []string{id}})
	}
	return slices.DeleteFunc(plan, func(g thestrike.Segment) bool { return len(g.Ids) == 0 })
}

// setPlan says the order of the round: a task for each segment.
func setPlan(r *rules.Resolution, plan []thestrike.Segment, rule string) {
	for i, g := range plan {
		r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: thestrike.SegmentID(i), Kind: body.TaskSegment, Status: "pending", Text: g.Kind, Targets: g.Ids,
			Values: map[string]int32{"round": r.State().Round}, Rule: rule}}, rule)
	}
	for i := len(plan); r.State().Tasks[thestrike.SegmentID(i)] != nil; i++ {
		r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: thestrike.SegmentID(i), Outcome: "the round is over"}, rule)
	}
}

// DiceOrder lists the players and groups of foes as their dice of initiative come:
// the players by name, then the groups. Groups that the state does not tell are left
// out.
//
// original.initiative.roll
func (System) DiceOrder(s *eventv1.State) []string {
	var keys []string
	for _, id := range body.Present(s) {
		if c := s.Creatures[id]; c.Sheet != nil && !body.Dead(c) && !slices.Contains(keys, body.GroupOf(s, c)) {
			keys = append(keys, body.GroupOf(s, c))
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		keys[i] = k[2:]
	}
	return keys
}
