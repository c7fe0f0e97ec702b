package journal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/skaldrpg/skald/pkg/journal"
)

// damaged starts a bare server on a folder, as it is, and opens the stream on it.
func damaged(t *testing.T, dir string) (j *journal.Journal, stop func()) {
	t.Helper()
	ns, err := natsserver.NewServer(&natsserver.Options{JetStream: true, StoreDir: dir, DontListen: true, NoSigs: true, NoLog: true, SyncAlways: true})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	if !ns.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	nc, err := nats.Connect("", nats.InProcessServer(ns))
	if err != nil {
		t.Fatal(err)
	}
	j, err = journal.Open(t.Context(), nc, journal.Config{Stream: "SKALD_0", Subjects: []string{journal.PartitionFilter(0)}, Create: true, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return j, func() { nc.Close(); ns.Shutdown(); ns.WaitForShutdown() }
}

// Records that the server counts and can not give end neither a Read nor a Tail:
// both go on behind them, and come to the end.
func TestLostRecordsDoNotHangReaders(t *testing.T) {
	for name, spoil := range map[string]func(block []byte) []byte{
		"cut to half":   func(b []byte) []byte { return b[:len(b)/2] },
		"last byte cut": func(b []byte) []byte { return b[:len(b)-1] },
		"emptied":       func([]byte) []byte { return nil },
		"deleted":       nil,
	} {
		for _, filter := range []string{"", journal.KindFilter(0, "encounter")} {
			t.Run(fmt.Sprintf("%s/%q", name, filter), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				j, stop := damaged(t, dir)
				var last uint64
				for i := range 60 {
					subject := fmt.Sprintf("skald.0.t.encounter.e%d", i%3)
					prev, _, err := j.Last(t.Context(), subject)
					if err != nil {
						t.Fatal(err)
					}
					if last, err = j.Append(t.Context(), journal.Message{Subject: subject, ID: fmt.Sprint(i), Data: make([]byte, 500), Expected: prev.Seq}); err != nil {
						t.Fatal(err)
					}
				}
				stop()
				blocks, err := filepath.Glob(filepath.Join(dir, "jetstream", "*", "streams", "SKALD_0", "msgs", "*.blk"))
				if err != nil || len(blocks) == 0 {
					t.Fatal(blocks, err)
				}
				slices.Sort(blocks)
				file := blocks[len(blocks)-1]
				if spoil == nil {
					err = os.Remove(file)
				} else {
					var data []byte
					if data, err = os.ReadFile(file); err == nil {
						err = os.WriteFile(file, spoil(data), 0o600)
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				j, stop = damaged(t, dir)
				defer stop()
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				info, err := j.Info(ctx)
				if err != nil {
					t.Fatal(err)
				}
				began, n := time.Now(), 0
				if err := j.Read(ctx, filter, 1, 0, func(journal.Record) error { n++; return nil }); err != nil {
					t.Errorf("read: %v", err)
				}
				read := time.Since(began)
				tail, end := context.WithCancel(ctx)
				defer end()
				seen, caught := 0, false
				err = j.Tail(tail, journal.TailConfig{Filter: filter}, func(_ context.Context, b journal.Batch) error {
					seen += len(b.Records)
					if b.CaughtUp {
						caught = true
						end()
					}
					return nil
				})
				if uint64(n) != info.Messages {
					t.Errorf("read %d of the %d that there are", n, info.Messages)
				}
				if !caught || seen != n {
					t.Errorf("tail: caught up %v after %d records of %d: %v", caught, seen, n, err)
				}
				t.Logf("of %d, the stream says %d to %d (%d messages): read %d in %s, tail in %s", last, info.FirstSeq, info.LastSeq, info.Messages, n, read, time.Since(began)-read)
			})
		}
	}
}
