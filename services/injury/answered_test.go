package injury_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
	"github.com/skaldrpg/skald/services/injury"
)

// Who may answer what a deed asks: whoever controls the creature, and the game master, who
// alone lets the default be taken. To anybody else no such decision is open, and what the
// game master is asked in secret is nobody's but the game master's.
func TestWhoAnswersADeed(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.harm("jeera", 10)
	careful := func() string {
		w.t.Helper()
		return open(t, w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Item: "careful", Patients: []string{"jeera"}})).Events).Id
	}
	byDefault := func(as *eventv1.Principal, id string, a *eventv1.Answer) *injuryv1.TendRequest {
		req := w.answer(as, id, a)
		req.Command.GetAnswer().ByDefault = true
		return req
	}
	id := careful()
	w.refused(w.answer(bob, id, &eventv1.Answer{Option: "yes"}), fault.NotFound, "UNKNOWN_DECISION")
	w.refused(w.answer(ann, "nothing", &eventv1.Answer{Option: "yes"}), fault.NotFound, "UNKNOWN_DECISION")
	w.refused(w.answer(ann, id, &eventv1.Answer{Option: "perhaps"}), fault.Invalid, "INVALID_FIELD")
	_, err := w.client.Tend(w.ctx(), w.answer(ann, id, nil))
	if f, _ := fault.As(err); f == nil || len(f.Violations) != 1 || f.Violations[0].Field != "command.answer.answer" {
		t.Errorf("no answer: %v", err)
	}
	_, err = w.client.Tend(w.ctx(), byDefault(ann, id, nil)) // to leave it to the default is the game master's
	if f, _ := fault.As(err); f == nil || len(f.Violations) != 1 || f.Violations[0].Field != "command.answer.answer" {
		t.Errorf("the default, by a player: %v", err)
	}
	answered := func(r *injuryv1.TendResponse) (by, option string) {
		for _, e := range r.Events {
			if a := e.GetDecisionAnswered(); a != nil {
				by, option = a.By, a.Answer.GetOption()
			}
		}
		return by, option
	}
	if by, option := answered(w.tend(byDefault(ann, id, &eventv1.Answer{Option: "yes"}))); by != "answer" || option != "yes" {
		t.Errorf("ann's own answer: %q by %q", option, by)
	}
	if by, option := answered(w.tend(byDefault(gm, careful(), &eventv1.Answer{Option: "yes"}))); by != "default" || option != "no" {
		t.Errorf("by default: %q by %q", option, by)
	}
	if by, option := answered(w.tend(w.answer(gm, careful(), &eventv1.Answer{Option: "no"}))); by != "gm" || option != "no" {
		t.Errorf("by the game master: %q by %q", option, by)
	}
	secret := open(t, w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "haunt", Patients: []string{"jeera"}})).Events).Id
	w.refused(w.answer(ann, secret, &eventv1.Answer{Option: "yes"}), fault.NotFound, "UNKNOWN_DECISION")
	w.tend(w.answer(gm, secret, &eventv1.Answer{Option: "yes"}))
	w.refused(w.answer(gm, secret, &eventv1.Answer{Option: "yes"}), fault.NotFound, "UNKNOWN_DECISION")
}

// What could never be a deed is refused at the border, with the field that is wrong.
func TestWhatIsNoDeed(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	many := func(n int) (ids []string) {
		for i := range n {
			ids = append(ids, fmt.Sprint("p", i))
		}
		return ids
	}
	for name, x := range map[string]struct {
		req           *injuryv1.TendRequest
		reason, field string
	}{
		"no decision":                {w.answer(gm, "", &eventv1.Answer{}), "INVALID_FIELD", "command.answer.decision"},
		"a decision of too long id":  {w.answer(gm, strings.Repeat("x", rules.MaxIDLength+1), &eventv1.Answer{}), "INVALID_FIELD", "command.answer.decision"},
		"a decision that is not":     {w.answer(gm, strings.Repeat("x", rules.MaxIDLength), &eventv1.Answer{}), "UNKNOWN_DECISION", ""},
		"no id":                      {w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{"jeera", "k k"}}), "INVALID_FIELD", "command.patient.patients"},
		"one named twice":            {w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: []string{"jeera", "kesh", "jeera"}}), "INVALID_FIELD", "command.patient.patients"},
		"as many as may be, unknown": {w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: many(limits.DeedPatients)}), "UNKNOWN_PATIENT", ""},
		"more than may be":           {w.deed(gm, &eventv1.PatientCommand{Deed: "harm", Patients: many(limits.DeedPatients + 1)}), "LIMIT", ""},
		"by no id":                   {w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"jeera"}, User: "k k"}), "INVALID_FIELD", "command.patient.user"},
		"a command of a fight":       {&injuryv1.TendRequest{RequestId: "x", As: gm, Table: "t1", Command: &eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}}}, "INVALID_FIELD", "command"},
	} {
		_, err := w.client.Tend(w.ctx(), x.req)
		f, _ := fault.As(err)
		field := ""
		if f != nil && len(f.Violations) > 0 {
			field = f.Violations[0].Field
		}
		if f == nil || f.Reason != x.reason || field != x.field {
			t.Errorf("%s: %v, want %s of %q", name, err, x.reason, x.field)
		}
	}
	if n := len(w.commits("jeera")); n != 1 {
		t.Errorf("refusals stored %d Commits", n-1)
	}
}

