package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/systems"
)

// withLocal calls fn with what of the suite needs no log.
func (a *app) withLocal(ctx context.Context, fn func(ctx context.Context, conn grpc.ClientConnInterface) error) (err error) {
	if os.Getenv("GOGC") == "" { // most are done before 16 MiB are, and end: nothing to collect
		defer debug.SetGCPercent(debug.SetGCPercent(400))
	}
	l, err := allinone.StartLocal(systems.Lazy(), silent())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return fn(ctx, l.Conn())
}

// withStack calls fn with services of this process, which keep what they write
// in a temporary folder that is removed afterwards.
func (a *app) withStack(ctx context.Context, fn func(ctx context.Context, conn grpc.ClientConnInterface) error) error {
	return a.withTemporary(ctx, func(ctx context.Context, s *allinone.Stack, _ string) error { return fn(ctx, s.Conn()) })
}

func (a *app) withTemporary(ctx context.Context, fn func(ctx context.Context, s *allinone.Stack, dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "skald-")
	if err != nil {
		return fmt.Errorf("cli: temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := allinone.Start(ctx, allinone.Config{DataDir: dir, Logger: silent()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return fn(ctx, s, dir)
}

// silent is the log of services whose every answer the command shows anyway.
func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }
