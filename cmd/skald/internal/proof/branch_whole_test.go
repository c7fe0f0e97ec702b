package proof

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/attest"
	branches "github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// onBranches plays ruled tables whose rulings stand on branches, in fights and in records
// of patients, a part for each command.
func onBranches(t *testing.T) (out []campaign) {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Random: &fixed{src: rand.NewChaCha8([32]byte{9})}, InlineBytes: 1,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer stack.Close() //nolint:errcheck // the tables are exported
	for _, system := range systems.Registry().IDs() {
		p := &tablePlay{t: t, conn: stack.Conn(), system: system, table: "branched-" + system}
		c := campaign{name: p.table, lines: p.ruled(), kara: map[*eventv1.Principal][]*injuryv1.RecordLine{}}
		for _, as := range []*eventv1.Principal{gm, ann} {
			c.kara[as] = exportPatient(t, stack.Conn(), as, p.table, "kara")
		}
		out = append(out, c)
	}
	return out
}

// partsAt are the lines of the parts of a patient's branches.
func partsAt(lines []*injuryv1.RecordLine, patient string) (out []int) {
	for i, line := range lines {
		if line.GetPart().GetPatient() == patient {
			out = append(out, i)
		}
	}
	return out
}

// left is what is left of lines, and says again how many there are.
func left(lines []*injuryv1.RecordLine) []*injuryv1.RecordLine {
	return ended(slices.DeleteFunc(slices.Clone(lines), func(l *injuryv1.RecordLine) bool { return l == nil }))
}

// Rulings whose parts stand on branches of the records of patients are decided again
// whole, by both verifiers as far as each goes; so is one patient's own file.
func TestPartsOfRecordsOnBranchesHold(t *testing.T) {
	dir := t.TempDir()
	var files []string
	all := onBranches(t)
	for i, c := range all {
		r := proveLines(t, c.lines)
		if !r.Holds() || len(partsAt(c.lines, "kara")) < 3 {
			t.Errorf("%s: %d parts of kara's:\n%s", c.name, len(partsAt(c.lines, "kara")), r)
		}
		files = append(files, writeLines(t, dir, 10*i, c.lines), writeLines(t, dir, 10*i+1, c.kara[gm]))
		for as, lines := range c.kara {
			if r := proveLines(t, lines); !r.OK() {
				t.Errorf("%s, %v: %s", c.name, as, r)
			}
		}
		if whole, own := partsAt(c.lines, "kara"), partsAt(c.kara[gm], "kara"); len(whole) != len(own) {
			t.Errorf("%s: %d parts in kara's own file, %d in the table's", c.name, len(own), len(whole))
		}
		if n := len(partsAt(c.kara[ann], "kara")); n > 0 {
			t.Errorf("%s: ann gets %d parts", c.name, n)
		}
		// Parts that no Commit names count for nothing.
		at := partsAt(c.lines, "kara")
		last := proto.CloneOf(c.lines[at[len(at)-1]])
		p, err := branches.Read(last.GetPart().Data)
		if err != nil {
			t.Fatal(err)
		}
		p.Part, p.PreviousHash = p.Part+1, branches.Hash(last.GetPart().Data)
		last.GetPart().Data = marshal(t, p)
		other := proto.CloneOf(c.lines[at[0]])
		other.GetPart().Branch = "of-one-who-died"
		lines := left(slices.Insert(slices.Clone(c.lines), at[len(at)-1]+1, last, other))
		if r := proveLines(t, lines); !r.Holds() {
			t.Errorf("%s, with parts that no Commit names: %s", c.name, r)
		}
		files = append(files, writeLines(t, dir, 10*i+2, lines))
	}
	for i, r := range runSecond(t, files) {
		if len(r.Problems) > 0 {
			t.Errorf("%s: %v", files[i], r.Problems)
		}
	}
}

