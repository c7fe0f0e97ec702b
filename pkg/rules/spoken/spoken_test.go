package spoken_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func object(t *testing.T, fields map[string]any) *structpb.Struct {
	t.Helper()
	s, err := structpb.NewStruct(fields)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNumber(t *testing.T) {
	s := object(t, map[string]any{"seven": 7, "below": -3, "half": 2.5, "most": 1_000_000, "beyond": 1_000_001, "far": 1e300, "least": -1_000_000, "under": -1_000_001, "word": "7", "nothing": nil})
	for _, c := range []struct {
		key  string
		want int32
		ok   bool
	}{{"seven", 7, true}, {"below", -3, true}, {"half", 0, false}, {"most", 1_000_000, true}, {"beyond", 0, false}, {"least", -1_000_000, true}, {"under", 0, false}, {"far", 0, false}, {"word", 0, false}, {"nothing", 0, false}, {"absent", 0, false}} {
		if n, ok := spoken.Number(s, c.key); n != c.want || ok != c.ok {
			t.Errorf("%s: %d %v, want %d %v", c.key, n, ok, c.want, c.ok)
		}
	}
	if n, ok := spoken.Number(nil, "seven"); n != 0 || ok {
		t.Error("a number out of nothing")
	}
}

func TestWordsAndTruth(t *testing.T) {
	s := object(t, map[string]any{"one": "ann", "two": []any{"ann", "bob"}, "none": []any{}, "yes": true, "word": "true"})
	for _, c := range []struct {
		key  string
		want []string
		ok   bool
	}{{"one", []string{"ann"}, true}, {"two", []string{"ann", "bob"}, true}, {"none", []string{}, true}, {"absent", nil, false}} {
		if got, ok := spoken.Words(s, c.key); !slices.Equal(got, c.want) || ok != c.ok {
			t.Errorf("%s: %v %v", c.key, got, ok)
		}
	}
	if !spoken.Truth(s, "yes") || spoken.Truth(s, "word") || spoken.Truth(s, "absent") || spoken.Truth(nil, "yes") {
		t.Error("truth")
	}
	if spoken.Word(s, "one") != "ann" || spoken.Word(s, "two") != "" || spoken.Word(nil, "one") != "" {
		t.Error("word")
	}
}

func TestCreatures(t *testing.T) {
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{"ann": {Id: "ann"}}}
	if err := spoken.Creatures(s, "facts.near", "ann"); err != nil {
		t.Error(err)
	}
	if f, ok := fault.As(spoken.Creatures(s, "facts.near", "ann", "bob")); !ok || f.Code != fault.NotFound {
		t.Error("an unknown creature is taken")
	}
}
