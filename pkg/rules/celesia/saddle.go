package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// saddleMilitary is the saddle that keeps an unconscious rider best.
const saddleMilitary = "military"

// saddle settles what harm to a rider or its mount means for the other: a mount
// that falls, a rider who drops.
//
// celesia.mount.mount-falls, celesia.mount.rider-dropped, celesia.mount.leaderless-avoids
func saddle(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil {
		return
	}
	rider, mount := riderOf(c), mountOf(c)
	switch {
	case rider != "" && (dead(c) || down(c) || has(c, condProne)):
		mountFalls(r, rider)
	case mount != "" && dead(c):
		unseat(r, id, "dead", cite.MountRiderDropped)
		leave(r, mount)
	case mount != "" && (down(c) || has(c, condUnconscious)) && !has(r.Creature(mount), condLeaderless):
		riderDrops(r, id, mount)
	default:
		guideAgain(r, id)
	}
}

// mountFalls is the Ride check of a rider whose mount falls.
//
// celesia.mount.mount-falls
func mountFalls(r *rules.Resolution, rider string) {
	c := r.Creature(rider)
	unseat(r, rider, "the mount falls", cite.MountMountFalls)
	if dead(c) || rollSkillCheck(r, "soft-fall/"+rider, c, rollKind{name: "ride"}, 15, "fall softly", nil, nil, cite.MountMountFalls).Success() {
		return
	}
	tumble(r, rider, cite.MountMountFalls)
}

// tumble is the damage of a fall from a mount.
func tumble(r *rules.Resolution, id, rule string) {
	rolled := r.Roll(rules.RollSpec{Label: "fall/" + id, Creature: id, Expression: "1d6", Reason: "fall from the mount", Rules: []string{rule}})
	deed(r, "fall/"+id, &eventv1.Harm{Deed: deedDamage, Target: id, Cause: "fall", Parts: []*eventv1.DamagePart{{Type: "bludgeoning", Rolled: rolled.Total}}})
}

// riderDrops rolls whether an unconscious rider stays in the saddle: 50 in 100,
// 75 in a military one.
//
// celesia.mount.rider-dropped
func riderDrops(r *rules.Resolution, id, mount string) {
	stays := int32(50)
	if sheetOf(r.Creature(mount)).Saddle == saddleMilitary {
		stays = 75
	}
	rolled := r.Roll(rules.RollSpec{Label: "saddle/" + id, Creature: id, Expression: "1d100", Reason: "stay in the saddle, up to " + itoa(stays),
		Rules: []string{cite.MountRiderDropped}})
	leave(r, mount)
	if rolled.Total <= stays {
		return
	}
	unseat(r, id, "fell off", cite.MountRiderDropped)
	tumble(r, id, cite.MountRiderDropped)
}

// leave has a mount without guidance keep out of the fight.
//
// celesia.mount.leaderless-avoids
func leave(r *rules.Resolution, mount string) {
	m := r.Creature(mount)
	if m == nil || dead(m) || has(m, condLeaderless) {
		return
	}
	r.AddCondition(mount, &eventv1.Condition{Name: condLeaderless, Cause: "nobody guides it", Rule: cite.MountLeaderlessAvoids})
	r.Note(event.Everyone(), mount, m.Name+" keeps out of the fight", cite.MountLeaderlessAvoids)
}

// guideAgain lets a rider who is able again guide its mount.
//
// celesia.mount.leaderless-avoids
func guideAgain(r *rules.Resolution, rider string) {
	c := r.Creature(rider)
	if m := mountOf(c); m != "" && able(c) && r.Creature(m) != nil {
		lift(r, m, condLeaderless, "its rider guides it", cite.MountLeaderlessAvoids)
	}
}

// refuseLeaderless: a mount whose rider no longer guides it attacks nobody.
//
// celesia.mount.leaderless-avoids
func refuseLeaderless(c *eventv1.Creature) error {
	if has(c, condLeaderless) {
		return refuse("LEADERLESS", cite.MountLeaderlessAvoids, "%s keeps out of the fight", c.Name)
	}
	return nil
}

// mountedRoll is what riding does to an attack roll: higher ground against a
// smaller foe on foot, and what shooting from a mount at speed costs.
//
// celesia.mount.higher-ground, celesia.mount.ranged-double-move, celesia.mount.ranged-running, celesia.mount.no-melee-penalty
func mountedRoll(s *eventv1.State, c, t *eventv1.Creature, w *eventv1.CelesiaWeapon) []*eventv1.Modifier {
	m := s.Creatures[mountOf(c)]
	switch {
	case m == nil:
		return nil
	case !ranged(w) && mountOf(t) == "" && sizeOf(t) < sizeOf(m):
		return []*eventv1.Modifier{mod(1, "higher ground", cite.MountHigherGround)}
	case ranged(w) && c.Marks[mGait] == gaitRun:
		return []*eventv1.Modifier{mod(-8, "the mount runs", cite.MountRangedRunning)}
	case ranged(w) && c.Marks[mGait] == gaitDouble:
		return []*eventv1.Modifier{mod(-4, "the mount makes a double move", cite.MountRangedDoubleMove)}
	}
	return nil
}

