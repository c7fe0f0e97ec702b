package allinone

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/cmd/skald/internal/witness"
	"github.com/skaldrpg/skald/pkg/journal"
)

// store is the journal and what it rests on.
type store struct {
	log      journal.Log       // stream 0
	streams  *journal.Set      // all streams
	embedded *journal.Embedded // nil when the server is elsewhere
	conn     *nats.Conn        // nil when embedded: that one drains its own
}

// mend is the command that mends the journal.
func (c Config) mend() string {
	command := "skald mend --data " + c.DataDir
	if c.Archive != "" && c.Archive != filepath.Join(c.DataDir, "archive") {
		command += " --archive " + c.Archive
	}
	return command
}

func openStore(ctx context.Context, cfg Config) (*store, error) {
	s := &store{}
	nc, create, err := s.connect(ctx, cfg)
	if err != nil {
		return nil, err
	}
	var gate journal.Gate
	if s.embedded != nil {
		gate = s.embedded
	}
	s.streams, err = journal.OpenSet(ctx, nc, journal.SetConfig{Replicas: cfg.Replicas, MaxMessage: journal.MaxMessage,
		Create: create, Streams: cfg.Streams, Gate: gate, Alone: s.embedded != nil && s.embedded.URL() == "", Log: cfg.Logger, Wrap: cfg.Hooks.Backend, Shown: cfg.Hooks.Log})
	if err != nil {
		s.close() //nolint:errcheck // the error that matters is the other
		return nil, err
	}
	s.log = s.streams.Shown(0)
	return s, nil
}

func (s *store) connect(ctx context.Context, cfg Config) (nc *nats.Conn, create bool, err error) {
	if cfg.NATSURL != "" {
		options := cfg.NATS
		if options.Name == "" {
			options.Name = "skald"
		}
		s.conn, err = journal.Connect(ctx, cfg.NATSURL, options)
		return s.conn, cfg.Create, err
	}
	s.embedded, err = journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(cfg.DataDir, "journal"),
		MaxPayload: journal.MaxMessage, DiskReserve: cfg.DiskReserve, DiskLow: cfg.DiskLow, Mend: cfg.mend(),
		Removed: witness.Removed(cfg.DataDir), Witnesses: func(ctx context.Context) []journal.Witness { return witness.Of(ctx, cfg.DataDir, cfg.Archive) }}, cfg.Logger)
	if err != nil {
		return nil, false, err
	}
	if nc, err = s.embedded.Connect("skald"); err != nil {
		s.close() //nolint:errcheck // the error that matters is the other
		return nil, false, err
	}
	return nc, true, nil
}

func (s *store) close() error {
	if s.conn != nil {
		s.conn.Close()
	}
	if s.embedded == nil {
		return nil
	}
	if err := s.embedded.Stop(); err != nil {
		return fmt.Errorf("allinone: stopping the journal: %w", err)
	}
	return nil
}
