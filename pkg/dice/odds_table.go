package dice

import (
	"encoding/binary"
	"math/big"
	"slices"
)

// bag is a distribution of sets of dice on the table: for each set the
// distribution of what dice that left it have contributed.
type bag map[string]*set

// set is the dice held, first rank first.
type set struct {
	held []state
	adds poly
}

// table is the algebra in which dice gather until a keep or drop looks at
// them. It need hold only the first dice in rank; the others are settled as
// soon as they are pushed out.
type table struct {
	work *work
	hold int64 // how many dice are held, -1 for all
	low  bool  // rank from the lowest
	// spill is what a die pushed out contributes; nil if nothing.
	spill func(state) (poly, error)
}

func (t *table) compare(a, b state) int {
	if t.low {
		return compareStates(b, a)
	}
	return compareStates(a, b)
}

// key writes a set as a string.
func key(held []state) string {
	var b []byte
	for _, s := range held {
		b = binary.AppendVarint(b, s.value)
		b = binary.AppendVarint(b, s.successes)
	}
	return string(b)
}

func (t *table) leaf(s state) (bag, error) {
	held, adds, err := t.settle([]state{s}, monomial(0))
	return bag{key(held): {held, adds}}, err
}

// settle pushes out the dice that need not be held.
func (t *table) settle(held []state, adds poly) ([]state, poly, error) {
	if t.hold < 0 || int64(len(held)) <= t.hold {
		return held, adds, nil
	}
	if t.spill != nil {
		for _, s := range held[t.hold:] {
			p, err := t.spill(s)
			if err != nil {
				return nil, adds, err
			}
			if adds, err = t.work.mul(adds, p); err != nil {
				return nil, adds, err
			}
		}
	}
	return held[:t.hold], adds, nil
}

func (t *table) join(a, b bag) (bag, error) {
	sums := gathering{}
	if err := t.work.spend(int64(len(a))*int64(len(b)), setCost, 1); err != nil {
		return nil, err
	}
	for _, x := range a {
		for _, y := range b {
			held := slices.Concat(x.held, y.held)
			slices.SortFunc(held, t.compare)
			adds, err := t.work.mul(x.adds, y.adds)
			if err != nil {
				return nil, err
			}
			if held, adds, err = t.settle(held, adds); err != nil {
				return nil, err
			}
			sums.put(held, part{one, adds, 0})
		}
	}
	return sums.bag(t.work, one)
}

func (t *table) mix(of []choice[bag], den *big.Int) (bag, error) {
	sums, n := gathering{}, 0
	for _, c := range of {
		n += len(c.of)
		for _, s := range c.of {
			sums.put(s.held, part{c.weight, s.adds, 0})
		}
	}
	if err := t.work.spend(int64(n), setCost, 1); err != nil {
		return nil, err
	}
	return sums.bag(t.work, den)
}

// setCost is what handling one set costs more than a number.
const setCost = 512

// gathering collects what belongs to the same set.
type gathering map[string]*gathered

type gathered struct {
	held  []state
	parts []part
}

func (g gathering) put(held []state, p part) {
	k := key(held)
	if g[k] == nil {
		g[k] = &gathered{held: held}
	}
	g[k].parts = append(g[k].parts, p)
}

func (g gathering) bag(w *work, den *big.Int) (bag, error) {
	out := make(bag, len(g))
	for k, s := range g {
		adds, err := w.sum(s.parts, den)
		if err != nil {
			return nil, err
		}
		out[k] = &set{s.held, adds}
	}
	return out, nil
}

// singles reads a bag of sets of one die each as the distribution of a die.
func (b bag) singles() cast {
	c := cast{den: one}
	for _, s := range b {
		c.den = lcm(c.den, s.adds.den)
	}
	for _, s := range b {
		w := new(big.Int).Quo(c.den, s.adds.den)
		c.faces = append(c.faces, weighed{s.held[0], w.Mul(w, &s.adds.weights[0])})
	}
	return c
}

