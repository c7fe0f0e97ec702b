package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/journal"
)

// A server that comes back from an old backup has lost the log's end, and may have
// grown another one before a tail returns: the tail says which, and goes no further.
func TestTailOfRestoredBackup(t *testing.T) {
	const subject = "skald.0.t.encounter.e"
	for name, c := range map[string]struct {
		regrown int
		want    func(error) bool
	}{
		"shorter": {0, func(err error) bool { var b *journal.BehindError; return errors.As(err, &b) && b.Last == 5 }},
		"regrown": {9, func(err error) bool { return errors.Is(err, journal.ErrRewritten) }},
	} {
		t.Run(name, func(t *testing.T) {
			dir, backup, port := t.TempDir(), t.TempDir(), 0
			last := onServer(t, dir, func(j *journal.Journal) uint64 { return appendN(t, j, subject, 0, 5) })
			if err := os.CopyFS(backup, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: dir, Port: -1}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscanf(e.URL(), "nats://127.0.0.1:%d", &port); err != nil {
				t.Fatal(err)
			}
			nc, err := journal.Connect(t.Context(), e.URL(), journal.ConnectOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			j := open(t, nc, config())
			appendN(t, j, subject, last, 5)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			reached, ended := make(chan struct{}, 1), make(chan error, 1)
			go func() {
				ended <- j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
					if b.LastSeq == 10 {
						select {
						case reached <- struct{}{}:
						default:
						}
					}
					return nil
				})
			}()
			<-reached
			if err := e.Stop(); err != nil {
				t.Fatal(err)
			}
			onServer(t, backup, func(j *journal.Journal) uint64 {
				for i := range c.regrown {
					if _, err := j.Append(t.Context(), journal.Message{Subject: fmt.Sprint("skald.0.t.encounter.other", i), ID: fmt.Sprint("other-", i)}); err != nil {
						t.Fatal(err)
					}
				}
				return 0
			})
			start(t, journal.EmbeddedConfig{StoreDir: backup, Port: port})
			if err := <-ended; !c.want(err) {
				t.Fatalf("tail ended with %v", err)
			}
		})
	}
}

// onServer runs do on a server of its own, which is stopped before it returns.
func onServer(t *testing.T, dir string, do func(*journal.Journal) uint64) uint64 {
	t.Helper()
	e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: dir}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	nc, err := e.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	seq := do(open(t, nc, config()))
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	return seq
}
