package systems_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A fight whose questions are answered while a command is carried out, in a state that is
// changed in place, is the fight in which each answer is waited for and each run copies
// the state; and its events fold to its state.
func TestFightsInPlaceAreThoseThatWait(t *testing.T) {
	answers := 0
	for _, id := range systems.Registry().IDs() {
		t.Run(id, func(t *testing.T) {
			for seed := range uint64(2) {
				var told, waited []*eventv1.Event
				f := newFight(t, systemOf(t, id), seed, 0, func(f *fight) {
					f.heard = func(_ *eventv1.State, events []*eventv1.Event) { told = append(told, events...) }
				})
				w := newFight(t, systemOf(t, id), seed, 0, func(w *fight) {
					w.copies, w.waits = true, true
					w.heard = func(_ *eventv1.State, events []*eventv1.Event) { waited = append(waited, events...) }
				})
				for !f.over() && !w.over() {
					f.step()
					w.step()
					if len(told) != len(waited) {
						t.Fatalf("%d events and %d", len(told), len(waited))
					}
				}
				for i := range told {
					if !proto.Equal(told[i], waited[i]) {
						t.Fatalf("event %d is %v in place, %v after waiting", i, told[i], waited[i])
					}
					if told[i].GetDecisionAnswered() != nil {
						answers++
					}
				}
				folded := event.NewState()
				event.FoldAll(folded, told)
				if !proto.Equal(f.state, w.state) || !proto.Equal(f.state, folded) {
					t.Errorf("the states differ: %v, %v, %v", f.state, w.state, folded)
				}
			}
		})
	}
	if answers < 100 {
		t.Errorf("%d questions were answered", answers)
	}
}
