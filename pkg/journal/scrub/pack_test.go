package scrub

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/library"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// A pack has no chain: it is proved by its digest, wherever a byte is wrong.
func TestPacksAreProved(t *testing.T) {
	m, err := library.Seal(0, &encounterv1.PackRecord{Table: "main", Pack: []byte("a pack"), UnixMillis: 7})
	if err != nil {
		t.Fatal(err)
	}
	rec := journal.Record{Subject: m.Subject, Seq: 3, ID: m.ID, Data: m.Data}
	if err := newChains().next(rec); err != nil {
		t.Fatalf("a sound pack: %v", err)
	}
	for i := range rec.Data {
		bad := rec
		bad.Data = slices.Clone(rec.Data)
		bad.Data[i] ^= 1
		if newChains().next(bad) == nil {
			t.Errorf("byte %d is wrong and nothing is found", i)
		}
	}
	other := rec
	if other.Subject, err = journal.PackSubject(0, "other", library.Digest([]byte("a pack"))); err != nil {
		t.Fatal(err)
	}
	if newChains().next(other) == nil {
		t.Error("a pack on another table's subject")
	}
}
