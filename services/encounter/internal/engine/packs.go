package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Book is the book by which the fight is decided: that of the packs which it
// pinned when it was created. It may be nil.
func (e *Engine) Book(ctx context.Context, f *Fight, s *eventv1.State) (*effects.Book, error) {
	return e.cfg.Shelf.Book(ctx, f.table, s.System, s.Packs)
}

// Pack reads a pack of a table as it is stored.
func (e *Engine) Pack(ctx context.Context, table, digest string) (*encounterv1.PackRecord, error) {
	return e.cfg.Shelf.Record(ctx, table, digest)
}

// bookFor is the book for a command on a state. A command that creates the
// encounter pins it: the packs that it names become their digests.
func (e *Engine) bookFor(ctx context.Context, f *Fight, s *eventv1.State, cmd *eventv1.Command) (*effects.Book, error) {
	c := cmd.GetCreate()
	if c == nil {
		return e.Book(ctx, f, s)
	}
	digests, book, err := e.cfg.Shelf.Pin(ctx, f.table, c.System, "command.create.packs", c.Packs)
	c.Packs = digests
	return book, err
}

// hinted is a refusal with the packs that have what a sheet takes and the encounter
// does not.
func (e *Engine) hinted(cmd *eventv1.Command, system string, book *effects.Book, err error) error {
	f, ok := fault.As(err)
	if !ok || cmd.GetAdd() == nil || len(f.Violations) == 0 {
		return err
	}
	for _, lost := range book.Lacks(cmd.GetAdd().Sheet) {
		name := e.cfg.Shelf.Offering(system, lost.Slot, lost.ID)
		i := slices.IndexFunc(f.Violations, func(v fault.Violation) bool { return v.Field == lost.Field })
		if name == "" || i < 0 {
			continue
		}
		f.Violations[i].Description += fmt.Sprintf("; the pack %q has it: an encounter takes it when it is created", name)
	}
	return err
}
