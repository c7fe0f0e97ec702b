package injury_test

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// strike is a blow on an orc of 20 hit points.
func strike(policy eventv1.DicePolicy, facts map[string]string) *injuryv1.AssessRequest {
	s := event.NewState()
	s.Encounter, s.Table, s.System, s.DicePolicy, s.Epoch = "e1", "t1", "drill", policy, 1
	s.Creatures["orc"] = &eventv1.Creature{Id: "orc", Hp: proto.Int32(20), HpMax: proto.Int32(20), Life: eventv1.LifeStatus_LIFE_STATUS_ALIVE}
	return &injuryv1.AssessRequest{Table: "t1", Encounter: "e1", Epoch: 1, Action: 7, Numbers: map[string]uint64{"everyone": 5}, Label: "harm/orc/", State: s,
		Harm: &eventv1.Harm{Deed: "strike", Target: "orc", Cause: "axe", Facts: facts}}
}

func events(t *testing.T, o *eventv1.HarmOutcome) []*eventv1.Event {
	t.Helper()
	var out []*eventv1.Event
	for _, data := range o.Events {
		e := &eventv1.Event{}
		if err := proto.Unmarshal(data, e); err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func lastHP(t *testing.T, o *eventv1.HarmOutcome) int32 {
	t.Helper()
	for _, e := range events(t, o) {
		if h := e.GetHitPoints(); h != nil {
			return h.Hp
		}
	}
	t.Fatal("hit points do not change")
	return 0
}

func TestAssessTellsWhatHarmDoes(t *testing.T) {
	w := newWorld(t)
	w.tape.script["harm/orc/damage"] = []int32{3, 4}
	reply, err := w.client.Assess(w.ctx(), strike(eventv1.DicePolicy_DICE_POLICY_SERVER, nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := lastHP(t, reply.Outcome); got != 13 || reply.Outcome.GetResult().GetTaken() != 7 {
		t.Errorf("20 less 3+4 leaves %d, taken %d", got, reply.Outcome.GetResult().GetTaken())
	}
	if len(reply.Outcome.Inputs) != 2 || len(reply.Outcome.Decisions) != 0 {
		t.Errorf("inputs %v, decisions %v", reply.Outcome.Inputs, reply.Outcome.Decisions)
	}
	for _, d := range w.tape.drawn {
		// The action's number is that of the branch.
		if want := map[string]uint64{"everyone": 5, "gm": 1}[d.Branch]; d.Encounter != "e1" || d.Epoch != 1 || d.Action != want || d.Purpose != dicev1.Purpose_PURPOSE_REAL {
			t.Errorf("address %v", d)
		}
	}
	if w.tape.drawn[0].Branch != "gm" || w.tape.drawn[1].Branch != "everyone" {
		t.Errorf("branches %v", w.tape.drawn)
	}
}

func TestAssessPreviewDrawsFromItsOwnDomain(t *testing.T) {
	w := newWorld(t)
	req := strike(eventv1.DicePolicy_DICE_POLICY_SUPPLIED, nil)
	req.Purpose = dicev1.Purpose_PURPOSE_PREVIEW
	if _, err := w.client.Assess(w.ctx(), req); err != nil {
		t.Fatal(err)
	}
	for _, d := range w.tape.drawn {
		if d.Purpose != dicev1.Purpose_PURPOSE_PREVIEW {
			t.Errorf("purpose %v", d.Purpose)
		}
	}
}

func TestAssessSuspendsAndGoesOn(t *testing.T) {
	w := newWorld(t)
	w.tape.script["harm/orc/damage"] = []int32{5, 5}
	req := strike(eventv1.DicePolicy_DICE_POLICY_SERVER, map[string]string{"ask": "yes"})
	first, err := w.client.Assess(w.ctx(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Outcome.Decisions) != 1 || first.Outcome.Decisions[0].Name != "brace" {
		t.Fatalf("decisions %v", first.Outcome.Decisions)
	}
	asked := events(t, first.Outcome)
	drawn := len(w.tape.drawn)
	req.Inputs = append(first.Outcome.Inputs, rules.Answered(first.Outcome.Decisions[0], &eventv1.Answer{Option: "yes"}, "answer"))
	second, err := w.client.Assess(w.ctx(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got := lastHP(t, second.Outcome); got != 15 {
		t.Errorf("20 less half of 10 leaves %d", got)
	}
	if len(second.Outcome.Inputs) != 0 || len(w.tape.drawn) != drawn {
		t.Error("faces were drawn again")
	}
	for i, e := range asked {
		if !proto.Equal(e, events(t, second.Outcome)[i]) {
			t.Errorf("event %d came out differently", i)
		}
	}
	// An early answer leaves nothing to ask.
	req = strike(eventv1.DicePolicy_DICE_POLICY_SERVER, map[string]string{"ask": "yes"})
	req.Answers = []*eventv1.EarlyAnswer{{Decision: "brace", Answer: &eventv1.Answer{Option: "no"}}}
	third, err := w.client.Assess(w.ctx(), req)
	if err != nil || len(third.Outcome.Decisions) != 0 || lastHP(t, third.Outcome) != 10 {
		t.Errorf("early answer: %v, %v", third, err)
	}
}

func TestAssessSuppliedFaces(t *testing.T) {
	cases := []struct {
		name     string
		policy   eventv1.DicePolicy
		supplied []int32
		used     uint32
		asks     bool
	}{
		{"server ignores them", eventv1.DicePolicy_DICE_POLICY_SERVER, []int32{1, 2, 3}, 0, false},
		{"either uses as far as they go", eventv1.DicePolicy_DICE_POLICY_EITHER, []int32{11, 6}, 2, false},
		{"leaves over what is not needed", eventv1.DicePolicy_DICE_POLICY_EITHER, []int32{11, 6, 6, 2}, 3, false},
		{"supplied alone is enough", eventv1.DicePolicy_DICE_POLICY_SUPPLIED, []int32{11, 6, 6}, 3, false},
		{"supplied asks for the rest", eventv1.DicePolicy_DICE_POLICY_SUPPLIED, []int32{11}, 1, true},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			req := strike(tc.policy, nil)
			req.Supplied = tc.supplied
			reply, err := w.client.Assess(w.ctx(), req)
			if err != nil {
				t.Fatal(err)
			}
			if reply.SuppliedUsed != tc.used || (len(reply.Outcome.Decisions) == 1) != tc.asks {
				t.Errorf("used %d, decisions %v", reply.SuppliedUsed, reply.Outcome.Decisions)
			}
			if tc.asks && reply.Outcome.Decisions[0].Kind != eventv1.DecisionKind_DECISION_KIND_DICE {
				t.Errorf("asks for %v", reply.Outcome.Decisions[0])
			}
		})
	}
}

func TestAssessRefuses(t *testing.T) {
	w := newWorld(t)
	cases := []struct {
		name   string
		break_ func(*injuryv1.AssessRequest)
		code   fault.Code
		reason string
	}{
		{"an unknown system", func(r *injuryv1.AssessRequest) { r.State.System = "chess" }, fault.NotFound, "UNKNOWN_SYSTEM"},
		{"no state", func(r *injuryv1.AssessRequest) { r.State = nil }, fault.Invalid, "INVALID_FIELD"},
		{"no harm", func(r *injuryv1.AssessRequest) { r.Harm = nil }, fault.Invalid, "INVALID_FIELD"},
		{"a target that is not there", func(r *injuryv1.AssessRequest) { r.Harm.Target = "elf" }, fault.Invalid, "INVALID_FIELD"},
		{"an unknown deed", func(r *injuryv1.AssessRequest) { r.Harm.Deed = "sing" }, fault.Invalid, "INVALID_FIELD"},
		{"a table that is no id", func(r *injuryv1.AssessRequest) { r.Table = "a.b" }, fault.Invalid, "INVALID_FIELD"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			req := strike(eventv1.DicePolicy_DICE_POLICY_SERVER, nil)
			tc.break_(req)
			_, err := w.client.Assess(w.ctx(), req)
			wantFault(t, err, tc.code, tc.reason)
		})
	}
}
