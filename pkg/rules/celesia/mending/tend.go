package mending

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

// DeedConstitution is damage to the Constitution score.
const DeedConstitution = "constitution-damage"

// Deeds between fights.
const (
	DeedHarm     = "harm"
	DeedRest     = "rest"
	DeedPassTime = "pass-time"
)

// ViaMagic is how healing comes that is magic.
const ViaMagic = "magic"

// NightHours is the length of a full night's rest in hours (a reading).
const NightHours = 8

// Rest heals nonlethal damage by character level for each hour and, in a full
// night that is completed, burn with what is left.
//
// celesia.healing.nonlethal-hourly, celesia.rest.burn-full-night-only, celesia.rest.nonlethal-before-burn
func Rest(r *rules.Resolution, id string, hours int32, resting bool) {
	c := r.Creature(id)
	if body.Dead(c) {
		return
	}
	r.PassHours(id, int64(hours), cite.HealingNonlethalHourly)
	points := int64(body.SheetOf(c).Level) * int64(hours)
	off := min(points, r.Count(id, body.CNonlethal))
	r.Set(id, body.CNonlethal, r.Count(id, body.CNonlethal)-off, "hours of rest", cite.HealingNonlethalHourly)
	if resting && hours >= NightHours {
		r.Set(id, body.CBurn, max(0, r.Count(id, body.CBurn)-(points-off)), "a full night's rest", cite.RestBurnFullNightOnly)
	}
	for _, x := range r.Creature(id).Conditions {
		if minutes := x.Values["minutes"]; minutes > 0 && minutes <= 60*hours {
			r.RemoveCondition(id, x, "its time is over", x.Rule)
		}
	}
	SettleBody(r, id, false)
	if !body.Down(r.Creature(id)) { // who has hours gets up
		body.Lift(r, id, body.CondProne, "hours of rest", cite.HealingNonlethalHourly)
	}
}
