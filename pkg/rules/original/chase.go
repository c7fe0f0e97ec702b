package original

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// giveChase begins a chase: with both on the map their places tell how it goes,
// otherwise the gap is counted, by default the way that was run.
//
// original.pursuit.rounds-to-catch
func giveChase(r *rules.Resolution, id, group string, hunters []string, gap int32) {
	s, c := r.State(), r.Creature(id)
	near, counted := int32(-1), false
	for _, h := range hunters {
		d := distance(s.Creatures[h], c)
		counted = counted || d < 0
		if d >= 0 && (near < 0 || d < near) {
			near = d
		}
	}
	switch {
	case gap >= 0:
	case near >= 0:
		gap = near
	default:
		gap = fullMove(s, c)
	}
	if counted {
		r.Mark(id, mChase+group, itoa(gap)+":"+itoa(s.Round), cite.PursuitRoundsToCatch)
	}
	text := "is never caught by " + group
	if n, caught := roundsToCatch(gap, slowest(s, hunters), fullMove(s, c)); caught {
		text = "is caught by " + group + " after " + itoa(n) + " rounds of running"
	}
	r.Note(event.Everyone(), id, c.Name+" "+text, cite.PursuitRoundsToCatch)
}

// roundsToCatch is after how many rounds of running those who flee are caught,
// that is within 10 feet; false: never.
//
// original.pursuit.rounds-to-catch
func roundsToCatch(gap, pursuer, fleeing int32) (int32, bool) {
	switch gain := pursuer - fleeing; {
	case gap <= meleeFeet:
		return 0, true
	case gain <= 0:
		return 0, false
	default:
		return (gap - meleeFeet + gain - 1) / gain, true
	}
}

// slowest is the running speed of a group: that of its slowest.
func slowest(s *eventv1.State, ids []string) int32 {
	feet := int32(-1)
	for _, id := range ids {
		if n := ranThisRound(s, s.Creatures[id]); feet < 0 || n < feet {
			feet = n
		}
	}
	return max(0, feet)
}

// ranThisRound is how far a creature runs in a round of a chase: its full move,
// half of it when it attacks, 10 feet when it casts.
func ranThisRound(s *eventv1.State, c *eventv1.Creature) int32 {
	full := fullMove(s, c)
	switch round := itoa(s.Round); {
	case !able(s, c):
		return 0
	case c.Marks[mCast] == round:
		return min(full, castingFeet)
	case c.Marks[mRunShot] == round:
		return full
	case c.Counters[cAttacks] > 0 || c.Marks[mParrying] == round:
		return full / 2
	}
	return full
}

// hunters lists those who pursue a creature.
func hunters(s *eventv1.State, id string) []string {
	var list []string
	for _, h := range present(s) {
		if c := s.Creatures[h]; c.Marks[mPursues+id] != "" && !out(c) {
			list = append(list, h)
		}
	}
	return list
}

// chases moves every counted chase on by a round, the slowest of each side
// setting its speed; who is within 10 feet is caught.
//
// original.pursuit.rounds-to-catch, original.movement.retreat-faster-pursuer
func chases(r *rules.Resolution) {
	s := r.State()
	type chase struct {
		id, group string
		gap       int32
	}
	var list []chase
	for _, id := range present(s) {
		for _, key := range rules.SortedKeys(s.Creatures[id].Marks) {
			group, is := strings.CutPrefix(key, mChase)
			gap, round, _ := strings.Cut(s.Creatures[id].Marks[key], ":")
			if is && atoi(round) < s.Round {
				list = append(list, chase{id, group, atoi(gap)})
			}
		}
	}
	speed := func(side, group string) int32 {
		var ids []string
		for _, x := range list {
			if c := s.Creatures[x.id]; c.Side == side && x.group == group && c.Marks[mFleeing] != "" {
				ids = append(ids, x.id)
			}
		}
		return slowest(s, ids)
	}
	steps := make([]int32, len(list)) // all run at the same time
	for i, x := range list {
		c := s.Creatures[x.id]
		if c.Marks[mFleeing] != "" {
			steps[i] = speed(c.Side, x.group)
		}
		steps[i] -= slowest(s, huntersOf(s, x.id, x.group))
	}
	for i, x := range list {
		after := huntersOf(r.State(), x.id, x.group)
		gap := max(0, x.gap+steps[i])
		switch {
		case len(after) == 0 || out(r.Creature(x.id)):
			letGo(r, x.id, x.group, "nobody pursues any more", cite.PursuitRoundsToCatch)
		case gap > meleeFeet:
			r.Mark(x.id, mChase+x.group, itoa(gap)+":"+itoa(r.State().Round), cite.PursuitRoundsToCatch)
		default:
			r.Mark(x.id, mChase+x.group, "", cite.PursuitRoundsToCatch)
			r.Note(event.Everyone(), x.id, r.Creature(x.id).Name+" is caught by "+x.group, cite.PursuitRoundsToCatch)
			for _, h := range after {
				r.Mark(h, mEngaged+x.id, "yes", cite.MovementInMeleeDefinition)
				r.Mark(x.id, mEngaged+h, "yes", cite.MovementInMeleeDefinition)
			}
		}
	}
}

// flightsOver ends the flight of those who ran in an earlier round and whom
// nobody pursues.
//
// original.movement.retreat-shield-lost
func flightsOver(r *rules.Resolution) {
	for _, id := range present(r.State()) {
		c := r.Creature(id)
		if c.Marks[mFleeing] != "" && c.Marks[mRan] != itoa(r.State().Round) && len(hunters(r.State(), id)) == 0 {
			r.Mark(id, mFleeing, "", cite.MovementRetreatShieldLost)
		}
	}
}

func huntersOf(s *eventv1.State, id, group string) []string {
	return slices.DeleteFunc(hunters(s, id), func(h string) bool { return moraleGroup(s.Creatures[h]) != group })
}

// letGo ends a group's pursuit of a creature; when it was the last the flight
// is over.
func letGo(r *rules.Resolution, id, group, why, rule string) {
	for _, h := range huntersOf(r.State(), id, group) {
		r.Mark(h, mPursues+id, "", rule)
	}
	r.Mark(id, mChase+group, "", rule)
	r.Note(event.Everyone(), id, group+" give up: "+why, rule)
	if len(hunters(r.State(), id)) == 0 {
		r.Mark(id, mFleeing, "", rule)
	}
}
