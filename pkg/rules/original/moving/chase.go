package moving

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// giveChase begins a chase: with both on the map their places tell how it goes,
// otherwise the gap is counted, by default the way that was run. How it ends is
// told by running speeds, whatever was done before.
//
// original.pursuit.rounds-to-catch
func giveChase(r *rules.Resolution, id, group string, hunters []string, gap int32) {
	s, c := r.State(), r.Creature(id)
	speed, full := runningSpeed(s, hunters), strike.FullMove(s, c)
	near, next := onTheMap(s, c, hunters, speed)
	counted := gap >= 0 || near < 0
	switch {
	case gap >= 0:
	case near >= 0:
		gap = near
	default:
		gap = full
	}
	if slices.ContainsFunc(hunters, func(h string) bool { return body.Distance(s.Creatures[h], c) < 0 }) {
		setGap(r, id, group, gap)
	}
	n, caught := RoundsToCatch(gap, speed, full)
	if !counted && gap > body.MeleeFeet {
		n, caught = RoundsToCatch(next, speed, full)
		n++ // they run once to be so near
	}
	text := "is never caught by " + group
	if caught {
		text = "is caught by " + group + " after " + body.Itoa(n) + " rounds of running"
	}
	r.Note(event.Everyone(), id, c.Name+" "+text, cite.PursuitRoundsToCatch)
}

// onTheMap is how near the nearest of those who pursue is now, and how near when
// all of them have run next: in this round, or in the next one before or after
// the one who flees. Both are -1 when no place is known.
//
// original.pursuit.rounds-to-catch
func onTheMap(s *eventv1.State, c *eventv1.Creature, hunters []string, speed int32) (now, next int32) {
	now, next = -1, -1
	for _, id := range hunters {
		h := s.Creatures[id]
		d := body.Distance(h, c)
		if d < 0 {
			continue
		}
		left := d - speed
		if !runsYet(s, h) && !goesBefore(s, h, c) {
			left += strike.FullMove(s, c)
		}
		if now < 0 || d < now {
			now = d
		}
		if left = max(0, left); next < 0 || left < next {
			next = left
		}
	}
	return now, next
}

// runsYet tells whether a creature can still run in this round: its place in the
// order is to come and it has done nothing that keeps it from running.
//
// original.movement.running
func runsYet(s *eventv1.State, c *eventv1.Creature) bool {
	return strike.PlaceToCome(s, c.Id) && runRefused(strike.See(s, c)) == nil
}

// goesBefore tells whether a creature goes before another in a round, as the dice
// lie now.
func goesBefore(s *eventv1.State, c, other *eventv1.Creature) bool {
	if swift := body.Has(c, body.CondHasted); swift != body.Has(other, body.CondHasted) {
		return swift
	}
	return strike.DieOf(s, c.Id) > strike.DieOf(s, other.Id)
}

// runningSpeed is the full movement of a group: that of its slowest.
//
// original.pursuit.rounds-to-catch
func runningSpeed(s *eventv1.State, ids []string) int32 {
	feet := int32(-1)
	for _, id := range ids {
		if n := strike.FullMove(s, s.Creatures[id]); feet < 0 || n < feet {
			feet = n
		}
	}
	return max(0, feet)
}

// RoundsToCatch is after how many rounds of running those who flee are caught,
// that is within 10 feet; false: never.
//
// original.pursuit.rounds-to-catch
func RoundsToCatch(gap, pursuer, fleeing int32) (int32, bool) {
	switch gain := pursuer - fleeing; {
	case gap <= body.MeleeFeet:
		return 0, true
	case gain <= 0:
		return 0, false
	default:
		return (gap - body.MeleeFeet + gain - 1) / gain, true
	}
}

// slowest is how far a group ran in this round: as far as its slowest.
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
	full := strike.FullMove(s, c)
	switch {
	case !strike.Able(s, c):
		return 0
	case c.Counters[body.CCasts] > 0:
		return min(full, reach.CastingFeet)
	case c.Counters[body.CRunShots] > 0:
		return full
	case c.Counters[body.CAttacks] > 0 || body.Has(c, body.CondParrying):
		return full / 2
	}
	return full
}

// hunters lists those who pursue a creature.
func hunters(s *eventv1.State, id string) []string {
	return body.Those(s, func(c *eventv1.Creature) bool { return body.Is(c, body.RelPursues, id) && !body.Out(c) })
}