// table goes through the sets of dice on the table, from one keep or drop to
// the next. With kids the node is a pool of elements with these distributions.
// It is the general way, for dice that differ, dice that explosions added
// before a keep, and dice that change between two keeps.
func (o *oddsRun) table(n *node, kids []poly) (poly, error) {
	at, _ := selection(n.mods, 0)
	adds := o.adds(n)
	rest := func(i int) func(state) (poly, error) {
		return func(s state) (poly, error) { return adds.value(i, s) }
	}
	t := newTable(o, n, at, rest)
	w := newWalker(t, n.die, n.mods, at, o.lim.Explosions, o.work)
	b, err := o.laid(w, t, n, kids)
	for err == nil {
		out := n.mods[at].n
		kept := func(s *set) []state { return s.held }
		switch {
		case t.spill != nil:
			kept = func(*set) []state { return nil }
		case t.hold < 0:
			kept = func(s *set) []state { return s.held[min(out, int64(len(s.held))):] }
		}
		next, _ := selection(n.mods, at+1)
		if next < 0 {
			return o.contributions(b, kept, rest(at+1))
		}
		from := at + 1
		at, t = next, newTable(o, n, next, rest)
		w = newWalker(t, n.die, n.mods, at, o.lim.Explosions, o.work)
		b, err = o.onward(w, b, kept, from)
	}
	return poly{}, err
}

// newTable returns the table that gathers dice for the keep or drop at i. A
// keep holds the dice it keeps. The last drop holds the dice it drops, while
// the others go on to the end; an earlier drop must hold them all.
func newTable(o *oddsRun, n *node, i int, rest func(int) func(state) (poly, error)) *table {
	m := &n.mods[i]
	t := &table{work: o.work, hold: m.n, low: m.kind == modKeepLow || m.kind == modDropLow}
	if m.kind == modKeepHigh || m.kind == modKeepLow {
		return t
	}
	if later, _ := selection(n.mods, i+1); later >= 0 {
		t.hold = -1
	} else {
		t.spill = rest(i + 1)
	}
	return t
}

// laid returns the table with all dice rolled, or all elements laid.
func (o *oddsRun) laid(w *walker[bag], t *table, n *node, kids []poly) (bag, error) {
	b := bag{"": {nil, monomial(0)}}
	for _, k := range kids {
		e, err := element(w, k)
		if err != nil {
			return nil, err
		}
		if b, err = t.join(b, e); err != nil {
			return nil, err
		}
	}
	if kids != nil {
		return b, nil
	}
	e, err := w.fresh(0)
	for range n.count {
		if err != nil {
			break
		}
		b, err = t.join(b, e)
	}
	return b, err
}

// onward walks the kept dice of each set from modifier i to the next table.
func (o *oddsRun) onward(w *walker[bag], b bag, kept func(*set) []state, i int) (bag, error) {
	var all []choice[bag]
	for _, s := range b {
		joined := bag{"": {nil, s.adds}}
		for _, d := range kept(s) {
			e, err := w.value(i, d)
			if err != nil {
				return nil, err
			}
			if joined, err = w.join(joined, e); err != nil {
				return nil, err
			}
		}
		all = append(all, choice[bag]{one, joined})
	}
	return w.mix(all, one)
}

// contributions sums up what the kept dice of each set come to.
func (o *oddsRun) contributions(b bag, kept func(*set) []state, rest func(state) (poly, error)) (poly, error) {
	parts := make([]part, 0, len(b))
	for _, s := range b {
		p := s.adds
		for _, d := range kept(s) {
			q, err := rest(d)
			if err != nil {
				return q, err
			}
			if p, err = o.work.mul(p, q); err != nil {
				return p, err
			}
		}
		parts = append(parts, part{one, p, 0})
	}
	return o.work.sum(parts, one)
}
