package scrub

import (
	"crypto/rand"
	"path/filepath"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// A tombstone stands among encounters and is none: whole it is no damage, and changed
// it is.
func TestTombstonesAreNoDamage(t *testing.T) {
	keys, err := attest.OpenKeys(filepath.Join(t.TempDir(), "heads.key"), attest.DefaultName, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	d := tombstone.Draft{Removed: tombstone.Of([]uint64{1, 2, 5})}
	d.Table, d.Last = "friday", 5
	ms, err := d.Messages(keys.Sign, tombstone.Guards{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range ms {
		rec := journal.Record{Subject: m.Subject, Seq: 6 + uint64(i), ID: m.ID, Data: m.Data}
		if err := newChains().next(rec); err != nil {
			t.Errorf("%s: %v", rec.Subject, err)
		}
		bad := rec
		bad.Data = slices.Clone(rec.Data)
		bad.Data[len(bad.Data)-1] ^= 1
		if newChains().next(bad) == nil {
			t.Errorf("%s with a changed list is taken", rec.Subject)
		}
		if rec.Subject = "skald.0.fridays.encounter.@tombstone"; newChains().next(rec) == nil {
			t.Error("another table's is taken")
		}
	}
}
