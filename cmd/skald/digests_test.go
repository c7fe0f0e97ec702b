package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/rpc"
	"github.com/skaldrpg/skald/pkg/scenario"
)

// Each digest that is written down is of a scenario that there is.
func TestDigestsAreOfScenarios(t *testing.T) {
	systems, err := filepath.Glob(filepath.Join(scenarioDir, "*", scenario.DigestsName))
	if err != nil || len(systems) != 5 {
		t.Fatalf("%v, %v", systems, err)
	}
	for _, name := range systems {
		d, err := scenario.ReadDigests(name)
		if err != nil {
			t.Fatal(err)
		}
		files, err := scenario.Files(filepath.Dir(name))
		if err != nil {
			t.Fatal(err)
		}
		var all []*scenario.Scenario
		for _, file := range files {
			of, err := scenario.Load(file, shipped)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, of...)
		}
		gone, err := d.Gone(all)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range gone {
			t.Errorf("%s: %s is there no more: skald scenario digest %s", name, what, filepath.Dir(name))
		}
	}
}

// Whoever runs a scenario, however often, comes to the same digests: inside the program
// and over the network, on a server that holds nothing and on one that has held others.
func TestDigestsAreTheSameEverywhere(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scenarioDir, "*", "rulings.yaml"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%v, %v", files, err)
	}
	var all []*scenario.Scenario
	for _, file := range append(files, filepath.Join(scenarioDir, "rcr", "table.yaml"), filepath.Join(scenarioDir, "celesia", "campaign")) {
		below, err := scenario.Files(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range below {
			of, err := scenario.Load(f, shipped)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, of...)
		}
	}
	stack := start(t)
	once := digested(t, stack.Conn(), all)
	again := digested(t, stack.Conn(), all)
	network := digested(t, listening(t, start(t)), all)
	chance := 0
	for i, s := range all {
		for n, was := range once[i] {
			if again[i][n] != was || network[i][n] != was {
				t.Errorf("%s:%d, part %s: %s, again %s, over the network %s", s.File, s.Line, was.Part, was.Digest, again[i][n].Digest, network[i][n].Digest)
			}
			if was.Digest == "-" {
				chance++
			}
		}
	}
	if chance == 0 {
		t.Error("none of them rolls on the server: what hangs on chance was not tried")
	}
}

// part is what of one part of a scenario is compared.
type part struct{ Part, Digest string }

// digested runs scenarios and gives the digests of each.
func digested(t *testing.T, conn grpc.ClientConnInterface, all []*scenario.Scenario) [][]part {
	t.Helper()
	runner := &scenario.Runner{Clients: scenario.NewClients(conn), Digest: true}
	out := make([][]part, len(all))
	for i, s := range all {
		r := runner.Run(t.Context(), s)
		if !r.Passed {
			t.Fatal(r)
		}
		if len(r.Decided) < len(s.Steps)+2 {
			t.Fatalf("%s: %d parts of %d steps", s.File, len(r.Decided), len(s.Steps))
		}
		for _, d := range r.Decided {
			out[i] = append(out[i], part{d.Part, d.Digest})
		}
	}
	return out
}

func start(t *testing.T) *allinone.Stack {
	t.Helper()
	stack, err := allinone.Start(t.Context(), allinone.Config{DataDir: t.TempDir(), Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stack.Close(); err != nil {
			t.Error(err)
		}
	})
	return stack
}

// listening is a connection to services over the network.
func listening(t *testing.T, stack *allinone.Stack) grpc.ClientConnInterface {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	stack.Register(server)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(ctx, server, l) }() // ends with stop
	conn, err := rpc.Dial(l.Addr().String(), rpc.TLSFiles{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := conn.Close()
		stop()
		if err := errors.Join(err, <-done); err != nil {
			t.Error(err)
		}
	})
	return conn
}
