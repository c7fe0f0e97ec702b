package engine

import (
	"context"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/aggregate"
	"github.com/skaldrpg/skald/pkg/branch"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// branched writes the commands of an amendment to a branch and leaves in their place
// where they are.
func (e *Engine) branched(ctx context.Context, f *Fight, am *eventv1.Amended) error {
	return e.log.Branch(ctx, f.name, am, aggregate.Branched{Inline: e.cfg.InlineBytes, Random: e.cfg.Random, Before: func(written, parts int) error {
		if err := ctx.Err(); err != nil {
			return fault.Wrap(fault.Unavailable, "CANCELLED", err, "the amendment was called off; nothing has changed")
		}
		progress(ctx, f, encounterv1.Progress_PHASE_WRITING, written, parts, false)
		return nil
	}})
}

// long tells whether a new history goes to a branch. What is decided again from a
// record is compared as if its Commit held it.
func (e *Engine) long(am *eventv1.Amended) bool {
	return !e.cfg.Recorded && proto.Size(am) > e.cfg.InlineBytes
}

// maxAmendment refuses a new history that not even a branch may hold.
func maxAmendment(p *plan) error {
	size := 0
	for _, c := range p.commands {
		size += proto.Size(c)
	}
	if size > limits.AmendmentBytes {
		return fault.Limit("bytes of an amendment", limits.AmendmentBytes, int64(size))
	}
	return nil
}

// fill reads what branches hold of the amendments among the events, and returns
// how many bytes that was.
func (f *Fight) fill(ctx context.Context, events []*eventv1.Event) (int, error) {
	held, part := 0, f.branch(ctx)
	err := branch.Fill(events, func(am *eventv1.Amended, i uint32) ([]byte, error) {
		data, err := part(am, i)
		held += len(data)
		return data, err
	})
	return held, err
}

// branch finds the parts of the fight's branches.
func (f *Fight) branch(ctx context.Context) branch.Part {
	return branch.Once(func(name string, fn func([]byte) error) error {
		if f.parts == nil {
			return fmt.Errorf("%w: branch %s cannot be read", event.ErrBroken, name)
		}
		return f.parts(ctx, name, fn)
	})
}

// partsOf reads the parts of a branch from the log.
func (e *Engine) partsOf(n aggregate.Name) func(context.Context, string, func([]byte) error) error {
	return func(ctx context.Context, name string, fn func([]byte) error) error {
		return e.log.Parts(ctx, n, name, fn)
	}
}

// firstOf is an amendment of which only the first commands stay.
func (e *Engine) firstOf(ctx context.Context, f *Fight, am *eventv1.Amended, version uint64, count int) (*eventv1.Amended, error) {
	if am.Branch == "" {
		return &eventv1.Amended{Version: version, Base: am.Base, Commands: am.Commands[:count]}, nil
	}
	out, err := branch.First(am, count, f.branch(ctx))
	if err != nil {
		return nil, err
	}
	out.Version = version
	return out, nil
}
