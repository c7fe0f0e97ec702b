package allinone

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/services/dice"
	"github.com/skaldrpg/skald/services/encounter"
)

// Local is the part of the suite that needs no log: rolls outside fights, odds and the
// rules, answered by the same code under the same limits as in a [Stack], without
// files, keys or a journal.
type Local struct {
	callers channel
	failed  error // of the server; ordered by its end
}

// StartLocal starts it; whatever else is called answers UNIMPLEMENTED.
func StartLocal(systems *rules.Registry, log *slog.Logger) (*Local, error) {
	guard := &auth.Guard{} // who is in this process may be anyone
	server := rpc.NewServer(rpc.Options{Logger: log, Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	if err := dice.RegisterUnrecorded(server, dice.Config{Who: auth.Who, Logger: log}); err != nil {
		return nil, fmt.Errorf("allinone: %w", err)
	}
	encounter.RegisterRules(server, systems)
	l := &Local{}
	if err := l.callers.open(); err != nil {
		return nil, fmt.Errorf("allinone: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	l.callers.stop, l.callers.done = cancel, make(chan struct{})
	go func() { // ends with stop
		defer close(l.callers.done)
		l.failed = rpc.Serve(ctx, server, l.callers.pipe.Listener())
	}()
	return l, nil
}

// Conn is the in-process connection; Close ends it.
func (l *Local) Conn() grpc.ClientConnInterface { return l.callers.conn }

// Close ends it, after the calls in flight.
func (l *Local) Close() error {
	l.callers.end()
	return errors.Join(l.failed, l.callers.close())
}
