package corrected

import (
	"context"
	"iter"
	"slices"

	"google.golang.org/protobuf/proto"

	encounterv1 "github.com/skaldrpg/skald/proto/skald/encounter/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"github.com/skaldrpg/skald/services/encounter/internal/replica"
)

// Pair is one command as it was and as it now is; one of the two may be missing.
type Pair struct {
	// Before and After; nil where the command does not count.
	Before, After *Deed
	// Through is how many commands of the new history there are up to here.
	Through int
}

// Since is the first place at which two chains of commands differ.
func Since(before, after []replica.Link) int {
	n := 0
	for n < len(before) && n < len(after) && same(before[n], after[n]) {
		n++
	}
	return n
}

func same(a, b replica.Link) bool {
	return a.Origin == b.Origin && a.At == b.At && a.Index == b.Index && slices.Equal(a.Answers, b.Answers)
}

// Pairs goes through two histories side by side, in order. It ends with the first
// error.
func Pairs(ctx context.Context, before, after *History) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		here, there := origins(before.Links), origins(after.Links)
		for i, j := 0, 0; i < len(before.Links) || j < len(after.Links); {
			if err := ctx.Err(); err != nil {
				yield(Pair{}, err)
				return
			}
			goes := i < len(before.Links) && (j == len(after.Links) || !there[before.Links[i].Origin])
			comes := !goes && (i == len(before.Links) || !here[after.Links[j].Origin])
			var p Pair
			var err error
			if !comes {
				p.Before, err = before.Deed(ctx, i)
				i++
			}
			if !goes && err == nil {
				p.After, err = after.Deed(ctx, j)
				j++
			}
			p.Through = j
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

func origins(links []replica.Link) map[uint64]bool {
	out := make(map[uint64]bool, len(links))
	for _, l := range links {
		out[l.Origin] = true
	}
	return out
}

// Told is one command of an amended history as a viewer is told of it.
type Told struct {
	// Number inside the amended history, from 1: it counts what the viewer hears
	// from the first command on that came out otherwise for it.
	Number uint64
	// Kind of what became of it.
	Kind encounterv1.Corrected_Kind
	// Before and After are the events that the viewer hears.
	Before, After []*eventv1.Event
	// Origin is the version that names the command.
	Origin uint64
	// Through is how many commands of the new history there are up to here.
	Through int
	// By is who gave the command, where the viewer may know.
	By *eventv1.Principal
	// Forced: it stands although it became illegal.
	Forced bool
}

// For is what a viewer is told of two histories, from the first command on that
// came out otherwise for it. What it hears nothing of, before and now, is passed
// over and counts for nothing.
func For(as *eventv1.Principal, pairs iter.Seq2[Pair, error]) iter.Seq2[Told, error] {
	return func(yield func(Told, error) bool) {
		number := uint64(0)
		for p, err := range pairs {
			if err != nil {
				yield(Told{}, err)
				return
			}
			t, any := told(as, p)
			if !any || number == 0 && t.Kind == encounterv1.Corrected_KIND_SAME {
				continue
			}
			number++
			t.Number = number
			if !yield(t, nil) {
				return
			}
		}
	}
}

// told is a pair as a viewer hears it; false when it hears nothing of it.
func told(as *eventv1.Principal, p Pair) (Told, bool) {
	t := Told{Before: p.Before.audible(as), After: p.After.audible(as), Through: p.Through}
	d := p.After
	if d == nil {
		d = p.Before
	}
	t.Origin, t.Forced = d.Origin, p.After != nil && p.After.Forced
	switch {
	case len(t.Before)+len(t.After) == 0:
		return t, false
	case len(t.After) == 0:
		t.Kind = encounterv1.Corrected_KIND_GONE
		d = p.Before
	case len(t.Before) == 0:
		t.Kind = encounterv1.Corrected_KIND_NEW
	case alike(t.Before, t.After):
		t.Kind = encounterv1.Corrected_KIND_SAME
	default:
		t.Kind = encounterv1.Corrected_KIND_CHANGED
	}
	t.By = giver(as, d)
	return t, true
}

// giver is who gave a command, as the steps of the record tell it: to the game
// master, the giver, and whoever hears what was done.
func giver(as *eventv1.Principal, d *Deed) *eventv1.Principal {
	by := d.Caller
	if by == nil {
		return nil
	}
	name := &eventv1.Principal{Role: by.Role, Name: by.Name}
	switch {
	case as.GetRole() == eventv1.Principal_ROLE_GM:
		name.Subject = by.Subject
		return name
	case as.GetRole() == by.Role && as.GetName() == by.Name, d.first(as):
		return name
	}
	return nil
}

// alike tells whether events came out the same. What a counter was before is told by
// the step that set it then.
func alike(a, b []*eventv1.Event) bool {
	return slices.EqualFunc(a, b, func(x, y *eventv1.Event) bool {
		if proto.Equal(x, y) {
			return true
		}
		one, two := x.GetCounter(), y.GetCounter()
		if one == nil || two == nil || one.Was == two.Was {
			return false
		}
		x, y = proto.CloneOf(x), proto.CloneOf(y)
		x.GetCounter().Was, y.GetCounter().Was = 0, 0
		return proto.Equal(x, y)
	})
}
