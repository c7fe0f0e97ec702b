package underwater

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Begin reads what water a fight begins in, and who is under it, out of the facts
// of its start.
//
// rcr.underwater.clarity, rcr.underwater.depth-light
func Begin(r *rules.Resolution, facts *structpb.Struct) {
	Declare(r, facts)
	under, _ := spoken.Words(facts, "underwater")
	for _, id := range under {
		submerge(r, id, 0, "the fight begins under water")
	}
}

// Declare lays down what is said of the water of the fight: its clarity, where its
// surface is on the map, how deep it is fought, the light of day and of lamps.
// What is not said stays.
func Declare(r *rules.Resolution, said *structpb.Struct) {
	if word := spoken.Word(said, "clarity"); word != "" {
		r.Mark("", body.MClarity, word, cite.UnderwaterClarity)
	}
	if word := spoken.Word(said, "sunlight"); word != "" {
		r.Mark("", body.MSunlight, word, cite.UnderwaterDepthLight)
	}
	if said.GetFields()["lit"] != nil {
		r.Flag("", body.MLit, spoken.Truth(said, "lit"), cite.UnderwaterDepthLight)
	}
	if said.GetFields()["over_water"] != nil {
		r.Flag("", body.MOverWater, spoken.Truth(said, "over_water"), cite.UnderwaterDiveIntoWater)
	}
	if feet, ok := spoken.Number(said, "surface"); ok {
		// Said even of 0, which a counter that was never set looks like.
		r.Emit(event.Everyone(), &eventv1.CounterSet{Counter: body.CSurface, Value: int64(feet), Was: r.Count("", body.CSurface)}, cite.UnderwaterIntro)
	}
	if feet, ok := spoken.Number(said, "depth"); ok {
		r.Set("", body.CDepth, int64(feet), "stated", cite.UnderwaterDepthLight)
	}
}

// measured tells whether a creature is wholly under the surface by its place;
// known is false where no map says so.
func measured(s *eventv1.State, c *eventv1.Creature) (under, known bool) {
	surface, mapped := s.GetCounters()[body.CSurface]
	if !mapped || c.GetPosition() == nil {
		return false, false
	}
	return int64(c.Position.Z+body.SpaceFeet(c)) <= surface, true
}

// submerge puts a creature under water that is not there yet, so deep where no place says it.
func submerge(r *rules.Resolution, id string, depth int32, cause string) {
	if body.Has(r.Creature(id), body.CondSubmerged) {
		return
	}
	x := &eventv1.Condition{Name: body.CondSubmerged, Cause: cause, Rule: cite.UnderwaterIntro}
	if depth > 0 {
		x.Values = map[string]int32{body.ValDepth: depth}
	}
	r.AddCondition(id, x)
}

// emerge takes a creature out of the water.
func emerge(r *rules.Resolution, id, cause string) {
	if x := body.Condition(r.Creature(id), body.CondSubmerged); x != nil {
		r.RemoveCondition(id, x, cause, cite.UnderwaterIntro)
	}
}

// Enter settles what is said of one that joins: that it is under water.
func Enter(r *rules.Resolution, id string, facts *structpb.Struct) {
	if spoken.Truth(facts, "underwater") {
		submerge(r, id, 0, "it is under water")
	}
	Settle(r)
}

// Arrive settles what is stated of the end of a way: that it is under water, or
// that it is not. Where a map says it nothing need be stated.
func Arrive(r *rules.Resolution, id string, facts *structpb.Struct) {
	if facts.GetFields()["underwater"] == nil {
		return
	}
	switch _, known := measured(r.State(), r.Creature(id)); {
	case known:
	case spoken.Truth(facts, "underwater"):
		submerge(r, id, 0, "it dives")
	default:
		emerge(r, id, "it comes up")
	}
}
