package scrub_test

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/journal/scrub"
	"github.com/skaldrpg/skald/pkg/ops"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const stream = "SKALD_0"

var quiet = slog.New(slog.DiscardHandler)

// zeros are salts that are the same each time, so that two streams with the same
// Commits hold the same bytes.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); b[0] = 1; return len(b), nil }

// node is one server that can be stopped and started again.
type node struct {
	opts server.Options
	srv  *server.Server
}

func (n *node) start(t *testing.T) {
	t.Helper()
	opts := n.opts
	srv, err := server.NewServer(&opts)
	if err != nil {
		t.Fatal(err)
	}
	go srv.Start() // ends with Shutdown
	n.srv = srv
	if !srv.ReadyForConnections(20 * time.Second) {
		t.Fatal("server not ready")
	}
}

func (n *node) stop() { n.srv.Shutdown(); n.srv.WaitForShutdown() }

func (n *node) messages() string {
	return filepath.Join(n.opts.StoreDir, "jetstream", "$G", "streams", stream, "msgs")
}

// nodes starts servers that form a cluster, or one without.
func nodes(t *testing.T, count int) ([]*node, *nats.Conn) {
	t.Helper()
	var routes, urls []string
	var ports []int
	var held []net.Listener
	for range 2 * count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, l)
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	for _, l := range held {
		l.Close() //nolint:errcheck // only held until all were chosen
	}
	for i := range count {
		routes = append(routes, fmt.Sprintf("nats://127.0.0.1:%d", ports[i]))
		urls = append(urls, fmt.Sprintf("nats://127.0.0.1:%d", ports[count+i]))
	}
	var out []*node
	for i := range count {
		n := &node{opts: server.Options{ServerName: fmt.Sprint("n", i), Host: "127.0.0.1", Port: ports[count+i], NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), SyncAlways: true, MaxPayload: journal.MaxMessage}}
		if count > 1 {
			n.opts.Cluster = server.ClusterOpts{Name: "skald", Host: "127.0.0.1", Port: ports[i]}
			n.opts.Routes = server.RoutesFromStr(strings.Join(routes, ","))
		}
		srv, err := server.NewServer(&n.opts)
		if err != nil {
			t.Fatal(err)
		}
		go srv.Start() // ends with Shutdown
		n.srv = srv
		out = append(out, n)
		t.Cleanup(n.stop)
	}
	for _, n := range out {
		if !n.srv.ReadyForConnections(20 * time.Second) {
			t.Fatal("server not ready")
		}
	}
	nc, err := journal.Connect(t.Context(), strings.Join(urls, ","), journal.ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return out, nc
}

// long skips what starts clusters where that takes too long.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() || os.Getenv("SKALD_RACE") == "1" {
		t.Skip("starts a cluster")
	}
}

func until(t *testing.T, what string, try func(context.Context) error) {
	t.Helper()
	deadline := time.Now().Add(40 * time.Second)
	for {
		err := try(t.Context())
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %v", what, err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func open(t *testing.T, nc *nats.Conn, replicas int) (j *journal.Journal) {
	t.Helper()
	until(t, "stream", func(ctx context.Context) (err error) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		j, err = journal.Open(ctx, nc, journal.Config{Stream: stream, Subjects: []string{journal.PartitionFilter(0)}, Replicas: replicas, Create: true, Log: quiet})
		return err
	})
	return j
}

// commits appends n Commits to each of several encounters in turn; what is said in
// the one of a sequence may be changed.
func commits(t *testing.T, j *journal.Journal, n int, change map[uint64]string) {
	t.Helper()
	type at struct {
		seq  uint64
		hash []byte
	}
	heads := map[string]at{}
	seq := uint64(0)
	for v := range n {
		for e := range 3 {
			seq++
			id := fmt.Sprint("e", e)
			said := "as it was" + strings.Repeat(".", 400)
			if change[seq] != "" {
				said = change[seq] + said[len(change[seq]):]
			}
			data, hash, err := event.Seal(event.Draft{
				Header: &eventv1.CommitHeader{Kind: "encounter", Id: id, Table: "t", Version: uint64(v + 1), PreviousHash: heads[id].hash},
				Cause:  &eventv1.CommitCause{RequestId: fmt.Sprint(v), Command: []byte(said)}, Inputs: &eventv1.CommitInputs{}}, zeros{})
			if err != nil {
				t.Fatal(err)
			}
			if change[seq] == "break" { // the next one will not follow this hash
				hash[0]++
			}
			m := journal.Message{Subject: "skald.0.t.encounter." + id, ID: fmt.Sprint(id, "-", v), Data: data, Expected: heads[id].seq}
			got := uint64(0)
			until(t, "append", func(ctx context.Context) (err error) { got, err = j.Append(ctx, m); return err })
			if got != seq {
				t.Fatalf("stored at %d, wanted %d", got, seq)
			}
			heads[id] = at{got, hash}
		}
	}
}

