package natsstore

import (
	"context"
	"path/filepath"
	"strings"
)

// Ends reads the description and the newest blocks of every stream alone: where
// each ends, quickly. Visit gets the records of those blocks. Sequences before
// them are neither read nor judged.
func Ends(ctx context.Context, storeDir string, visit Visit) (*Report, error) {
	r := &Report{}
	dirs, err := filepath.Glob(filepath.Join(storeDir, "jetstream", "*", "streams", "*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if strings.HasPrefix(filepath.Base(dir), ".") {
			continue
		}
		s := &Stream{Name: filepath.Base(dir), Folder: dir, First: 1, Deleted: map[uint64]bool{}, Torn: -1}
		x := &examination{s: s, visit: visit, newest: 2}
		x.meta()
		if err := x.blocks(ctx); err != nil {
			return nil, err
		}
		r.Streams, r.Findings = append(r.Streams, s), append(r.Findings, x.found...)
	}
	return r, nil
}
