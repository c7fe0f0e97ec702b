package dice

import "fmt"

// Eval rolls the expression: it draws faces from src and returns the total with
// the tree of all that happened.
//
// Rolling order: terms from left to right; within a term first all its dice,
// then each modifier in turn, which looks at the dice in table order and draws
// what it needs at once.
//
// Errors are [*LimitError], [ErrDivisionByZero], [ErrOverflow],
// [*ErrFaceRange] and the source's own, wrapped.
func (e *Expr) Eval(src Source, lim Limits) (*Result, error) {
	return e.eval(&fewDice{}, nil, src, lim)
}

// EvalIn is Eval into a room: the result is good until the room is used again.
func (e *Expr) EvalIn(room *Room, src Source, lim Limits) (*Result, error) {
	*room = Room{}
	return e.eval(&room.few, room.nodes[:], src, lim)
}

// Room is what a result is made in by whoever evaluates often and is done with each
// result before the next. It is used by one goroutine.
type Room struct {
	few   fewDice
	nodes [4]Node
}

func (e *Expr) eval(few *fewDice, nodes []Node, src Source, lim Limits) (*Result, error) {
	lim = lim.orDefaults()
	if err := lim.check(e.size); err != nil {
		return nil, err
	}
	r := &few.result
	ev := evaluator{src: src, lim: lim, result: r, spare: few.dice[:], nodes: nodes}
	switch n := e.size.dice; {
	case n > int64(len(few.faces)):
		r.Faces = make([]Face, 0, min(n, int64(lim.Draws)))
	case n > 0:
		r.Faces = few.faces[:0]
	}
	if err := ev.node(e.root, &r.Root); err != nil {
		return nil, err
	}
	r.Total = r.Root.Value
	return r, nil
}

// fewDice is a result with room for the dice that most expressions have, made at once.
type fewDice struct {
	result Result
	faces  [2]Face
	dice   [2]Die
}

// evaluator holds one evaluation.
type evaluator struct {
	src    Source
	lim    Limits
	result *Result
	spare  []Die  // room for dice that is left
	nodes  []Node // and for parts
}

// parts is a list of so many parts.
func (ev *evaluator) parts(n int) []Node {
	if n > len(ev.nodes) {
		return make([]Node, n)
	}
	nodes := ev.nodes[:n:n]
	ev.nodes = ev.nodes[n:]
	return nodes
}

// room is a list of so many dice.
func (ev *evaluator) room(n int64) []Die {
	if n > int64(len(ev.spare)) {
		return make([]Die, n)
	}
	dice := ev.spare[:n:n]
	ev.spare = ev.spare[n:]
	return dice
}

// node evaluates n into out.
func (ev *evaluator) node(n *node, out *Node) error {
	out.Kind, out.Text, out.Label, out.Kept = n.kind, n.text, n.label, true
	switch n.kind {
	case KindNumber:
		out.Value = n.num
		return nil
	case KindDice:
		return ev.dice(n, out)
	}
	out.Children = ev.parts(len(n.kids))
	for i, k := range n.kids {
		if err := ev.node(k, &out.Children[i]); err != nil {
			return err
		}
	}
	var err error
	switch n.kind {
	case KindPool:
		err = ev.pool(n, out)
	case KindGroup:
		out.Value = out.Children[0].Value
	case KindNegate:
		out.Value, err = negate(out.Children[0].Value)
	default:
		out.Value, err = combine(n.kind, out.Children[0].Value, out.Children[1].Value)
	}
	if err != nil {
		return fmt.Errorf("%w in %s", err, n.text)
	}
	return nil
}

// draw takes one face from the source and checks it.
func (ev *evaluator) draw(d die) (Die, error) {
	faces := ev.result.Faces
	if err := over(LimitDraws, ev.lim.Draws, int64(len(faces)+1)); err != nil {
		return Die{}, err
	}
	f, err := ev.src.Face(d.sides)
	if err != nil {
		return Die{}, fmt.Errorf("dice: face %d (%s): %w", len(faces), d, err)
	}
	if f < 1 || f > d.sides {
		return Die{}, &ErrFaceRange{Index: len(faces), Sides: d.sides, Face: f}
	}
	ev.result.Faces = append(faces, Face{Sides: d.sides, Face: f})
	return Die{Sides: d.sides, Fate: d.fate, Face: f, Value: d.value(f), Kept: true}, nil
}

// dice rolls a term and applies its modifiers in order (I2).
func (ev *evaluator) dice(n *node, out *Node) error {
	dice := ev.room(n.count)
	for i := range dice {
		d, err := ev.draw(n.die)
		if err != nil {
			return err
		}
		dice[i] = d
	}
	for i := range n.mods {
		var err error
		if dice, err = ev.modify(n, &n.mods[i], dice); err != nil {
			return err
		}
	}
	out.Dice, out.Counting = dice, n.counting()
	for i := range dice {
		d := &dice[i]
		if !d.Kept {
			continue
		}
		v := d.Value
		if out.Counting {
			v = d.Successes
		}
		var err error
		if out.Value, err = add(out.Value, v); err != nil {
			return fmt.Errorf("%w in %s", err, n.text)
		}
	}
	return nil
}

// pool applies a pool's modifiers in order to its elements and sums it up.
func (ev *evaluator) pool(n *node, out *Node) error {
	out.Counting = n.counting()
	for i := range n.mods {
		m := &n.mods[i]
		if m.kind.selects() {
			selectElements(m, out.Children)
		} else {
			countElements(m, out.Children)
		}
	}
	for i := range out.Children {
		k := &out.Children[i]
		if !k.Kept {
			continue
		}
		v := k.Value
		if out.Counting {
			v = k.Successes
		}
		var err error
		if out.Value, err = add(out.Value, v); err != nil {
			return err
		}
	}
	return nil
}
