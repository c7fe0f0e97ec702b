package journal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/skaldrpg/skald/pkg/journal"
)

// appendN appends n records to a subject whose last is at expected.
func appendN(t testing.TB, l journal.Log, subject string, expected uint64, n int) uint64 {
	t.Helper()
	for i := range n {
		seq, err := l.Append(t.Context(), journal.Message{Subject: subject, ID: fmt.Sprintf("%s-%d-%d", subject[len(subject)-1:], expected, i), Data: []byte("x"), Expected: expected})
		if err != nil {
			t.Fatal(err)
		}
		expected = seq
	}
	return expected
}

func TestEmbeddedRefusals(t *testing.T) {
	ctx := t.Context()
	if _, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{}, quiet); !errors.Is(err, journal.ErrInvalid) {
		t.Fatalf("no folder: %v", err)
	}
	if _, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: t.TempDir(), MaxPayload: 9 << 20}, quiet); !errors.Is(err, journal.ErrInvalid) {
		t.Fatalf("payload: %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: file}, quiet); err == nil {
		t.Fatal("started in a file")
	}
	// The server's own folder can not be made: it answers "JetStream enabled" all the same.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jetstream"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: dir, Timeout: 3 * time.Second}, quiet); err == nil {
		t.Fatal("started without a store")
	}
	// Nothing stays locked after a failure.
	if err := os.Remove(filepath.Join(dir, "jetstream")); err != nil {
		t.Fatal(err)
	}
	start(t, journal.EmbeddedConfig{StoreDir: dir})
	if _, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: dir}, quiet); !errors.Is(err, journal.ErrLocked) {
		t.Fatalf("second server on the folder: %v", err)
	}
}

func TestEmbeddedRestart(t *testing.T) {
	dir := t.TempDir()
	const subject = "skald.0.t.encounter.e"
	var id string
	var last uint64
	for round := range 3 {
		e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: dir}, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if e.URL() != "" {
			t.Fatalf("listens at %s", e.URL())
		}
		nc, err := e.Connect("test")
		if err != nil {
			t.Fatal(err)
		}
		j := open(t, nc, config())
		if round > 0 && j.StreamID() != id {
			t.Fatal("another stream after a restart")
		}
		id = j.StreamID()
		if seq, err := j.LastSeq(t.Context()); err != nil || seq != last {
			t.Fatalf("round %d: last %d, want %d; %v", round, seq, last, err)
		}
		last = appendN(t, j, subject, last, 10)
		if err := e.Stop(); err != nil {
			t.Fatal(err)
		}
		if !nc.IsClosed() {
			t.Fatal("connection left open")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := j.Append(ctx, journal.Message{Subject: subject, ID: "late", Expected: last}); err == nil || errors.Is(err, journal.ErrUnknownOutcome) {
			t.Fatalf("append on a closed connection: %v", err)
		}
		cancel()
	}
}

func TestEmbeddedListener(t *testing.T) {
	e, nc := start(t, journal.EmbeddedConfig{Port: -1, Username: "skald", Password: "secret"})
	open(t, nc, config())
	if _, err := journal.Connect(t.Context(), e.URL(), journal.ConnectOptions{}); !errors.Is(err, nats.ErrAuthorization) {
		t.Fatalf("without a password: %v", err)
	}
	out, err := journal.Connect(t.Context(), e.URL(), journal.ConnectOptions{Name: "outside", Username: "skald", Password: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	appendN(t, open(t, out, config()), "skald.0.t.encounter.e", 0, 1)
	if _, err := journal.Connect(t.Context(), "", journal.ConnectOptions{}); !errors.Is(err, journal.ErrInvalid) {
		t.Fatalf("nowhere: %v", err)
	}
	if _, err := journal.Connect(t.Context(), "nats://127.0.0.1:1", journal.ConnectOptions{}); !errors.Is(err, journal.ErrUnavailable) {
		t.Fatalf("nobody there: %v", err)
	}
}

// A tail over a real connection survives the server's restart, the loss of its
// consumer and of its connection, without gap or repetition.
func TestTailSurvives(t *testing.T) {
	dir, port := t.TempDir(), -1
	boot := func() *journal.Embedded {
		e, err := journal.StartEmbedded(t.Context(), journal.EmbeddedConfig{StoreDir: dir, Port: port}, quiet)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := boot()
	nc, err := journal.Connect(t.Context(), e.URL(), journal.ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, err := fmt.Sscanf(e.URL(), "nats://127.0.0.1:%d", &port); err != nil {
		t.Fatal(err)
	}
	j := open(t, nc, config())
	const subject = "skald.0.t.encounter.e"
	last := appendN(t, j, subject, 0, 5)

	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	seen := make(chan uint64, 100)
	ended := make(chan error, 1)
	go func() {
		ended <- j.Tail(ctx, journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
			for _, r := range b.Records {
				seen <- r.Seq
			}
			return nil
		})
	}()
	expect := func(from, to uint64) {
		t.Helper()
		for want := from; want <= to; want++ {
			select {
			case got := <-seen:
				if got != want {
					t.Fatalf("sequence %d, want %d", got, want)
				}
			case err := <-ended:
				t.Fatalf("tail ended: %v", err)
			}
		}
	}
	expect(1, last)

	if err := e.Stop(); err != nil { // takes the consumer along: it is in memory
		t.Fatal(err)
	}
	e = boot()
	defer func() {
		if err := e.Stop(); err != nil {
			t.Error(err)
		}
	}()
	last = appendN(t, j, subject, last, 5) // rides out the reconnect
	expect(last-4, last)

	if err := nc.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	last = appendN(t, j, subject, last, 5)
	expect(last-4, last)

	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(ctx, "SKALD_0")
	if err != nil {
		t.Fatal(err)
	}
	for name := range stream.ConsumerNames(ctx).Name() {
		if err := stream.DeleteConsumer(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	last = appendN(t, j, subject, last, 5)
	expect(last-4, last)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("tail ended with %v", err)
	}
	if len(seen) > 0 {
		t.Fatalf("sequence %d twice", <-seen)
	}
}

// Large records fill neither memory nor batches, and arrive.
func TestTailLargeRecords(t *testing.T) {
	_, nc := start(t, journal.EmbeddedConfig{})
	j := open(t, nc, config())
	const subject, n = "skald.0.t.encounter.e", 40
	last := uint64(0)
	for i := range n {
		seq, err := j.Append(t.Context(), journal.Message{Subject: subject, ID: fmt.Sprint(i), Data: make([]byte, 900<<10), Expected: last})
		if err != nil {
			t.Fatal(err)
		}
		last = seq
	}
	got := 0
	if err := j.Tail(t.Context(), journal.TailConfig{}, func(_ context.Context, b journal.Batch) error {
		if got += len(b.Records); len(b.Records) > 5 {
			return fmt.Errorf("batch of %d", len(b.Records))
		}
		if b.CaughtUp {
			return errDone
		}
		return nil
	}); !errors.Is(err, errDone) || got != n {
		t.Fatalf("%d records, %v", got, err)
	}
}

var errDone = errors.New("done")
