package tombstone

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
)

// ByFile is the reader that believes the keys in a server's file, which is read when
// a tombstone is: it may be made later. While it can not be read none is believed.
func ByFile(path string) *Reader {
	return &Reader{Keys: func() (Verifiers, error) {
		keys, err := attest.ReadKeys(path)
		if err != nil {
			return nil, err
		}
		return ByKeys(keys).Keys()
	}}
}

// ByVerifiers is the reader that believes keys as a server lists them; with none it
// believes nobody. Errors wrap attest.ErrBad.
func ByVerifiers(keys ...string) (*Reader, error) {
	by, err := attest.Verifiers(keys...)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	return &Reader{Keys: func() (Verifiers, error) { return by, nil }}, nil
}

// ByList is the reader that believes keys, and those of a file as `skald keys list`
// prints it, or with one key a line. The file is read when a tombstone is: it may be
// made, and grow, later; while it can not be read none of its keys is believed.
// Errors wrap attest.ErrBad: of the keys that are given.
func ByList(path string, keys ...string) (*Reader, error) {
	if _, err := attest.Verifiers(keys...); err != nil {
		return nil, err
	}
	return &Reader{Keys: func() (Verifiers, error) {
		listed, err := readList(path)
		if err == nil {
			if all, err := attest.Verifiers(append(listed, keys...)...); err == nil {
				return all, nil
			}
		}
		return attest.Verifiers(keys...) // the file is of no use
	}}, nil
}

// readList reads public keys, one a line; what stands before a key says how it stands.
func readList(path string) ([]string, error) {
	data, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil, fmt.Errorf("tombstone: %w", err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "break" || strings.HasPrefix(words[0], "#"):
			continue
		case len(words) == 2 && (words[0] == "signs" || words[0] == "retired"):
			words = words[1:]
		}
		out = append(out, words[0])
	}
	return out, nil
}

// All reads the tombstones of a table that are believed, in the order of the log.
// Errors are those of the log.
func (r *Reader) All(ctx context.Context, log journal.Log, stream int, table string) ([]*Record, error) {
	subject, err := journal.TombstoneSubject(stream, table, "encounter")
	if err != nil {
		return nil, err
	}
	var out []*Record
	err = log.Read(ctx, subject, 1, 0, func(rec journal.Record) error {
		if t, err := r.Read(rec); err == nil {
			out = append(out, t)
		}
		return nil
	})
	return out, err
}

// Before finds the first tombstone of a table that is believed and stands before a
// sequence; nil when there is none, which costs one question to the log.
func (r *Reader) Before(ctx context.Context, log journal.Log, stream int, table string, sequence uint64) (*Record, error) {
	subject, err := journal.TombstoneSubject(stream, table, "encounter")
	if err != nil {
		return nil, err
	}
	if _, ok, err := log.Last(ctx, subject); err != nil || !ok {
		return nil, err
	}
	all, err := r.All(ctx, log, stream, table)
	if err != nil || len(all) == 0 || all[0].Sequence > sequence {
		return nil, err
	}
	return all[0], nil
}
