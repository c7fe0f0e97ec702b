package replica

import (
	"maps"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Draws numbers the actions on each branch of the dice, from 1, in the order in
// which they first drew from it. The number stands in the address of a face, so
// that whoever sees a branch sees every number on it, and a number counts no
// action that draws from other branches.
//
// It is of the whole log: a ruling takes no number back, so that an action that
// is decided again meets the same faces.
type Draws struct {
	numbers map[string]map[uint64]uint64 // branch, action
}

// Drawn is the number that an action got on a branch.
type Drawn struct {
	Branch         string
	Action, Number uint64
}

// Number is the action's on the branch; 0 when it has not drawn from it.
func (d *Draws) Number(branch string, action uint64) uint64 { return d.numbers[branch][action] }

// Count is how many actions have drawn from the branch, and so the highest
// number on it.
func (d *Draws) Count(branch string) uint64 { return uint64(len(d.numbers[branch])) }

// Branches are those that were drawn from, in no order.
func (d *Draws) Branches() map[string]map[uint64]uint64 { return d.numbers }

// Put notes a number; numbers on a branch come without gaps.
func (d *Draws) Put(at Drawn) {
	if d.numbers == nil {
		d.numbers = map[string]map[uint64]uint64{}
	}
	if d.numbers[at.Branch] == nil {
		d.numbers[at.Branch] = map[uint64]uint64{}
	}
	d.numbers[at.Branch][at.Action] = at.Number
}

// note numbers what an action drew in a Commit and returns what is new. The
// number that counts is the one by which the faces were drawn.
func (d *Draws) note(action uint64, inputs []*eventv1.Input) []Drawn {
	var out []Drawn
	for _, in := range inputs {
		if h := in.GetHarm(); h != nil {
			out = append(out, d.note(action, h.Inputs)...)
			continue
		}
		draw := in.GetDraw()
		if draw == nil || draw.Action == 0 || d.Number(draw.Branch, action) > 0 {
			continue
		}
		at := Drawn{Branch: draw.Branch, Action: action, Number: draw.Action}
		d.Put(at)
		out = append(out, at)
	}
	return out
}

func (d *Draws) clone() Draws {
	out := Draws{numbers: map[string]map[uint64]uint64{}}
	// order-free: a map is copied into a map
	for branch, actions := range d.numbers {
		out.numbers[branch] = maps.Clone(actions)
	}
	return out
}
