package underwater

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Actions are the game master's words on water: what water it is, who is under it,
// how long somebody swims. tires is how a fight exhausts a creature.
func Actions(tires func(r *rules.Resolution) Tires) []*play.Action {
	call := func(a *play.Action) *play.Action {
		a.Group, a.Anytime, a.Referee = play.GroupReferee, true, true
		return a
	}
	return []*play.Action{
		call(&play.Action{ID: "water", Title: "Say what water it is", Rule: cite.UnderwaterClarity, Refuse: refuseOff,
			Fields: waterFields, Do: doWater}),
		call(&play.Action{ID: "submerge", Title: "Be put under water", Rule: cite.UnderwaterBreathTime,
			Refuse: func(at *play.At) error { return refusePlace(at, true) },
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "depth"}, {Name: "breathless"}} }, Do: body.Deed(doSubmerge)}),
		call(&play.Action{ID: "emerge", Title: "Come out of the water", Rule: cite.UnderwaterBreathTime,
			Refuse: func(at *play.At) error { return refusePlace(at, false) }, Do: body.Deed(doEmerge)}),
		call(&play.Action{ID: "swim", Title: "Swim for a while", Rule: cite.UnderwaterSwimExhaustion, Refuse: refuseSwim,
			Fields: func(*play.At) []play.Field { return []play.Field{{Name: "minutes", Required: true}, {Name: "rested"}} },
			Do: func(r *rules.Resolution, at *play.At) error {
				r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: "swim", Notes: SwimNotes(at.Take)})
				minutes, _ := spoken.Number(at.Take.Parameters, "minutes")
				rested, _ := spoken.Number(at.Take.Parameters, "rested")
				Swim(r, at.Actor.Id, int64(rested), int64(minutes)*secondsPerMinute, tires(r))
				return nil
			}}),
	}
}

// waterFields are the words on the water; that it is below is listed where somebody is in
// the air without a place.
func waterFields(at *play.At) []play.Field {
	high := !at.Listing
	// order-free: any one is enough
	for _, c := range at.State.GetCreatures() {
		high = high || body.Airborne(c) && c.Position == nil
	}
	return body.Offer([]play.Field{{Name: "clarity"}, {Name: "surface"}, {Name: "depth"}, {Name: "sunlight"}, {Name: "lit"}}, at, high, play.Field{Name: "over_water"})
}

// SwimNotes say how long somebody has swum and rested.
func SwimNotes(take *eventv1.TakeAction) (notes []string) {
	if seconds, ok := spoken.Number(take.GetParameters(), "rested"); ok {
		notes = append(notes, "after a rest of "+body.Itoa(seconds)+" seconds")
	}
	minutes, _ := spoken.Number(take.GetParameters(), "minutes")
	return append(notes, body.Itoa(minutes)+" minutes")
}

// refuseOff says that the table does not play the chapter.
func refuseOff(at *play.At) error {
	if !body.Defaults.On(at.State, cite.UnderwaterIntro) {
		return body.Refuse("RULE_OFF", cite.UnderwaterIntro, "this table does not play the rules on water")
	}
	return nil
}

func refuseSwim(at *play.At) error {
	if !body.Defaults.On(at.State, cite.UnderwaterSwimExhaustion) {
		return body.Refuse("RULE_OFF", cite.UnderwaterSwimExhaustion, "at this table swimming tires nobody")
	}
	return body.FirstError(refuseOff(at), body.RefuseDead(at.Actor))
}

// refusePlace says why it cannot be said that a creature is under water, or is not:
// it is so already, or its place on the map says otherwise.
func refusePlace(at *play.At, under bool) error {
	if err := refuseOff(at); err != nil {
		return err
	}
	_, known := measured(at.State, at.Actor)
	switch {
	case known:
		return body.Refuse("MEASURED", cite.UnderwaterIntro, "the place of %s says whether it is under the surface", at.Actor.Name)
	case under && body.Has(at.Actor, body.CondSubmerged):
		return body.Refuse("SUBMERGED", cite.UnderwaterIntro, "%s is under water", at.Actor.Name)
	case !under && !body.Has(at.Actor, body.CondSubmerged):
		return body.Refuse("NOT_SUBMERGED", cite.UnderwaterIntro, "%s is not under water", at.Actor.Name)
	}
	return nil
}

// doWater lays down what water the fight is in and says what that means.
//
// rcr.underwater.clarity, rcr.underwater.depth-light
func doWater(r *rules.Resolution, at *play.At) error {
	Declare(r, at.Take.Parameters)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: "water", Notes: waterNotes(r.State())},
		cite.UnderwaterClarity, cite.UnderwaterDepthLight)
	return nil
}

// waterNotes say what the water of a fight leaves to see.
func waterNotes(s *eventv1.State) []string {
	sight := "no limit of sight"
	if feet := body.Book.ClarityFeet(body.ClarityOf(s, body.WaterSaid{})); feet < body.NoLimit {
		sight = "sight of " + body.Itoa(feet) + " feet"
	}
	out := []string{body.ClarityOf(s, body.WaterSaid{}) + " water: " + sight}
	if feet := s.GetCounters()[body.CDepth]; feet > 0 {
		light := body.LightAt(s, &eventv1.Creature{Conditions: []*eventv1.Condition{{Name: body.CondSubmerged}}}, body.WaterSaid{})
		out = append(out, "at "+body.Itoa(feet)+" feet: "+map[string]string{body.LightBright: "bright light", body.LightDim: "dim light", body.LightDark: "darkness"}[light])
	}
	return out
}

func doSubmerge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "submerge"})
	depth, _ := spoken.Number(take.Parameters, "depth")
	submerge(r, c.Id, depth, "stated")
	if spoken.Truth(take.Parameters, "breathless") && holdsBreath(r.State(), r.Creature(c.Id)) {
		loseBreath(r, c.Id, cite.UnderwaterBreathTime)
	}
	return nil
}

func doEmerge(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "emerge"})
	emerge(r, c.Id, "stated")
	return nil
}
