package injury_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// What somebody answered a deed stays answered in a ruling, unless the game master says
// otherwise of that question; what a standing order answered is answered by the order that
// stands now.
func TestAnswersOfDeedsDecidedAgain(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("kara").Creature
	c.StandingOrders = map[string]string{"brace": "yes"}
	e.leave("kara", c)
	stay := func(order string) *injuryv1.Stay {
		is := &injuryv1.Stay{Encounter: "e1", Patient: "kara", Number: 1, Creature: proto.CloneOf(c)}
		is.Creature.StandingOrders["brace"] = order
		return is
	}
	w.tape.script["trap/damage"], w.tape.script["hit-die"] = []int32{3, 3}, []int32{2, 2, 2}
	w.on("trap", "kara") // version 4: half of 6
	w.wantHP("kara", 17)
	d := open(t, w.on("rest", "kara").Events)
	w.tend(w.answer(ann, d.Id, &eventv1.Answer{Number: 1})) // 5 and 6: 19
	w.wantHP("kara", 19)

	out := w.rules(nil, stay("no"))
	wantBecame(t, "the order is another", out, "kara 4 trap OTHERWISE", "kara 5 rest OTHERWISE")
	if got := changed(out)["kara hp"]; got != "19 -> 16" { // 6 less, and 2
		t.Errorf("hit points %s", got)
	}
	out = w.rules(nil, stay("ask")) // nobody has answered
	wantBecame(t, "the order is to ask", out, "kara 4 trap ASKS")
	brace := out.Deeds[0].Decisions[0]
	if brace.Name != "brace" {
		t.Fatalf("asks %v", brace)
	}
	says := func(answers ...*eventv1.AnswerDecision) func(*injuryv1.PrepareRulingRequest) {
		return func(r *injuryv1.PrepareRulingRequest) {
			r.Onward = []*eventv1.Onward{{Patient: "kara", Resolve: answers}}
		}
	}
	yes := &eventv1.AnswerDecision{Decision: brace.Id, Answer: &eventv1.Answer{Option: "yes"}}
	out = w.rules(says(yes), stay("ask"))
	wantBecame(t, "answered", out, "kara 4 trap OTHERWISE", "kara 5 rest SAME") // by another than before
	if got := changed(out)["kara hp"]; got != "" {
		t.Errorf("hit points %s", got)
	}
	for _, answers := range [][]*eventv1.AnswerDecision{
		{{Decision: d.Id, Answer: &eventv1.Answer{Number: 2}}, yes},
		{yes, {Decision: d.Id, Answer: &eventv1.Answer{Number: 2}}},
	} {
		out = w.rules(says(answers...), stay("no"))
		if got := changed(out)["kara hp"]; got != "19 -> 18" { // 6 less, and twice 2
			t.Errorf("hit points %s: %q", got, became(out))
		}
		i := slices.IndexFunc(out.Deeds, func(d *injuryv1.DeedAgain) bool { return d.Deed == "rest" })
		if i < 0 || out.Deeds[i].Kind != injuryv1.DeedAgain_KIND_OTHERWISE {
			t.Errorf("%q", became(out))
		}
	}
}

// A request that is repeated rolls nothing: the tapes that the deed opened are noted once
// more, one of each branch, and of faces that people gave there is none.
func TestWhatARepeatedDeedNotes(t *testing.T) {
	w := newWorld(t)
	enrol := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet("kara", 20, "ann"), Parameters: params(t, map[string]any{"dice_policy": "either"})})
	enrol.System = "drill"
	w.tend(enrol)
	w.harm("kara", 15)
	for _, c := range []struct {
		faces []int32
		draws int
	}{{nil, 1}, {[]int32{1, 2}, 0}, {[]int32{1}, 1}} {
		rest := w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})
		rest.Command.Answers = []*eventv1.EarlyAnswer{{Decision: "hit-dice", Answer: &eventv1.Answer{Number: 2}}}
		rest.Command.Faces = c.faces
		first := w.tend(rest)
		hp := w.hp("kara")
		w.tape.drawn = nil
		again := w.tend(rest)
		if !again.Repeated || first.Repeated || len(again.Events) != len(first.Events) {
			t.Errorf("repeated: %v", again)
		}
		w.wantHP("kara", hp)
		if len(w.tape.drawn) != c.draws {
			t.Errorf("%v given: %d draws are noted, want %d: %v", c.faces, len(w.tape.drawn), c.draws, w.tape.drawn)
		}
		for _, d := range w.tape.drawn {
			if d.Label != "hit-die" || d.Encounter != "patient:kara" || !d.TapeAllowed || d.Index != uint32(len(c.faces)) {
				t.Errorf("notes %v", d)
			}
		}
	}
}
