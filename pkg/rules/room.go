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
