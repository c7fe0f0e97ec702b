package proof

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// history is the history that counts, as rulings leave it: each version knows
// which one its events were folded onto.
type history struct {
	at   map[uint64]*node
	last *node
	dice []*eventv1.Event // epochs, and what stands beside the history, in the order of the log: no ruling takes them back
}

// node is a version and what stood before it.
type node struct {
	before *node
	events []*eventv1.Event
}

func newHistory() history { return history{at: map[uint64]*node{}} }

// add takes the events of a version and returns all that were decided in it,
// those inside an amendment included.
func (h *history) add(version uint64, events []*eventv1.Event) ([]*eventv1.Event, error) {
	n := &node{before: h.last}
	var err error
	for _, e := range events {
		switch w := e.GetWhat().(type) {
		case *eventv1.Event_Reverted:
			n.before, err = h.version(w.Reverted.Version)
		case *eventv1.Event_Amended:
			var again []*eventv1.Event
			if n.before, err = h.version(w.Amended.Base); err == nil {
				again, err = redecided(w.Amended)
			}
			n.events = append(n.events, again...)
		}
		n.events = append(n.events, e)
	}
	for _, e := range n.events {
		if event.OfDice(e) || event.Aside(e) {
			h.dice = append(h.dice, e)
		}
	}
	h.at[version], h.last = n, n
	return n.events, err
}

// version finds what a ruling goes back to. Only the game master is told; for
// others the present stands.
func (h *history) version(v uint64) (*node, error) {
	if v == 0 {
		return h.last, nil
	}
	n, ok := h.at[v]
	if !ok {
		return h.last, fmt.Errorf("a ruling goes back to version %d, which is not there", v)
	}
	return n, nil
}

// redecided are the events of commands that an amendment decided again.
func redecided(a *eventv1.Amended) ([]*eventv1.Event, error) {
	var out []*eventv1.Event
	for _, cmd := range a.Commands {
		for _, data := range cmd.Events {
			e := &eventv1.Event{}
			if err := proto.Unmarshal(data, e); err != nil {
				return out, fmt.Errorf("a redecided event: %w", err)
			}
			out = append(out, e)
		}
	}
	return out, nil
}

// state folds the history that counts. The epoch of the dice is that of the
// whole log.
func (h *history) state() *eventv1.State {
	var path []*node
	for n := h.last; n != nil; n = n.before {
		path = append(path, n)
	}
	s := event.NewState()
	for i := len(path) - 1; i >= 0; i-- {
		event.FoldAll(s, path[i].events)
	}
	dice := event.NewState()
	event.FoldAll(dice, h.dice)
	event.KeepDice(s, dice)
	event.KeepAside(s, dice)
	return s
}
