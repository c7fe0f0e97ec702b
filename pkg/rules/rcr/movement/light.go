package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// lamps are the sources of light that have a name: feet of bright light, and of dim
// light beyond. Of another it is said how far it shines.
//
// rcr.base.light
var lamps = map[string][2]int32{"candle": {5, 5}, "lamp": {15, 30}, "torch": {20, 20}, "lantern": {30, 30}, "light": {20, 20}, "daylight": {60, 60}, "other": {}, "none": {}}

// Lighting lays down the light of the fight, where it is said.
//
// rcr.base.light
func Lighting(r *rules.Resolution, said *structpb.Struct) {
	if word := spoken.Word(said, "light"); word != "" {
		r.Mark("", body.MLight, word, cite.BaseLight)
	}
}

// doLighting is the game master's word on the light of the fight.
func doLighting(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "lighting", Notes: []string{spoken.Word(take.Parameters, "light")}}, cite.BaseLight)
	Lighting(r, take.Parameters)
	return nil
}

// shed is the light that a command has a creature shed.
func shed(take *eventv1.TakeAction) (bright, dim int32) {
	lamp := lamps[spoken.Word(take.GetParameters(), "source")]
	bright, dim = lamp[0], lamp[1]
	if n, ok := spoken.Number(take.GetParameters(), "bright"); ok {
		bright = n
	}
	if n, ok := spoken.Number(take.GetParameters(), "dim"); ok {
		dim = n
	}
	return bright, dim
}

// doShine has a creature carry a source of light in place of the one before; one that
// shines no feet is none.
//
// rcr.base.light
func doShine(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	bright, dim := shed(take)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "shine", Item: spoken.Word(take.Parameters, "source"),
		Notes: []string{"bright " + body.Itoa(bright) + " feet, dim " + body.Itoa(dim) + " feet more"}}, cite.BaseLight)
	dice.EndCondition(r, c.Id, body.CondShining, "another light, or none", cite.BaseLight)
	if bright+dim > 0 {
		r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondShining, Values: map[string]int32{body.ValBright: bright, body.ValDim: dim}, Rule: cite.BaseLight})
	}
	return nil
}
