package event

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Pick reads some events of a stored Commit and nothing else: those for whose
// place (0 is the first event) want answers true. It checks no digest: it is for
// Commits that were opened by Open before they were kept. What is withheld or not a
// Commit is an error that wraps ErrBroken.
func Pick(data []byte, want func(i int) bool) ([]*eventv1.Event, error) {
	var c eventv1.Commit
	if err := proto.Unmarshal(data, &c); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBroken, err)
	}
	if len(c.Parts) < 2 {
		return nil, fmt.Errorf("%w: %d parts", ErrBroken, len(c.Parts))
	}
	var out []*eventv1.Event
	for i, p := range c.Parts[2:] {
		if !want(i) {
			continue
		}
		if len(p.Salt) == 0 {
			return nil, fmt.Errorf("%w: event %d is withheld", ErrBroken, i)
		}
		e := &eventv1.Event{}
		if err := proto.Unmarshal(p.Payload, e); err != nil {
			return nil, fmt.Errorf("%w: event %d: %v", ErrBroken, i, err)
		}
		out = append(out, e)
	}
	return out, nil
}
