package tombstone

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
)

// Leaf is the hash of a removed Commit in the tree over the stream.
type Leaf struct {
	// Sequence of the Commit in the stream.
	Sequence uint64
	// Hash is tlog.RecordHash of its leaf.
	Hash tlog.Hash
}

// Record is a tombstone as it was read from the log.
type Record struct {
	Tombstone
	// Note is the signed note.
	Note string
	// Sequence of the record itself in the stream.
	Sequence uint64
	// Removed are the sequences of the records that it stands for.
	Removed Sequences
	// Hashes are those that the tree keeps, by sequence.
	Hashes []Leaf
}

// Draft is a tombstone to be written.
type Draft struct {
	Tombstone
	// Removed and Hashes as in Record.
	Removed Sequences
	Hashes  []Leaf
}

// Messages seals a draft and returns its records: one among encounters and one among
// dice, guarded by what stands there. The first tombstone of a table is guarded over
// the whole table: by the last record that it is about, a further one is not. sign
// is that of attest.Keys.
func (d Draft) Messages(sign func(text string) (string, error), after Guards, further bool) ([]journal.Message, error) {
	stored := &opsv1.StoredTombstone{Sequences: d.Removed.Bytes()}
	var at []uint64
	for _, l := range d.Hashes {
		at = append(at, l.Sequence)
		stored.Leaves = append(stored.Leaves, l.Hash[:]...)
	}
	stored.LeafSequences = Of(at).Bytes()
	t := d.Tombstone
	t.Sequences, t.SequencesDigest = d.Removed.Len(), sha256.Sum256(stored.Sequences)
	t.Leaves, t.LeavesDigest = uint64(len(d.Hashes)), digestLeaves(stored)
	text, err := t.Text()
	if err != nil {
		return nil, err
	}
	if stored.Note, err = sign(text); err != nil {
		return nil, err
	}
	first, err := message(t, stored, "encounter", after.Encounter)
	if err != nil {
		return nil, err
	}
	if !further {
		first.Expected = t.Last
		if first.Over, err = journal.TableFilterIn(t.Stream, t.Table); err != nil {
			return nil, err
		}
	}
	second, err := message(t, &opsv1.StoredTombstone{Note: stored.Note, Sequences: stored.Sequences}, "dice", after.Dice)
	return []journal.Message{first, second}, err
}

// Guards are the sequences of the last records on the subjects of a table's
// tombstones, whatever they are; 0 where there is none.
type Guards struct{ Encounter, Dice uint64 }

func message(t Tombstone, stored *opsv1.StoredTombstone, kind string, expected uint64) (journal.Message, error) {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(stored)
	if err != nil {
		return journal.Message{}, fmt.Errorf("tombstone: %w", err)
	}
	subject, err := journal.TombstoneSubject(t.Stream, t.Table, kind)
	if err != nil {
		return journal.Message{}, err
	}
	sum := sha256.Sum256(append([]byte(subject+" "), data...))
	return journal.Message{Subject: subject, ID: "tombstone-" + hex.EncodeToString(sum[:16]), Data: data, Expected: expected}, nil
}

func digestLeaves(s *opsv1.StoredTombstone) [sha256.Size]byte {
	return sha256.Sum256(append(append([]byte{}, s.LeafSequences...), s.Leaves...))
}

// Reader reads records of tombstones. A nil Reader, and the zero one, believe none:
// what nobody is known to have signed deletes nothing.
type Reader struct {
	// Keys tells who may have signed.
	Keys func() (Verifiers, error)

	form bool // whoever may write to the log is believed
}

// ByForm is the reader that believes whatever has the form of a tombstone, whoever
// signed it: for who trusts everybody that may write to the log.
func ByForm() *Reader { return &Reader{form: true} }

// Verifiers are keys that are believed.
type Verifiers = note.Verifiers

// ByKeys is the reader that believes a server's own keys, retired ones included.
func ByKeys(keys *attest.Keys) *Reader {
	return &Reader{Keys: func() (Verifiers, error) {
		public, err := keys.Public()
		if err != nil {
			return nil, err
		}
		var list []string
		for _, k := range public {
			list = append(list, k.Verifier)
		}
		return attest.Verifiers(list...)
	}}
}

// Read reads a record. Errors wrap attest.ErrBad: it is no tombstone, not of the
// table of its subject, signed by nobody who is believed, or changed.
func (r *Reader) Read(rec journal.Record) (*Record, error) {
	bad := func(what string) (*Record, error) {
		return nil, fmt.Errorf("%w: tombstone at sequence %d: %s", attest.ErrBad, rec.Seq, what)
	}
	table, ok := journal.SplitTombstone(rec.Subject)
	if !ok {
		return bad("its subject is none's")
	}
	_, kind, _ := journal.TableOf(rec.Subject)
	stored := &opsv1.StoredTombstone{}
	if err := proto.Unmarshal(rec.Data, stored); err != nil {
		return bad("it can not be read")
	}
	t, err := r.open(stored.Note)
	if err != nil {
		return nil, err
	}
	out := &Record{Tombstone: t, Note: stored.Note, Sequence: rec.Seq}
	if subject, err := journal.TombstoneSubject(t.Stream, t.Table, kind); t.Table != table || err != nil || subject != rec.Subject {
		return bad("it is of another table or stream")
	}
	if out.Removed, err = ReadSequences(stored.Sequences); err != nil {
		return nil, err
	}
	if sha256.Sum256(stored.Sequences) != t.SequencesDigest || out.Removed.Len() != t.Sequences || out.Removed.Last() >= rec.Seq {
		return bad("the sequences beside it are not those of the note")
	}
	if kind != "encounter" { // the copy among the dice has no leaves
		return out, nil
	}
	at, err := ReadSequences(stored.LeafSequences)
	if err != nil {
		return nil, err
	}
	if digestLeaves(stored) != t.LeavesDigest || at.Len() != t.Leaves || uint64(len(stored.Leaves)) != at.Len()*tlog.HashSize {
		return bad("the leaves beside it are not those of the note")
	}
	left := stored.Leaves
	return out, at.Each(func(seq uint64) error {
		l := Leaf{Sequence: seq}
		copy(l.Hash[:], left)
		left = left[tlog.HashSize:]
		out.Hashes = append(out.Hashes, l)
		return nil
	})
}

func (r *Reader) open(signed string) (Tombstone, error) {
	switch {
	case r != nil && r.form:
		return Unchecked(signed)
	case r == nil || r.Keys == nil:
		return Tombstone{}, fmt.Errorf("%w: a tombstone, and no key is known that could have signed it", attest.ErrBad)
	}
	by, err := r.Keys()
	if err != nil {
		return Tombstone{}, err
	}
	return Open(signed, by)
}
