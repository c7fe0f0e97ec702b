package rules

import (
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The record has all of an outcome but its odds, what a later build adds included, and
// whoever gave the outcome finds it as it was.
func TestWithoutOdds(t *testing.T) {
	given := &eventv1.HarmOutcome{Events: [][]byte{{1}}, Inputs: []*eventv1.Input{{Label: "a"}}, Decisions: []*eventv1.Decision{{Id: "d"}},
		Results: map[string]int32{"dealt": 3}, Odds: []*eventv1.RollOdds{{}}, Result: &eventv1.HarmResult{}}
	given.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 99, protowire.VarintType), 7))
	for fields, i := given.ProtoReflect().Descriptor().Fields(), 0; i < fields.Len(); i++ {
		if !given.ProtoReflect().Has(fields.Get(i)) {
			t.Fatalf("%s is not tried", fields.Get(i).Name())
		}
	}
	before := proto.CloneOf(given)
	want := proto.CloneOf(given)
	want.Odds = nil
	if got := withoutOdds(given); !proto.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !proto.Equal(given, before) {
		t.Errorf("the outcome that was given is %v now", given)
	}
}
