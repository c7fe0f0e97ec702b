package feed

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/skaldrpg/skald/pkg/text"
)

// Options are what an operator says of a feed, wherever it is.
type Options struct {
	// Tables that are published; empty means all.
	Tables []string
	// Age and MiB are what the stream keeps at most.
	Age time.Duration
	MiB int64
}

// Flags adds the flags.
func (o *Options) Flags(f *pflag.FlagSet) {
	f.StringArrayVar(&o.Tables, "feed-table", nil, "table whose fights are in the feed; repeat for several (default all)")
	f.DurationVar(&o.Age, "feed-age", DefaultAge, "how long the feed keeps a step")
	f.Int64Var(&o.MiB, "feed-size", DefaultBytes>>20, "MiB that the feed keeps at most; the oldest steps go first")
}

// Check says what is wrong with them.
func (o *Options) Check() error {
	if o.Age < time.Minute {
		return fmt.Errorf("--feed-age: want at least a minute, got %s", o.Age)
	}
	if o.MiB < 1 {
		return fmt.Errorf("--feed-size: want at least 1 MiB, got %d", o.MiB)
	}
	for _, t := range o.Tables {
		if err := text.ID(t); err != nil {
			return fmt.Errorf("--feed-table: %w", err)
		}
	}
	o.Tables = slices.Compact(slices.Sorted(slices.Values(o.Tables)))
	return nil
}
