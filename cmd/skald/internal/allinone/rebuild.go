package allinone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
	"github.com/skaldrpg/skald/services/injury"
)

// Service is one of the three, for what is done to each of them.
type Service struct {
	// Name of the service.
	Name    string
	rebuild func(ctx context.Context, dir string, progress func(done, total uint64)) error
	hash    func(ctx context.Context, dir string) ([]byte, error)
}

// Rebuilder builds projections from the log while the suite does not run.
type Rebuilder struct {
	store *store
	cfg   Config
	// Services in the order in which they are rebuilt.
	Services []Service
}

// OpenRebuilder opens the journal of a data folder. The folder must not be in use.
func OpenRebuilder(ctx context.Context, cfg Config) (*Rebuilder, error) {
	st, err := openStore(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("allinone: %w", err)
	}
	r := &Rebuilder{store: st, cfg: cfg}
	s := &Stack{cfg: cfg, store: st}
	// Services want clients even to look at their files; nothing is ever called.
	if err := s.peers.join(); err != nil {
		return nil, errors.Join(err, st.close())
	}
	r.Services = s.each()
	return r, nil
}

// each is how every service is rebuilt and hashed.
func (s *Stack) each() []Service {
	return []Service{
		{"dice", func(ctx context.Context, dir string, progress func(done, total uint64)) error {
			return dice.RebuildAll(ctx, s.diceIn(dir), progress)
		}, func(ctx context.Context, dir string) ([]byte, error) {
			return hashed(dice.NewRouter(ctx, s.diceIn(dir)))
		}},
		{"injury", func(ctx context.Context, dir string, progress func(done, total uint64)) error {
			return injury.RebuildAll(ctx, s.injuryIn(dir), progress)
		}, func(ctx context.Context, dir string) ([]byte, error) {
			return hashed(injury.NewRouter(ctx, s.injuryIn(dir)))
		}},
		{"encounter", func(ctx context.Context, dir string, progress func(done, total uint64)) error {
			return encounter.RebuildAll(ctx, s.encounterConfig(dir), progress)
		}, func(ctx context.Context, dir string) ([]byte, error) {
			return hashed(encounter.NewRouter(ctx, s.encounterConfig(dir)))
		}},
	}
}

func (s *Stack) diceIn(dir string) dice.RouterConfig {
	cfg := s.diceConfig()
	cfg.DataDir, cfg.CreateMasterKey = dir, false
	return cfg
}

func (s *Stack) injuryIn(dir string) injury.RouterConfig {
	cfg := s.injuryConfig()
	cfg.DataDir = dir
	return cfg
}

// hashed is the content hash of a service that is opened for nothing else.
func hashed[S interface {
	ContentHash() ([]byte, error)
	Close() error
}](svc S, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	sum, err := svc.ContentHash()
	return sum, errors.Join(err, svc.Close())
}

// Rebuild builds a service's projection anew in its place.
func (r *Rebuilder) Rebuild(ctx context.Context, s Service, progress func(done, total uint64)) error {
	if err := os.MkdirAll(r.cfg.projections(), 0o700); err != nil {
		return fmt.Errorf("allinone: %w", err)
	}
	return s.rebuild(ctx, r.cfg.projections(), progress)
}

// Check builds a service's projection beside its place, in a folder that is
// removed afterwards, and tells whether both hold the same.
func (r *Rebuilder) Check(ctx context.Context, s Service, progress func(done, total uint64)) (same bool, err error) {
	dir, err := os.MkdirTemp("", "skald-check-")
	if err != nil {
		return false, fmt.Errorf("allinone: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover folder harms nobody
	if err := s.rebuild(ctx, dir, progress); err != nil {
		return false, err
	}
	fresh, err := s.hash(ctx, dir)
	if err != nil {
		return false, err
	}
	live, err := s.hash(ctx, r.cfg.projections())
	return bytes.Equal(fresh, live), err
}

// Streams of the journal.
func (r *Rebuilder) Streams() *journal.Set { return r.store.streams }

// Close lets go of the journal.
func (r *Rebuilder) Close() error { return r.store.close() }

// Replica is a second encounter service over the same log, with a projection
// that began empty: what it answers was made from the log alone.
type Replica struct {
	service *encounter.Router
	conn    *grpc.ClientConn
	stop    []context.CancelFunc
	done    []chan struct{}
}

// Replica starts one in an empty folder and waits until it has read the log.
func (s *Stack) Replica(ctx context.Context, dir string) (*Replica, error) {
	svc, err := encounter.NewRouter(ctx, s.encounterConfig(dir))
	if err != nil {
		return nil, err
	}
	channel := rpc.NewInProcess()
	server := rpc.NewServer(rpc.Options{Logger: s.cfg.Logger})
	svc.Register(server)
	r := &Replica{service: svc}
	r.run(func(ctx context.Context) { rpc.Serve(ctx, server, channel.Listener()) }) //nolint:errcheck // a call would fail too
	r.run(func(ctx context.Context) { svc.Run(ctx) })                               //nolint:errcheck // Ready would not return
	if r.conn, err = channel.Dial(); err == nil {
		err = svc.Ready(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *Replica) run(fn func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	r.stop, r.done = append(r.stop, cancel), append(r.done, done)
	go func() { // ends with its context
		defer close(done)
		fn(ctx)
	}()
}

// Conn is the connection to the replica.
func (r *Replica) Conn() grpc.ClientConnInterface { return r.conn }

// ContentHash is the hash of the replica's projection.
func (r *Replica) ContentHash() ([]byte, error) { return r.service.ContentHash() }

// Close ends the replica.
func (r *Replica) Close() error {
	r.service.StopWatches()
	for i, stop := range r.stop {
		stop()
		<-r.done[i]
	}
	var err error
	if r.conn != nil {
		err = r.conn.Close()
	}
	return errors.Join(err, r.service.Close())
}

// ContentHash is the hash of the live encounter projection.
func (s *Stack) ContentHash() ([]byte, error) { return s.encounter.ContentHash() }

// Log is stream 0 of the journal: all of it, when there is one stream.
func (s *Stack) Log() journal.Log { return s.store.log }

// Streams are all streams of the journal.
func (s *Stack) Streams() *journal.Set { return s.store.streams }
