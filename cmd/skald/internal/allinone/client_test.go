package allinone_test

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/client"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
)

// TestGoClientAsksForTokens: a watch goes on while its tokens run out, one after the
// other; where the next one is no better, it ends and says so.
func TestGoClientAsksForTokens(t *testing.T) {
	stack, server, signer := keyed(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, server, l) }() // ends with stop
	t.Cleanup(func() {
		stack.StopWatches()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})

	var given atomic.Int32
	dial := func(token func(n int32) time.Duration) encounterv1.EncounterServiceClient {
		given.Store(0)
		conn, err := client.Dial(l.Addr().String(), client.Options{Token: func(context.Context) (string, error) {
			expires := time.Now().Add(token(given.Add(1)))
			return signer.Sign(auth.Claims{Skald: auth.Table{Table: "main", Role: auth.GM}, RegisteredClaims: jwt.RegisteredClaims{Subject: "kim", ExpiresAt: jwt.NewNumericDate(expires)}})
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() }) //nolint:errcheck // the test is over
		return encounterv1.NewEncounterServiceClient(conn)
	}
	var seen []uint64
	err = client.Watch(t.Context(), dial(func(int32) time.Duration { return 2 * time.Second }), &encounterv1.WatchRequest{Encounter: "bridge"}, func(m *encounterv1.WatchResponse) error {
		switch {
		case m.GetStep() != nil:
			seen = append(seen, m.GetStep().Number)
		case m.GetCaughtUp() != nil && given.Load() < 3:
			saves(t, stack.Conn(), fmt.Sprint("s", given.Load()))
		case m.GetCaughtUp() != nil:
			return client.ErrStop
		}
		return nil
	})
	if err != nil || len(seen) != 3 || seen[0] != 1 || seen[2] != 3 {
		t.Errorf("over %d tokens: %v, %v", given.Load(), seen, err)
	}
	err = client.Watch(t.Context(), dial(func(n int32) time.Duration {
		if n > 1 {
			return -time.Hour
		}
		return 2 * time.Second
	}), &encounterv1.WatchRequest{Encounter: "bridge"}, func(*encounterv1.WatchResponse) error { return nil })
	if n := given.Load(); status.Code(err) != codes.Unauthenticated || n != 2 && n != 3 {
		t.Errorf("with a second token that is over: %v after %d tokens", err, n)
	}
}
