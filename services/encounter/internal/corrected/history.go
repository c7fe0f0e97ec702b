package corrected

import (
	"context"
	"fmt"
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Source is the stored record of one encounter.
type Source interface {
	// Commit returns a stored Commit and who may hear each of its events.
	Commit(ctx context.Context, version uint64) (*event.Opened, []event.Audible, error)
	// LoadAt finds the encounter as it was after a version.
	LoadAt(ctx context.Context, version uint64) (*replica.Replica, error)
}

// Deed is a command that counts, with what came of it.
type Deed struct {
	// Origin is the version that names it.
	Origin uint64
	// Caller is who gave it; nil where the game master put it there by word.
	Caller *eventv1.Principal
	// Forced: it stands although it became illegal.
	Forced bool
	// Events that came of it, its answers included, and who may hear each.
	Events []*eventv1.Event
	Heard  []event.Audible
}

// audible are the events that a viewer hears.
func (d *Deed) audible(as *eventv1.Principal) []*eventv1.Event {
	if d == nil {
		return nil
	}
	var out []*eventv1.Event
	for i, h := range d.Heard {
		if h.By(as) {
			out = append(out, d.Events[i])
		}
	}
	return out
}

// HeardBy tells whether a viewer hears any of it.
func (d *Deed) HeardBy(as *eventv1.Principal) bool {
	return slices.ContainsFunc(d.Heard, func(h event.Audible) bool { return h.By(as) })
}

// first tells whether a viewer hears what was done, which the first event says.
func (d *Deed) first(as *eventv1.Principal) bool { return len(d.Heard) > 0 && d.Heard[0].By(as) }

// History is a stretch of commands that count one after the other. It reads what is
// asked for and keeps what amendments hold.
type History struct {
	// Links of the commands.
	Links []replica.Link

	src  Source
	held map[uint64][]*Deed // by the version of the amendment
}

// Stored is a stretch of the stored record.
func Stored(src Source, links []replica.Link) *History {
	return &History{Links: links, src: src, held: map[uint64][]*Deed{}}
}

// Planned is a stretch that an amendment of the given version would hold; state is
// what it begins from and stays as it is.
func Planned(state *eventv1.State, version uint64, commands []*eventv1.Redecided) (*History, error) {
	deeds, err := decided(state, version, commands)
	h := &History{held: map[uint64][]*Deed{version: deeds}}
	for i, c := range commands {
		h.Links = append(h.Links, replica.Link{Origin: c.Origin, At: version, Index: i, Inserted: c.Inserted})
	}
	return h, err
}

// Deed reads the command at a place. Errors are those of the source, or event.ErrBroken.
func (h *History) Deed(ctx context.Context, i int) (*Deed, error) {
	l := h.Links[i]
	d := &Deed{Origin: l.Origin}
	if l.Held() {
		all, err := h.amendment(ctx, l.At)
		if err != nil {
			return nil, err
		}
		if l.Index >= len(all) {
			return nil, fmt.Errorf("%w: the amendment at %d has no command %d", event.ErrBroken, l.At, l.Index)
		}
		d = all[l.Index]
		if len(l.Answers) == 0 {
			return d, nil
		}
		d = &Deed{Origin: d.Origin, Caller: d.Caller, Forced: d.Forced, Events: slices.Clone(d.Events), Heard: slices.Clone(d.Heard)}
	} else if err := h.take(ctx, d, l.Origin, true); err != nil {
		return nil, err
	}
	for _, v := range l.Answers {
		if err := h.take(ctx, d, v, false); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// take adds the events of a Commit of its own.
func (h *History) take(ctx context.Context, d *Deed, version uint64, root bool) error {
	c, heard, err := h.src.Commit(ctx, version)
	if err != nil {
		return err
	}
	if root {
		d.Caller = c.Cause.GetPrincipal()
	}
	for i, e := range c.Events {
		d.add(e, heard[i])
	}
	return nil
}

// add adds an event. Those about the dice themselves are no part of what a command
// decided: no ruling takes them back.
func (d *Deed) add(e *eventv1.Event, heard event.Audible) {
	if !event.OfDice(e) {
		d.Events, d.Heard = append(d.Events, e), append(d.Heard, heard)
	}
}

// amendment are the commands that the Commit of a version holds.
func (h *History) amendment(ctx context.Context, version uint64) ([]*Deed, error) {
	if all, ok := h.held[version]; ok {
		return all, nil
	}
	am, err := Amendment(ctx, h.src, version)
	if err != nil {
		return nil, err
	}
	base, err := h.src.LoadAt(ctx, am.Base)
	if err != nil {
		return nil, err
	}
	all, err := decided(base.State(), version, am.Commands)
	if err != nil {
		return nil, err
	}
	h.held[version] = all
	return all, nil
}

// Amendment is the new history that the Commit of a version holds; event.ErrBroken
// when it holds none.
func Amendment(ctx context.Context, src Source, version uint64) (*eventv1.Amended, error) {
	c, _, err := src.Commit(ctx, version)
	if err != nil {
		return nil, err
	}
	for _, e := range c.Events {
		if am := e.GetAmended(); am != nil {
			return am, nil
		}
	}
	return nil, fmt.Errorf("%w: version %d holds no amendment", event.ErrBroken, version)
}

// decided opens redecided commands and finds who hears their events, as they are
// folded one after the other.
func decided(state *eventv1.State, version uint64, commands []*eventv1.Redecided) ([]*Deed, error) {
	s := event.Clone(state)
	out := make([]*Deed, len(commands))
	for i, cmd := range commands {
		c, err := replica.OpenRedecided(cmd, &eventv1.CommitHeader{Version: version})
		if err != nil {
			return nil, err
		}
		d := &Deed{Origin: cmd.Origin, Caller: cmd.Caller, Forced: cmd.Forced}
		for _, e := range c.Events {
			d.add(e, event.Hear(s, e))
			event.Fold(s, e)
		}
		out[i] = d
	}
	return out, nil
}
