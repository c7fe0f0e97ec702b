package encounter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/attest"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/store"
)

// End is where an encounter's chain ends.
type End struct {
	// ID of the encounter.
	ID string
	// Version and Hash of its last Commit.
	Version uint64
	Hash    []byte
	// Open: the fight is not over.
	Open bool
}

func endOf(h *encounterv1.StoredHead) End {
	return End{ID: h.Encounter, Version: h.Version, Hash: h.Hash, Open: h.Status != eventv1.State_STATUS_ENDED}
}

// Ends lists where the chains of a table's encounters end, in order of ids, once
// the projection of the table's stream has a sequence.
func (r *Router) Ends(ctx context.Context, partition int, table string, sequence uint64) ([]End, error) {
	s, err := r.of(partition)
	if err != nil {
		return nil, err
	}
	if err := s.projection.WaitFor(ctx, sequence); err != nil {
		return nil, err
	}
	return ends(s.projection, table)
}

// Checkpoint is the tree over a stream as this process folded it, unsigned.
func (r *Router) Checkpoint(partition int) (attest.Checkpoint, error) {
	s, err := r.of(partition)
	if err != nil {
		return attest.Checkpoint{}, err
	}
	size, root, _, _, err := store.Reader{P: s.projection}.Tree(0, 0)
	if err != nil {
		return attest.Checkpoint{}, err
	}
	name, err := r.cfg.Keys.Name()
	return attest.Checkpoint{Log: attest.LogName(name, partition), Size: size, Root: root}, err
}

// of is the service of a stream that this process folds.
func (r *Router) of(partition int) (found *Service, err error) {
	r.Each(func(p int, s *Service) {
		if p == partition {
			found = s
		}
	})
	if found == nil {
		err = fmt.Errorf("encounter: stream %d is not folded here", partition)
	}
	return found, err
}

func ends(p *projection.Projection, table string) ([]End, error) {
	var out []End
	err := p.View(func(tx *projection.Tx) error {
		out = nil
		return store.EachHead(tx, table, func(h *encounterv1.StoredHead) { out = append(out, endOf(h)) })
	})
	return out, err
}

// EndsOf is Ends for who has the log alone: it folds the encounters of the table
// into a file that is removed afterwards.
func EndsOf(ctx context.Context, log journal.Log, partition int, table string, logger *slog.Logger) (out []End, err error) {
	dir, err := os.MkdirTemp("", "skald-ends-")
	if err != nil {
		return nil, fmt.Errorf("encounter: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := journal.Token(table); err != nil {
		return nil, err
	}
	cfg := projection.Config{Path: filepath.Join(dir, "encounter.db"), Schema: store.Schema, Log: log,
		Filter: "skald." + strconv.Itoa(partition) + "." + table + "." + string(aggregate.Encounter) + ".>", Fold: store.NewFold(0), Logger: logger}
	if err := projection.Rebuild(ctx, cfg, nil); err != nil {
		return nil, err
	}
	p, err := projection.Open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return ends(p, table)
}
