package tombstone_test

import (
	"crypto/rand"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

func TestSequencesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.Uint64Range(1, 300)).Draw(t, "sequences")
		s := tombstone.Of(all)
		back, err := tombstone.ReadSequences(s.Bytes())
		if err != nil || back.Len() != s.Len() || back.Last() != s.Last() {
			t.Fatalf("%v: %v, %v", all, back, err)
		}
		for seq := uint64(0); seq < 310; seq++ {
			if back.Has(seq) != slices.Contains(all, seq) || back.Within(seq, seq) != back.Has(seq) {
				t.Fatalf("%v: %d", all, seq)
			}
		}
	})
}

func FuzzReadSequences(f *testing.F) {
	f.Add(tombstone.Of([]uint64{1, 2, 9}).Bytes())
	f.Add([]byte{0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := tombstone.ReadSequences(data)
		if err != nil {
			return
		}
		again, err := tombstone.ReadSequences(s.Bytes())
		if err != nil || again.Len() != s.Len() || s.Has(0) {
			t.Fatalf("%x: %v", data, err)
		}
	})
}

func draft() tombstone.Draft {
	d := tombstone.Draft{Removed: tombstone.Of([]uint64{3, 4, 7}), Hashes: []tombstone.Leaf{{Sequence: 3, Hash: tlog.RecordHash([]byte("x"))}}}
	d.Tombstone = tombstone.Tombstone{Table: "friday", Stream: 2, StreamID: "id", Millis: 1_700_000_000_123, By: "kim é", Reason: "because \"so\"", Last: 7,
		Counts: []tombstone.Count{{Kind: "dice", Records: 1, Bytes: 10}, {Kind: "encounter", Records: 2, Bytes: 900}}, Checkpoint: "skald/checkpoint/v1 a/0\n1\nx\n",
		Chains: []tombstone.Chain{{Kind: "encounter", ID: "bridge", Version: 2, Hash: []byte("+/+/"), Open: true}, {Kind: "patient", ID: "jeera"}}}
	return d
}

func keys(t *testing.T) *attest.Keys {
	t.Helper()
	k, err := attest.OpenKeys(filepath.Join(t.TempDir(), "heads.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestATombstoneIsReadAsItWasWritten(t *testing.T) {
	k := keys(t)
	ms, err := draft().Messages(k.Sign, tombstone.Guards{Dice: 5}, false)
	if err != nil {
		t.Fatal(err)
	}
	if ms[0].Expected != 7 || ms[0].Over != "skald.2.friday.>" || ms[1].Expected != 5 || ms[1].Over != "" {
		t.Errorf("guards: %+v", ms)
	}
	rec := journal.Record{Subject: ms[0].Subject, Seq: 8, Data: ms[0].Data}
	got, err := tombstone.ByKeys(k).Read(rec)
	if err != nil {
		t.Fatal(err)
	}
	want := draft()
	want.Sequences, want.Leaves, want.SequencesDigest, want.LeavesDigest = got.Sequences, got.Leaves, got.SequencesDigest, got.LeavesDigest
	if a, _ := want.Text(); a != must(t, got.Tombstone) || got.Removed.Len() != 3 || !slices.Equal(got.Hashes, draft().Hashes) || got.Sequences != 3 {
		t.Errorf("read %+v", got)
	}
	dice, err := tombstone.ByKeys(k).Read(journal.Record{Subject: ms[1].Subject, Seq: 9, Data: ms[1].Data})
	if err != nil || dice.Note != got.Note || dice.Removed.Len() != 3 {
		t.Errorf("among the dice: %+v, %v", dice, err)
	}
	refused := func(what string, r *tombstone.Reader, rec journal.Record) {
		t.Helper()
		if _, err := r.Read(rec); !errors.Is(err, attest.ErrBad) {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("another key", tombstone.ByKeys(keys(t)), rec)
	refused("another table", tombstone.ByKeys(k), journal.Record{Subject: "skald.2.fridayx.encounter.@tombstone", Seq: 8, Data: rec.Data})
	refused("another stream", tombstone.ByKeys(k), journal.Record{Subject: "skald.1.friday.encounter.@tombstone", Seq: 8, Data: rec.Data})
	refused("before what it lists", tombstone.ByKeys(k), journal.Record{Subject: rec.Subject, Seq: 7, Data: rec.Data})
	for i := range rec.Data { // any byte
		data := slices.Clone(rec.Data)
		data[i] ^= 4
		if r, err := tombstone.ByKeys(k).Read(journal.Record{Subject: rec.Subject, Seq: 8, Data: data}); err == nil && must(t, r.Tombstone) != must(t, got.Tombstone) {
			t.Errorf("byte %d changed: %+v", i, r)
		}
	}
}

func must(t *testing.T, s tombstone.Tombstone) string {
	t.Helper()
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func FuzzParse(f *testing.F) {
	text, err := draft().Text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(strings.ReplaceAll(text, "\n", "\n\n"))
	f.Add(strings.Replace(text, "\nrecords dice", "\nrecords", 1))    // one word less
	f.Add(strings.Replace(text, "\nlast ", "\nlast x", 1))            // bad before lines that repeat
	f.Add(strings.Replace(text, "\nchain encounter", "\nchain %", 1)) // a word that cannot be read
	f.Fuzz(func(t *testing.T, text string) {
		got, err := tombstone.Parse(text)
		if err != nil {
			return
		}
		if must(t, got) != text {
			t.Fatalf("%q is read as %q", text, must(t, got))
		}
	})
}
