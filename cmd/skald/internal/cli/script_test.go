package cli

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/skaldrpg/skald/cmd/skald/internal/allinone"
	"github.com/skaldrpg/skald/pkg/rpc"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skald": func() { os.Exit(Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// serve runs the suite behind a TCP listener and returns its address.
func serve(t *testing.T) string { return serveIn(t, t.TempDir(), t.TempDir()) }

// serveIn is serve with a data folder and an archive.
func serveIn(t *testing.T, data, archive string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	stack, err := allinone.Start(ctx, allinone.Config{DataDir: data, Archive: archive, Logger: silent()})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := rpc.NewServer(rpc.Options{Logger: silent()})
	stack.Register(server)
	serving, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- rpc.Serve(serving, server, l) }() // ends with stop
	t.Cleanup(func() {
		stack.StopWatches()
		stop()
		if err := errors.Join(<-done, stack.Close()); err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// exits runs skald and compares its exit code: exits 3 encounter take ...
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE ARG...")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("exits: %v", err)
	}
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec("skald", args[1:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("exits: %v", err)
	}
	if code != want {
		ts.Fatalf("skald %s: exit code %d, want %d", strings.Join(args[1:], " "), code, want)
	}
}

func TestScripts(t *testing.T) {
	address := serve(t)
	testscript.Run(t, testscript.Params{
		Dir:  filepath.Join("testdata", "script"),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			// Each script has a table of its own on the one server.
			env.Setenv("ADDRESS", address)
			env.Setenv("SKALD_TABLE", "t-"+strings.TrimSuffix(filepath.Base(env.WorkDir), ".txtar"))
			env.Setenv("TMPDIR", env.WorkDir)
			return nil
		},
	})
}
