// Package witness asks the files of a data folder what its journal must hold: the
// checkpoints of the projections and the heads of the archive.
//
// It must never change a file, and never fail: a file that does not tell is a
// witness that there was a journal, and no more.
package witness

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// Of lists the witnesses in a data folder and an archive folder ("" for none).
func Of(ctx context.Context, dataDir, archiveDir string) []journal.Witness {
	var out []journal.Witness
	for _, path := range Projections(dataDir) {
		if w, ok := projected(path); ok {
			out = append(out, w)
		}
	}
	if archiveDir == "" {
		return out
	}
	for _, dir := range Archives(archiveDir) {
		if w, ok := archived(ctx, dir); ok {
			out = append(out, w)
		}
	}
	return out
}

// Projections lists the files of projections in a data folder.
func Projections(dataDir string) []string {
	var out []string
	root := filepath.Join(dataDir, "projections")
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error { //nolint:errcheck // what can not be listed is no witness
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".db" {
			out = append(out, path)
		}
		return nil
	})
	slices.Sort(out)
	return out
}

// Archives lists the folders of an archive, one for each stream.
func Archives(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), "SKALD_") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}

// StreamOf is the name of the stream that a projection's file is made from: the
// number at the end of the name of its folder or file, else the first stream.
func StreamOf(path string) string {
	for _, part := range []string{strings.TrimSuffix(filepath.Base(path), ".db"), filepath.Base(filepath.Dir(path))} {
		i := len(part)
		for i > 0 && part[i-1] >= '0' && part[i-1] <= '9' {
			i--
		}
		if i > 0 && i < len(part) && strings.ContainsRune("-_.", rune(part[i-1])) {
			return "SKALD_" + part[i:]
		}
	}
	return "SKALD_0"
}

func projected(path string) (journal.Witness, bool) {
	w := journal.Witness{Name: path, Stream: StreamOf(path)}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return w, false
	}
	seq, sum, id, err := projection.Checkpoint(path)
	if err != nil {
		return w, true
	}
	w.StreamID, w.Sequence = id, seq
	if len(sum) > 0 {
		w.Holds = func(r journal.Record) bool { return bytes.Equal(projection.Digest(r), sum) }
	}
	return w, seq > 0
}

func archived(ctx context.Context, dir string) (journal.Witness, bool) {
	w := journal.Witness{Name: dir, Stream: filepath.Base(dir)}
	store := archive.ReadFolder(dir)
	head, err := archive.ReadHead(ctx, store)
	if errors.Is(err, archive.ErrEmpty) {
		return w, false
	}
	if err != nil {
		return w, true
	}
	w.StreamID, w.Sequence = head.Stream.ID, head.Seq
	var last journal.Record
	if _, err := archive.Records(ctx, store, head.Seq, func(r journal.Record, _ archive.Chain) error { last = r; return nil }); err == nil && last.Seq == head.Seq {
		w.Holds = func(r journal.Record) bool {
			return r.Is(journal.Message{Subject: last.Subject, ID: last.ID, Data: last.Data})
		}
	}
	return w, head.Seq > 0
}
