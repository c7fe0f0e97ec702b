package encounter_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/journal"
	"github.com/skaldrpg/skald/pkg/rpc"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lagging is a log whose tails stand still while it is told to.
type lagging struct {
	journal.Log
	mu sync.RWMutex
}

// Tail is Log.Tail.
func (l *lagging) Tail(ctx context.Context, cfg journal.TailConfig, h journal.Handler) error {
	return l.Log.Tail(ctx, cfg, func(ctx context.Context, b journal.Batch) error {
		l.mu.RLock()
		defer l.mu.RUnlock()
		return h(ctx, b)
	})
}

// A client goes from one server to another that has not read as far: its cursor is
// neither stale nor wrong.
func TestServerBehindTheCursor(t *testing.T) {
	w := newWorld(t)
	first := w.start()
	first.fight("e", eventv1.DicePolicy_DICE_POLICY_SERVER)
	log := &lagging{Log: w.log}
	second := w.replica(t.TempDir(), log)
	before := second.state(gm, "e", 0)
	log.mu.Lock()
	held := true
	release := func() {
		if held {
			held = false
			log.mu.Unlock()
		}
	}
	t.Cleanup(release)
	edit := func(text string) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: firstOf(before.State),
			Vitals: &eventv1.Vitals{Counters: map[string]int64{text: 1}}}}}
	}
	at := first.do(gm, "e", edit("one"))

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := second.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "e", After: at.Cursor})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); rpc.FromStatus(err).Code != fault.Unavailable {
		t.Errorf("a watch from a cursor ahead of the server ends with %v", err)
	}
	if _, err := second.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "stale", As: gm, Encounter: "e", Command: edit("two"),
		ExpectedCursor: before.Cursor}); rpc.FromStatus(err).Code != fault.Stale {
		t.Errorf("a command by an old cursor: %v", err)
	}
	at = first.do(gm, "e", edit("three"))
	resp, err := second.Execute(t.Context(), &encounterv1.ExecuteRequest{RequestId: "ahead", As: gm, Encounter: "e", Command: edit("four"), ExpectedCursor: at.Cursor})
	if err != nil || resp.Step.Number != at.Step.Number+1 {
		t.Fatalf("a command by the last cursor, on a server behind it: %v, %v", resp, err)
	}
	release()
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if stream, err = second.Watch(ctx, &encounterv1.WatchRequest{As: gm, Encounter: "e", After: at.Cursor}); err != nil {
		t.Fatal(err)
	}
	if m, err := stream.Recv(); err != nil || m.GetStep().GetNumber() != at.Step.Number+1 {
		t.Errorf("%v, %v", m, err)
	}
}

func firstOf(s *eventv1.State) string {
	for id := range s.Creatures { // order-free: any will do
		return id
	}
	return ""
}