func marshal(t *testing.T, m proto.Message) []byte {
	t.Helper()
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// partForgeries are changes of the parts of kara's record, by what they are. at are their
// lines.
func partForgeries(t *testing.T) map[string]func(lines []*injuryv1.RecordLine, at []int) {
	read := func(line *injuryv1.RecordLine) *eventv1.BranchPart {
		p, err := branches.Read(line.GetPart().Data)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return map[string]func([]*injuryv1.RecordLine, []int){
		"the first is missing": func(lines []*injuryv1.RecordLine, at []int) { lines[at[0]] = nil },
		"the last is missing":  func(lines []*injuryv1.RecordLine, at []int) { lines[at[len(at)-1]] = nil },
		"all are missing":      func(lines []*injuryv1.RecordLine, at []int) { each(at, func(i int) { lines[i] = nil }) },
		"two are swapped":      func(lines []*injuryv1.RecordLine, at []int) { lines[at[0]], lines[at[1]] = lines[at[1]], lines[at[0]] },
		"they are another's": func(lines []*injuryv1.RecordLine, at []int) {
			each(at, func(i int) { lines[i].GetPart().Patient = "wim" })
		},
		"they are of a fight": func(lines []*injuryv1.RecordLine, at []int) {
			each(at, func(i int) { lines[i].GetPart().Patient, lines[i].GetPart().Encounter = "", "first" })
		},
		"they are of both": func(lines []*injuryv1.RecordLine, at []int) {
			each(at, func(i int) { lines[i].GetPart().Encounter = "first" })
		},
		"they have another name": func(lines []*injuryv1.RecordLine, at []int) {
			each(at, func(i int) { lines[i].GetPart().Branch += "x" })
		},
		"one is no part": func(lines []*injuryv1.RecordLine, at []int) { lines[at[1]].GetPart().Data = []byte("x") },
		"the last comes after": func(lines []*injuryv1.RecordLine, at []int) {
			last := at[len(at)-1]
			part := lines[last]
			copy(lines[last:], lines[last+1:len(lines)-1])
			lines[len(lines)-2] = part
		},
		"a byte is another": func(lines []*injuryv1.RecordLine, at []int) {
			data := lines[at[0]].GetPart().Data
			data[len(data)-1] ^= 1
		},
		"one is cut": func(lines []*injuryv1.RecordLine, at []int) {
			p := read(lines[at[0]])
			p.Commands[0].Events = nil
			lines[at[0]].GetPart().Data = marshal(t, p)
		},
		"one is longer": func(lines []*injuryv1.RecordLine, at []int) {
			p := read(lines[at[len(at)-1]])
			p.Commands = append(p.Commands, p.Commands...)
			lines[at[len(at)-1]].GetPart().Data = marshal(t, p)
		},
	}
}

func each(at []int, do func(i int)) {
	for _, i := range at {
		do(i)
	}
}

// Parts that are missing, cut, longer, swapped or of somebody else: both verifiers find
// each, in the table's file and in the patient's own, and name the record.
func TestForgedPartsOfRecords(t *testing.T) {
	dir := t.TempDir()
	var files, what []string
	for _, c := range onBranches(t)[:2] {
		for _, lines := range [][]*injuryv1.RecordLine{c.lines, c.kara[gm]} {
			version := 0
			for name, forge := range partForgeries(t) {
				forged := make([]*injuryv1.RecordLine, len(lines))
				for i, l := range lines {
					forged[i] = proto.CloneOf(l)
				}
				forge(forged, partsAt(lines, "kara"))
				forged = left(forged)
				r := proveLines(t, forged)
				if version = rulingVersion(t, lines); r.OK() || !says(r.Problems, fmt.Sprintf("patient kara, version %d", version)) {
					t.Errorf("%s, %s: version %d is to be named: %v", c.name, name, version, r.Problems)
				}
				files, what = append(files, writeLines(t, dir, len(files), forged)), append(what, c.name+": "+name)
			}
		}
	}
	for i, r := range runSecond(t, files) {
		if !says(r.Problems, "patient kara") {
			t.Errorf("%s: the second verifier says %v", what[i], r.Problems)
		}
	}
}

// rulingVersion is the version of the first ruling in kara's record.
func rulingVersion(t *testing.T, lines []*injuryv1.RecordLine) int {
	t.Helper()
	for _, r := range recordsOf(t, lines) {
		if r.name != "patient kara" {
			continue
		}
		f := open(t, r.commits(lines))
		i, _, _ := f.find(func(e *eventv1.Event) bool { return e.GetAmended() != nil })
		return i + 1
	}
	t.Fatal("no ruling in kara's record")
	return 0
}

// Parts that were forged with all that proves them, hashes and the Commits after them, are
// found by deciding again: what an event says, how many commands count, and commands that
// stand both in the Commit and on the branch.
func TestResealedPartsOfRecords(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, c := range onBranches(t) {
		for name, forge := range map[string]func(w *branches.Written, all []*eventv1.Redecided, am *eventv1.Amended) bool{
			"other hit points": func(_ *branches.Written, all []*eventv1.Redecided, _ *eventv1.Amended) bool {
				return otherHitPoints(t, all)
			},
			"a command less": func(_ *branches.Written, _ []*eventv1.Redecided, am *eventv1.Amended) bool {
				am.Count--
				return am.Count > 0
			},
			"commands twice": func(_ *branches.Written, all []*eventv1.Redecided, am *eventv1.Amended) bool {
				am.Commands = all
				return true
			},
		} {
			lines, ok := resealed(t, c.lines, func(all []*eventv1.Redecided, am *eventv1.Amended) bool { return forge(nil, all, am) })
			if !ok {
				continue
			}
			r := proveLines(t, lines)
			if at := fmt.Sprintf("patient kara, version %d", rulingVersion(t, c.lines)); !says(r.Problems, at) {
				t.Errorf("%s, %s: %s is to be named: %v", c.name, name, at, r.Problems)
			}
			if name == "commands twice" {
				files = append(files, writeLines(t, dir, len(files), lines))
			}
		}
	}
	if len(files) == 0 {
		t.Error("nothing was forged")
	}
	for i, r := range runSecond(t, files) {
		if !says(r.Problems, "beside those of branch") {
			t.Errorf("%s: the second verifier says %v", files[i], r.Problems)
		}
	}
}

// otherHitPoints changes the first hit points that any of the commands tell of.
func otherHitPoints(t *testing.T, all []*eventv1.Redecided) bool {
	t.Helper()
	for _, c := range all {
		for i, data := range c.Events {
			e := &eventv1.Event{}
			if err := proto.Unmarshal(data, e); err != nil {
				t.Fatal(err)
			}
			if hp := e.GetHitPoints(); hp != nil {
				hp.Hp++
				c.Events[i] = marshal(t, e)
				return true
			}
		}
	}
	return false
}

// resealed changes the first ruling in kara's record and makes its branch and all Commits
// behind it again.
func resealed(t *testing.T, lines []*injuryv1.RecordLine, change func(all []*eventv1.Redecided, am *eventv1.Amended) bool) ([]*injuryv1.RecordLine, bool) {
	t.Helper()
	all := recordsOf(t, lines)
	r := all[slices.IndexFunc(all, func(r ofRecord) bool { return r.name == "patient kara" })]
	f := open(t, r.commits(lines))
	i, _, e := f.find(func(e *eventv1.Event) bool { return e.GetAmended() != nil })
	am := e.GetAmended()
	var commands []*eventv1.Redecided
	var at []int
	for _, n := range partsAt(lines, "kara") {
		if lines[n].GetPart().Branch == am.Branch {
			p, err := branches.Read(lines[n].GetPart().Data)
			if err != nil {
				t.Fatal(err)
			}
			commands, at = append(commands, p.Commands...), append(at, n)
		}
	}
	if !change(commands, am) {
		return nil, false
	}
	w, err := branches.Write(commands, 1, zeros{})
	if err != nil || len(w.Parts) != len(at) {
		t.Fatal(len(w.Parts), err)
	}
	am.BranchHash = w.Hash
	if int(am.Count) < len(commands) {
		am.Parts, am.BranchHash = am.Count, branches.Hash(w.Parts[am.Count-1])
	}
	out := slices.Clone(lines)
	for n, line := range at {
		out[line] = &injuryv1.RecordLine{What: &injuryv1.RecordLine_Part{Part: &injuryv1.RecordPart{Patient: "kara", Branch: am.Branch, Data: w.Parts[n]}}}
	}
	return r.with(out, f.seal(i)), true
}

// An entry that comes in pieces is the one that it is whole: the same transcript, and what
// is left out or begins again is found.
func TestAnEntryInPieces(t *testing.T) {
	lines := onBranches(t)[0].kara[ann]
	read := func(lines []*injuryv1.RecordLine) (*FileReport, [][]byte) {
		f, r := readLines(t, nil, nil, lines)
		return r, f.transcript
	}
	whole, transcript := read(lines)
	at := slices.IndexFunc(lines, func(l *injuryv1.RecordLine) bool { return len(l.GetEntry().GetEvents()) > 2 })
	if at < 0 || !whole.OK() {
		t.Fatal("no entry of several events: ", whole)
	}
	e := lines[at].GetEntry()
	piece := func(from, to int) *injuryv1.RecordLine {
		p := &injuryv1.HistoryEntry{Events: e.Events[from:to]}
		if from == 0 {
			p.Encounter, p.Deed, p.UnixMillis = e.Encounter, e.Deed, e.UnixMillis
		}
		p.Bytes = event.Canonical(p)
		p.Number, p.More = e.Number, to < len(e.Events)
		return &injuryv1.RecordLine{What: &injuryv1.RecordLine_Entry{Entry: p}}
	}
	with := func(pieces ...*injuryv1.RecordLine) []*injuryv1.RecordLine {
		return left(slices.Concat(lines[:at], pieces, lines[at+1:]))
	}
	one, two, three := piece(0, 1), piece(1, 2), piece(2, len(e.Events))
	if r, got := read(with(one, two, three)); !r.OK() || r.Entries != whole.Entries || !bytes.Equal(got[len(got)-1], transcript[len(transcript)-1]) {
		t.Errorf("in pieces: %s", r)
	}
	if r, _ := read(left(slices.Concat(lines[:at], []*injuryv1.RecordLine{one}, lines[len(lines)-1:]))); !says(r.Problems, "breaks off") {
		t.Errorf("an entry that breaks off: %v", r.Problems)
	}
	s, last := newSigning(t), uint64(len(transcript)-1)
	head := attest.Head{Table: lines[0].GetRecord().Table, Patient: "kara", Viewer: lines[0].GetRecord().Viewer, Number: last, Hash: transcript[last]}
	mixed := proto.CloneOf(two)
	mixed.GetEntry().Deed = "rest"
	var all []held
	for name, pieces := range map[string][]*injuryv1.RecordLine{"whole": {lines[at]}, "in pieces": {one, two, three}, "in two": {piece(0, 2), three}, "a piece less": {one, three},
		"begins twice": {one, one, two, three}, "has no end": {one, two}, "another order": {one, three, two}, "a piece of another deed": {one, mixed, three}} {
		of := with(pieces...)
		all = append(all, held{name: name, file: writeLines(t, t.TempDir(), 0, of), key: s.public[1].Verifier, since: []attest.Head{head}, holds: slices.Contains([]string{"whole", "in pieces", "in two"}, name), signed: 1,
			first: func(by note.Verifiers, since []attest.Head) []string {
				_, r := readLines(t, by, since, of)
				return r.Problems
			}})
	}
	judge(t, s, all)
}
