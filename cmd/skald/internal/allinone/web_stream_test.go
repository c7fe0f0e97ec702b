package allinone_test

import (
	"context"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/web"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// saves gives a command that makes one step.
func saves(t *testing.T, conn grpc.ClientConnInterface, name string) {
	t.Helper()
	_, err := encounterv1.NewEncounterServiceClient(conn).Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: name, As: master, Table: "main", Encounter: "bridge",
		Command: &eventv1.Command{What: &eventv1.Command_Save{Save: &eventv1.SaveState{Name: name}}}})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWatchIsCutAndGoesOn: over every way, a watch shows what happens; cut, it goes on
// from its cursor with nothing left out and nothing twice, and its stream is free again.
func TestWatchIsCutAndGoesOn(t *testing.T) {
	stack := start(t, t.TempDir())
	guard := &auth.Guard{}
	l := rpc.DefaultLimits()
	l.PrincipalStreams, l.Who = 1, auth.Who
	server := rpc.NewServer(rpc.Options{Logger: quiet(), Limits: l.Raised(), Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	stack.Register(server)
	address := onWeb(t, stack, web.Options{Server: server, Open: true})
	if _, err := encounterv1.NewEncounterServiceClient(stack.Conn()).Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "c", As: master, Table: "main", Encounter: "bridge", Command: create("bridge")}); err != nil {
		t.Fatal(err)
	}
	number := 1
	for name, w := range ways(t, address, "") {
		fights := encounterv1.NewEncounterServiceClient(w)
		var seen []uint64
		var cursor string
		next := func(s encounterv1.EncounterService_WatchClient) *encounterv1.WatchResponse {
			m, err := s.Recv()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if step := m.GetStep(); step != nil {
				seen, cursor = append(seen, step.Number), step.Cursor
			}
			return m
		}
		// The limit of one stream frees what the watch before has held, or never: until
		// then it refuses.
		open := func(ctx context.Context) encounterv1.EncounterService_WatchClient {
			for end := time.Now().Add(20 * time.Second); ; {
				s, err := fights.Watch(ctx, &encounterv1.WatchRequest{As: master, Table: "main", Encounter: "bridge", After: cursor})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				m, err := s.Recv()
				if err == nil {
					if step := m.GetStep(); step != nil {
						seen, cursor = append(seen, step.Number), step.Cursor
					}
					return s
				}
				if f, _ := fault.As(rpc.FromStatus(err)); status.Code(err) != codes.ResourceExhausted || f.Meta["limit"] != rpc.LimitPrincipalStreams || time.Now().After(end) {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		ctx, cut := context.WithCancel(t.Context())
		s := open(ctx)
		for len(seen) < number {
			next(s)
		}
		cut()
		number++
		saves(t, stack.Conn(), "s"+name)
		ctx, cut = context.WithCancel(t.Context())
		s = open(ctx)
		for len(seen) < number {
			next(s)
		}
		number++
		saves(t, stack.Conn(), "t"+name)
		for len(seen) < number {
			next(s)
		}
		if _, err := ask(t.Context(), w, enc+"Watch", &encounterv1.WatchRequest{As: master, Table: "main", Encounter: "bridge"}); status.Code(err) != codes.ResourceExhausted {
			t.Errorf("%s: a second watch of one caller: %v", name, err)
		}
		cut()
		for i, n := range seen {
			if n != uint64(i)+1 { //nolint:gosec // few
				t.Errorf("%s: steps %v", name, seen)
				break
			}
		}
	}
}

// keyed is a suite with the fight "bridge", behind a server that asks for tokens, and who
// signs them.
func keyed(t *testing.T) (*allinone.Stack, *rpc.Server, *auth.Signer) {
	t.Helper()
	dir := t.TempDir()
	if _, err := auth.NewKey(filepath.Join(dir, "key"), auth.HS256); err != nil {
		t.Fatal(err)
	}
	signer, err := auth.ReadSigner(filepath.Join(dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	guard, err := auth.NewGuard(t.Context(), auth.Options{Secret: filepath.Join(dir, "key"), Skew: -1}, &net.TCPAddr{IP: net.IPv4zero}, quiet())
	if err != nil {
		t.Fatal(err)
	}
	stack := start(t, t.TempDir())
	server := rpc.NewServer(rpc.Options{Logger: quiet(), Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	stack.Register(server)
	if _, err := encounterv1.NewEncounterServiceClient(stack.Conn()).Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "c", As: master, Table: "main", Encounter: "bridge", Command: create("bridge")}); err != nil {
		t.Fatal(err)
	}
	return stack, server, signer
}

// TestWatchEndsWithItsToken: and the stop of the server ends it with words to go on by.
func TestWatchEndsWithItsToken(t *testing.T) {
	stack, server, signer := keyed(t)
	address := onWeb(t, stack, web.Options{Server: server})
	token := func(lasts time.Duration) string {
		text, err := signer.Sign(auth.Claims{Skald: auth.Table{Table: "main", Role: auth.GM}, RegisteredClaims: jwt.RegisteredClaims{Subject: "kim", ExpiresAt: jwt.NewNumericDate(time.Now().Add(lasts))}})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	ended := func(lasts time.Duration, stop func()) (reasons map[string][2]any) {
		reasons = map[string][2]any{}
		streams := map[string]encounterv1.EncounterService_WatchClient{}
		for name, w := range ways(t, address, token(lasts)) {
			s, err := encounterv1.NewEncounterServiceClient(w).Watch(t.Context(), &encounterv1.WatchRequest{Encounter: "bridge"})
			if err == nil {
				_, err = s.Recv()
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			streams[name] = s
		}
		stop()
		for name, s := range streams {
			var last *encounterv1.WatchResponse
			m, err := s.Recv()
			for ; err == nil; m, err = s.Recv() {
				last = m
			}
			f, _ := fault.As(rpc.FromStatus(err)) //nolint:errcheck // nil has no reason
			if last.GetEnd().GetReason() != f.Reason {
				t.Errorf("%s: the last message says %v, the status %v", name, last, err)
			}
			reasons[name] = [2]any{status.Code(err), f.Reason}
		}
		return reasons
	}
	for name, got := range ended(2*time.Second, func() {}) {
		if got != [2]any{codes.Unauthenticated, "TOKEN_EXPIRED"} {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, got := range ended(time.Minute, stack.StopWatches) {
		if got != [2]any{codes.Unavailable, "STOPPING"} {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestTimeRunsOutOverHTTP: the caller's own limit of time holds.
func TestTimeRunsOutOverHTTP(t *testing.T) {
	g := startGuarded(t)
	g.play("main", "bridge", "jeera")
	over := ways(t, onWeb(t, g.stack, web.Options{Server: g.server}), string(g.token(auth.Table{Table: "main", Role: auth.GM})))
	var codesSeen []codes.Code
	for _, w := range over {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		s, err := encounterv1.NewEncounterServiceClient(w).Watch(ctx, &encounterv1.WatchRequest{Encounter: "bridge"})
		for err == nil {
			_, err = s.Recv()
		}
		cancel()
		codesSeen = append(codesSeen, status.Code(err))
	}
	if slices.ContainsFunc(codesSeen, func(c codes.Code) bool { return c != codes.DeadlineExceeded }) {
		t.Errorf("%v", codesSeen)
	}
}
