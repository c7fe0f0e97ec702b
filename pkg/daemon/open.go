package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

func (o *options) logger(w io.Writer) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(o.logLevel)); err != nil {
		return nil, fmt.Errorf("daemon: --log-level: want debug, info, warn or error, got %q", o.logLevel)
	}
	h := &slog.HandlerOptions{Level: l}
	if o.logJSON {
		return slog.New(slog.NewJSONHandler(w, h)), nil
	}
	return slog.New(slog.NewTextHandler(w, h)), nil
}

// startPause is how long a start waits before it asks a journal again that is not
// there yet.
const startPause = 250 * time.Millisecond

// openStreams connects to NATS and opens the streams; who closes the connection
// does so last. A journal that is not available yet, such as a cluster that still
// chooses its leaders, is asked again until o.natsWait has passed.
func (o *options) openStreams(ctx context.Context, name string, log *slog.Logger) (*journal.Set, *nats.Conn, error) {
	said := ""
	for began := time.Now(); ; {
		streams, nc, err := o.openOnce(ctx, name, log)
		if !errors.Is(err, journal.ErrUnavailable) || errors.Is(err, nats.ErrAuthorization) || time.Since(began) >= o.natsWait {
			return streams, nc, err
		}
		if err.Error() != said {
			said = err.Error()
			log.WarnContext(ctx, "the journal is not there yet", "error", err, "waiting", o.natsWait)
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(startPause):
		}
	}
}

func (o *options) openOnce(ctx context.Context, name string, log *slog.Logger) (*journal.Set, *nats.Conn, error) {
	connect := o.nats
	connect.Name = name
	nc, err := journal.Connect(ctx, o.natsURL, connect)
	if err != nil {
		return nil, nil, err
	}
	streams, err := journal.OpenSet(ctx, nc, journal.SetConfig{Replicas: o.replicas, MaxMessage: journal.MaxMessage,
		Create: o.create, Streams: o.streams, Log: log})
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return streams, nc, nil
}

// dial makes the connections to the other services.
func (o *options) dial(metrics *rpc.Metrics, key *auth.ServiceKey) (conns map[string]*grpc.ClientConn, closing func() error, err error) {
	conns = map[string]*grpc.ClientConn{}
	closing = func() error {
		var errs []error
		for _, c := range conns { // order-free: each is closed by itself
			errs = append(errs, c.Close())
		}
		return errors.Join(errs...)
	}
	for name, p := range o.peers { // order-free: each is dialled by itself
		dialing := metrics.DialOptions()
		if key != nil {
			dialing = append(dialing, grpc.WithPerRPCCredentials(key))
		}
		c, err := rpc.Dial(p.address, o.internal.toward(p.tls), dialing...)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("daemon: --%s: %w", name, err), closing())
		}
		conns[name] = c
	}
	return conns, closing, nil
}

func rebuild(ctx context.Context, errs io.Writer, spec Spec, o *options) error {
	log, err := o.logger(errs)
	if err != nil {
		return err
	}
	streams, nc, err := o.openStreams(ctx, spec.Name, log)
	if err != nil {
		return err
	}
	defer nc.Close()
	var total uint64
	err = spec.Rebuild(ctx, Env{Streams: streams, DataDir: o.data, Logger: log}, func(_, all uint64) { total = all })
	if err == nil {
		log.Info("rebuilt", "file", spec.File(o.data), "records", total)
	}
	return err
}