func scrubber(t *testing.T, nc *nats.Conn) *scrub.Scrubber {
	t.Helper()
	s, err := scrub.New(scrub.Config{NC: nc, Stream: stream, Patience: 1500 * time.Millisecond, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pass(t *testing.T, s *scrub.Scrubber) (rep *scrub.Report) {
	t.Helper()
	until(t, "pass", func(ctx context.Context) (err error) { rep, err = s.Pass(ctx); return err })
	return rep
}

// settled makes passes until none says that a replica is late or away.
func settled(t *testing.T, s *scrub.Scrubber) (rep *scrub.Report) {
	t.Helper()
	until(t, "pass", func(ctx context.Context) (err error) {
		if rep, err = s.Pass(ctx); err != nil {
			return err
		}
		for _, f := range rep.Findings {
			if !f.Kind.Damage() {
				return fmt.Errorf("%v", f)
			}
		}
		return nil
	})
	return rep
}

func follower(t *testing.T, ns []*node) *node {
	t.Helper()
	for _, n := range ns {
		if !n.srv.JetStreamIsStreamLeader("$G", stream) {
			return n
		}
	}
	t.Fatal("every server leads")
	return nil
}

// Whole replicas are whole, pass after pass; the second pass reads what is new.
func TestWhole(t *testing.T) {
	long(t)
	_, nc := nodes(t, 3)
	j := open(t, nc, 3)
	s := scrubber(t, nc)
	if rep := settled(t, s); !rep.Whole() || rep.Records != 0 {
		t.Errorf("an empty stream: %+v", rep)
	}
	commits(t, j, 50, nil)
	rep := settled(t, s)
	if !rep.Whole() || rep.Records != 150 || fmt.Sprint(rep.Replicas) != "[n0 n1 n2]" {
		t.Fatalf("%+v", rep)
	}
	if rep = pass(t, s); rep.Records != 0 || rep.From != 151 {
		t.Errorf("nothing is new: %+v", rep)
	}
	if err := j.Purge(t.Context(), "skald.0.t.encounter.e1"); err != nil {
		t.Fatal(err)
	}
	s.Full()
	if rep = settled(t, s); !rep.Whole() || rep.Records != 100 {
		t.Errorf("after a purge: %+v", rep)
	}
	if p := s.Part(); p.State != ops.Fine || len(p.Figures) != 3 {
		t.Errorf("%+v", p)
	}
}

// A file that another server wrote with the same Commits, one of them altered, is
// found and named: replica, sequence, subject. So is a flipped bit, and a file
// that was cut; afterwards the copy is removed and catches up.
func TestDamagedReplica(t *testing.T) {
	long(t)
	twin, twinConn := nodes(t, 1)
	commits(t, open(t, twinConn, 1), 60, map[uint64]string{179: "altered"})
	twin[0].stop()
	altered, err := os.ReadFile(filepath.Join(twin[0].messages(), "1.blk"))
	if err != nil {
		t.Fatal(err)
	}
	ns, nc := nodes(t, 3)
	commits(t, open(t, nc, 3), 60, nil)
	s := scrubber(t, nc)
	if rep := settled(t, s); !rep.Whole() {
		t.Fatalf("%+v", rep)
	}
	bad := follower(t, ns)
	damage := func(change func(block []byte) []byte) {
		t.Helper()
		bad.stop()
		files, err := filepath.Glob(filepath.Join(bad.messages(), "*.blk"))
		if err != nil || len(files) == 0 {
			t.Fatalf("blocks %v, %v", files, err)
		}
		file := files[0]
		block, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, change(block), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Remove(filepath.Join(bad.messages(), "index.db")) //nolint:errcheck // it may not be there
		bad.start(t)
		s.Full()
	}
	damage(func([]byte) []byte { return altered })
	rep := settled(t, s)
	if len(rep.Findings) != 1 || rep.Findings[0].Kind != scrub.Different || rep.Findings[0].Replica != bad.opts.ServerName ||
		rep.Findings[0].Sequence != 179 || rep.Findings[0].Subject != "skald.0.t.encounter.e1" {
		t.Fatalf("an altered record: %+v", rep.Findings)
	}
	if p := s.Part(); p.State != ops.Failed || !strings.Contains(p.Text, "179") {
		t.Errorf("%+v", p)
	}
	// The remedy: without its copy the server takes that of the others.
	bad.stop()
	if err := os.RemoveAll(filepath.Join(bad.opts.StoreDir, "jetstream", "$G", "streams", stream)); err != nil {
		t.Fatal(err)
	}
	bad.start(t)
	s.Full()
	if rep := settled(t, s); !rep.Whole() || rep.Records != 180 || len(rep.Replicas) != 3 {
		t.Fatalf("after the remedy: %+v", rep)
	}
	damage(func(b []byte) []byte { b[len(b)/2] ^= 4; return b })
	rep = settled(t, s)
	t.Logf("after a flip: %v", rep.Findings)
	for _, f := range rep.Findings {
		if f.Replica != bad.opts.ServerName {
			t.Errorf("a flip on %s: %v", bad.opts.ServerName, f)
		}
	}
}

// A replica that was restarted, written to and restarted again holds what the
// others hold. With a compressed stream it does not: see journal.Open.
func TestRestartedReplica(t *testing.T) {
	long(t)
	ns, nc := nodes(t, 3)
	j := open(t, nc, 3)
	commits(t, j, 60, nil)
	s := scrubber(t, nc)
	settled(t, s)
	n := follower(t, ns)
	last := uint64(0)
	for i := range 2 {
		n.stop()
		n.start(t)
		until(t, "the server is back", func(context.Context) error {
			if !n.srv.JetStreamIsStreamCurrent("$G", stream) {
				return fmt.Errorf("it is not current")
			}
			return nil
		})
		for k := range 20 {
			m := journal.Message{Subject: "skald.0.t.dice.d", ID: fmt.Sprint(i, "-", k), Data: make([]byte, 900), Expected: last}
			until(t, "append", func(ctx context.Context) (err error) { last, err = j.Append(ctx, m); return err })
			if last == 0 {
				t.Fatal("not stored")
			}
		}
	}
	n.stop()
	n.start(t)
	if rep := settled(t, s); !rep.Whole() || len(rep.Replicas) != 3 {
		t.Errorf("%+v", rep)
	}
}

// A Commit that does not follow is found though all replicas agree.
func TestBrokenChain(t *testing.T) {
	_, nc := nodes(t, 1)
	j := open(t, nc, 1)
	commits(t, j, 5, map[uint64]string{4: "break"})
	s := scrubber(t, nc)
	rep := pass(t, s)
	if len(rep.Findings) != 1 || rep.Findings[0].Kind != scrub.Chain || rep.Findings[0].Sequence != 7 || rep.Records != 15 {
		t.Fatalf("%+v", rep)
	}
	if _, err := nc.Request("skald.0.t.patient.p", []byte("no commit"), time.Second); err != nil {
		t.Fatal(err)
	}
	if rep = pass(t, s); len(rep.Findings) != 2 || rep.Findings[1].Sequence != 16 {
		t.Fatalf("%+v", rep)
	}
}

// A server that is down is said to be, and is no damage.
func TestAbsent(t *testing.T) {
	long(t)
	ns, nc := nodes(t, 3)
	commits(t, open(t, nc, 3), 10, nil)
	s := scrubber(t, nc)
	settled(t, s)
	s.Full()
	gone := follower(t, ns)
	gone.stop()
	var rep *scrub.Report
	until(t, "noticed", func(ctx context.Context) (err error) {
		if rep, err = s.Pass(ctx); err == nil && rep.Whole() {
			err = fmt.Errorf("not noticed")
		}
		return err
	})
	if rep.Damaged() > 0 || rep.Findings[0].Replica != gone.opts.ServerName || s.Part().State != ops.Degraded {
		t.Errorf("%+v", rep)
	}
	gone.start(t)
	if rep := settled(t, s); !rep.Whole() || len(rep.Replicas) != 3 {
		t.Errorf("back: %+v", rep)
	}
}

func TestRunEnds(t *testing.T) {
	_, nc := nodes(t, 1)
	commits(t, open(t, nc, 1), 3, nil)
	s := scrubber(t, nc)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	if err := s.Run(ctx, time.Millisecond, time.Hour, func(r *scrub.Report) {
		if n++; n == 3 {
			cancel()
		}
	}); err != nil || n < 3 {
		t.Errorf("%d passes, %v", n, err)
	}
}
