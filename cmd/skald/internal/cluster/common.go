//go:build linux

package cluster

import (
	"log/slog"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const sigcont, sigstop = syscall.SIGCONT, syscall.SIGSTOP

var (
	quiet = slog.New(slog.DiscardHandler)
	// quickly is how clients come back to a server that was down.
	quickly = grpc.ConnectParams{Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.5, Jitter: 0.2, MaxDelay: time.Second},
		MinConnectTimeout: time.Second}
	gm = &eventv1.Principal{Role: eventv1.Principal_ROLE_GM, Name: "gm"}
)