// refuseBetween: a rider shoots only when its mount has finished an increment of
// its speed.
//
// celesia.mount.ranged-at-increments
func refuseBetween(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	m := s.Creatures[mountOf(c)]
	if m == nil || !ranged(w) || c.Counters[cRideLeft] == 0 {
		return nil
	}
	if feet := speed(m, "walk"); feet < 1 || c.Counters[cRode]%int64(feet) != 0 {
		return refuse("BETWEEN", cite.MountRangedAtIncrements, "%s has not finished an increment of its speed", m.Name)
	}
	return nil
}

// decRideOn is whether the mount moves on after a spell.
const decRideOn = "ride-on"

// paramMoving has a spell cast as if on the move: with the check that this takes,
// the mount may go on as far as it can.
const paramMoving = "moving"

// saddleParameters are the choices of one who casts from the saddle.
//
// celesia.mount.cast-while-moving
func saddleParameters(c *eventv1.Creature) []*eventv1.Parameter {
	if mountOf(c) == "" {
		return nil
	}
	return []*eventv1.Parameter{{Name: paramMoving, Type: "boolean", Text: "the mount moves on, or farther than its speed after: a concentration check, failed the spell is lost"}}
}

// refuseRideOn: a spell cast without a check binds how far the mount goes, in feet,
// in the turn.
//
// celesia.mount.cast-before-or-after
func refuseRideOn(c, m *eventv1.Creature, feet int32, mode string) error {
	if c.Marks[mRodeCast] == castFirst && int32(c.Counters[cRode])+feet > speed(m, mode) {
		return refuse("CAST", cite.MountCastBeforeOrAfter, "%s has cast as if its mount went no farther than its speed", c.Name)
	}
	return nil
}

// refuseRidingCast: from a running mount only up to twice its speed.
//
// celesia.mount.cast-while-running
func refuseRidingCast(s *eventv1.State, c *eventv1.Creature) error {
	m := s.Creatures[mountOf(c)]
	if m != nil && c.Marks[mGait] == gaitRun && c.Counters[cRode] > 2*int64(speed(m, "walk")) {
		return refuse("TOO_FAST", cite.MountCastWhileRunning, "%s has run farther than twice its speed", m.Name)
	}
	return nil
}

// What mRodeCast says of a spell for which no check was made: the mount moves no
// more this turn, or at most its speed.
const (
	castThen  = "yes"
	castFirst = "first"
)

// keptInSaddle tells whether a spell is kept that is cast from the saddle.
//
// celesia.mount.cast-while-moving
func keptInSaddle(r *rules.Resolution, id string, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction) bool {
	kept := steadyInSaddle(r, r.Creature(id), sp, take)
	if !kept {
		r.Note(event.Everyone(), id, "the spell is lost", cite.MountCastWhileMoving)
	}
	return kept
}

// steadyInSaddle makes the concentration check of a rider who casts on the move,
// if one is due, and tells whether the spell is kept.
//
// celesia.mount.cast-before-or-after, celesia.mount.cast-while-moving, celesia.mount.cast-while-running
func steadyInSaddle(r *rules.Resolution, c *eventv1.Creature, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction) bool {
	m := r.Creature(mountOf(c))
	if m == nil || sp.GetSupernatural() || !slices.Contains(r.State().Active, c.Id) {
		return true
	}
	running, on := c.Marks[mGait] == gaitRun, spoken.Truth(take.GetParameters(), paramMoving)
	switch {
	case c.Counters[cRode] == 0 && !on:
		r.Mark(c.Id, mRodeCast, castFirst, cite.MountCastBeforeOrAfter)
		return true
	case !running && !on && c.Counters[cRode] <= int64(speed(m, "walk")) && (c.Counters[cRideLeft] > 0 || m.Counters[cActs] > 0 && able(m)):
		on = r.Ask("ride-on", rules.YesNo(decRideOn, c.Id, "a spell from the saddle", "Does the mount move on after the spell?", "no", cite.MountCastWhileMoving)).Option == "yes"
		if !on {
			r.Set(c.Id, cRideLeft, 0, "the mount stands", cite.MountCastBeforeOrAfter)
		}
	}
	dc, rule := 10+sp.GetLevel(), cite.MountCastWhileMoving
	switch {
	case running:
		dc, rule = 15+sp.GetLevel(), cite.MountCastWhileRunning
	case !on && c.Counters[cRode] <= int64(speed(m, "walk")):
		r.Mark(c.Id, mRodeCast, castThen, cite.MountCastBeforeOrAfter)
		return true
	}
	edges, mods := stated(take.GetCircumstances(), c.Id)
	edges = append(edgesOf(c, nil, rollKind{roll: rollConcentration}), edges...)
	return d20{label: "concentration", creature: c.Id, reason: "casting on the move", edges: edges,
		modifiers: append(nonzero(mod(sheetOf(c).Concentration, "concentration", "")), mods...),
		target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, judge: against(dc), rules: []string{rule}}.roll(r).Success()
}
