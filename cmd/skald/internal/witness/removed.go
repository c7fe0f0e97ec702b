package witness

import (
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
	"github.com/skaldrpg/skald/services/encounter"
)

// Removed says what tombstones tell that the keys of a data folder have signed: the
// sequences that were removed with a table. Without the keys none is believed.
func Removed(dataDir string) journal.Removed {
	believe := tombstone.ByFile(filepath.Join(dataDir, encounter.KeysFile))
	return func(rec journal.Record, gone func(seq uint64)) {
		t, err := believe.Read(rec)
		if err != nil {
			return
		}
		t.Removed.Each(func(seq uint64) error { //nolint:errcheck // never fails
			gone(seq)
			return nil
		})
	}
}
