package allinone

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/skaldrpg/skald/cmd/skald/internal/erase"
	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/archive"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/tombstone"
	opsv1 "github.com/skaldrpg/skald/proto/skald/ops/v1"
	"github.com/skaldrpg/skald/services/encounter"
)

// eraser deletes tables from the journal of the suite.
func (s *Stack) eraser() *erase.Eraser {
	return erase.New(erase.Config{Streams: s.store.streams, Keys: s.encounter.Keys(), Chains: s.chains, Checkpoint: s.checkpoint,
		Settled: s.settled, Left: s.left, Drop: s.encounter.DropPersons, Clock: s.cfg.Clock, Logger: s.cfg.Logger, Step: s.cfg.Hooks.Erase})
}

func (s *Stack) chains(ctx context.Context, stream int, table string, sequence uint64) ([]tombstone.Chain, error) {
	ends, err := s.encounter.Ends(ctx, stream, table, sequence)
	return Chains(ends), err
}

// Chains are ends as a tombstone lists them.
func Chains(ends []encounter.End) []tombstone.Chain {
	var out []tombstone.Chain
	for _, e := range ends {
		out = append(out, tombstone.Chain{Kind: string(aggregate.Encounter), ID: e.ID, Version: e.Version, Hash: e.Hash, Open: e.Open})
	}
	return out
}

func (s *Stack) checkpoint(_ context.Context, stream int) (string, error) {
	c, err := s.encounter.Checkpoint(stream)
	return c.Text(), err
}

// settled waits until the projections of all services have taken a tombstone.
func (s *Stack) settled(ctx context.Context, stream int, encounter, dice uint64) error {
	return errors.Join(s.dice.WaitFor(ctx, stream, dice), s.injury.WaitFor(ctx, stream, encounter), s.encounter.WaitFor(ctx, stream, encounter))
}

// left lists the files of this data folder that still hold records, or may.
func (s *Stack) left(ctx context.Context, stream int, removed []tombstone.Sequences) []*opsv1.Leftover {
	var out []*opsv1.Leftover
	if s.cfg.Archive != "" {
		out = append(out, InArchive(ctx, filepath.Join(s.cfg.Archive, journal.StreamName(stream)), s.cfg.Archive, removed)...)
	}
	for _, aside := range []string{filepath.Join(s.cfg.DataDir, "journal.aside"), filepath.Join(s.cfg.DataDir, "journal", "aside")} {
		if found, _ := filepath.Glob(filepath.Join(aside, "*")); len(found) > 0 { //nolint:errcheck // the pattern is ours
			out = append(out, &opsv1.Leftover{What: "what was put aside in " + aside, Command: "rm -r " + aside})
		}
	}
	if found, _ := filepath.Glob(filepath.Join(s.cfg.projections(), "*.aside*")); len(found) > 0 { //nolint:errcheck // the pattern is ours
		out = append(out, &opsv1.Leftover{What: fmt.Sprintf("%d projections that were put aside in %s", len(found), s.cfg.projections()),
			Command: "rm " + filepath.Join(s.cfg.projections(), "*.aside*")})
	}
	if s.cfg.NATSURL == "" {
		out = append(out, &opsv1.Leftover{What: "freed places in the files of the projections, until something else is written there",
			Command: "stop the server; skald rebuild --data " + s.cfg.DataDir})
	}
	return append(out, &opsv1.Leftover{What: "freed places in the blocks of the journal on the NATS server, until it compacts them"},
		&opsv1.Leftover{What: "backups that were made before", Command: "skald archive erase --archive BACKUP --keys HEADS.KEY, once it holds the tombstone; else delete it"})
}

// InArchive lists the segments of one stream's archive that may hold records of
// given sequences; dir is its folder, root the one to be named in the command.
func InArchive(ctx context.Context, dir, root string, removed []tombstone.Sequences) []*opsv1.Leftover {
	holding, err := archive.Holding(ctx, archive.ReadFolder(dir), func(first, last uint64) bool {
		return slices.ContainsFunc(removed, func(s tombstone.Sequences) bool { return s.Within(first, last) })
	})
	command := "stop the server; skald archive erase --archive " + root
	if err != nil {
		return []*opsv1.Leftover{{What: fmt.Sprintf("the archive %s, which can not be listed: %v", dir, err), Command: command}}
	}
	var out []*opsv1.Leftover
	for _, name := range holding {
		out = append(out, &opsv1.Leftover{What: "the archive's segment " + filepath.Join(dir, name), Command: command})
	}
	return out
}
