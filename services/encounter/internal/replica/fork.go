package replica

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Forked is what a Commit says of where the encounter comes from, with what each
// viewer knew; nil when it begins no fork.
func Forked(events []*eventv1.Event) *eventv1.EncounterForked {
	for _, e := range events {
		if f := e.GetForked(); len(f.GetViews()) > 0 {
			return f
		}
	}
	return nil
}

// forked reads what each viewer begins with, if the Commit begins a fork; nil if it
// does not.
func (r *Replica) forked(c *event.Opened) (map[string]*eventv1.State, error) {
	f := Forked(c.Events)
	if f == nil {
		return nil, nil //nolint:nilnil // said above
	}
	if r.Version != 0 {
		return nil, fmt.Errorf("%w: a fork in version %d", event.ErrBroken, c.Header.Version)
	}
	out := map[string]*eventv1.State{}
	// order-free: a map is read into a map
	for key, data := range f.Views {
		s := &eventv1.State{}
		if err := proto.Unmarshal(data, s); err != nil {
			return nil, fmt.Errorf("%w: the view of %q in a fork: %v", event.ErrBroken, key, err)
		}
		out[key] = event.Ready(s)
	}
	return out, nil
}

// beginAs gives every viewer what it knew where the encounter was forked, and returns
// their keys. The dice of the fork are its own and come with later events.
func (r *Replica) beginAs(views map[string]*eventv1.State) []string {
	var keys []string
	// order-free: sorted below
	for key, s := range views {
		if keys = append(keys, key); r.Views[key] == nil {
			r.welcomed = append(r.welcomed, key)
		}
		r.Views[key] = &View{Principal: aggregate.Viewer(key), State: s}
	}
	slices.Sort(keys)
	slices.Sort(r.welcomed)
	return keys
}