// stored are the Commits of a patient as they lie in the log.
func (w *world) stored(id string) []injury.Stored {
	w.t.Helper()
	return w.storedAt("t1", id)
}

// storedAt is stored of another table.
func (w *world) storedAt(table, id string) (out []injury.Stored) {
	w.t.Helper()
	subject, err := journal.SubjectIn(0, table, "patient", id)
	if err != nil {
		w.t.Fatal(err)
	}
	err = w.journal.Read(w.ctx(), subject, 1, 0, func(r journal.Record) error {
		o, err := event.Open(r.Data)
		out = append(out, injury.Stored{Opened: o, Data: r.Data})
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// PATIENTS.md, verified: a deed that touched several patients is decided again for all of
// them at once. A part that is left out of what is handed over, and one that is no part of
// the deed, are found; in one patient's file such a deed is counted and not decided.
func TestADeedIsVerifiedForAllWhomItTouched(t *testing.T) {
	w := newWorld(t)
	w.enrol("jeera", 20, "ann")
	w.enrol("kesh", 20, "bob")
	w.enrol("mira", 20)
	w.harm("kesh", 10)
	w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kesh"}, User: "jeera"}))
	jeera, kesh, mira := w.stored("jeera"), w.stored("kesh"), w.stored("mira")
	verified := func(alone bool, deeds ...[]injury.Stored) *injury.Verification {
		t.Helper()
		v, err := injury.NewVerifier(injury.VerifierConfig{Systems: w.cfg.Systems, Dir: t.TempDir(), Alone: alone})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range deeds {
			if err := v.Deed(t.Context(), d); err != nil {
				t.Fatal(err)
			}
		}
		r := v.Report()
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := func(s injury.Stored) []injury.Stored { return []injury.Stored{s} }
	whole := verified(false, one(jeera[0]), one(kesh[0]), one(mira[0]), one(kesh[1]), []injury.Stored{jeera[1], kesh[2]})
	if !whole.Whole() || whole.Commits != 6 || whole.Decided != 6 || whole.Digests != 5 {
		t.Errorf("all of it: %+v", whole)
	}
	for name, x := range map[string]struct {
		last []injury.Stored
		want []string
	}{
		"a part is left out": {one(kesh[2]), []string{"the deed touches patient kesh as well, whose record has nothing of it"}},
		"a part is too much": {[]injury.Stored{jeera[1], mira[0], kesh[2]}, []string{"recorded mira, decided again it is kesh", "patient kesh, version 3, commit: the deed does not touch this patient"}},
		"another's record":   {[]injury.Stored{mira[0], kesh[2]}, []string{"recorded mira, decided again it is jeera"}},
	} {
		r := verified(false, one(jeera[0]), one(kesh[0]), one(kesh[1]), x.last)
		for _, want := range x.want {
			if !strings.Contains(fmt.Sprint(r.Problems), want) || r.Whole() {
				t.Errorf("%s: %v, want %q", name, r.Problems, want)
			}
		}
	}
	alone := verified(true, one(kesh[0]), one(kesh[1]), one(kesh[2]))
	if alone.Elsewhere != 1 || alone.Decided != 2 || len(alone.Problems) > 0 || alone.Whole() {
		t.Errorf("kesh's file: %+v", alone)
	}
	if r := verified(true, one(mira[0])); !r.Whole() || r.Elsewhere != 0 {
		t.Errorf("mira's file: %+v", r)
	}
}
