package proof

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	injuryv1 "github.com/skaldrpg/skald/proto/skald/injury/v1"
)

// signing is a server's keys, the first of which was rotated away.
type signing struct {
	keys   *attest.Keys
	public []attest.PublicKey
}

func newSigning(t *testing.T) signing {
	t.Helper()
	path := filepath.Join(t.TempDir(), "heads.key")
	if _, err := attest.OpenKeys(path, "skald", rand.Reader); err != nil {
		t.Fatal(err)
	}
	if _, err := attest.Rotate(path, rand.Reader); err != nil {
		t.Fatal(err)
	}
	keys, err := attest.ReadKeys(path)
	if err != nil {
		t.Fatal(err)
	}
	public, err := keys.Public()
	if err != nil || len(public) != 2 {
		t.Fatal(public, err)
	}
	return signing{keys, public}
}

func (s signing) sign(t *testing.T, h attest.Head) string {
	t.Helper()
	signed, err := s.keys.Sign(h.Text())
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// held is a file, what the reader has beside it, and whether it holds.
type held struct {
	name  string
	file  string
	key   string
	since []attest.Head
	holds bool
	// signed is how many heads the second verifier must find that the file comes to.
	signed int
	first  func(by note.Verifiers, since []attest.Head) []string // problems
}

// asked runs the second verifier on one file with keys and heads.
func (h held) asked(t *testing.T, s signing) secondReport {
	t.Helper()
	args := []string{"--key", h.key}
	for i, k := range h.since {
		name := filepath.Join(t.TempDir(), fmt.Sprint("head", i))
		if err := os.WriteFile(name, []byte(s.sign(t, k)), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--since", name)
	}
	return runSecond(t, []string{h.file}, args...)[0]
}

// judge holds both verifiers to what is true of each file.
func judge(t *testing.T, s signing, all []held) {
	t.Helper()
	for _, h := range all {
		by, err := attest.Verifiers(h.key)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := h.first(by, h.since), h.asked(t, s)
		if (len(ours) == 0) != h.holds || (len(theirs.Problems) == 0) != h.holds {
			t.Errorf("%s: the first found %q, the second %q", h.name, ours, theirs.Problems)
		}
		if h.holds && theirs.Signed != h.signed {
			t.Errorf("%s: the second finds that %d heads were signed of it, not %d: %q", h.name, theirs.Signed, h.signed, theirs.Unchecked)
		}
	}
}

// writeExport writes messages of an export, the last one with a head.
func writeExport(t *testing.T, messages []*encounterv1.ExportResponse, heads *encounterv1.SignedHeads) string {
	t.Helper()
	var text bytes.Buffer
	for i, m := range messages {
		if i == len(messages)-1 && heads != nil {
			m = proto.CloneOf(m)
			m.Heads = heads
		}
		line, err := protojson.MarshalOptions{UseProtoNames: i%2 == 0}.Marshal(m) // both spellings are read
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	name := filepath.Join(t.TempDir(), "export.jsonl")
	if err := os.WriteFile(name, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// proved are the first verifier's problems with messages of an export.
func proved(messages []*encounterv1.ExportResponse, heads *encounterv1.SignedHeads) func(note.Verifiers, []attest.Head) []string {
	return func(by note.Verifiers, since []attest.Head) []string {
		p := New()
		p.Keys(by)
		for _, h := range since {
			p.Kept(h)
		}
		for _, m := range messages {
			if m.Step != nil {
				p.Step(m.Step)
			} else {
				p.Add(m.Commit)
			}
		}
		if heads != nil {
			p.Heads(heads)
		}
		return p.Report().Problems
	}
}

// Both verifiers follow what a viewer was told: to the signed head of the file, and on
// from heads that were kept.
func TestBothFollowTranscripts(t *testing.T) {
	s := newSigning(t)
	e, other := exportOf(t, "one", "two", "three"), exportOf(t, "one", "other", "three")
	key := s.public[1].Verifier
	changed := func(fn func(s *encounterv1.Step)) []*encounterv1.Step {
		out := slices.Clone(e.steps)
		out[1] = proto.CloneOf(out[1])
		fn(out[1])
		return out
	}
	last := e.heads[2]
	later := last
	later.Number = 9
	var all []held
	try := func(name string, steps []*encounterv1.Step, head attest.Head, holds bool, signed int, since ...attest.Head) {
		var messages []*encounterv1.ExportResponse
		for _, step := range steps {
			messages = append(messages, &encounterv1.ExportResponse{Step: step})
		}
		heads := &encounterv1.SignedHeads{Own: s.sign(t, head)}
		all = append(all, held{name: name, file: writeExport(t, messages, heads), key: key, since: since, holds: holds, signed: signed, first: proved(messages, heads)})
	}
	try("whole", e.steps, last, true, 1)
	try("kept", e.steps, last, true, 3, e.heads[0], e.heads[2])
	try("of another viewer", e.steps, last, true, 1, attest.Head{Table: "main", Encounter: "e", Viewer: "gm", Number: 1, Hash: last.Hash})
	try("cut off", e.steps[:2], last, false, 0)
	try("more than signed", e.steps, e.heads[1], false, 0)
	try("other bytes", changed(func(s *encounterv1.Step) { s.Bytes = other.steps[1].Bytes }), last, false, 0)
	try("no bytes", changed(func(s *encounterv1.Step) { s.Bytes = nil }), last, false, 0)
	try("another number", changed(func(s *encounterv1.Step) { s.Number = 7 }), last, false, 0)
	try("another transcript", changed(func(s *encounterv1.Step) { s.Transcript = last.Hash }), last, false, 0)
	try("left out", append(e.steps[:1:1], e.steps[2]), last, false, 0)
	try("two histories", e.steps, last, false, 0, other.heads[1])
	try("older than what was kept", e.steps, last, false, 0, later)
	try("of another encounter", e.steps, attest.Head{Table: "main", Encounter: "f", Viewer: "spectator", Number: 3, Hash: last.Hash}, false, 0)
	judge(t, s, all)

	// A signature that is not the key's, over another text, or by a key that only looks like it.
	messages := []*encounterv1.ExportResponse{{Step: e.steps[0]}, {Step: e.steps[1]}, {Step: e.steps[2]}}
	signed := s.sign(t, last)
	strange := newSigning(t)
	for name, head := range map[string]string{
		"by a stranger":    strange.sign(t, last),
		"another text":     strings.Replace(signed, "spectator", "gm", 1),
		"another number":   strings.Replace(signed, "\n3\n", "\n2\n", 1),
		"no signature":     last.Text() + "\n",
		"another's name":   strings.Replace(strange.sign(t, last), "— skald", "— Skald", 1),
		"half a signature": signed[:len(signed)-20] + "\n",
		"nothing":          "nothing",
	} {
		heads := &encounterv1.SignedHeads{Own: head}
		judge(t, s, []held{{name: name, file: writeExport(t, messages, heads), key: key, first: proved(messages, heads)}})
	}
}

// Both hold the Commits of a fight against heads of its chain.
func TestBothFollowHeadsOfAChain(t *testing.T) {
	s := newSigning(t)
	g, strange := golden(t, "basic")[0], golden(t, "basic")[1]
	var heads []attest.Head
	var messages []*encounterv1.ExportResponse
	for i, c := range g.Commits {
		o, err := event.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, attest.Head{Table: o.Header.Table, Encounter: o.Header.Id, Viewer: attest.Chain, Number: uint64(i) + 1, Hash: o.Hash})
		messages = append(messages, &encounterv1.ExportResponse{Commit: c})
	}
	o, err := event.Open(strange.Commits[2])
	if err != nil {
		t.Fatal(err)
	}
	another := heads[2]
	another.Hash = o.Hash
	end := heads[len(heads)-1]
	later := end
	later.Number += 3
	var all []held
	try := func(name string, messages []*encounterv1.ExportResponse, head *attest.Head, holds bool, signed int, since ...attest.Head) {
		var said *encounterv1.SignedHeads
		if head != nil {
			said = &encounterv1.SignedHeads{Chain: s.sign(t, *head)}
		}
		all = append(all, held{name: name, file: writeExport(t, messages, said), key: s.public[1].Verifier, since: since, holds: holds, signed: signed, first: proved(messages, said)})
	}
	try("whole", messages, &end, true, 1)
	try("not signed", messages, nil, true, 0)
	try("kept", messages, &end, true, 4, heads[0], heads[2], end)
	try("kept, not signed", messages, nil, true, 1, heads[1])
	try("cut off", messages[:len(messages)-1], &end, false, 0)
	try("cut off, not signed", messages[:len(messages)-2], nil, false, 0, end)
	try("two histories", messages, &end, false, 0, another)
	try("older than what was kept", messages, &end, false, 0, later)
	try("signed before its end", messages, &heads[1], false, 0)
	judge(t, s, all)
}

// Both hold the file of a table, and what a player has of a patient, against the heads in
// it and those that were kept; the second goes on from a key to the one that it endorsed.
func TestBothFollowHeadsOfATable(t *testing.T) {
	s := newSigning(t)
	var all []held
	try := func(name, key string, lines []*injuryv1.RecordLine, holds bool, signed int, since ...attest.Head) {
		all = append(all, held{name: name, file: writeLines(t, t.TempDir(), 0, lines), key: key, since: since, holds: holds, signed: signed,
			first: func(by note.Verifiers, since []attest.Head) []string {
				_, r := readLines(t, by, since, lines)
				return r.Problems
			}})
	}
	for _, c := range campaigns(t) {
		if c.name != "played-basic" {
			continue
		}
		lines, ends := s.withHeads(t, c.lines, recordsOf(t, c.lines))
		key := s.public[1].Verifier
		try("whole", key, lines, true, len(ends))
		try("kept", key, lines, true, len(ends)+2, ends[0], ends[len(ends)-1])
		for i, r := range recordsOf(t, lines) {
			commits := r.commits(lines)
			try("cut off: "+r.name, key, ended(r.with(lines, commits[:len(commits)-1])), false, 0)
			other := ends[i]
			other.Hash = ends[(i+1)%len(ends)].Hash
			try("another was kept: "+r.name, key, lines, false, 0, other)
		}
		gone := ends[0]
		gone.Encounter, gone.Patient = "gone", ""
		try("nothing is there of what was kept", key, lines, false, 0, gone)
		elsewhere := gone
		elsewhere.Table = "elsewhere"
		try("kept of another table", key, lines, true, len(ends), elsewhere)

		told := slices.Clone(c.kara[ann])
		if told[1].GetEntry() == nil || len(told[1].GetEntry().Bytes) == 0 {
			t.Fatal("ann's file has no entries with bytes")
		}
		at := attest.BeginPatient(c.name, "kara")
		var marks []attest.Head
		for _, line := range told {
			if e := line.GetEntry(); e != nil {
				at = attest.Next(at, e.Number, attest.Digest(e.Bytes))
				marks = append(marks, attest.Head{Table: c.name, Patient: "kara", Viewer: "player/ann", Number: e.Number, Hash: at})
			}
		}
		last := marks[len(marks)-1]
		withHead := func(lines []*injuryv1.RecordLine) []*injuryv1.RecordLine {
			return ended(slices.Insert(slices.Clone(lines), 1, headLine(s.sign(t, last), last)))
		}
		try("a player's", key, withHead(told), true, 1)
		try("a player's, kept", key, withHead(told), true, 3, marks[0], last)
		try("a player's, an entry left out", key, withHead(slices.Delete(slices.Clone(told), 2, 3)), false, 0)
		try("a player's, cut off", key, withHead(slices.Delete(slices.Clone(told), len(told)-2, len(told)-1)), false, 0)
		wrong := marks[1]
		wrong.Hash = last.Hash
		try("a player's, another was kept", key, withHead(told), false, 0, wrong)
	}
	judge(t, s, all)

	// Who has the first key alone believes the second by its endorsement.
	h := all[0]
	h.key = s.public[0].Verifier
	if theirs := h.asked(t, s); len(theirs.Problems) > 0 || theirs.Signed != h.signed {
		t.Errorf("by the key before: %d heads, %q", theirs.Signed, theirs.Problems)
	}
	strange := newSigning(t)
	h.key = strange.public[0].Verifier
	if theirs := h.asked(t, strange); len(theirs.Problems) < h.signed {
		t.Errorf("by a strange key: %q", theirs.Problems)
	}
}

// What is no key, no head or no file ends the second verifier before it says anything.
func TestTheSecondVerifierIsGivenNoKey(t *testing.T) {
	s := newSigning(t)
	e := exportOf(t, "one")
	file := writeExport(t, []*encounterv1.ExportResponse{{Step: e.steps[0]}}, nil)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node: the second verifier is not run")
	}
	key := s.public[0].Verifier
	for _, args := range [][]string{{"--key", "skald", file}, {"--key", key[:len(key)-4], file}, {"--key", strings.Replace(key, "skald", "other", 1), file},
		{"--since", file, file}, {"--since", file + "gone", file}, {"--keys", key, file}, {}} {
		out, err := exec.CommandContext(t.Context(), node, append([]string{second}, args...)...).Output()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || len(out) > 0 {
			t.Errorf("%v: %v, %s", args, err, out)
		}
	}
	if r := runSecond(t, []string{file})[0]; !says(r.Unchecked, "the steps") {
		t.Errorf("steps without a head are called checked: %q", r.Unchecked)
	}
}

// withHeads puts the keys and the signed end of each record into a table's file.
func (s signing) withHeads(t *testing.T, lines []*injuryv1.RecordLine, records []ofRecord) (out []*injuryv1.RecordLine, ends []attest.Head) {
	t.Helper()
	keys := &encounterv1.GetKeysResponse{}
	for _, k := range s.public {
		keys.Keys = append(keys.Keys, &encounterv1.PublicKey{Verifier: k.Verifier, Current: k.Current, Endorsement: k.Endorsement})
	}
	out = []*injuryv1.RecordLine{lines[0], {What: &injuryv1.RecordLine_Keys{Keys: keys}}}
	for _, r := range records {
		commits := r.commits(lines)
		o, err := event.Open(commits[len(commits)-1])
		if err != nil {
			t.Fatal(err)
		}
		h := attest.Head{Table: o.Header.Table, Viewer: attest.Chain, Number: o.Header.Version, Hash: o.Hash}
		if o.Header.Kind == "patient" {
			h.Patient = o.Header.Id
		} else {
			h.Encounter = o.Header.Id
		}
		ends = append(ends, h)
		out = append(out, headLine(s.sign(t, h), h))
	}
	for _, line := range lines[1:] {
		if line.GetHeads() == nil && line.GetKeys() == nil {
			out = append(out, line)
		}
	}
	return ended(out), ends
}

func headLine(signed string, h attest.Head) *injuryv1.RecordLine {
	heads := &encounterv1.SignedHeads{Own: signed}
	if h.Viewer == attest.Chain {
		heads = &encounterv1.SignedHeads{Chain: signed}
	}
	return &injuryv1.RecordLine{What: &injuryv1.RecordLine_Heads{Heads: &injuryv1.RecordHeads{Encounter: h.Encounter, Patient: h.Patient, Heads: heads}}}
}

// ended has the last line count those before it.
func ended(lines []*injuryv1.RecordLine) []*injuryv1.RecordLine {
	out := slices.Clone(lines)
	out[len(out)-1] = &injuryv1.RecordLine{What: &injuryv1.RecordLine_End{End: &injuryv1.RecordEnd{Lines: uint64(len(out)) - 1}}}
	return out
}
