package replica

import (
	"maps"
	"slices"

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
	branches map[string]*branchDraws
}

// branchDraws are the numbers of one branch: eight bytes for each.
type branchDraws struct {
	// actions by number less one. Nearly always each is greater than the one before;
	// at the place of one that is not stands the one before, so that they are sorted.
	actions []uint64
	// late are the numbers of those that are not.
	late map[uint64]uint64
}

// Drawn is the number that an action got on a branch.
type Drawn struct {
	Branch         string
	Action, Number uint64
}

// Number is the action's on the branch; 0 when it has not drawn from it.
func (d *Draws) Number(branch string, action uint64) uint64 {
	b := d.branches[branch]
	if b == nil {
		return 0
	}
	if n := b.late[action]; n > 0 {
		return n
	}
	if i, found := slices.BinarySearch(b.actions, action); found {
		return uint64(i) + 1
	}
	return 0
}

// Count is how many actions have drawn from the branch, and so the highest
// number on it.
func (d *Draws) Count(branch string) uint64 {
	if b := d.branches[branch]; b != nil {
		return uint64(len(b.actions))
	}
	return 0
}

// Branches are those that were drawn from, in no order.
func (d *Draws) Branches() []string { return slices.Collect(maps.Keys(d.branches)) }

// Put notes a number; numbers on a branch come in order and without gaps.
func (d *Draws) Put(at Drawn) {
	if d.branches == nil {
		d.branches = map[string]*branchDraws{}
	}
	b := d.branches[at.Branch]
	if b == nil {
		b = &branchDraws{}
		d.branches[at.Branch] = b
	}
	n := len(b.actions)
	next := at.Number == uint64(n)+1
	if next && (n == 0 || at.Action > b.actions[n-1]) {
		b.actions = append(b.actions, at.Action)
		return
	}
	if b.late == nil {
		b.late = map[uint64]uint64{}
	}
	b.late[at.Action] = at.Number
	if next {
		b.actions = append(b.actions, b.actions[n-1])
	}
}

// Actions are those that have the numbers from one on (1 is the first), in their
// order.
func (d *Draws) Actions(branch string, from uint64) []uint64 {
	b := d.branches[branch]
	if b == nil || from > uint64(len(b.actions)) {
		return nil
	}
	out := slices.Clone(b.actions[from-1:])
	// order-free: each has its own place
	for action, number := range b.late {
		if number >= from && number <= uint64(len(b.actions)) {
			out[number-from] = action
		}
	}
	return out
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
	out := Draws{branches: map[string]*branchDraws{}}
	// order-free: a map is copied into a map
	for branch, b := range d.branches {
		out.branches[branch] = &branchDraws{actions: slices.Clone(b.actions), late: maps.Clone(b.late)}
	}
	return out
}
