package flight

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// halfSpeed is half of the fly speed in feet: what a turn in the air takes, and what
// hovering costs. A Dash does not raise it.
//
// rcr.flight.minimum-move
func halfSpeed(s *eventv1.State, id string) int32 { return body.SpeedIn(s, id, "fly") / 2 }

// hover pays for a hover and makes its check; who fails begins to fall. Flight by
// magic needs no check.
//
// rcr.flight.hover-check, rcr.flight.magic-worn-auto-hover, rcr.flight.magic-held-as-worn,
// rcr.flight.magic-spell
func hover(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	c := r.Creature(id)
	pay(r, id, 2*halfSpeed(r.State(), id), "hover", cite.FlightHoverCheck)
	switch by := body.FlightBy(c); by {
	case "":
		if !flightCheck(r, id, "hover", "athletics", 15, cite.FlightHoverCheck, take) {
			BeginFall(r, id, "it fails to hover", cite.FlightHoverCheck)
			return
		}
	case body.LiftWorn:
		say(r, id, " hovers without a check", cite.FlightMagicWornAutoHover)
	case body.LiftHeld:
		say(r, id, " hovers without a check", cite.FlightMagicHeldAsWorn)
	default:
		say(r, id, " hovers without a check", cite.FlightMagicSpell)
	}
	setAir(r, id, body.AirHovering, "it hovers", cite.FlightHoverCheck)
	r.Flag(id, body.MHovered, true, cite.FlightHoverCheck)
}

// flightCheck makes a check of flight against a difficulty that weather and load
// raise, with what a command states; take may be nil.
func flightCheck(r *rules.Resolution, id, what, skill string, dc int32, rule string, take *eventv1.TakeAction) bool {
	c := r.Creature(id)
	rise, why := Rise(r.State(), c, WeatherOf(r.State(), take.GetFacts()))
	edges, mods := body.StatedEdges(take.GetCircumstances(), "")
	return dice.RollCheck(r, what+"/"+id, c, skill, dc+rise, "movement", body.CheckOpts{Edges: edges, Modifiers: mods,
		Kinds: body.Renamed(take.GetFacts(), "kinds"), Reason: what, Rules: cited(rule, why)}).Success()
}

// Shaken lets a hovering creature that has taken damage save to stay in the air; one
// on something that it stands or sits on must in any case. What it must reach tells
// the damage, so that its owner alone sees the roll.
//
// rcr.flight.hover-damage-save, rcr.flight.arrest-is-hovering, rcr.flight.magic-held-damage,
// rcr.flight.magic-worn-auto-hover, rcr.flight.magic-spell, rcr.hp.secret-totals
func Shaken(r *rules.Resolution, id string, taken int32) {
	c := r.Creature(id)
	if taken <= 0 || !body.Flies(c) || body.Dead(c) || body.Down(c) {
		return
	}
	rule, state := cite.FlightHoverDamageSave, body.AirState(c)
	switch by := body.FlightBy(c); {
	case state == body.AirArresting: // on its wings
		rule = cite.FlightArrestIsHovering
	case by == body.LiftHeld:
		rule = cite.FlightMagicHeldDamage
	case by != "" || state != body.AirHovering:
		return
	}
	rise, why := Rise(r.State(), c, WeatherOf(r.State(), nil))
	saved := dice.RollSave(r, "stay-aloft/"+id, c, "constitution", max(10, taken/2)+rise, "", nil,
		body.SaveOpts{Audience: event.Controllers(id), Reason: "stay in the air", Rules: cited(cite.FlightHoverDamageSave, rule, why)})
	if !saved.Success() {
		BeginFall(r, id, "the blow", rule)
	}
}