// Chases moves every counted chase on by a round, the slowest of each side
// setting its speed; who is within 10 feet is caught.
//
// original.pursuit.rounds-to-catch, original.movement.retreat-faster-pursuer
func Chases(r *rules.Resolution) {
	s := r.State()
	type chase struct {
		id, group string
		gap       int32
	}
	var list []chase
	for _, id := range body.Present(s) {
		for _, group := range chasers(s, id) {
			if x := GapTo(s, id, group); x.Round < s.Round {
				list = append(list, chase{id, group, x.Values[body.ValGap]})
			}
		}
	}
	speed := func(side, group string) int32 {
		var ids []string
		for _, x := range list {
			if c := s.Creatures[x.id]; c.Side == side && x.group == group && body.Has(c, body.CondFleeing) {
				ids = append(ids, x.id)
			}
		}
		return slowest(s, ids)
	}
	steps := make([]int32, len(list)) // all run at the same time
	for i, x := range list {
		c := s.Creatures[x.id]
		if body.Has(c, body.CondFleeing) {
			steps[i] = speed(c.Side, x.group)
		}
		steps[i] -= slowest(s, HuntersOf(s, x.id, x.group))
	}
	for i, x := range list {
		after := HuntersOf(r.State(), x.id, x.group)
		gap := max(0, x.gap+steps[i])
		switch {
		case len(after) == 0 || body.Out(r.Creature(x.id)):
			LetGo(r, x.id, x.group, "nobody pursues any more", cite.PursuitRoundsToCatch)
		case gap > body.MeleeFeet:
			setGap(r, x.id, x.group, gap)
		default:
			closeGap(r, x.id, x.group, cite.PursuitRoundsToCatch)
			r.Note(event.Everyone(), x.id, r.Creature(x.id).Name+" is caught by "+x.group, cite.PursuitRoundsToCatch)
			for _, h := range after {
				body.Tie(r, h, body.RelEngaged, x.id, cite.MovementInMeleeDefinition)
				body.Tie(r, x.id, body.RelEngaged, h, cite.MovementInMeleeDefinition)
			}
		}
	}
}

// chasers lists the groups whose chase of a creature is counted, those with nobody
// left who can run among them.
func chasers(s *eventv1.State, id string) []string {
	var list []string
	// order-free: sorted below
	for _, c := range s.Creatures {
		_, counted := rules.RelationTo(c, body.RelPursues, id).GetValues()[body.ValGap]
		if counted && c.Marks[body.MLeaving] == "" && !slices.Contains(list, body.MoraleGroup(c)) {
			list = append(list, body.MoraleGroup(c))
		}
	}
	slices.Sort(list)
	return list
}

// GapTo is the counted chase of a creature by a group, as it was found last.
func GapTo(s *eventv1.State, id, group string) *eventv1.Relation {
	var last *eventv1.Relation
	for _, h := range body.Present(s) {
		x := rules.RelationTo(s.Creatures[h], body.RelPursues, id)
		if _, counted := x.GetValues()[body.ValGap]; counted && body.MoraleGroup(s.Creatures[h]) == group && (last == nil || x.Round > last.Round) {
			last = x
		}
	}
	return last
}

// setGap says how far a group is behind one whom it pursues.
func setGap(r *rules.Resolution, id, group string, gap int32) {
	for _, h := range HuntersOf(r.State(), id, group) {
		r.Relate(h, &eventv1.Relation{Kind: body.RelPursues, To: id, Round: r.State().Round, Values: map[string]int32{body.ValGap: gap}, Rule: cite.PursuitRoundsToCatch},
			cite.PursuitRoundsToCatch)
	}
}

// closeGap ends the counting of a group's chase; those who pursue still do.
func closeGap(r *rules.Resolution, id, group, rule string) {
	for _, h := range body.PresentIn(r) {
		x := rules.RelationTo(r.Creature(h), body.RelPursues, id)
		if _, counted := x.GetValues()[body.ValGap]; counted && body.MoraleGroup(r.Creature(h)) == group {
			r.Relate(h, &eventv1.Relation{Kind: body.RelPursues, To: id, Rule: rule}, rule)
		}
	}
}

// FlightsOver ends the flight of those who ran in an earlier round and whom
// nobody pursues.
//
// original.movement.retreat-shield-lost
func FlightsOver(r *rules.Resolution) {
	for _, id := range body.PresentIn(r) {
		c := r.Creature(id)
		if body.Has(c, body.CondFleeing) && !body.Has(c, body.CondRan) && len(hunters(r.State(), id)) == 0 {
			body.Lift(r, id, body.CondFleeing, cite.MovementRetreatShieldLost)
		}
	}
}

// HuntersOf lists those of one morale group who pursue a creature and are not out.
func HuntersOf(s *eventv1.State, id, group string) []string {
	return slices.DeleteFunc(hunters(s, id), func(h string) bool { return body.MoraleGroup(s.Creatures[h]) != group })
}

// LetGo ends a group's pursuit of a creature; when it was the last the flight
// is over.
func LetGo(r *rules.Resolution, id, group, why, rule string) {
	for _, h := range HuntersOf(r.State(), id, group) {
		r.Unrelate(h, body.RelPursues, id, "given up", rule)
	}
	closeGap(r, id, group, rule)
	r.Note(event.Everyone(), id, group+" give up: "+why, rule)
	if len(hunters(r.State(), id)) == 0 {
		body.Lift(r, id, body.CondFleeing, rule)
	}
}
