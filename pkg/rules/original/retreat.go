package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func retreatActions() []*action {
	return []*action{
		moving("retreat", "Turn and flee", cite.MovementRetreatContest, retreatRefused, doRetreat),
		{id: "through", title: "Move through a line", options: throughOptions, do: doThrough},
		{id: "turn", title: "Turn and fight", do: doTurn, options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			return []*eventv1.Option{option("", turnRefused(c))}
		}},
	}
}

// retreatRefused says why a creature may not retreat.
//
// original.movement.retreat-contest
func retreatRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case len(engagedWith(s, c)) == 0:
		return refuse("NOT_ENGAGED", cite.MovementRetreatContest, "%s is not in melee", c.Name)
	case c.Counters[cAttacks] > 0 || c.Counters[cMoved] > 0:
		return refuse("ACTED", cite.MovementRunning, "%s has done something else this round", c.Name)
	case fullMove(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementRunning, "%s cannot move", c.Name)
	}
	return nil
}

func doRetreat(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	feet, to, err := way(c, take, fullMove(s, c), cite.MovementRunning)
	if err != nil {
		return err
	}
	left := engagedWith(s, c)
	passed, err := passers(s, c, take)
	if err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementRetreatContest)
	r.Mark(c.Id, mFleeing, "yes", cite.MovementRetreatShieldLost)
	r.Mark(c.Id, mRan, itoa(s.Round), cite.MovementRunning)
	stirs(r, c.Id)
	shots(r, c.Id, contest(r, c.Id, heldBack(s, c)), passed)
	if falls(r, c.Id) {
		r.Mark(c.Id, mFleeing, "", cite.MovementRetreatFasterPursuer)
		return nil
	}
	if to != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "retreat", Feet: feet}, cite.MovementRetreatContest)
	} else {
		part(r, c.Id)
	}
	r.Set(c.Id, cMoved, int64(feet), "retreat", cite.MovementRetreatContest)
	gap, stated := spoken.Number(take.GetFacts(), "gap")
	switch {
	case stated:
	case to == nil && feet > 0:
		gap = feet
	default:
		gap = -1
	}
	pursuit(r, c.Id, left, gap)
	return nil
}

// passers lists the foes near the way who are in melee with nobody: those
// stated, or those within 10 feet of the way.
//
// original.movement.retreat-passersby
func passers(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) ([]string, error) {
	named, stated := spoken.Words(take.GetFacts(), "passes")
	for i, id := range named {
		if t := s.Creatures[id]; t == nil || t.Side == c.Side || slices.Contains(named[:i], id) {
			return nil, fault.Field("take.facts.passes["+itoa(i)+"]", "%q is no foe or named twice", id)
		}
	}
	var ids []string
	for _, id := range foes(s, c) {
		t := s.Creatures[id]
		near := slices.Contains(named, id) ||
			!stated && t.Position != nil && c.Position != nil && comesNear(c.Position, take.Path, t.Position) && !apart(c, t)
		if near && idle(s, t) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// shot is a foe's parting shot with the total it won the contest by.
type shot struct {
	foe   string
	total int32
}

// contest rolls the d6 and DEX of one who leaves and of each foe left, and
// returns those who won, highest first.
//
// original.movement.retreat-contest
func contest(r *rules.Resolution, id string, left []string) []shot {
	var ready []string
	for _, foe := range left {
		if c := r.Creature(foe); able(r.State(), c) && barred(r.State(), c) == nil {
			ready = append(ready, foe)
		}
	}
	if len(ready) == 0 {
		return nil
	}
	roll := func(who string, target *eventv1.TargetNumber) rules.Rolled {
		return r.Roll(rules.RollSpec{Label: "contest/" + who, Creature: who, Expression: "1d6", Reason: "breaking away",
			Modifiers: []*eventv1.Modifier{mod(dexBonus(r.Creature(who)), "DEX", cite.MovementRetreatContest)},
			Target:    target, Rules: []string{cite.MovementRetreatContest}})
	}
	mine := roll(id, nil).Total
	var won []shot
	for _, foe := range ready {
		// A tie lets the mover go: the foe needs one more.
		if total := roll(foe, &eventv1.TargetNumber{Kind: "contest", Value: mine + 1}).Total; total > mine {
			won = append(won, shot{foe, total})
		}
	}
	slices.SortStableFunc(won, func(a, b shot) int { return int(b.total - a.total) })
	return won
}

// shots makes the free attacks: those of equal totals together, then those of
// the foes passed.
//
// original.movement.retreat-parting-shot, original.movement.retreat-passersby
func shots(r *rules.Resolution, id string, won []shot, passed []string) {
	for i := 0; i < len(won); {
		j := i
		for j < len(won) && won[j].total == won[i].total {
			j++
		}
		var together []string
		for _, w := range won[i:j] {
			together = append(together, w.foe)
		}
		freeAttacks(r, id, together, cite.MovementRetreatPartingShot)
		i = j
	}
	freeAttacks(r, id, passed, cite.MovementRetreatPassersby)
}

func freeAttacks(r *rules.Resolution, id string, by []string, rule string) {
	var wounds []*wound
	for _, foe := range by {
		s := r.State()
		if !able(s, r.Creature(foe)) || out(r.Creature(id)) {
			continue
		}
		w := inHand(r.Creature(foe))
		if has(r.Creature(foe), condStruggling) && !natural(w) {
			w = emptyHand // original.grapple.tie-struggling
		}
		b := newBlow(s, r.Creature(foe), r.Creature(id), w, atHand())
		b.label, b.parting = "parting/"+foe, true
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: foe, Action: "parting-shot", Targets: []string{id}, Item: b.weapon.Name}, rule)
		wounds = append(wounds, strike(r, b))
	}
	for _, w := range wounds {
		lay(r, w)
	}
}

