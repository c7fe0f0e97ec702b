package allinone

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skaldrpg/skald/cmd/skald/internal/backup"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/ops"
)

// lastCopy bounds what the end of the suite waits for the archive.
const lastCopy = 5 * time.Second

// archives are the archivers of a suite, one a stream.
type archives struct {
	archivers []*archive.Archiver
	folders   []*archive.Folder
}

// newArchives are those of a configuration; none without a folder.
func newArchives(cfg Config, log journal.Log) *archives {
	a := &archives{}
	if cfg.Archive != "" {
		a.add(cfg, streamName, journal.PartitionFilter(0), log)
	}
	return a
}

func (a *archives) add(cfg Config, stream, subjects string, log journal.Log) {
	f := archive.LaterFolder(filepath.Join(cfg.Archive, stream))
	a.folders = append(a.folders, f)
	a.archivers = append(a.archivers, archive.New(archive.Config{Log: log, Store: f, Subjects: []string{subjects}, Logger: cfg.Logger}))
}

func (a *archives) all() []*archive.Archiver {
	if a == nil {
		return nil
	}
	return a.archivers
}

// close copies what is left, while the journal still answers, and lets go of the
// folders. Run must have returned. What can not be copied is no error: the log has it.
func (a *archives) close() error {
	if a == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastCopy)
	defer cancel()
	var errs []error
	for i, one := range a.archivers {
		if one.Part().State == ops.Fine {
			one.CatchUp(ctx) //nolint:errcheck // as above
		}
		if err := a.folders[i].Close(); err != nil {
			errs = append(errs, fmt.Errorf("allinone: archive: %w", err))
		}
	}
	return errors.Join(errs...)
}

// Streams are those of a suite.
func Streams() []backup.Stream {
	return []backup.Stream{{Name: streamName, Subjects: []string{journal.PartitionFilter(0)}}}
}
