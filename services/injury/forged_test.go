package injury_test

import (
	"crypto/rand"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// forged seals Commits anew, each chained to the one before, as whoever runs the server
// could: change may make each another, or leave it out by returning false.
func forged(t *testing.T, from []injury.Stored, change func(d *event.Draft) bool) (out []injury.Stored) {
	t.Helper()
	var last []byte
	for _, s := range from {
		d := event.Draft{Header: proto.CloneOf(s.Header), Cause: proto.CloneOf(s.Cause), Inputs: proto.CloneOf(s.Inputs)}
		for _, e := range s.Events {
			d.Events = append(d.Events, proto.CloneOf(e))
		}
		d.Header.PreviousHash = last
		if !change(&d) {
			continue
		}
		data, hash, err := event.Seal(d, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		last = hash
		o, err := event.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, injury.Stored{Opened: o, Data: data})
	}
	return out
}

// at changes the Commit of one version.
func at(version uint64, change func(*event.Draft)) func(*event.Draft) bool {
	return func(d *event.Draft) bool {
		if d.Header.Version == version {
			change(d)
		}
		return true
	}
}

type verifier = injury.Verifier

// byItself verifies one patient's file.
func (w *world) byItself(commits []injury.Stored, before ...func(*verifier)) *injury.Verification {
	w.t.Helper()
	v, err := injury.NewVerifier(injury.VerifierConfig{Systems: w.cfg.Systems, Dir: w.t.TempDir(), Alone: true})
	if err != nil {
		w.t.Fatal(err)
	}
	for _, do := range before {
		do(v)
	}
	for _, c := range commits {
		if err := v.Deed(w.ctx(), []injury.Stored{c}); err != nil {
			w.t.Fatal(err)
		}
	}
	r := v.Report()
	if err := v.Close(); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// said changes the command of a Commit.
func said(t *testing.T, change func(*eventv1.Command)) func(*event.Draft) {
	return func(d *event.Draft) {
		cmd := &eventv1.Command{}
		if err := proto.Unmarshal(d.Cause.Command, cmd); err != nil {
			t.Fatal(err)
		}
		change(cmd)
		data, err := proto.Marshal(cmd)
		if err != nil {
			t.Fatal(err)
		}
		d.Cause.Command = data
	}
}

// docs/PATIENTS.md, "Explained, exported, verified": every deed is carried out again on
// what it took from outside, and compared field by field. Whoever runs the server and
// seals a record anew is found at the place where it was changed.
func TestAForgedRecordIsFound(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 9) // 2
	w.tape.script["treat"], w.tape.script["hit-die"] = []int32{3}, []int32{5}
	w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}}))                                                                           // 3
	w.tend(w.answer(ann, open(t, w.tend(w.deed(ann, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"kara"}})).Events).Id, &eventv1.Answer{Number: 1}))      // 4 and 5
	w.undo("kara")                                                                                                                                                    // 6
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "pass-time", Patients: []string{"kara"}, Parameters: params(t, map[string]any{"hours": 2})}))                     // 7
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"kara"}, Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "tired"}}}})) // 8
	w.on("haunt", "kara")                                                                                                                                             // 9
	w.on("abandon", "kara")                                                                                                                                           // 10
	true_ := w.stored("kara")
	whole := func(what string, commits []injury.Stored) {
		t.Helper()
		if r := w.byItself(commits); !r.Whole() || r.Commits != 10 || r.Decided != 10 || r.Digests != 10 || r.Freed != 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
	whole("as it is stored", true_)
	whole("sealed anew, with nothing changed", forged(t, true_, func(*event.Draft) bool { return true }))

	last := func(d *event.Draft) *eventv1.Event { return d.Events[len(d.Events)-1] }
	draw := func(d *event.Draft) *eventv1.Draw { return d.Inputs.Inputs[0].GetDraw() }
	for name, c := range map[string]struct {
		change func(*event.Draft) bool
		want   string // the first problem
	}{
		"another face":                   {at(3, func(d *event.Draft) { draw(d).Faces[0] = 4 }), "version 3, "},
		"a face that no die has":         {at(3, func(d *event.Draft) { draw(d).Faces[0] = 5 }), "version 3, "},
		"the face is not on record":      {at(3, func(d *event.Draft) { d.Inputs.Inputs = nil }), "version 3, inputs"},
		"another roll":                   {at(3, func(d *event.Draft) { draw(d).Expression = "1d6" }), "version 3, "},
		"supplied by people":             {at(3, func(d *event.Draft) { draw(d).Supplied = 1 }), "version 3, "},
		"an input more":                  {at(2, func(d *event.Draft) { d.Inputs.Inputs = append(d.Inputs.Inputs, &eventv1.Input{Label: "x"}) }), "version 2, inputs"},
		"it waits, the record says":      {at(2, func(d *event.Draft) { d.Inputs.Suspended = true }), "version 2, inputs"},
		"hit points":                     {at(2, func(d *event.Draft) { last(d).GetHitPoints().Hp++ }), "version 2, event"},
		"told to somebody else":          {at(2, func(d *event.Draft) { last(d).Audience = event.GM() }), "version 2, event"},
		"an event less":                  {at(2, func(d *event.Draft) { d.Events = d.Events[:len(d.Events)-1] }), "version 2, event"},
		"an event more":                  {at(2, func(d *event.Draft) { d.Events = append(d.Events, proto.CloneOf(last(d))) }), "version 2, event"},
		"events swapped":                 {at(2, func(d *event.Draft) { d.Events[0], d.Events[1] = d.Events[1], d.Events[0] }), "version 2, event"},
		"more harm than was said":        {at(2, said(t, func(c *eventv1.Command) { c.GetPatient().Parameters = params(t, map[string]any{"amount": 8}) })), "version 2, cause, request_digest"},
		"a word that changes nothing":    {at(2, said(t, func(c *eventv1.Command) { c.GetPatient().Item = "axe" })), "version 2, cause, request_digest"},
		"another digest":                 {at(2, func(d *event.Draft) { d.Cause.RequestDigest[0]++ }), "version 2, cause, request_digest"},
		"given by another":               {at(3, func(d *event.Draft) { d.Cause.Principal = gm }), "version 3, cause, request_digest"},
		"given by who may not":           {at(3, func(d *event.Draft) { d.Cause.Principal = bob }), "version 3, cause, command: decided again it is refused: "},
		"given by nobody":                {at(3, func(d *event.Draft) { d.Cause.Principal = nil }), "version 3, cause, command: decided again it is refused: "},
		"given by a spectator":           {at(3, func(d *event.Draft) { d.Cause.Principal = spectator }), "version 3, cause, command: decided again it is refused: "},
		"no command":                     {at(2, func(d *event.Draft) { d.Cause.Command = []byte{0xff} }), "version 2, cause, command: decided again it is refused: "},
		"a command of a fight":           {at(2, func(d *event.Draft) { d.Cause.Command = nil }), "version 2, cause, command: decided again it is refused: "},
		"a deed that there is not":       {at(2, said(t, func(c *eventv1.Command) { c.GetPatient().Deed = "sing" })), "version 2, cause, command: decided again it is refused: "},
		"nobody is named":                {at(2, said(t, func(c *eventv1.Command) { c.GetPatient().Patients = nil })), "version 2, cause, command: decided again it is refused: "},
		"the request id of an earlier":   {at(7, func(d *event.Draft) { d.Cause.RequestId = true_[1].Cause.RequestId }), "version 7, cause, request_id: decided again it is refused: "},
		"no request id":                  {at(7, func(d *event.Draft) { d.Cause.RequestId = "" }), "version 7, cause, request_id: decided again it is refused: "},
		"another action number":          {at(3, func(d *event.Draft) { d.Cause.Action++ }), "version 3, "},
		"another answer":                 {at(5, said(t, func(c *eventv1.Command) { c.GetAnswer().Answer.Number = 2 })), "version 5, "},
		"an answer to another question":  {at(5, said(t, func(c *eventv1.Command) { c.GetAnswer().Decision = "x" })), "version 5, cause, command: decided again it is refused: "},
		"put back to another version":    {at(6, func(d *event.Draft) { last(d).GetReverted().Version = 2 }), "version 6, event"},
		"another reason":                 {at(6, func(d *event.Draft) { last(d).GetReverted().Reason = "heard well" }), "version 6, event"},
		"more time":                      {at(7, func(d *event.Draft) { last(d).GetCounter().Value++ }), "version 7, event"},
		"another condition":              {at(8, func(d *event.Draft) { last(d).GetConditionAdded().Condition.Name = "cold" }), "version 8, event"},
		"another table":                  {at(2, func(d *event.Draft) { d.Header.Table = "t2" }), "version 2, "},
		"what was let go is told to all": {at(10, func(d *event.Draft) { last(d).Audience = event.Everyone() }), "version 10, event"},
		"a version left out":             {func(d *event.Draft) bool { return d.Header.Version != 7 }, "version 8, "},
		"cut off before it":              {func(d *event.Draft) bool { return d.Header.Version > 1 }, "version 2, "},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			r := w.byItself(forged(t, true_, c.change))
			if len(r.Problems) == 0 || r.Whole() {
				t.Fatalf("not found: %+v", r)
			}
			if got := r.Problems[0].String(); !strings.HasPrefix(got, "patient kara, "+c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
	w.t = t
	// Bytes that Skald does not write are found whatever they mean.
	odd := true_[1]
	odd.Data = append([]byte{}, odd.Data...)
	odd.Data = append(odd.Data, 0x7a, 0x01, 0x00)
	if r := w.byItself([]injury.Stored{true_[0], odd}); len(r.Problems) != 1 || !strings.Contains(r.Problems[0].String(), "holds bytes that Skald does not write") {
		t.Errorf("odd bytes: %v", r.Problems)
	}
	// A record from which nothing follows any more is not followed further.
	r := w.byItself(forged(t, true_, func(d *event.Draft) bool { return d.Header.Version != 2 }))
	if len(r.Problems) == 0 || r.Commits != 9 || r.Decided > 2 {
		t.Errorf("behind a gap: %+v", r)
	}
	for _, p := range r.Problems {
		if p.Version != 3 {
			t.Errorf("behind a gap: %v", p)
		}
	}
}

// What cannot be decided is counted and not called checked: content and rules that this
// build does not have, what a fight brought, digests of requests that left out what the
// record fills in, and who was freed from a fight whose record was broken.
func TestWhatVerificationCounts(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.harm("kara", 9)
	true_ := w.stored("kara")
	r := w.byItself(forged(t, true_, at(1, func(d *event.Draft) { d.Events[0].GetEncounterCreated().ContentDigest = "another" })))
	if len(r.Problems) > 0 || fmt.Sprint(r.Content) != "[another]" || r.Whole() || r.Decided != 2 {
		t.Errorf("another content: %+v", r)
	}
	for name, change := range map[string]func(*eventv1.CommitHeader){
		"another system":  func(h *eventv1.CommitHeader) { h.System = "chess" },
		"another version": func(h *eventv1.CommitHeader) { h.SystemVersion = "0" },
		"another engine":  func(h *eventv1.CommitHeader) { h.EngineVersion = "0" },
	} {
		r := w.byItself(forged(t, true_, func(d *event.Draft) bool { change(d.Header); return true }))
		if len(r.Problems) > 0 || len(r.Other) != 1 || r.Decided != 0 || r.Whole() {
			t.Errorf("%s: %+v", name, r)
		}
	}

	e := &encounter{w: w, id: "e1"}
	c := e.enter("kara").Creature
	e.leave("kara", c)
	r = w.byItself(w.stored("kara"))
	if len(r.Problems) > 0 || r.Releases != 1 || r.Decided != 3 || r.Digests != 2 || r.Whole() {
		t.Errorf("through a fight: %+v", r)
	}
	// Coming in is decided; it has no digest of a request, the fight's Commit has.
	r = w.byItself(forged(t, w.stored("kara"), at(3, func(d *event.Draft) { d.Cause.RequestDigest = []byte{1} })))
	if len(r.Problems) != 1 || !strings.Contains(r.Problems[0].String(), "request_digest: of a crossing, which has none") {
		t.Errorf("a crossing with a digest: %v", r.Problems)
	}
	for name, change := range map[string]func(*event.Draft){
		"into another fight":      func(d *event.Draft) { d.Events[0].GetMark().Value = "e2" },
		"unseen, and told to ann": func(d *event.Draft) { d.Events = append(d.Events, d.Events[0]) },
		"by who may not":          func(d *event.Draft) { d.Cause.Principal = bob },
	} {
		if r := w.byItself(forged(t, w.stored("kara"), at(3, change))); len(r.Problems) != 1 || r.Problems[0].Version != 3 {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}

	settled := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"wim"}, Sheet: sheet("wim", 20)})
	settled.System, settled.Settings = "drill", map[string]string{"drill.gentle": "on"}
	w.tend(settled)
	r = w.byItself(w.stored("wim"))
	if len(r.Problems) > 0 || r.Digests != 1 || r.Filled != 0 || !r.Whole() {
		t.Errorf("with a setting: %+v", r)
	}
	main := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"zoe"}, Sheet: sheet("zoe", 20)})
	main.System, main.Table = "drill", "" // the usual table
	w.tend(main)
	r = w.byItself(w.storedAt("main", "zoe"))
	if !r.Whole() || r.Digests != 1 {
		t.Errorf("at the usual table: %+v", r)
	}
	// Who rests together is decided together: of the question and its answer alike.
	w.enrol("pim", 20, "ann")
	both := w.deed(gm, &eventv1.PatientCommand{Deed: "rest", Patients: []string{"wim", "pim"}})
	w.tend(w.answer(gm, open(t, w.tend(both).Events).Id, &eventv1.Answer{Number: 0}))
	for _, id := range []string{"wim", "pim"} {
		if r := w.byItself(w.stored(id)); len(r.Problems) > 0 || r.Elsewhere != 2 || r.Decided != 1 {
			t.Errorf("%s's file: %+v", id, r)
		}
	}
}

