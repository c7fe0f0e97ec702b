package injury_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// docs/PATIENTS.md, "Explained": to the game master, and to whoever gave the command, an
// entry says who that was and what was said, all of it; to the game master alone what was
// drawn and answered; to others neither. Of fights their own explanations say it.
func TestWhatWasSaidAndToWhomItIsTold(t *testing.T) {
	w := newWorld(t)
	enrol := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"kara"}, Sheet: sheet("kara", 20, "ann"), Parameters: params(t, map[string]any{"dice_policy": "either"})})
	enrol.System = "drill"
	w.tend(enrol)
	w.enrol("wim", 20, "bob")
	w.harm("kara", 15)
	rest := w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})
	rest.Command.Faces = []int32{3, 2}
	rest.Command.Answers = []*eventv1.EarlyAnswer{{Decision: "hit-dice", Answer: &eventv1.Answer{Number: 2}}}
	w.tend(rest) // 3
	w.tape.script["treat"] = []int32{1}
	careful := func() string {
		t.Helper()
		return open(t, w.tend(w.deed(bob, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}, User: "wim", Item: "careful"})).Events).Id
	}
	w.tend(w.answer(bob, careful(), &eventv1.Answer{Option: "yes"})) // 4 and 5
	byDefault := w.answer(gm, careful(), nil)
	byDefault.Command.GetAnswer().ByDefault = true
	w.tend(byDefault) // 6 and 7
	(&encounter{w: w, id: "e1"}).enter("kara")
	w.settled()

	number := func(as *eventv1.Principal, deed string, nth int) uint64 {
		t.Helper()
		for _, e := range w.history(as, "kara", 0, 0).Entries {
			if e.Deed == deed && e.Encounter == "" {
				if nth--; nth < 0 {
					return e.Number
				}
			}
		}
		t.Fatalf("no %s", deed)
		return 0
	}
	for _, c := range []struct {
		deed string
		by   string // role and name
		said []string
		took []string           // beside, for the game master
		of   *eventv1.Principal // who gave it
	}{
		{deed: "enrol", by: "ROLE_GM", said: []string{"deed: enrol kara", `dice_policy: "either"`, "sheet: The kara"}},
		{deed: "harm", by: "ROLE_GM", said: []string{"deed: harm kara", "amount: 15"}},
		{deed: "rest", by: "ROLE_PLAYER ann", of: ann,
			said: []string{"deed: rest kara", "faces given: [3 2]", "answered ahead: hit-dice 2"},
			took: []string{"taken: the answer to hit-dice: 2 (by early)", "drawn: 1d8 as hit-die: [3], 1 of them given by people", "drawn: 1d8 as hit-die: [2], 1 of them given by people"}},
		{deed: "engage", by: "ROLE_GM", said: []string{"deed: engage kara", "encounter: e1"}},
	} {
		for _, as := range []*eventv1.Principal{gm, ann, bob, spectator} {
			x := w.explain(as, "kara", number(as, c.deed, 0)) // each counts what it was told
			told := as == gm || as == c.of
			want := c.said
			if as == gm {
				want = append(slices.Clone(want), c.took...)
			}
			if !told {
				if x.By != nil || len(x.Inputs) > 0 {
					t.Errorf("%s to %v: by %v, %q", c.deed, as, x.By, x.Inputs)
				}
				continue
			}
			if by := strings.TrimSpace(x.By.GetRole().String() + " " + x.By.GetName()); by != c.by || !slices.Equal(x.Inputs, want) {
				t.Errorf("%s to %v: by %q\n%q\nwant\n%q", c.deed, as, by, x.Inputs, want)
			}
		}
	}
	// The two careful treatments belong to kara's record: question and answer are entries.
	for i, want := range [][]string{{"deed: treat kara", "by: wim", "with: careful"}, {"answer: yes"}, {"deed: treat kara", "by: wim", "with: careful"}, {"answer: as if nobody answered"}} {
		x := w.explain(gm, "kara", number(gm, "treat", i))
		if len(x.Inputs) < len(want) || !slices.Equal(x.Inputs[:len(want)], want) {
			t.Errorf("treatment %d: %q", i, x.Inputs)
		}
	}
	for i, e := range w.history(gm, "kara", 0, 0).Entries {
		if e.Encounter != "" {
			if x := w.explain(gm, "kara", uint64(i)+1); x.By != nil || len(x.Inputs) > 0 || x.Encounter != "e1" {
				t.Errorf("of a fight: %v", x)
			}
		}
	}
}

// An entry is explained by the caller's own number, from an event on; the last one if none
// is named; none behind the last.
func TestWhichEntryIsExplained(t *testing.T) {
	w := recorded(t)
	w.tape.script["treat"] = []int32{2}
	w.on("treat", "kara")
	for _, c := range []struct {
		as      *eventv1.Principal
		entries uint64
	}{{gm, 5}, {ann, 4}, {spectator, 4}} {
		if x := w.explain(c.as, "kara", 0); x.Entry != c.entries || x.Deed != "treat" {
			t.Errorf("the last one is %d, %s", x.Entry, x.Deed)
		}
		for n := uint64(1); n <= c.entries; n++ {
			x, e := w.explain(c.as, "kara", n), w.history(c.as, "kara", n-1, 1).Entries[0]
			if x.Entry != n || x.Deed != e.Deed || len(x.Events) != len(e.Events) {
				t.Errorf("entry %d is %v, the history has %v", n, x, e)
			}
		}
		_, err := w.client.ExplainDeed(w.ctx(), &injuryv1.ExplainDeedRequest{Table: "t1", Patient: "kara", As: c.as, Entry: c.entries + 1})
		wantFault(t, err, fault.NotFound, "UNKNOWN_ENTRY")
		whole := w.explain(c.as, "kara", 0)
		from := func(after int) (*injuryv1.ExplainDeedResponse, error) {
			return w.client.ExplainDeed(w.ctx(), &injuryv1.ExplainDeedRequest{Table: "t1", Patient: "kara", As: c.as, AfterEvents: uint32(after)})
		}
		n := len(whole.Events)
		for after := range n + 1 {
			x, err := from(after)
			if err != nil || len(x.Events) != n-after || x.More {
				t.Fatalf("after %d of %d: %v, %v", after, n, x, err)
			}
			for i, e := range x.Events {
				if !proto.Equal(e, whole.Events[after+i]) {
					t.Errorf("after %d: another event", after)
				}
			}
			h, err := w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: "kara", As: c.as, After: c.entries - 1, AfterEvents: uint32(after)})
			if err != nil || len(h.Entries) != 1 || len(h.Entries[0].Events) != n-after {
				t.Errorf("history after %d of %d: %v, %v", after, n, h, err)
			}
		}
		_, err = from(n + 1)
		w.field(err, "after_events")
		_, err = w.client.GetPatientHistory(w.ctx(), &injuryv1.GetPatientHistoryRequest{Table: "t1", Patient: "kara", As: c.as, After: c.entries - 1, AfterEvents: uint32(n) + 1})
		w.field(err, "after_events")
	}
	// A new fight's entries are not the record's, and stand by their own number.
	e := &encounter{w: w, id: "e1"}
	e.enter("kara")
	e.hurt("kara", 3, eventv1.LifeStatus_LIFE_STATUS_ALIVE, event.Everyone())
	w.settled()
	if x := w.explain(ann, "kara", 0); x.Encounter != "e1" || x.By != nil {
		t.Errorf("of the fight: %v", x)
	}
}
