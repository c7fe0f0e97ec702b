package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/journal"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// filledFight is how many Commits a fight has that the log is filled with.
const filledFight = 1000

// fill fills the log with Commits of fights, each as one was played: its first commands,
// then attack upon attack. Nothing is decided, the suite is stopped, and nothing synced:
// this is no part of what is measured.
func (w *world) fill(ctx context.Context, commits int) (err error) {
	const model = "filled"
	if err := w.fight(ctx, model); err != nil {
		return err
	}
	var played []*event.Opened
	if err := w.stack.Log().Read(ctx, "skald.0.main.encounter."+model, 1, 0, func(rec journal.Record) error {
		o, err := event.Open(rec.Data)
		played = append(played, o)
		return err
	}); err != nil {
		return err
	}
	if err := w.stop(); err != nil {
		return err
	}
	server, err := journal.StartEmbedded(ctx, journal.EmbeddedConfig{StoreDir: filepath.Join(w.dir, "journal"), Unsynced: true}, quiet())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	nc, err := server.Connect("fill")
	if err != nil {
		return err
	}
	streams, err := journal.OpenSet(ctx, nc, journal.SetConfig{MaxMessage: journal.MaxMessage, Gate: server, Log: quiet()})
	if err != nil {
		return err
	}
	log := streams.Shown(0)
	var next counter
	var done atomic.Int64
	defer w.telling(ctx, func() string {
		return fmt.Sprintf("the log has %s of %s Commits", grouped(int(done.Load())), grouped(commits))
	})()
	return (&sample{}).among(ctx, atOnce, (commits+filledFight-1)/filledFight, func(int) operation {
		return func(ctx context.Context) error {
			i := next.take()
			return copies(ctx, log, model+"-"+strconv.Itoa(i), played, min(filledFight, commits-i*filledFight), &done)
		}
	})
}

// copies appends so many Commits of a fight as it was played.
func copies(ctx context.Context, log journal.Log, id string, played []*event.Opened, commits int, done *atomic.Int64) error {
	var hash []byte
	var seq uint64
	for i := range commits {
		of := played[min(i, len(played)-1)]
		h := proto.Clone(of.Header).(*eventv1.CommitHeader)
		h.Id, h.Version, h.PreviousHash, h.Digests = id, uint64(i)+1, hash, nil
		cause := proto.Clone(of.Cause).(*eventv1.CommitCause)
		cause.RequestId, cause.Action = id+"-"+strconv.Itoa(i), of.Cause.Action+uint64(max(0, i-len(played)+1)) //nolint:gosec // not negative
		data, next, err := event.Seal(event.Draft{Header: h, Cause: cause, Inputs: of.Inputs, Events: of.Events}, rand.Reader)
		if err != nil {
			return err
		}
		hash = next
		if seq, err = log.Append(ctx, journal.Message{Subject: "skald.0.main.encounter." + id, ID: hex.EncodeToString(hash), Data: data, Expected: seq}); err != nil {
			return err
		}
		done.Add(1)
	}
	return nil
}

// tellEvery is how often progress is told.
const tellEvery = 5 * time.Second

// telling tells of progress now and then, until what it returns is called.
func (w *world) telling(ctx context.Context, text func() string) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				w.progress(text())
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() { end(); <-ended }
}
