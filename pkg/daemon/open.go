package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
)

// streamName is the one stream while there is one partition.
const streamName = "SKALD_0"

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

// openStream connects to NATS and opens the stream; closing ends the connection.
func (o *options) openStream(ctx context.Context, name string, log *slog.Logger) (j *journal.Journal, closing func(), err error) {
	connect := o.nats
	connect.Name = name
	nc, err := journal.Connect(ctx, o.natsURL, connect)
	if err != nil {
		return nil, nil, err
	}
	j, err = journal.Open(ctx, nc, journal.Config{Stream: streamName, Subjects: []string{journal.PartitionFilter(0)},
		Replicas: o.replicas, MaxMessage: journal.MaxMessage, Create: o.create, Log: log})
	if err != nil {
		nc.Close()
		return nil, nil, err
	}
	return j, nc.Close, nil
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
	j, closing, err := o.openStream(ctx, spec.Name, log)
	if err != nil {
		return err
	}
	defer closing()
	var total uint64
	err = spec.Rebuild(ctx, Env{Journal: j, DataDir: o.data, Logger: log}, func(_, all uint64) { total = all })
	if err == nil {
		log.Info("rebuilt", "file", spec.File(o.data), "records", total)
	}
	return err
}