// A patient that comes into a fight unseen, and one that comes back into one whose end was
// taken back, are verified to have done so.
func TestComingIntoAFightIsVerified(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	e := &encounter{w: w, id: "e1"}
	reply, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "kara", Encounter: "e1", System: "drill", As: gm, RequestId: "in", Staged: true})
	if err != nil {
		t.Fatal(err)
	}
	c := proto.CloneOf(reply.Patient.Creature)
	e.commit(&eventv1.Command{What: &eventv1.Command_Add{}}, reply.Message, &eventv1.CommitInputs{},
		event.New(event.Controllers("c-kara"), &eventv1.CreatureAdded{Creature: "c-kara", Name: c.Name, Controllers: c.Controllers, Patient: "kara"}))
	if p := w.get(bob, "kara", 0); p.Encounter != "" {
		t.Errorf("bob sees it in %q", p.Encounter)
	}
	e.leave("kara", c)
	again, err := w.client.PrepareEngage(w.ctx(), &injuryv1.PrepareEngageRequest{Table: "t1", Patient: "kara", Encounter: "e1", System: "drill", As: gm, RequestId: "again", Again: true})
	if err != nil {
		t.Fatal(err)
	}
	e.commit(&eventv1.Command{}, again.Message, &eventv1.CommitInputs{}, event.New(event.Everyone(), &eventv1.Reverted{Version: 1}))
	if p := w.get(gm, "kara", 0); p.Encounter != "e1" {
		t.Fatalf("back in %q", p.Encounter)
	}
	true_ := w.stored("kara")
	r := w.byItself(true_)
	if len(r.Problems) > 0 || r.Decided != 3 || r.Releases != 1 {
		t.Errorf("%+v", r)
	}
	// Older builds did not write down that it is a coming back.
	bare := forged(t, true_, at(4, said(t, func(c *eventv1.Command) { c.GetPatient().Parameters = nil })))
	if r := w.byItself(bare); len(r.Problems) > 0 || r.Decided != 3 {
		t.Errorf("as older builds wrote it: %+v", r)
	}
	for name, change := range map[string]func(*eventv1.PatientCommand){
		"not again":  func(c *eventv1.PatientCommand) { c.Parameters = params(t, map[string]any{"again": false}) },
		"other word": func(c *eventv1.PatientCommand) { c.Parameters = params(t, map[string]any{"again": true, "x": 1}) },
	} {
		f := forged(t, true_, at(4, said(t, func(c *eventv1.Command) { change(c.GetPatient()) })))
		if r := w.byItself(f); len(r.Problems) != 1 || r.Problems[0].Version != 4 {
			t.Errorf("%s: %v", name, r.Problems)
		}
	}
	// Coming in while it is in already is refused.
	n := uint64(0)
	twice := forged(t, append(true_[:2:2], true_[1]), func(d *event.Draft) bool {
		n++
		d.Header.Version, d.Cause.RequestId = n, fmt.Sprint("in-", n)
		return true
	})
	r = w.byItself(twice[:2])
	if len(r.Problems) != 1 || r.Problems[0].Version != 1 { // the enrolment alone has a digest of its request
		t.Errorf("it came in once: %v", r.Problems)
	}
	r = w.byItself(twice)
	if len(r.Problems) != 2 || r.Problems[1].Version != 3 || !strings.Contains(r.Problems[1].String(), "decided again it is refused") {
		t.Errorf("it came in twice: %v", r.Problems)
	}
}
