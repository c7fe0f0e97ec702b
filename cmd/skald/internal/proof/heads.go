package proof

import (
	"bytes"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/text"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Extends checks that a transcript's head extends an older one, by the digests of the
// steps between, oldest first. Errors say how it does not.
func Extends(newer, older attest.Head, digests [][]byte) error {
	if err := comparable(newer, older); err != nil {
		return err
	}
	at := older.Hash
	for i, d := range digests {
		if len(d) != attest.Size {
			return fmt.Errorf("the digest of step %d has %d bytes", older.Number+uint64(i)+1, len(d))
		}
		at = attest.Next(at, older.Number+uint64(i)+1, d)
	}
	if older.Number+uint64(len(digests)) != newer.Number {
		return fmt.Errorf("there are the digests of %d steps between %d and %d", len(digests), older.Number, newer.Number)
	}
	return arrives(at, newer, older)
}

// ExtendsChain checks that a head of the chain extends an older one, by the headers of
// the Commits between, oldest first. Errors say how it does not.
func ExtendsChain(newer, older attest.Head, headers [][]byte) error {
	if err := comparable(newer, older); err != nil {
		return err
	}
	at, version := older.Hash, older.Number
	kind, id := aggregate.Encounter, older.Encounter
	if older.Patient != "" {
		kind, id = aggregate.Patient, older.Patient
	}
	for _, data := range headers {
		h := &eventv1.CommitHeader{}
		if err := proto.Unmarshal(data, h); err != nil {
			return fmt.Errorf("a header can not be read: %w", err)
		}
		version++
		if h.Version != version || h.Table != older.Table || h.Kind != string(kind) || h.Id != id || !bytes.Equal(h.PreviousHash, at) {
			return fmt.Errorf("two histories: version %d does not follow what was signed at version %d", version, older.Number)
		}
		at = event.HeaderHash(data)
	}
	if version != newer.Number {
		return fmt.Errorf("there are %d headers between %d and %d", len(headers), older.Number, newer.Number)
	}
	return arrives(at, newer, older)
}

func comparable(newer, older attest.Head) error {
	switch {
	case !newer.SameOrigin(older):
		return fmt.Errorf("a head of %s of %s where one of %s of %s is asked for", newer.Viewer, newer.Place(), older.Viewer, older.Place())
	case newer.Number < older.Number:
		return fmt.Errorf("the end is gone: %s stands at %d, and was signed at %d", newer.Viewer, newer.Number, older.Number)
	}
	return nil
}

func arrives(at []byte, newer, older attest.Head) error {
	if !bytes.Equal(at, newer.Hash) {
		return fmt.Errorf("two histories: what is signed at %d does not extend what was signed at %d", newer.Number, older.Number)
	}
	return nil
}

// told checks the steps and the heads of an export.
type told struct {
	head      string // signed, as the export has it
	steps     []*encounterv1.Step
	kept      []attest.Head     // that the export must agree with
	hashes    map[uint64][]byte // of the Commits whose versions kept heads name
	verifiers note.Verifiers    // nil when no key was given
}

// Keys are those that may sign heads; without any, signatures are not checked, and the
// report says so.
func (p *Proof) Keys(by note.Verifiers) { p.told.verifiers = by }

// Kept takes a head that the export must extend or agree with.
func (p *Proof) Kept(h attest.Head) { p.told.kept = append(p.told.kept, h) }

// Heads takes where the export says that it ends, signed.
func (p *Proof) Heads(h *encounterv1.SignedHeads) {
	p.told.head = h.GetOwn()
	if c := h.GetChain(); c != "" {
		p.told.head = c
	}
}

// Step takes a step that stands in place of Commits.
func (p *Proof) Step(s *encounterv1.Step) {
	p.report.Steps++
	p.told.steps = append(p.told.steps, s)
}

// commit notes the hash of a version.
func (t *told) commit(version uint64, hash []byte) {
	for _, h := range t.kept {
		if h.Viewer == attest.Chain && h.Number == version {
			if t.hashes == nil {
				t.hashes = map[uint64][]byte{}
			}
			t.hashes[version] = hash
		}
	}
}

// check holds steps, Commits and heads against each other.
func (t *told) check(r *Report, last []byte) {
	problem := func(format string, args ...any) { r.Problems = append(r.Problems, fmt.Sprintf(format, args...)) }
	head, signed := t.signed(r, problem)
	transcripts := t.transcripts(head, signed, r, problem)
	if signed && head.Viewer == attest.Chain && r.Commits > 0 {
		if head.Number != r.Version || !bytes.Equal(head.Hash, last) {
			problem("the export ends at version %d, and is signed as ending at version %d with another Commit", r.Version, head.Number)
		}
	}
	for _, k := range t.kept {
		said := fmt.Sprintf("%s at %d", k.Viewer, k.Number)
		switch wrong, known := t.disagrees(k, head, signed, transcripts, r); {
		case !known:
			r.Unchecked = append(r.Unchecked, "the head of "+said+": this export holds nothing of it")
		case wrong != "":
			problem("%s", wrong)
		default:
			r.Heads = append(r.Heads, said)
		}
	}
}

// disagrees says how an export is another than a head that was kept; known is false
// where it holds nothing of what the head is of.
func (t *told) disagrees(k, head attest.Head, signed bool, transcripts map[uint64][]byte, r *Report) (wrong string, known bool) {
	switch at := transcripts[k.Number]; {
	case k.Viewer == attest.Chain && r.Commits > 0:
		if t.hashes[k.Number] == nil {
			return fmt.Sprintf("the export ends at version %d, and the head that was kept is of version %d", r.Version, k.Number), true
		}
		if !bytes.Equal(t.hashes[k.Number], k.Hash) {
			return fmt.Sprintf("two histories: version %d is another than the one that was signed", k.Number), true
		}
	case signed && head.SameOrigin(k) && r.Steps > 0:
		if at == nil && k.Number > 0 {
			return fmt.Sprintf("the export ends at step %d, and the head that was kept is of step %d", r.Steps, k.Number), true
		}
		if k.Number > 0 && !bytes.Equal(at, k.Hash) {
			return fmt.Sprintf("two histories: step %d is another than the one that was signed", k.Number), true
		}
	default:
		return "", false
	}
	return "", true
}

// signed reads the head of the export.
func (t *told) signed(r *Report, problem func(string, ...any)) (head attest.Head, ok bool) {
	if t.head == "" {
		if r.Commits+r.Steps > 0 {
			r.Unchecked = append(r.Unchecked, "whether the end was cut off: the export is not signed; compare with a head that was kept")
		}
		return head, false
	}
	var err error
	if t.verifiers != nil {
		head, err = attest.OpenHead(t.head, t.verifiers)
	} else {
		head, err = attest.UncheckedHead(t.head)
		r.Unchecked = append(r.Unchecked, "who signed the end of the export: no key was given")
	}
	if err != nil {
		problem("the head of the export: %v", err)
		return head, false
	}
	return head, true
}

// transcripts works the transcript out again from the bytes of the steps, and holds
// the steps against them. It returns the transcript after each step.
func (t *told) transcripts(head attest.Head, signed bool, r *Report, problem func(string, ...any)) map[uint64][]byte {
	out := map[uint64][]byte{}
	if !signed || len(t.steps) == 0 {
		return out
	}
	at := attest.Begin(head.Table, head.Encounter)
	for i, s := range t.steps {
		number := uint64(i + 1)
		is := &encounterv1.Step{}
		if err := proto.Unmarshal(s.Bytes, is); err != nil || len(s.Bytes) == 0 {
			problem("step %d has no bytes", number)
			return out
		}
		is.Number, is.Cursor, is.Transcript, is.Bytes = s.Number, s.Cursor, s.Transcript, s.Bytes
		if s.Number != number || !proto.Equal(is, s) {
			problem("step %d shows something else than its bytes say", number)
		}
		at = attest.Next(at, number, attest.Digest(s.Bytes))
		if !bytes.Equal(at, s.Transcript) {
			problem("step %d is not the one that the transcript is over", number)
			return out
		}
		out[number] = at
	}
	if head.Number != uint64(len(t.steps)) || !bytes.Equal(head.Hash, at) {
		problem("the export ends at step %d, and is signed as ending at step %d", len(t.steps), head.Number)
	}
	r.Transcript = fmt.Sprintf("%x", at)
	return out
}

// lines are what the report says of heads, for people.
func (r *Report) lines() string {
	var b bytes.Buffer
	if r.Transcript != "" {
		fmt.Fprintf(&b, "transcript: %s\n", r.Transcript)
	}
	for _, h := range r.Heads {
		b.WriteString("agrees with the head that was kept of " + text.Escape(h) + "\n")
	}
	for _, u := range r.Unchecked {
		b.WriteString("not checked: " + text.Escape(u) + "\n")
	}
	return b.String()
}
