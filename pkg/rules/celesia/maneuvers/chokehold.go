package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	definitions "github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a chokehold cuts off.
const (
	ChokeAir   = "air"
	chokeBlood = "blood"
)

// chokeOptions are the chokeholds that a holder may try while pinning or keeping
// up a pin.
//
// celesia.maneuver.chokehold-apply, celesia.maneuver.chokehold-greater-grapple
func chokeOptions(c, foe *eventv1.Creature) []*eventv1.DecisionOption {
	if body.Has(foe, body.CondChoked) {
		return nil
	}
	text := "Pin the foe and choke it"
	if body.Has(foe, body.CondPinned) {
		text = "Choke the foe"
	}
	out := []*eventv1.DecisionOption{{Id: "choke:" + ChokeAir, Text: text, Rule: cite.ManeuverChokeholdApply}}
	if body.Feature(c, body.FeatGreaterGrapple) {
		out = append(out, &eventv1.DecisionOption{Id: "choke:" + chokeBlood, Text: text + ", cutting off the blood", Rule: cite.ManeuverChokeholdGreaterGrapple})
	}
	return out
}

// Choke tries a chokehold with a check of its own, without the bonus of keeping
// up; a failure leaves the pin as it is.
//
// celesia.maneuver.chokehold-apply, celesia.maneuver.chokehold-immunity
func Choke(r *rules.Resolution, c, foe *eventv1.Creature, way string, take *eventv1.TakeAction) {
	if !strike.RollManeuverCheck(r, "chokehold", "grapple", c, foe, checks.ManeuverDefense(foe, false), take, cite.ManeuverChokeholdApply).Success() {
		return
	}
	if body.Immune(foe, body.ImmuneBreath) || body.Immune(foe, body.ImmuneBleed) || body.Immune(foe, body.ImmuneCritical) {
		r.Note(event.Everyone(), foe.Id, "the chokehold has no effect", cite.ManeuverChokeholdImmunity)
		return
	}
	if !body.Inflict(r, foe.Id, &eventv1.Condition{Name: body.CondChoked, Variant: way, Source: c.Id, Cause: "chokehold", Rule: cite.ManeuverChokeholdEffects}) {
		return
	}
	if way == chokeBlood {
		r.AddCondition(foe.Id, &eventv1.Condition{Name: body.CondSuffocating, Source: c.Id, Cause: "chokehold", Rule: cite.ManeuverChokeholdGreaterGrapple})
	}
}

// HoldBreath counts the turns that a choked creature begins without air. With
// its blood cut off that helps it nothing.
//
// celesia.maneuver.chokehold-effects, celesia.maneuver.chokehold-greater-grapple
func HoldBreath(r *rules.Resolution, id string) {
	x := body.Condition(r.Creature(id), body.CondChoked)
	if x == nil {
		return
	}
	r.Set(id, answers.CBreath, r.Count(id, answers.CBreath)+1, "choked", cite.ManeuverChokeholdEffects)
	if x.Variant != chokeBlood {
		r.Note(event.Everyone(), id, r.Creature(id).Name+" holds its breath: turn "+body.Itoa(r.Count(id, answers.CBreath)), cite.ManeuverChokeholdEffects)
	}
}

// SpeechActions are words, which may be spoken in anybody's turn.
func SpeechActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "speak", Title: "Speak", Rule: cite.ActionSpeak, Group: play.GroupOther, Anytime: true, Refuse: body.Bars(refuseSpeak),
		Check: checks.Judged(checkSpeak), Do: body.Done(doSpeak)}}}
}

func checkSpeak(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(spoken.Word(take.GetParameters(), "text")) > MaxWords {
		return fault.Field("take.parameters.text", "must be at most %d bytes", MaxWords)
	}
	return nil
}

// refuseSpeak: whoever is choked or unconscious cannot.
//
// celesia.action.speak, celesia.maneuver.chokehold-effects
func refuseSpeak(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	switch {
	case body.Has(c, body.CondChoked):
		return body.Refuse("CHOKED", cite.ManeuverChokeholdEffects, "%s is choked and cannot speak", c.Name)
	case strike.Barred(c, definitions.BarsSpeech):
		return body.Refuse("UNABLE", cite.ActionSpeak, "%s cannot speak", c.Name)
	}
	return nil
}

// MaxWords is the length of what is said in one go, in bytes.
const MaxWords = 200

// doSpeak tells the words, which cost nothing; how many are too many is the game
// master's word.
//
// celesia.action.speak, celesia.action.free-gm-limit
func doSpeak(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if words := spoken.Word(take.GetParameters(), "text"); words != "" {
		r.Note(event.Everyone(), c.Id, c.Name+" says: "+words, cite.ActionSpeak)
	}
	return nil
}
