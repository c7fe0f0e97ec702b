package injury_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// docs/PATIENTS.md: a patient comes into a fight, and leaves it, by two Commits that are
// stored together. The patient's must be the one that the fight's command comes to; one
// without its other half is found on either side. Where the fight could not be decided
// again nothing is compared, and the record goes on.
func TestBothHalvesOfACrossing(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	e := &encounter{w: w, id: "e1"}
	c := e.enter("kara").Creature
	e.leave("kara", c)
	w.harm("kara", 1)
	kara, wim := w.stored("kara"), w.stored("wim")
	message := func(s injury.Stored) journal.Message {
		return journal.Message{Subject: "skald.0.t1.patient." + s.Header.Id, Data: s.Data}
	}
	in, out := message(kara[1]), message(kara[2])
	type crossing struct {
		commits  []injury.Stored
		want     []journal.Message
		compared bool
	}
	verified := func(all []injury.Stored, xs ...crossing) *injury.Verification {
		t.Helper()
		v, err := injury.NewVerifier(injury.VerifierConfig{Systems: w.cfg.Systems, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		deed := func(s injury.Stored) {
			if err := v.Deed(t.Context(), []injury.Stored{s}); err != nil {
				t.Fatal(err)
			}
		}
		deed(all[0])
		for _, x := range xs {
			v.Crossing(x.commits, x.want, x.compared)
		}
		for _, s := range all[1:] {
			deed(s)
		}
		r := v.Report()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	ends := []injury.Stored{kara[0], kara[3]}
	one := func(s injury.Stored) []injury.Stored { return []injury.Stored{s} }
	r := verified(ends, crossing{one(kara[1]), []journal.Message{in}, true}, crossing{one(kara[2]), []journal.Message{out}, true})
	if !r.Whole() || r.Crossings != 2 || r.Decided != 2 || r.Commits != 4 {
		t.Errorf("as it was: %+v", r)
	}
	r = verified(ends, crossing{one(kara[1]), nil, false}, crossing{one(kara[2]), []journal.Message{in, out}, false})
	if len(r.Problems) > 0 || r.Crossings != 0 || r.Decided != 2 || r.Whole() {
		t.Errorf("not compared: %+v", r)
	}
	changed := forged(t, kara[2:3], func(d *event.Draft) bool {
		d.Header.PreviousHash = kara[1].Hash
		d.Events = append(d.Events, event.New(event.Everyone(), &eventv1.CounterSet{Subject: "kara", Counter: "kit", Value: 9}))
		return true
	})
	for name, x := range map[string]struct {
		all  []injury.Stored
		xs   []crossing
		want string
	}{
		"the fight says nothing of it": {ends, []crossing{{one(kara[1]), []journal.Message{in}, true}, {one(kara[2]), nil, true}},
			"patient kara, version 3, commit: no such crossing follows from the fight's command of the same request"},
		"the record says nothing of it": {ends[:1], []crossing{{nil, []journal.Message{in}, true}},
			"patient kara, version 0, commit: a fight's command lets the patient in or out, and the patient's record says nothing of it"},
		"the record has it otherwise": {ends[:1], []crossing{{one(kara[1]), []journal.Message{in}, true}, {changed, []journal.Message{out}, true}},
			"patient kara, version 3, event"},
		"it is another's": {ends[:1], []crossing{{one(kara[1]), []journal.Message{message(wim[0])}, true}}, "patient kara, version 2, header, id: "},
		"it is no Commit": {ends[:1], []crossing{{one(kara[1]), []journal.Message{{Subject: in.Subject, Data: []byte("x")}}, true}}, "patient kara, version 2, commit: "},
	} {
		r := verified(x.all, x.xs...)
		if len(r.Problems) != 1 || r.Whole() || !strings.HasPrefix(r.Problems[0].String(), x.want) {
			t.Errorf("%s: %v, want %q", name, r.Problems, x.want)
		}
	}
	// One patient more than the fight let in is found, and the others are compared.
	r = verified(ends[:1], crossing{append(one(kara[1]), wim[0]), []journal.Message{in}, true})
	if len(r.Problems) != 1 || !strings.HasPrefix(r.Problems[0].String(), "patient wim, version 1, commit: no such crossing") || r.Crossings != 2 {
		t.Errorf("one more: %+v", r)
	}
}

// An answer given ahead counts for a question that is still to be put, of the creature it
// names; one that was put already, or is another's, it does not answer.
func TestWhatIsAnsweredAhead(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 15)
	early := func(decision, creature, option string) *eventv1.EarlyAnswer {
		return &eventv1.EarlyAnswer{Decision: decision, Creature: creature, Answer: &eventv1.Answer{Option: option}}
	}
	for i, c := range []struct {
		with, later []*eventv1.EarlyAnswer // given with the deed, and with the answer to its first question
		asks        []string
	}{
		{nil, nil, []string{"kits", "more"}},
		{[]*eventv1.EarlyAnswer{early("more", "", "no")}, nil, []string{"kits"}},
		{nil, []*eventv1.EarlyAnswer{early("more", "kara", "no")}, []string{"kits"}},
		{nil, []*eventv1.EarlyAnswer{early("kits", "", "yes")}, []string{"kits", "more"}}, // that was put already
		{[]*eventv1.EarlyAnswer{early("other", "kara", "no")}, nil, []string{"kits", "more"}},
	} {
		start := w.deed(gm, &eventv1.PatientCommand{Deed: "twice", Patients: []string{"kara"}})
		start.Command.Answers = c.with
		reply := w.tend(start)
		var asked []string
		for n := 0; ; n++ {
			var d *eventv1.Decision
			for _, e := range reply.Events {
				if r := e.GetDecisionRequested(); r != nil {
					d = r.Decision
				}
			}
			if d == nil {
				break
			}
			asked = append(asked, d.Name)
			next := w.answer(ann, d.Id, &eventv1.Answer{Option: "yes"})
			if n == 0 {
				next.Command.Answers = c.later
			}
			reply = w.tend(next)
		}
		if fmt.Sprint(asked) != fmt.Sprint(c.asks) {
			t.Errorf("case %d asks %v, want %v", i, asked, c.asks)
		}
	}
}
