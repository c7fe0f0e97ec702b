package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/skaldrpg/skald/services/encounter"
)

// copyHeads copies the keys that sign heads, if there are any: without them a restored
// server would sign by a key that nobody knows. A later copy has all keys of an earlier
// one and takes its place.
func copyHeads(from, to string) error {
	keys, err := os.ReadFile(filepath.Join(from, encounter.KeysFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("backup: keys of heads: %w", err)
	}
	f, err := os.CreateTemp(to, encounter.KeysFile+".*")
	if err != nil {
		return fmt.Errorf("backup: keys of heads: %w", err)
	}
	_, err = f.Write(keys)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(to, encounter.KeysFile))
	}
	if err != nil {
		os.Remove(f.Name()) //nolint:errcheck // the error that matters is the other
		return fmt.Errorf("backup: keys of heads: %w", err)
	}
	return nil
}
