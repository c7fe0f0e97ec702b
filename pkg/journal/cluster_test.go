package journal_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/journaltest"
)

// cluster starts three servers that form one and returns them with their URL.
func cluster(t *testing.T) ([]*server.Server, string) {
	t.Helper()
	ports := freePorts(t, 3)
	var routes, urls []string
	for _, p := range ports {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", p))
	}
	var servers []*server.Server
	for i, p := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), SyncAlways: true,
			Cluster: server.ClusterOpts{Name: "skald", Host: "127.0.0.1", Port: p},
			Routes:  server.RoutesFromStr(strings.Join(routes, ",")),
		})
		if err != nil {
			t.Fatal(err)
		}
		go s.Start()
		servers = append(servers, s)
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	}
	for _, s := range servers {
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("server not ready")
		}
		urls = append(urls, s.ClientURL())
	}
	return servers, strings.Join(urls, ",")
}

func freePorts(t *testing.T, n int) []int {
	t.Helper()
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() //nolint:errcheck // held until all are chosen
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// until repeats try until it succeeds or the test's patience ends.
func until(t *testing.T, what string, try func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try(ctx)
		if err == nil {
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("%s: %v", what, err)
		case <-tick.C:
		}
	}
}

// Three replicas answer a repeat, a race and a leader's loss differently from one
// server; the journal's answers are the same.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three servers")
	}
	servers, url := cluster(t)
	var nc *nats.Conn
	until(t, "connect", func(ctx context.Context) (err error) {
		nc, err = journal.Connect(ctx, url, journal.ConnectOptions{Name: "test"})
		return err
	})
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	until(t, "metadata leader", func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if _, err := js.AccountInfo(ctx); err != nil {
			return err
		}
		for _, s := range servers {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == 3 {
				return nil
			}
		}
		return errors.New("no leader knows three peers")
	})
	t.Run("conformance", func(t *testing.T) { journaltest.Run(t, streams(nc, 3)) })
	t.Run("leader lost", func(t *testing.T) { leaderLost(t, servers, nc, js) })
}

// leaderLost shuts the stream's leader down under a writer and a tail.
func leaderLost(t *testing.T, servers []*server.Server, nc *nats.Conn, js jetstream.JetStream) {
	dropOthers(t, nc)
	cfg := config()
	cfg.Replicas = 3
	j := reopen(t, nc, cfg)
	const subject = "skald.0.t.encounter.e"
	last := appendN(t, j, subject, 0, 5)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var seen []uint64
	ended := make(chan error, 1)
	go func() {
		ended <- j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
			for _, r := range b.Records {
				seen = append(seen, r.Seq)
			}
			if len(seen) >= 15 {
				return errDone
			}
			return nil
		})
	}()
	s, err := js.Stream(ctx, "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	for _, srv := range servers {
		if srv.Name() == s.CachedInfo().Cluster.Leader {
			srv.Shutdown()
			srv.WaitForShutdown()
		}
	}
	for i := range 10 {
		m := journal.Message{Subject: subject, ID: fmt.Sprint("after-", i), Data: []byte("x"), Expected: last}
		until(t, "append", func(ctx context.Context) (err error) { // the same message again, as any caller may
			last, err = j.Append(ctx, m)
			if err != nil {
				last = m.Expected
			}
			return err
		})
	}
	if err := <-ended; !errors.Is(err, errDone) {
		t.Fatal(err)
	}
	for i, seq := range seen {
		if i > 0 && seq <= seen[i-1] {
			t.Fatalf("sequences %v", seen)
		}
	}
	n := 0
	if err := j.Read(ctx, "", 1, 0, func(journal.Record) error { n++; return nil }); err != nil || n != 15 {
		t.Fatalf("%d records, want 15; %v", n, err)
	}
}
