package injury_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

func (w *world) exportTable(as *eventv1.Principal, table string) (out []*injuryv1.RecordLine, err error) {
	w.t.Helper()
	stream, err := w.client.ExportTable(w.ctx(), &injuryv1.ExportTableRequest{Table: table, As: as})
	if err != nil {
		return nil, err
	}
	for {
		resp, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, resp.Line)
	}
}

// docs/PATIENTS.md: a table's file holds all that is recorded there, fights, patients and
// packs, in the order in which they were stored, and nothing else: not what the dice
// service keeps sealed, nor another table's. It is the game master's.
func TestATablesFile(t *testing.T) {
	w := withRealDice(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	w.harm("kara", 9)
	w.on("treat", "kara")
	w.fight("e1", "kara")
	pack := []byte("no pack that anybody would keep")
	w.settled()
	other := w.deed(gm, &eventv1.PatientCommand{Deed: "enrol", Patients: []string{"zoe"}, Sheet: sheet("zoe", 20)})
	other.System, other.Table = "drill", "t2"
	w.tend(other)
	w.harm("wim", 1)

	lines, err := w.exportTable(gm, "t1")
	if err != nil {
		t.Fatal(err)
	}
	of := lines[0].GetRecord()
	if of.GetFormat() != 1 || of.Table != "t1" || of.Patient != "" || of.Viewer != "gm" {
		t.Errorf("begins with %v", lines[0])
	}
	if end := lines[len(lines)-1].GetEnd(); end.GetLines() != uint64(len(lines)-1) {
		t.Errorf("ends with %v, of %d lines", end, len(lines))
	}
	var want [][]byte
	sealed := 0
	err = w.journal.Read(w.ctx(), "skald.0.t1.>", 1, 0, func(rec journal.Record) error {
		if strings.Contains(rec.Subject, ".dice.") {
			sealed++
			return nil
		}
		want = append(want, bytes.Clone(rec.Data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]byte
	for _, l := range lines[1 : len(lines)-1] {
		got = append(got, l.GetCommit())
	}
	if sealed == 0 || !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%d lines for %d records beside %d of the dice", len(got), len(want), sealed)
	}
	for _, data := range got {
		if o, err := event.Open(data); err != nil || o.Header.Table != "t1" {
			t.Errorf("a line of %v, %v", o, err)
		}
	}
	for _, as := range []*eventv1.Principal{ann, bob, spectator} {
		_, err := w.exportTable(as, "t1")
		wantFault(t, err, fault.Denied, "GM_ONLY")
	}
	if _, err := w.exportTable(nil, "t1"); err == nil {
		t.Error("nobody is given a table")
	}
	_, err = w.exportTable(gm, "t3")
	wantFault(t, err, fault.NotFound, "UNKNOWN_TABLE")
	_, err = w.exportTable(gm, "a.b")
	w.field(err, "table")
	two, err := w.exportTable(gm, "t2")
	if err != nil || len(two) != 3 {
		t.Errorf("the other table: %v, %v", two, err)
	}
	// What stands where a pack would and is none is not handed out as one.
	subject, err := journal.PackSubject(0, "t1", strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.journal.Append(w.ctx(), journal.Message{Subject: subject, ID: "odd", Data: pack}); err != nil {
		t.Fatal(err)
	}
	_, err = w.exportTable(gm, "t1")
	wantFault(t, err, fault.Broken, "RECORD_BROKEN")
}

// A table's file and a patient's hold the packs that were used, each once in a patient's
// file; a patient's file is verified only with them.
func TestFilesHoldTheirPacks(t *testing.T) {
	w := rcrWorld(t)
	one, two := w.put(steady("one", "2")), w.put(steady("two", "3"))
	w.enrolWith("kept", one)
	w.treat("kept")
	edit := w.deed(gm, &eventv1.PatientCommand{Deed: "edit", Patients: []string{"kept"}})
	edit.Packs = []string{two, one}
	w.tend(edit)
	packs := map[string][]byte{}
	var order []string
	for _, l := range w.export(gm, "kept") {
		if p := l.GetPack(); p != nil {
			order, packs[p.Digest] = append(order, p.Digest), p.Data
		}
	}
	want := []string{one, two}
	slices.Sort(want)
	if !slices.Equal(order, want) {
		t.Errorf("packs %v, want %v", order, want)
	}
	lines, err := w.exportTable(gm, "t1")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range lines {
		if p := l.GetPack(); p != nil {
			n++
			if !bytes.Equal(p.Data, packs[p.Digest]) {
				t.Errorf("pack %s is another in the table's file", p.Digest)
			}
		}
	}
	if n != 2 {
		t.Errorf("%d packs in the table's file", n)
	}
	give := func(digests ...string) func(*verifier) {
		return func(v *verifier) {
			for _, d := range digests {
				if err := v.Pack("t1", d, packs[d]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if r := w.byItself(w.stored("kept"), give(one, two)); !r.Whole() || r.Decided != 3 || len(r.MissingPacks) > 0 {
		t.Errorf("with both: %+v", r)
	}
	if r := w.byItself(w.stored("kept"), give(one)); r.Whole() || r.Decided != 2 || !slices.Equal(r.MissingPacks, []string{two}) || len(r.Problems) > 0 {
		t.Errorf("with the first: %+v", r)
	}
	if r := w.byItself(w.stored("kept"), give(two)); r.Whole() || r.Decided != 0 || !slices.Equal(r.MissingPacks, []string{one}) || len(r.Problems) > 0 {
		t.Errorf("with the second: %+v", r)
	}
}
