package encounter_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/auth"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// door is the service behind a server with keys.
type door struct {
	t             *testing.T
	pipe          *rpc.InProcess
	jwks, revoked string
	key           *auth.Signer
}

func (c *client) door(t *testing.T) *door {
	t.Helper()
	dir := t.TempDir()
	d := &door{t: t, pipe: rpc.NewInProcess(), jwks: filepath.Join(dir, "keys.json"), revoked: filepath.Join(dir, "revoked")}
	d.key = d.newKey(filepath.Join(dir, "first"))
	d.revoke("")
	guard, err := auth.NewGuard(t.Context(), auth.Options{JWKS: d.jwks, Revoked: d.revoked, Skew: -1}, &net.TCPAddr{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: quiet, Unary: []grpc.UnaryServerInterceptor{guard.Unary}, Stream: []grpc.StreamServerInterceptor{guard.Stream}})
	c.svc.Register(server)
	ctx, stop := context.WithCancel(context.Background())
	served, kept := make(chan error, 1), make(chan struct{})
	go func() { served <- rpc.Serve(ctx, server, d.pipe.Listener()) }() // ends with stop
	go func() { defer close(kept); guard.Run(ctx) }()                   // ends with stop
	t.Cleanup(func() {
		c.svc.StopWatches()
		stop()
		<-kept
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return d
}

func (d *door) newKey(path string) *auth.Signer {
	d.t.Helper()
	if _, err := auth.NewKey(path, auth.EdDSA); err != nil {
		d.t.Fatal(err)
	}
	s, err := auth.ReadSigner(path)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := s.AddToKeySet(d.jwks); err != nil {
		d.t.Fatal(err)
	}
	return s
}

func (d *door) revoke(list string) {
	d.t.Helper()
	if err := os.WriteFile(d.revoked, []byte(list), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// enter is a client with a token of the key, which is good for so long.
func (d *door) enter(key *auth.Signer, sub, id string, lasts time.Duration, t auth.Table) encounterv1.EncounterServiceClient {
	d.t.Helper()
	t.Table = "main"
	token, err := key.Sign(auth.Claims{Skald: t, RegisteredClaims: jwt.RegisteredClaims{Subject: sub, ID: id, ExpiresAt: jwt.NewNumericDate(time.Now().Add(lasts))}})
	if err != nil {
		d.t.Fatal(err)
	}
	conn, err := d.pipe.Dial(grpc.WithPerRPCCredentials(auth.Bearer(token)))
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { conn.Close() })
	return encounterv1.NewEncounterServiceClient(conn)
}

// viewing is a watch whose messages a test reads.
type viewing struct {
	t      *testing.T
	stream grpc.ServerStreamingClient[encounterv1.WatchResponse]
	cursor string
	steps  int
}

func view(t *testing.T, c encounterv1.EncounterServiceClient, after string) *viewing {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	s, err := c.Watch(ctx, &encounterv1.WatchRequest{Encounter: "e", After: after})
	if err != nil {
		t.Fatal(err)
	}
	v := &viewing{t: t, stream: s, cursor: after}
	for v.next().GetCaughtUp() == nil {
	}
	return v
}

func (v *viewing) next() *encounterv1.WatchResponse {
	v.t.Helper()
	m, err := v.stream.Recv()
	if err != nil {
		v.t.Fatal(err)
	}
	if s := m.GetStep(); s != nil {
		v.cursor = s.Cursor
		v.steps++
	}
	return m
}

// ends reads to the end and checks that message and status say the same.
func (v *viewing) ends(reason string, code codes.Code, again bool) *encounterv1.WatchEnd {
	v.t.Helper()
	for {
		end := v.next().GetEnd()
		if end == nil {
			continue
		}
		_, err := v.stream.Recv()
		if end.Reason != reason || end.Again != again || end.Message == "" || end.Cursor != v.cursor || status.Code(err) != code || rpc.FromStatus(err).Reason != reason {
			v.t.Errorf("ended with %v and %v, want %s", end, err, reason)
		}
		return end
	}
}

func TestWatchEndsWithItsToken(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	d := c.door(t)
	v := view(t, d.enter(d.key, "ann", "", 2*time.Second, auth.Table{Role: auth.Player}), "")
	end := v.ends(auth.ReasonExpired, codes.Unauthenticated, false)
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	again := view(t, d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player}), end.Cursor)
	if again.steps == 0 || v.steps == 0 {
		t.Errorf("%d steps before, %d after", v.steps, again.steps)
	}
	if now := c.state(ann, "e", 0).Number; int(now) != v.steps+again.steps {
		t.Errorf("%d and %d steps of %d: a gap or a duplicate", v.steps, again.steps, now)
	}
}

func TestWatchEndsWhenItsTokenIsRevoked(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	d := c.door(t)
	client := d.enter(d.key, "ann", "lost", time.Minute, auth.Table{Role: auth.Player})
	lost, kept := view(t, client, ""), view(t, d.enter(d.key, "ann", "kept", time.Minute, auth.Table{Role: auth.Player}), "")
	d.revoke("jti lost\n")
	lost.ends(auth.ReasonRevoked, codes.Unauthenticated, false)
	if _, err := client.GetState(t.Context(), &encounterv1.GetStateRequest{Encounter: "e"}); reason(err) != auth.ReasonRevoked {
		t.Errorf("a revoked token: %v", err)
	}
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	for before := kept.steps; kept.steps == before; {
		kept.next()
	}
	d.revoke("sub ann before " + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + "\n")
	kept.ends(auth.ReasonRevoked, codes.Unauthenticated, false)
}

// A new key opens the door while watches under the old one stay.
func TestNewKeyUnderOpenWatches(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	d := c.door(t)
	old := view(t, d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player}), "")
	next := d.newKey(filepath.Join(t.TempDir(), "next"))
	client := d.enter(next, "bob", "", time.Minute, auth.Table{Role: auth.Player})
	until(t, "the new key counts", func() bool {
		_, err := client.GetState(t.Context(), &encounterv1.GetStateRequest{Encounter: "e"})
		return err == nil
	})
	c.do(gm, "e", early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no"))
	for before := old.steps; old.steps == before; {
		old.next()
	}
}

