package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	"github.com/skaldrpg/skald/pkg/tombstone"
)

// Config says what to project where.
type Config struct {
	Path      string
	Log       journal.Log
	Partition int                    // the number of the stream that Log is
	Believe   *tombstone.Reader      // reads tombstones; nil believes none
	Applied   func([]journal.Record) // that of projection.Config
	Logger    *slog.Logger
	Clock     func() time.Time
}

// Store is the open projection.
type Store struct{ *projection.Projection }

// Open opens or makes the file.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	p, err := projection.Open(ctx, cfg.projection())
	if err != nil {
		return nil, err
	}
	return &Store{p}, nil
}

// Rebuild builds the file anew from the whole log. Nobody may have it open.
func Rebuild(ctx context.Context, cfg Config, progress func(done, total uint64)) error {
	return projection.Rebuild(ctx, cfg.projection(), progress)
}

func (c Config) projection() projection.Config {
	return projection.Config{Path: c.Path, Schema: Schema, Log: c.Log, Filter: aggregate.Dice.Filter(c.Partition), Fold: fold{}, Believe: c.Believe, Applied: c.Applied,
		Logger: c.Logger, Clock: c.Clock}
}
