package projection_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/projection"
)

// The test binary becomes the process that gets killed when these are set.
const (
	crashDir  = "SKALD_PROJECTION_CRASH_DIR"
	crashMode = "SKALD_PROJECTION_CRASH_MODE"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		fmt.Println("child:", appendAndProject(dir, os.Getenv(crashMode)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// stuck stops for ever once a record is in its hands, and says so.
type stuck struct {
	counting
	at uint64
}

func (s stuck) Apply(tx *projection.Tx, rec journal.Record) error {
	err := s.counting.Apply(tx, rec)
	if rec.Seq == s.at {
		fmt.Println("stuck", rec.Seq)
		select {}
	}
	return err
}

// crashing opens the journal and the projection of a folder.
func crashing(ctx context.Context, dir string) (projection.Config, func() error, error) {
	e, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(dir, "nats")}, quiet)
	if err != nil {
		return projection.Config{}, nil, err
	}
	nc, err := e.Connect("test")
	if err != nil {
		return projection.Config{}, nil, err
	}
	j, err := journal.Open(ctx, nc, journal.Config{Stream: "SKALD_0", Subjects: []string{"skald.>"}, Create: true, Log: quiet})
	return projection.Config{Path: filepath.Join(dir, "p.db"), Schema: "1", Log: j, Fold: counting{}, MaxBatch: 5, Logger: quiet}, e.Stop, err
}

// appendAndProject appends for ever while it projects, and stops dead, ten
// records on, where the mode says: in the fold, before the transaction ends
// ("fold"); after it has ended ("applied"); or nowhere ("").
func appendAndProject(dir, mode string) error {
	ctx := context.Background()
	cfg, _, err := crashing(ctx, dir)
	if err != nil {
		return err
	}
	info, err := cfg.Log.Info(ctx)
	if err != nil {
		return err
	}
	at := info.LastSeq + 10
	switch mode {
	case "fold":
		cfg.Fold = stuck{at: at}
	case "applied":
		cfg.Applied = func(recs []journal.Record) {
			if recs[len(recs)-1].Seq >= at {
				fmt.Println("stuck", at)
				select {}
			}
		}
	}
	p, err := projection.Open(ctx, cfg)
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	go func() { failed <- p.Run(ctx) }()
	go func() {
		for i := info.LastSeq; ; i++ {
			subject := fmt.Sprintf("skald.0.main.encounter.e%d", i%3)
			last, _, err := cfg.Log.Last(ctx, subject)
			if err == nil {
				_, err = cfg.Log.Append(ctx, journal.Message{Subject: subject, ID: fmt.Sprint("r", i), Data: fmt.Append(nil, i), Expected: last.Seq})
			}
			if err != nil {
				failed <- err
				return
			}
			fmt.Println("acked", i)
		}
	}()
	return <-failed
}

// Killed in the fold, after the transaction, or anywhere: each record of the log
// is applied exactly once, and the content is what a rebuild gives (I1, I2).
func TestKill(t *testing.T) {
	dir := t.TempDir()
	for round, c := range []struct{ mode, until string }{
		{"fold", "stuck"}, {"applied", "stuck"}, {"", "acked"}, {"fold", "stuck"}, {"", "acked"}, {"applied", "stuck"},
	} {
		child := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this test
		child.Env = append(os.Environ(), crashDir+"="+dir, crashMode+"="+c.mode)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines, seen := bufio.NewScanner(out), 0
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "child:") {
				t.Fatal(lines.Text())
			}
			if strings.HasPrefix(lines.Text(), c.until) {
				if seen++; c.until == "stuck" || seen == 10+7*round {
					if err := child.Process.Kill(); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if err := child.Wait(); err == nil {
			t.Fatal("child was not killed")
		}
	}
	cfg, stopServer, err := crashing(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer stopServer() //nolint:errcheck // test
	p, stop := start(t, cfg)
	defer stop()
	if st := p.Status(); st.MovedAside != "" {
		t.Errorf("a kill damaged the file: %+v", st)
	}
	info, err := cfg.Log.Info(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var sum uint64
	if err := p.View(func(tx *projection.Tx) error {
		return tx.Scan("counts", nil, nil, func(_, v []byte) (bool, error) { sum += binary.BigEndian.Uint64(v); return true, nil })
	}); err != nil || sum != info.Messages || sum == 0 {
		t.Errorf("applied %d records of %d; %v", sum, info.Messages, err)
	}
	again := cfg
	again.Path += ".again"
	if err := projection.Rebuild(context.Background(), again, nil); err != nil {
		t.Fatal(err)
	}
	q, stopAgain := start(t, again)
	defer stopAgain()
	if !bytes.Equal(hash(t, p), hash(t, q)) {
		t.Error("rebuilt content differs")
	}
}
