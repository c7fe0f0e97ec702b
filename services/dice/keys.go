package dice

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/dice/tape"
	"github.com/skaldrpg/skald/pkg/journal"
	dicev1 "github.com/skaldrpg/skald/proto/skald/dice/v1"
	"github.com/skaldrpg/skald/services/dice/internal/master"
	"github.com/skaldrpg/skald/services/dice/internal/record"
	"github.com/skaldrpg/skald/services/dice/internal/store"
)

// Errors of New about master keys, for errors.Is.
var (
	// ErrUnknownKey: dice on the log are sealed by a key that was not given.
	ErrUnknownKey = master.ErrUnknownKey
	// ErrWrongKey: a key does not open what was sealed under its id.
	ErrWrongKey = master.ErrWrongKey
	// ErrKeyPermissions: the key file is open to others than its owner.
	ErrKeyPermissions = master.ErrPermissions
	// ErrKeyMissing: there is no key file and none may be made.
	ErrKeyMissing = errors.New("dice: no master key")
)

// openKeys finds the keys and proves them on one root for each key that ever
// sealed one.
func openKeys(ctx context.Context, cfg Config, st *store.Store) (*master.Ring, error) {
	sealed, err := sealedRoots(ctx, cfg, st)
	if err != nil {
		return nil, fmt.Errorf("dice: looking for sealed roots: %w", err)
	}
	keys, err := loadKeys(cfg, len(sealed) > 0)
	if err != nil {
		return nil, err
	}
	for _, s := range sealed {
		if _, err := keys.Open(s.Root, s.Scope); err != nil {
			return nil, fmt.Errorf("dice: wrong master keys: %w", err)
		}
	}
	return keys, nil
}

func loadKeys(cfg Config, inUse bool) (*master.Ring, error) {
	if cfg.MasterKeys != "" {
		return master.Parse(cfg.MasterKeys)
	}
	keys, err := master.Load(cfg.MasterKeyFile)
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	switch {
	case inUse:
		return nil, fmt.Errorf("%w: %s is missing and the log holds dice sealed by it: put the file back", ErrKeyMissing, cfg.MasterKeyFile)
	case !cfg.CreateMasterKey:
		return nil, fmt.Errorf("%w: %s does not exist", ErrKeyMissing, cfg.MasterKeyFile)
	}
	if err := os.MkdirAll(filepath.Dir(cfg.MasterKeyFile), 0o700); err != nil {
		return nil, fmt.Errorf("dice: %w", err)
	}
	keys, err = master.Create(cfg.MasterKeyFile, rand.Reader)
	if err != nil {
		return nil, err
	}
	cfg.Logger.Warn("dice: new master key made; keep a copy of it apart from the data", "file", cfg.MasterKeyFile, "key", keys.Current())
	return keys, nil
}

// sealedRoots finds one sealed root for each key: in the projection and in what
// the log holds beyond it.
func sealedRoots(ctx context.Context, cfg Config, st *store.Store) (map[string]store.Sealed, error) {
	out, err := st.OnePerKey()
	if err != nil {
		return nil, err
	}
	err = cfg.Journal.Read(ctx, aggregate.Dice.Filter(cfg.Partition), st.Status().Applied+1, 0, func(stored journal.Record) error {
		name, err := record.Named(stored.Subject)
		r := &dicev1.Record{}
		if err != nil || proto.Unmarshal(stored.Data, r) != nil {
			return nil // a broken record closes its own dice, when it is folded
		}
		for _, e := range r.GetEntries() {
			root := e.GetEpoch().GetSealedRoot()
			if e.GetEpoch() == nil {
				continue
			}
			id, err := tape.SealedBy(root)
			if err != nil {
				continue
			}
			if _, ok := out[id]; !ok {
				out[id] = store.Sealed{Scope: record.Scope(name), Root: root}
			}
		}
		return nil
	})
	return out, err
}
