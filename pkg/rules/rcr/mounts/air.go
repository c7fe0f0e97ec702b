package mounts

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// raised is by how much the weather, and the load of the one who rolls, raise the
// difficulty of a roll about a seat in the air, and the rules behind that roll.
//
// rcr.flight.dc-plus-two, rcr.flight.dc-plus-four
func raised(r *rules.Resolution, id, rule string) (rise int32, behind []string) {
	rise, why := body.AirDC(r.State(), r.Creature(id))
	if why == "" {
		return rise, []string{rule}
	}
	return rise, []string{rule, why}
}

// hurtInTheAir makes the save of one who rides a flying mount without a saddle and is
// hurt; with a saddle nothing shakes it off.
//
// rcr.mount.flight-bareback-damage, rcr.mount.flight-saddle-damage
func hurtInTheAir(r *rules.Resolution, id string, taken int32) {
	m := body.MountOf(r.State(), r.Creature(id))
	if taken <= 0 || !body.Airborne(m) || body.SaddleOn(m) != "" {
		return
	}
	const rule = cite.MountFlightBarebackDamage
	rise, behind := raised(r, id, rule)
	saved := dice.RollSave(r, "stay-mounted/"+id, r.Creature(id), "constitution", max(10, taken/2)+rise, "stay-mounted", nil,
		body.SaveOpts{Reason: "stay on the flying mount", Rules: behind}).Success()
	if !saved {
		fallOff(r, id, "hurt on a flying mount", rule)
	}
}

// heldInTheAir says what holds those on a flying mount that is moved against its will,
// and by which rule: without a saddle nothing does, with one a check of Athletics.
//
// rcr.mount.flight-bareback-tumble, rcr.mount.flight-saddle-forced-move,
// rcr.mount.flight-military-advantage
func heldInTheAir(r *rules.Resolution, m *eventv1.Creature) (rule string, holds func(rider string) bool) {
	saddle := body.SaddleOn(m)
	if saddle == "" {
		return cite.MountFlightBarebackTumble, unheld
	}
	rule = cite.MountFlightSaddleForcedMove
	return rule, func(id string) bool {
		rise, behind := raised(r, id, rule)
		o := body.CheckOpts{Reason: "keep the seat", Rules: behind}
		if saddle == body.SaddleMilitary {
			o.Edges = append(o.Edges, dice.Adv("saddle", "a military saddle", cite.MountFlightMilitaryAdvantage))
		}
		return dice.RollCheck(r, "keep-seat/"+id, r.Creature(id), "athletics", stayDC+rise, "movement", o).Success()
	}
}

// BeginsToFall answers that a flying mount begins to fall: without a saddle those on
// it come off.
//
// rcr.mount.flight-bareback-tumble
func BeginsToFall(r *rules.Resolution, id, cause string, _ int32) bool {
	if body.SaddleOn(r.Creature(id)) == "" {
		unseat(r, body.RidersOf(r.State(), id), unheld, func(rider string) { fallOff(r, rider, cause, cite.MountFlightBarebackTumble) })
	}
	return false
}

// plummets tells whether a creature falls with nothing to slow it.
func plummets(c *eventv1.Creature) bool { return body.AirState(c) == body.AirFalling }

// seize makes the check of a falling rider to be on a mount again.
//
// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling
func seize(r *rules.Resolution, id, mount string, o body.CheckOpts, take *eventv1.TakeAction) bool {
	m, rule := r.Creature(mount), cite.MountFlightCatch
	if plummets(m) {
		rule = cite.MountFlightCatchBothFalling
	}
	rise, behind := raised(r, id, rule)
	o.Reason, o.Rules = "seize "+m.Name, behind
	if !dice.RollCheck(r, "seize/"+id, r.Creature(id), "athletics", stayDC+rise, "movement", o).Success() {
		r.Flag(id, body.MSeized, true, rule)
		return false
	}
	r.Unrelate(id, body.RelLost, mount, "on its mount again", rule)
	body.EndFlight(r, id, "caught by "+m.Name, rule)
	variant, _ := partOn(r.State(), m, take)
	sit(r, id, mount, variant, nil, rule)
	return true
}

// DecCatch asks whether a falling rider and its mount try to come together again.
const DecCatch = "seize-mount"

// Catch answers that one who falls is about to arrest its fall or come down: a rider
// may try to seize the mount that it fell off, which flies to it if it can, or falls
// beside it; in that case before the mount spreads its wings. One try for each fall of
// a round (a reading).
//
// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling
func Catch(r *rules.Resolution, id, _ string, _ int32) bool {
	for _, rider := range r.CreatureIDs() {
		if lost := rules.RelationTo(r.Creature(rider), body.RelLost, id); lost != nil && plummets(r.Creature(rider)) {
			tryCatch(r, rider, lost)
		}
	}
	for _, mount := range rules.RelatedTo(r.Creature(id), body.RelLost) {
		if tryCatch(r, id, rules.RelationTo(r.Creature(id), body.RelLost, mount)) {
			return true
		}
	}
	return false
}

func tryCatch(r *rules.Resolution, id string, lost *eventv1.Relation) bool {
	m := r.Creature(lost.To)
	switch {
	case body.Dead(m) || !body.Airborne(m) || body.Incapacitated(r.Creature(id)) || lost.Round == r.State().Round:
		return false
	case !plummets(m) && (body.SaddleOn(m) == "" || body.Incapacitated(m)):
		return false
	}
	asked, question, rule, usual := id, "Seize "+m.Name+", which falls too?", cite.MountFlightCatchBothFalling, "yes"
	if !plummets(m) {
		asked, question, rule, usual = m.Id, "Can "+m.Name+" reach its rider in the fall, and does it?", cite.MountFlightCatch, "no"
	}
	r.Relate(id, &eventv1.Relation{Kind: body.RelLost, To: m.Id, Round: r.State().Round, Rule: rule}, rule)
	if r.Ask("catch/"+id, rules.YesNo(DecCatch, asked, "a fall", question, usual, rule)).Option != "yes" {
		return false
	}
	return seize(r, id, m.Id, body.CheckOpts{}, nil)
}
