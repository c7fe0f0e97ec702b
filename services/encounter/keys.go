package encounter

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
)

// KeysFile is the file of the keys that sign heads, in a data folder.
const KeysFile = "heads.key"

// Errors of New and NewRouter about the keys that sign heads, for errors.Is.
var (
	// ErrKeysMissing: Commits are stored, whose heads somebody may keep, and there is
	// no file of keys.
	ErrKeysMissing = errors.New("the keys that sign heads are missing")
	// ErrKeysBroken: the file of keys can not be read.
	ErrKeysBroken = errors.New("the keys that sign heads are broken")
)

// keysPath is where the file of keys is.
func (c *Config) keysPath() string { return cmp.Or(c.KeysFile, filepath.Join(c.DataDir, KeysFile)) }

// inStream is a log and the number of its stream.
type inStream struct {
	log       journal.Log
	partition int
}

// openKeys finds the keys, or makes them where nothing can have been signed yet. They
// never come from Random: tests that repeat a fight need not repeat its signatures.
func (c *Config) openKeys(ctx context.Context, in []inStream) error {
	if c.Keys != nil {
		return nil
	}
	path := c.keysPath()
	keys, err := attest.ReadKeys(path)
	switch {
	case errors.Is(err, attest.ErrBad):
		return fmt.Errorf("%w: %w: %s", ErrKeysBroken, err, wayOut(path))
	case !errors.Is(err, fs.ErrNotExist):
		c.Keys = keys
		return err
	}
	for _, s := range in {
		may, err := signed(ctx, s)
		if err != nil {
			return fmt.Errorf("looking for Commits: %w", err)
		}
		if may {
			return fmt.Errorf("%w: there is no %s, and there are Commits whose heads it may have signed: %s", ErrKeysMissing, path, wayOut(path))
		}
	}
	c.Keys, err = attest.OpenKeys(path, attest.DefaultName, rand.Reader)
	return err
}

// wayOut is what mends it.
func wayOut(path string) string {
	return fmt.Sprintf("put the file back from a copy (skald backup --with-dice-key makes one), or begin with a key that nobody knows yet: skald keys rotate --lost --keys %s", path)
}

// signed tells whether a stream holds a fight of a build that signs heads: one whose
// dice have keys of their own for each action. Builds before signed none, so that a
// folder of theirs begins with a new key.
func signed(ctx context.Context, s inStream) (bool, error) {
	found := errors.New("one is enough")
	err := s.log.Read(ctx, aggregate.Encounter.Filter(s.partition), 1, 0, func(rec journal.Record) error {
		c, err := event.Open(rec.Data)
		if err != nil {
			return nil //nolint:nilerr // the projection says what is broken
		}
		for _, e := range c.Events {
			if tape.Format(e.GetDiceEpoch().GetFormat()) >= tape.FormatLeaf {
				return found
			}
		}
		return nil
	})
	if errors.Is(err, found) {
		return true, nil
	}
	return false, err
}
