package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Erased is one stream of an archive or backup.
type Erased struct {
	Stream  string `json:"stream"`
	Kept    uint64 `json:"kept"`
	Dropped uint64 `json:"dropped"`
	Tables  int    `json:"tables"` // with a tombstone in it that is believed
}

// erasing ends the name of the folder in which the new archive is written.
const erasing = ".erasing"

// Erase removes from an archive or a backup what the tombstones in it list. Each
// stream is written anew beside the old one, read back, and put in its place; broken
// off at any moment it does its work when it is run again. Nobody may write there
// meanwhile (archive.ErrLocked).
func Erase(ctx context.Context, root string, believe *tombstone.Reader) ([]Erased, error) {
	if err := settle(root); err != nil {
		return nil, err
	}
	dirs, err := folders(ctx, root)
	if err != nil {
		return nil, err
	}
	var out []Erased
	for _, dir := range dirs {
		one, err := eraseOne(ctx, dir, believe)
		if err != nil {
			return out, fmt.Errorf("backup: %s: %w", dir, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// settle ends what broke off: a folder that was moved away and not replaced yet is
// replaced, one that was not ended is written again.
func settle(root string) error {
	for _, pattern := range []string{root + erasing, filepath.Join(root, "*"+erasing)} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return fmt.Errorf("backup: %w", err)
		}
		for _, dir := range found {
			old := dir[:len(dir)-len(erasing)]
			end := os.RemoveAll
			if _, err := os.Stat(old); errors.Is(err, os.ErrNotExist) {
				end = func(dir string) error { return os.Rename(dir, old) }
			}
			if err := end(dir); err != nil {
				return fmt.Errorf("backup: %w", err)
			}
		}
		if olds, _ := filepath.Glob(pattern[:len(pattern)-len(erasing)] + ".erased"); len(olds) > 0 { //nolint:errcheck // the pattern was tried
			for _, dir := range olds {
				if err := os.RemoveAll(dir); err != nil {
					return fmt.Errorf("backup: %w", err)
				}
			}
		}
	}
	return nil
}

func eraseOne(ctx context.Context, dir string, believe *tombstone.Reader) (out Erased, err error) {
	from, err := archive.OpenFolder(dir) // for its lock
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	stones := map[string]bool{}
	var gone []tombstone.Sequences
	head, err := archive.Records(ctx, from, 1, func(r journal.Record, _ archive.Chain) error {
		if t, err := believe.Read(r); err == nil {
			stones[t.Table] = true
			gone = append(gone, t.Removed)
		}
		return nil
	})
	out.Stream, out.Tables = head.Stream.Name, len(stones)
	if err != nil || len(gone) == 0 {
		return out, err
	}
	to, err := archive.OpenFolder(dir + erasing)
	if err != nil {
		return out, err
	}
	done, err := archive.Erase(ctx, from, to, 0, func(r journal.Record) bool {
		table, _, ok := journal.TableOf(r.Subject)
		if !ok || !stones[table] {
			return false
		}
		for _, s := range gone {
			if s.Has(r.Seq) {
				return true
			}
		}
		return false
	})
	if err = errors.Join(err, to.Close()); err != nil {
		return out, err
	}
	out.Kept, out.Dropped = done.Kept, done.Dropped
	if done.Dropped == 0 {
		return out, removeAll(dir + erasing)
	}
	return out, swap(dir)
}

// swap puts the new folder in the old one's place and removes that.
func swap(dir string) error {
	if err := errors.Join(syncAll(dir+erasing), os.Rename(dir, dir+".erased"), os.Rename(dir+erasing, dir)); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return errors.Join(syncOne(filepath.Dir(dir)), removeAll(dir+".erased"))
}

func removeAll(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}
