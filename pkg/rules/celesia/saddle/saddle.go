package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// saddle settles what harm to a rider or its mount means for the other: a mount
// that falls, a rider who drops.
//
// celesia.mount.mount-falls, celesia.mount.rider-dropped, celesia.mount.leaderless-avoids
func saddle(r *rules.Resolution, id string) {
	c := r.Creature(id)
	if c == nil {
		return
	}
	rider, mount := body.RiderOf(c), body.MountOf(c)
	switch {
	case rider != "" && (body.Dead(c) || body.Down(c) || body.Has(c, body.CondProne)):
		mountFalls(r, rider)
	case mount != "" && body.Dead(c):
		answers.Unseat(r, id, "dead", cite.MountRiderDropped)
		leave(r, mount)
	case mount != "" && body.Has(c, body.CondUnconscious) && !body.Has(r.Creature(mount), manners.CondLeaderless):
		riderDrops(r, id, mount)
	default:
		GuideAgain(r, id)
	}
}

// mountFalls is the Ride check of a rider whose mount falls.
//
// celesia.mount.mount-falls
func mountFalls(r *rules.Resolution, rider string) {
	c := r.Creature(rider)
	answers.Unseat(r, rider, "the mount falls", cite.MountMountFalls)
	if strike.RollSkillCheck(r, "soft-fall/"+rider, c, body.RollKind{Name: "ride"}, 15, "fall softly", nil, nil, cite.MountMountFalls).Success() {
		return
	}
	tumble(r, rider, cite.MountMountFalls)
}

// tumble is the damage of a fall from a mount.
func tumble(r *rules.Resolution, id, rule string) {
	rolled := r.Roll(rules.RollSpec{Label: "fall/" + id, Creature: id, Expression: "1d6", Reason: "fall from the mount", Rules: []string{rule}})
	Deed(r, "fall/"+id, &eventv1.Harm{Deed: body.DeedDamage, Target: id, Cause: "fall", Parts: []*eventv1.DamagePart{{Type: "bludgeoning", Rolled: rolled.Total}}})
}

// riderDrops rolls whether an unconscious rider stays in the saddle: 50 in 100,
// 75 in a military one.
//
// celesia.mount.rider-dropped
func riderDrops(r *rules.Resolution, id, mount string) {
	stays := int32(50)
	if body.SheetOf(r.Creature(mount)).Saddle == body.SaddleMilitary {
		stays = 75
	}
	rolled := r.Roll(rules.RollSpec{Label: "saddle/" + id, Creature: id, Expression: "1d100", Reason: "stay in the saddle, up to " + body.Itoa(stays),
		Rules: []string{cite.MountRiderDropped}})
	leave(r, mount)
	if rolled.Total <= stays {
		return
	}
	answers.Unseat(r, id, "fell off", cite.MountRiderDropped)
	tumble(r, id, cite.MountRiderDropped)
}

// leave has a mount without guidance keep out of the fight.
//
// celesia.mount.leaderless-avoids
func leave(r *rules.Resolution, mount string) {
	m := r.Creature(mount)
	if body.Has(m, manners.CondLeaderless) {
		return
	}
	r.AddCondition(mount, &eventv1.Condition{Name: manners.CondLeaderless, Cause: "nobody guides it", Rule: cite.MountLeaderlessAvoids})
	r.Note(event.Everyone(), mount, m.Name+" keeps out of the fight", cite.MountLeaderlessAvoids)
}

// GuideAgain lets a rider who is able again guide its mount.
//
// celesia.mount.leaderless-avoids
func GuideAgain(r *rules.Resolution, rider string) {
	if c := r.Creature(rider); strike.Able(c) {
		body.Lift(r, body.MountOf(c), manners.CondLeaderless, "its rider guides it", cite.MountLeaderlessAvoids)
	}
}

// DecRideOn is whether the mount moves on after a spell.
const DecRideOn = "ride-on"

// refuseRideOn: a spell cast without a check binds how far the mount goes, in feet,
// in the turn.
//
// celesia.mount.cast-before-or-after
func refuseRideOn(c, m *eventv1.Creature, feet int32, mode string) error {
	if c.Marks[body.MRodeCast] == castFirst && int32(c.Counters[body.CRode])+feet > body.Speed(m, mode) {
		return body.Refuse("CAST", cite.MountCastBeforeOrAfter, "%s has cast as if its mount went no farther than its speed", c.Name)
	}
	return nil
}

// What mRodeCast says of a spell for which no check was made: the mount moves no
// more this turn, or at most its speed.
const (
	castThen  = "then"
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
	m := r.Creature(body.MountOf(c))
	if m == nil || sp.GetSupernatural() || !slices.Contains(r.State().Active, c.Id) {
		return true
	}
	running, on := c.Marks[body.MGait] == items.GaitRun, spoken.Truth(take.GetParameters(), answers.ParamMoving)
	switch {
	case c.Counters[body.CRode] == 0 && !on:
		r.Mark(c.Id, body.MRodeCast, castFirst, cite.MountCastBeforeOrAfter)
		return true
	case !running && !on && c.Counters[body.CRode] <= int64(body.Pace(m)) && (c.Counters[body.CRideLeft] > 0 || m.Counters[body.CActs] > 0 && strike.Able(m)):
		on = r.Ask("ride-on", rules.YesNo(DecRideOn, c.Id, "a spell from the saddle", "Does the mount move on after the spell?", "no", cite.MountCastWhileMoving)).Option == "yes"
		if !on {
			r.Set(c.Id, body.CRideLeft, 0, "the mount stands", cite.MountCastBeforeOrAfter)
		}
	}
	dc, rule := 10+sp.GetLevel(), cite.MountCastWhileMoving
	switch {
	case running:
		dc, rule = 15+sp.GetLevel(), cite.MountCastWhileRunning
	case !on && c.Counters[body.CRode] <= int64(body.Pace(m)):
		r.Mark(c.Id, body.MRodeCast, castThen, cite.MountCastBeforeOrAfter)
		return true
	}
	edges, mods := checks.Stated(take.GetCircumstances(), c.Id)
	edges = append(strike.EdgesOf(r.Content(), c, nil, body.RollKind{Roll: checks.RollConcentration}), edges...)
	return checks.D20{Label: "concentration", Creature: c.Id, Reason: "casting on the move", Edges: edges,
		Modifiers: append(body.Nonzero(body.Mod(body.SheetOf(c).Concentration, "concentration", rule)), mods...),
		Target:    &eventv1.TargetNumber{Kind: "DC", Value: dc}, Judge: checks.Against(dc), Rules: []string{rule},
		Point: house.PointCheck + body.PartConcentration}.Roll(r).Success()
}
