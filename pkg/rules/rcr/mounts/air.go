package mounts

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hurtInTheAir makes the save of one who rides a flying mount without a saddle and is
// hurt; with a saddle nothing shakes it off.
//
// rcr.mount.flight-bareback-damage, rcr.mount.flight-saddle-damage
func hurtInTheAir(r *rules.Resolution, id string, taken int32) {
	m := body.MountOf(r.State(), r.Creature(id))
	if taken <= 0 || !body.Aloft(m) || body.SaddleOn(m) != "" {
		return
	}
	const rule = cite.MountFlightBarebackDamage
	saved := dice.RollSave(r, "stay-mounted/"+id, r.Creature(id), "constitution", max(10, taken/2)+body.AirDC(r.State(), m), "stay-mounted", nil,
		body.SaveOpts{Reason: "stay on the flying mount", Rules: []string{rule}}).Success()
	if !saved {
		fallOff(r, id, "hurt on a flying mount", rule)
	}
}

// shakenInTheAir settles a flying mount's being moved against its will: without a
// saddle whoever rides it is off, with one a check of Athletics holds.
//
// rcr.mount.flight-bareback-tumble, rcr.mount.flight-saddle-forced-move,
// rcr.mount.flight-military-advantage
func shakenInTheAir(r *rules.Resolution, id string, m *eventv1.Creature, cause string) {
	saddle := body.SaddleOn(m)
	if saddle == "" {
		fallOff(r, id, cause, cite.MountFlightBarebackTumble)
		return
	}
	const rule = cite.MountFlightSaddleForcedMove
	o := body.CheckOpts{Reason: "keep the seat", Rules: []string{rule}}
	if saddle == body.SaddleMilitary {
		o.Edges = append(o.Edges, dice.Adv("saddle", "a military saddle", cite.MountFlightMilitaryAdvantage))
	}
	if !dice.RollCheck(r, "keep-seat/"+id, r.Creature(id), "athletics", stayDC+body.AirDC(r.State(), m), "movement", o).Success() {
		fallOff(r, id, cause, rule)
	}
}

// BeginsToFall answers that a flying mount begins to fall: without a saddle those on
// it come off.
//
// rcr.mount.flight-bareback-tumble
func BeginsToFall(r *rules.Resolution, id, cause string, _ int32) bool {
	m := r.Creature(id)
	for _, rider := range body.RidersOf(r.State(), id) {
		if body.SaddleOn(m) == "" {
			fallOff(r, rider, cause, cite.MountFlightBarebackTumble)
		}
	}
	return false
}
