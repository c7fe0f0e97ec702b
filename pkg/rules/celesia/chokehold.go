package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// condChoked is on whoever is held in a chokehold: its variant is what is cut
	// off, air or blood.
	condChoked = "choked"
	// condSuffocating is on whoever suffocates already; what that does is the
	// game master's.
	condSuffocating = "suffocating"
)

// What a chokehold cuts off.
const (
	chokeAir   = "air"
	chokeBlood = "blood"
)

// cBreath counts the turns begun without breath.
const cBreath = "breathless-turns"

// featGreaterGrapple lets a chokehold cut off the blood.
const featGreaterGrapple = "greater-grapple"

// immuneBreath is the immunity of whoever does not breathe.
const immuneBreath = "suffocation"

// chokeOptions are the chokeholds that a holder may try while pinning or keeping
// up a pin.
//
// celesia.maneuver.chokehold-apply, celesia.maneuver.chokehold-greater-grapple
func chokeOptions(c, foe *eventv1.Creature) []*eventv1.DecisionOption {
	if has(foe, condChoked) {
		return nil
	}
	text := "Pin the foe and choke it"
	if has(foe, condPinned) {
		text = "Choke the foe"
	}
	out := []*eventv1.DecisionOption{{Id: "choke:" + chokeAir, Text: text, Rule: cite.ManeuverChokeholdApply}}
	if feature(c, featGreaterGrapple) {
		out = append(out, &eventv1.DecisionOption{Id: "choke:" + chokeBlood, Text: text + ", cutting off the blood", Rule: cite.ManeuverChokeholdGreaterGrapple})
	}
	return out
}

// choke tries a chokehold with a check of its own, without the bonus of keeping
// up; a failure leaves the pin as it is.
//
// celesia.maneuver.chokehold-apply, celesia.maneuver.chokehold-immunity
func choke(r *rules.Resolution, c, foe *eventv1.Creature, way string, take *eventv1.TakeAction) {
	if !rollManeuverCheck(r, "chokehold", "grapple", c, foe, maneuverDefense(foe, false), take, cite.ManeuverChokeholdApply).Success() {
		return
	}
	if immune(foe, immuneBreath) || immune(foe, immuneBleed) || immune(foe, immuneCritical) {
		r.Note(event.Everyone(), foe.Id, "the chokehold has no effect", cite.ManeuverChokeholdImmunity)
		return
	}
	r.AddCondition(foe.Id, &eventv1.Condition{Name: condChoked, Variant: way, Source: c.Id, Cause: "chokehold", Rule: cite.ManeuverChokeholdEffects})
	if way == chokeBlood {
		r.AddCondition(foe.Id, &eventv1.Condition{Name: condSuffocating, Source: c.Id, Cause: "chokehold", Rule: cite.ManeuverChokeholdGreaterGrapple})
	}
}

// holdBreath counts the turns that a choked creature begins without air. With
// its blood cut off that helps it nothing.
//
// celesia.maneuver.chokehold-effects, celesia.maneuver.chokehold-greater-grapple
func holdBreath(r *rules.Resolution, id string) {
	x := condition(r.Creature(id), condChoked)
	if x == nil {
		return
	}
	r.Set(id, cBreath, r.Count(id, cBreath)+1, "choked", cite.ManeuverChokeholdEffects)
	if x.Variant != chokeBlood {
		r.Note(event.Everyone(), id, r.Creature(id).Name+" holds its breath: turn "+itoa(r.Count(id, cBreath)), cite.ManeuverChokeholdEffects)
	}
}

// unchoke ends the chokehold of a hold that has ended, or of a pin that was given
// up (a reading: only the pinned are choked).
//
// celesia.maneuver.chokehold-maintain-end
func unchoke(r *rules.Resolution, id, holder string) {
	for _, x := range slices.Clone(r.Creature(id).GetConditions()) {
		if (x.Name == condChoked || x.Name == condSuffocating) && x.Source == holder {
			r.RemoveCondition(id, x, "the hold has ended", cite.ManeuverChokeholdMaintainEnd)
			r.Set(id, cBreath, 0, "breathing again", cite.ManeuverChokeholdMaintainEnd)
		}
	}
}

// speechActions are words, which may be spoken in anybody's turn.
func speechActions() []*action {
	return []*action{{id: "speak", title: "Speak", rule: cite.ActionSpeak, anytime: true, refuse: refuseSpeak, check: checkSpeak,
		parameters: func(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
			return []*eventv1.Parameter{{Name: "words", Type: "string", Text: "what is said: a few words"}}
		}, do: doSpeak}}
}

func checkSpeak(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(spoken.Word(take.GetParameters(), "words")) > maxWords {
		return fault.Field("take.parameters.words", "must be at most %d bytes", maxWords)
	}
	return nil
}

// refuseSpeak: whoever is choked or unconscious cannot.
//
// celesia.action.speak, celesia.maneuver.chokehold-effects
func refuseSpeak(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case has(c, condChoked):
		return refuse("CHOKED", cite.ManeuverChokeholdEffects, "%s is choked and cannot speak", c.Name)
	case down(c) || has(c, condUnconscious) || has(c, condParalyzed):
		return refuse("UNABLE", cite.ActionSpeak, "%s cannot speak", c.Name)
	}
	return nil
}

// maxWords is the length of what is said in one go, in bytes.
const maxWords = 200

// doSpeak tells the words, which cost nothing; how many are too many is the game
// master's word.
//
// celesia.action.speak, celesia.action.free-gm-limit
func doSpeak(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if words := spoken.Word(take.GetParameters(), "words"); words != "" {
		r.Note(event.Everyone(), c.Id, c.Name+" says: "+words, cite.ActionSpeak)
	}
	return nil
}
