package engine

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// veiled is the refusal of a request without the creatures that are staged and
// that the caller does not know of, whatever rule worded it. Options need none of
// this: they are made of what the caller sees.
func veiled(s *eventv1.State, req Request, err error) error {
	f, ok := fault.As(err)
	if !ok {
		return err
	}
	text := event.Veiler(s, req.As, event.SaidIn(req.Command))
	if text == nil {
		return err
	}
	out := *f
	out.Message, out.Violations, out.Meta = text(f.Message), nil, nil
	for _, v := range f.Violations {
		out.Violations = append(out.Violations, fault.Violation{Field: text(v.Field), Description: text(v.Description)})
	}
	if f.Meta != nil {
		out.Meta = map[string]string{}
		// order-free: a map is copied into a map
		for k, v := range f.Meta {
			out.Meta[k] = text(v)
		}
	}
	if f.Cause != nil && text(f.Cause.Error()) != f.Cause.Error() {
		out.Cause = errors.New(text(f.Cause.Error()))
	}
	return &out
}