// throughRefused says why a creature may not move through the line at a foe.
//
// original.movement.through-line
func throughRefused(s *eventv1.State, c, foe *eventv1.Creature) error {
	switch {
	case halfLeft(s, c) == 0:
		return refuse("NO_MOVEMENT", cite.MovementThroughLine, "%s has no movement left", c.Name)
	case foe == nil || foe.Side == c.Side || dead(foe):
		return refuse("NO_FOE", cite.MovementThroughLine, "a line is of living foes")
	}
	return nil
}

func throughOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := targeted("", foes(s, c), func(id string) error { return throughRefused(s, c, s.Creatures[id]) })
	o.MaximumTargets = max(1, int32(len(o.Targets)))
	o.Parameters = []*eventv1.Parameter{{Name: "path", Type: "path", Text: "The way"}, {Name: "feet", Type: "number", Text: "How far"}}
	return []*eventv1.Option{o}
}

// doThrough moves a creature between the foes named, who get the contest of a
// retreat with it unless they fight somebody else.
func doThrough(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	s := r.State()
	if len(take.Targets) == 0 {
		return fault.Field("take.targets", "the foes of the line, at least one")
	}
	for i, id := range take.Targets {
		if err := throughRefused(s, c, s.Creatures[id]); err != nil {
			return err
		}
		if slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is named twice", id)
		}
	}
	if v, stated := take.GetFacts().GetFields()["room"]; stated && !v.GetBoolValue() {
		return refuse("NO_ROOM", cite.MovementThroughLine, "there is no room between the foes")
	}
	feet, to, err := way(c, take, halfLeft(s, c), cite.MovementThroughLine)
	if err != nil {
		return err
	}
	var free []string
	for _, id := range take.Targets {
		if !slices.ContainsFunc(engagedWith(s, s.Creatures[id]), func(other string) bool { return other != c.Id }) {
			free = append(free, id)
		}
	}
	// Foes left behind by the same move are broken away from as well.
	for _, id := range heldBack(s, c) {
		t := s.Creatures[id]
		stays := to != nil && t.Position != nil && feetBetween(to, t.Position) <= meleeFeet
		if !stays && !slices.Contains(free, id) {
			free = append(free, id)
		}
	}
	// And so are those near the way whom nobody named.
	for _, id := range leftBehind(s, c, take.Path) {
		if !slices.Contains(free, id) {
			free = append(free, id)
		}
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.MovementThroughLine)
	stirs(r, c.Id)
	shots(r, c.Id, contest(r, c.Id, free), nil)
	if falls(r, c.Id) {
		r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(feet), "through the line", cite.MovementThroughLine)
		return nil
	}
	if to != nil {
		r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: "walk", Feet: feet}, cite.MovementThroughLine)
	} else {
		part(r, c.Id)
	}
	r.Set(c.Id, cMoved, r.Count(c.Id, cMoved)+int64(feet), "through the line", cite.MovementThroughLine)
	return nil
}

// turnRefused says why a creature may not turn on its pursuers.
//
// original.movement.retreat-faster-pursuer
func turnRefused(c *eventv1.Creature) error {
	if c.Marks[mFleeing] == "" {
		return refuse("NOT_FLEEING", cite.MovementRetreatFasterPursuer, "%s does not flee", c.Name)
	}
	return nil
}

func doTurn(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := turnRefused(c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.MovementRetreatFasterPursuer)
	r.Mark(c.Id, mFleeing, "", cite.MovementRetreatFasterPursuer)
	return nil
}
