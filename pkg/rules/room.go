package rules

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// Room is where the options of a listing are made, many at once. Who lists again and
// again, and is done with the options before, gives queries the same room and clears it
// between, at the latest when the state has changed: what was found out about a creature
// in one state is good for all its listings until then. The zero value is empty. It is
// used by one goroutine.
type Room struct {
	slabs [][]eventv1.Option
	slab  int // that is being used
	used  int // of it

	options    []*eventv1.Option    // room for lists of them
	parameters []*eventv1.Parameter // and of these
	ids        []string             // and of ids

	// Kept is what whoever lists keeps in the room to list again; nobody else's business.
	// It is cleared with the room.
	Kept interface{ Clear() }
}

// How many options are made at a time: more and more, since a listing of legal options
// alone may have few.
const (
	firstSlab = 4
	lastSlab  = 32
)

// Option is an empty option, good until the room is cleared.
func (r *Room) Option() *eventv1.Option {
	if r.slab < len(r.slabs) && r.used == len(r.slabs[r.slab]) {
		r.slab, r.used = r.slab+1, 0
	}
	if r.slab == len(r.slabs) {
		r.slabs = append(r.slabs, make([]eventv1.Option, min(firstSlab<<min(r.slab, 3), lastSlab)))
	}
	o := &r.slabs[r.slab][r.used]
	r.used++
	return o
}

// Options is an empty list with room for some options, good until the room is cleared.
func (r *Room) Options(some int) []*eventv1.Option { return piece(&r.options, some) }

// Parameters is a list of so many, good until the room is cleared.
func (r *Room) Parameters(n int) []*eventv1.Parameter { return piece(&r.parameters, n)[:n] }

// IDs is an empty list with room for so many, good until the room is cleared.
func (r *Room) IDs(n int) []string { return piece(&r.ids, n) }

// listsAtATime is how much room for lists is made at a time.
const listsAtATime = 32

// piece cuts an empty list off what is left of a room. What was cut off before is never
// given again, so that a list that somebody kept stays what it is.
func piece[T any](room *[]T, n int) []T {
	if n > len(*room) {
		*room = make([]T, max(n, listsAtATime))
	}
	list := (*room)[:0:n]
	*room = (*room)[n:]
	return list
}

// Clear makes the room anew: options that were made in it must not be used any more.
func (r *Room) Clear() {
	for i := range r.slabs[:min(r.slab+1, len(r.slabs))] {
		for j := range r.slabs[i] {
			if i < r.slab || j < r.used {
				r.slabs[i][j].Reset()
			}
		}
	}
	r.slab, r.used = 0, 0
	if r.Kept != nil {
		r.Kept.Clear()
	}
}
