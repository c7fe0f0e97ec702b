package bench

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
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
// then attack upon attack. Nothing is decided, and everything is synced.
func (w *world) fill(ctx context.Context, commits int) error {
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
	var next counter
	var done atomic.Int64
	stop := w.telling(ctx, func() string {
		return fmt.Sprintf("the log has %s of %s Commits", grouped(int(done.Load())), grouped(commits))
	})
	defer stop()
	fights := (commits + filledFight - 1) / filledFight
	return (&sample{}).among(ctx, atOnce, fights, func(int) operation {
		return func(ctx context.Context) error {
			i := next.take()
			return w.copies(ctx, model+"-"+strconv.Itoa(i), played, min(filledFight, commits-i*filledFight), &done)
		}
	})
}

// copies appends so many Commits of a fight as it was played.
func (w *world) copies(ctx context.Context, id string, played []*event.Opened, commits int, done *atomic.Int64) error {
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
		if seq, err = w.stack.Log().Append(ctx, journal.Message{Subject: "skald.0.main.encounter." + id, ID: hex.EncodeToString(hash), Data: data, Expected: seq}); err != nil {
			return err
		}
		done.Add(1)
	}
	return nil
}

// telling tells of progress each second until what it returns is called.
func (w *world) telling(ctx context.Context, text func() string) (stop func()) {
	ctx, end := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { // ends with stop
		defer close(ended)
		tick := time.NewTicker(time.Second)
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