func TestWatchSaysThatTheServerStops(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	d := c.door(t)
	v := view(t, d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player}), "")
	c.svc.StopWatches()
	v.ends("STOPPING", codes.Unavailable, true)
}

// Heartbeats come while Commits are stored that the viewer may not see, and come
// no earlier for them.
func TestHeartbeatsTellOfNothing(t *testing.T) {
	w := newWorld(t)
	w.beat = 64 * time.Millisecond
	c := w.start()
	c.fight("e", server)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stream, err := c.Watch(ctx, &encounterv1.WatchRequest{As: spectator, Encounter: "e"})
	if err != nil {
		t.Fatal(err)
	}
	v := &viewing{t: t, stream: stream}
	for v.next().GetCaughtUp() == nil {
	}
	stop, done := make(chan struct{}), make(chan int)
	go func() { // ends with stop
		n := 0
		for {
			select {
			case <-stop:
				done <- n
				return
			default:
				if _, err := c.try(gm, "e", takeCmd("a", "whisper", "b")); err != nil {
					t.Error(err)
					done <- n
					return
				}
				n++
			}
		}
	}()
	var last int64
	for range 10 {
		m := v.next()
		beat := m.GetHeartbeat()
		if beat == nil {
			t.Fatalf("a spectator of whispers got %v", m)
		}
		if beat.Cursor != v.cursor || beat.IntervalSeconds != 1 {
			t.Errorf("heartbeat %v", beat)
		}
		if gap := beat.UnixMillis - last; last != 0 && gap < (w.beat-w.beat/8).Milliseconds()-1 {
			t.Errorf("a heartbeat after %d ms", gap)
		}
		last = beat.UnixMillis
	}
	close(stop)
	if n := <-done; n == 0 {
		t.Error("nobody whispered meanwhile")
	}
}

// Watches that have ended leave nothing behind.
func TestEndedWatchesLeaveNothing(t *testing.T) {
	c := newWorld(t).start()
	c.fight("e", server)
	d := c.door(t)
	client := d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player})
	open := func(n int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range n {
			s, err := client.Watch(ctx, &encounterv1.WatchRequest{Encounter: "e"})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Recv(); err != nil {
				t.Fatal(err)
			}
		}
	}
	open(1) // the connection has goroutines of its own
	before := runtime.NumGoroutine()
	open(100)
	until(t, "the goroutines of 100 watches are gone", func() bool { return runtime.NumGoroutine() < before+20 })
}

// A token for some of a player's creatures acts for those alone, and sees as much.
func TestTokenForOneCreature(t *testing.T) {
	c := newWorld(t).start()
	c.do(gm, "e", createCmd(server))
	for _, id := range []string{"a", "c"} {
		c.do(gm, "e", addCmd(id, 1000, "ann"))
	}
	c.do(gm, "e", addCmd("b", 1000, "bob"))
	c.do(gm, "e", &eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
	d := c.door(t)
	whole := d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player})
	narrow := d.enter(d.key, "ann", "", time.Minute, auth.Table{Role: auth.Player, Creatures: []string{"c"}})
	run := func(client encounterv1.EncounterServiceClient, id string, as *eventv1.Principal) error {
		_, err := client.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: id, As: as, Encounter: "e",
			Command: early(takeCmd("a", "attack", "b"), "parry", "no", "endure", "no")})
		return err
	}
	if err := run(narrow, "narrow", nil); status.Code(err) != codes.PermissionDenied {
		t.Errorf("for a creature that the token is not for: %v", err)
	}
	wide := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: "ann", Creatures: []string{"a", "c"}}
	if err := run(narrow, "forged", wide); status.Code(err) != codes.PermissionDenied {
		t.Errorf("with a list of creatures of its own: %v", err)
	}
	options, err := narrow.GetOptions(t.Context(), &encounterv1.GetOptionsRequest{Encounter: "e"})
	if err != nil || len(options.Options) == 0 {
		t.Errorf("options %v, %v", options, err)
	}
	for _, o := range options.GetOptions() {
		if o.Creature != "c" {
			t.Errorf("an option of %q", o.Creature)
		}
	}
	if err := run(whole, "whole", nil); err != nil {
		t.Errorf("with the whole token: %v", err)
	}
	states := make([]*encounterv1.GetStateResponse, 2)
	for i, client := range []encounterv1.EncounterServiceClient{whole, narrow} {
		if states[i], err = client.GetState(t.Context(), &encounterv1.GetStateRequest{Encounter: "e"}); err != nil {
			t.Fatal(err)
		}
	}
	if !proto.Equal(states[0], states[1]) {
		t.Errorf("a narrowed token sees otherwise:\n%v\n%v", states[0], states[1])
	}
}

// until waits on a condition.
func until(t *testing.T, what string, fn func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); !fn(); <-tick.C {
		if time.Now().After(end) {
			t.Fatalf("not: %s", what)
		}
	}
}
