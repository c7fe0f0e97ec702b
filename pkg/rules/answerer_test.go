package rules_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// answering is a table at which every question is answered at once.
type answering struct {
	*table
	option string
}

func (a answering) Answer(context.Context, []*eventv1.Decision) (*eventv1.Answer, string) {
	return &eventv1.Answer{Option: a.option}, "answer"
}

func (a answering) Deed(ctx context.Context, d rules.DeedRequest) (*eventv1.HarmOutcome, int, error) {
	return rules.RunDeed(ctx, toy{}, 1, d, a)
}

// Answers given while the action runs, those of a deed inside among them, lead to what
// answers lead to for which it waits; in place as in a copy.
func TestAnsweredWhileItRuns(t *testing.T) {
	faces := []int32{15, 2, 6, 5}
	s := &session{base: fightState(t), t: &table{tape: true, faces: slices.Clone(faces)}}
	must(t, s.run(t, nil))
	for len(s.open) > 0 {
		s.answer(t, "yes")
	}
	for _, inPlace := range []bool{false, true} {
		req := rules.Request{State: fightState(t), Action: 7}
		if inPlace {
			req.Own = event.Own(req.State)
		}
		out, err := rules.Run(t.Context(), toy{}, req, answering{&table{tape: true, faces: slices.Clone(faces)}, "yes"}, rules.Resolve(toy{}, attack))
		must(t, err)
		if len(out.Open) > 0 || !proto.Equal(out.State, s.state) || len(out.Events) != len(s.events) {
			t.Fatalf("in place %t: open %v, %d events, want %d; state %v, want %v", inPlace, out.Open, len(out.Events), len(s.events), out.State, s.state)
		}
		for i := range out.Events {
			if !proto.Equal(out.Events[i], s.events[i]) {
				t.Errorf("in place %t: event %d is %v, want %v", inPlace, i, out.Events[i], s.events[i])
			}
		}
	}
}

// An answer that does not fit leaves the question open.
func TestAnAnswerThatDoesNotFitLeavesTheQuestion(t *testing.T) {
	out, err := rules.Run(t.Context(), toy{}, rules.Request{State: fightState(t), Action: 7}, answering{&table{tape: true, faces: []int32{15}}, "perhaps"}, rules.Resolve(toy{}, attack))
	must(t, err)
	if len(out.Open) != 1 || out.Open[0].Name != "parry" {
		t.Errorf("open: %v", out.Open)
	}
}

// A run that is refused after it has changed a state in place leaves it as it was, and so
// does one that breaks.
func TestRefusedInPlaceLeavesTheState(t *testing.T) {
	s := fightState(t)
	before, own := event.Clone(s), event.Own(s)
	held := s.Creatures["b"]
	for name, end := range map[string]func() error{
		"refused": func() error { return fault.Refuse("NO", "", "no") },
		"broken":  func() error { panic("broken") },
	} {
		func() {
			defer func() {
				if p := recover(); p != nil && p != "broken" {
					panic(p)
				}
			}()
			if _, err := rules.Run(t.Context(), toy{}, rules.Request{State: s, Own: own, Action: 7}, &table{}, func(r *rules.Resolution) error {
				r.SetHitPoints("b", 1, 20, 0)
				r.Set("b", "score", 3, "hit")
				r.Set("", "score", 3, "hit")
				r.Emit(event.Everyone(), &eventv1.CreatureRemoved{Creature: "a"})
				if held.GetHp() != 1 || len(s.Creatures) != len(before.Creatures)-1 {
					t.Errorf("%s: whoever holds the creature sees nothing: %v", name, held)
				}
				return end()
			}); err == nil {
				t.Errorf("%s: nothing came of it", name)
			}
		}()
		if !proto.Equal(s, before) || s.Creatures["b"] != held {
			t.Errorf("%s: %v, want %v", name, s, before)
		}
	}
}
