package persons

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
)

// Person is somebody at a table.
type Person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Folder keeps names. Processes may share one: each person has a file of its own,
// and the last that is written stands.
type Folder struct{ dir string }

// In keeps names in a folder, which is made by the first.
func In(dir string) *Folder { return &Folder{dir} }

// half ends the names of files that are not whole yet.
const half = ".new"

// digested names a file: ids may hold what no file's name may.
func digested(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func (f *Folder) table(table string) string { return filepath.Join(f.dir, digested(table)) }

// Set keeps a name; the one before is gone. A table with limits.TablePersons names
// takes no further one.
func (f *Folder) Set(table string, p Person) error {
	dir := f.table(table)
	path := filepath.Join(dir, digested(p.ID))
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		all, err := f.List(table)
		if err != nil {
			return err
		}
		if len(all) >= limits.TablePersons {
			return fault.Limit("names of persons at a table", limits.TablePersons, int64(len(all)+1))
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	file, err := os.CreateTemp(dir, "*"+half)
	if err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("persons: %w", err), os.Remove(file.Name()))
	}
	return synced(dir)
}

// List returns the people of a table by id.
func (f *Folder) List(table string) ([]Person, error) {
	names, err := os.ReadDir(f.table(table))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("persons: %w", err)
	}
	var out []Person
	for _, n := range names {
		if strings.HasSuffix(n.Name(), half) { // what a kill left of a write
			continue
		}
		data, err := os.ReadFile(filepath.Join(f.table(table), n.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var p Person
		if err == nil {
			err = json.Unmarshal(data, &p)
		}
		if err != nil {
			return nil, fmt.Errorf("persons: %w", err)
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Person) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// Forget removes a name, and what a kill left of writing names at the table, and
// tells whether there was one.
func (f *Folder) Forget(table, id string) (bool, error) {
	dir := f.table(table)
	left, _ := filepath.Glob(filepath.Join(dir, "*"+half)) //nolint:errcheck // the pattern is ours
	for _, path := range left {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("persons: %w", err)
		}
	}
	err := os.Remove(filepath.Join(dir, digested(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("persons: %w", err)
	}
	return true, synced(dir)
}

// Drop forgets everybody at a table.
func (f *Folder) Drop(table string) error {
	if err := os.RemoveAll(f.table(table)); err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	return nil
}

// synced makes the names in a folder outlive a power cut.
func synced(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("persons: %w", err)
	}
	return nil
}
