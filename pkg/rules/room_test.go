package rules

import (
	"testing"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A room gives options that are empty and each another, before it is cleared and after.
func TestRoom(t *testing.T) {
	var room Room
	for range 3 {
		seen := map[*eventv1.Option]bool{}
		for range 100 {
			o := room.Option()
			if seen[o] || !proto.Equal(o, &eventv1.Option{}) {
				t.Fatalf("option %d: %v, seen before: %t", len(seen), o, seen[o])
			}
			o.Action, o.Targets, seen[o] = "attack", []string{"a"}, true
		}
		room.Clear()
	}
}
