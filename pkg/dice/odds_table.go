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

// table is the algebra in which dice gather until a run of keeps and drops
// looks at them. It need hold only the dice at the ends of the ranking that
// decide; those between are settled as soon as it is clear that they are.
type table struct {
	work *work
	all  bool  // hold every die
	head int64 // how many of the first ranks are held
	tail int64 // how many of the last
	low  bool  // rank from the lowest
	// spill is what a die that is not held contributes; nil if nothing.
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
	out := int64(len(held)) - t.head - t.tail
	if t.all || out <= 0 {
		return held, adds, nil
	}
	if t.spill != nil {
		for _, s := range held[t.head : t.head+out] {
			p, err := t.spill(s)
			if err != nil {
				return nil, adds, err
			}
			if adds, err = t.work.mul(adds, p); err != nil {
				return nil, adds, err
			}
		}
	}
	return slices.Delete(held, int(t.head), int(t.head+out)), adds, nil
}

func (t *table) bytes(b bag) int64 { return b.bytes() }

func (t *table) join(a, b bag) (bag, error) {
	sums, mark := gathering{}, t.work.mark()
	if err := t.work.spend(int64(len(a))*int64(len(b)), setCost, 1); err != nil {
		return nil, err
	}
	// order-free: exact sums, whatever the order
	for _, x := range a {
		// order-free: exact sums, whatever the order
		for _, y := range b {
			if err := t.work.hold(setBytes + int64(len(x.held)+len(y.held))*32); err != nil {
				return nil, err
			}
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
	joined, err := sums.bag(t.work, one)
	if err == nil {
		t.work.settle(mark, joined.bytes())
	}
	return joined, err
}

func (t *table) mix(of []choice[bag], den *big.Int) (bag, error) {
	sums, n := gathering{}, 0
	for _, c := range of {
		n += len(c.of)
		// order-free: exact sums, whatever the order
		for _, s := range c.of {
			sums.put(s.held, part{c.weight, s.adds, 0})
		}
	}
	if err := t.work.spend(int64(n), setCost, 1); err != nil {
		return nil, err
	}
	mark := t.work.mark()
	if err := t.work.hold(int64(n) * setBytes); err != nil {
		return nil, err
	}
	mixed, err := sums.bag(t.work, den)
	if err == nil {
		t.work.settle(mark, mixed.bytes())
	}
	return mixed, err
}

// setCost is what handling one set costs more than a number.
const setCost = 4096

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
	// order-free: exact sums, whatever the order
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
	// order-free: exact sums, whatever the order
	for _, s := range b {
		c.den = lcm(c.den, s.adds.den)
	}
	// order-free: exact sums, whatever the order
	for _, s := range b {
		w := new(big.Int).Quo(c.den, s.adds.den)
		c.faces = append(c.faces, weighed{s.held[0], w.Mul(w, &s.adds.weights[0])})
	}
	return c
}

// table goes through the sets of dice on the table, from one run of keeps and
// drops to the next. With kids the node is a pool of elements with these
// distributions. It is the general way, for dice that differ, dice that
// explosions added before a keep, and dice that change between two keeps.
func (o *oddsRun) table(n *node, kids []poly) (poly, error) {
	adds := o.adds(n)
	first, last := selection(n.mods, 0)
	t := o.newTable(n, first, last, adds)
	w := newWalker(t, n.die, n.mods, first, o.lim.Explosions, o.work)
	var b bag
	var err error
	if rerollsOne(n) {
		b, err = withOnce[bag](o, t, n, first, bag{"": {nil, monomial(0)}})
	} else {
		b, err = o.laid(w, t, n, kids)
	}
	for err == nil {
		kept := t.keeping(n.mods[first : last+1])
		from := last + 1
		if first, last = selection(n.mods, from); first < 0 {
			return o.contributions(b, kept, func(s state) (poly, error) { return adds.value(from, s) })
		}
		t = o.newTable(n, first, last, adds)
		w = newWalker(t, n.die, n.mods, first, o.lim.Explosions, o.work)
		b, err = o.onward(w, b, kept, from)
	}
	return poly{}, err
}

// newTable returns the table that gathers dice for the keeps and drops first
// to last. Up to the first keep of k dice a high and b low dice are dropped;
// the a+b+k dice at the end that it keeps decide. If there is no keep, those
// dropped at both ends decide, and the dice between go on to the end; where
// another run follows all must be held.
func (o *oddsRun) newTable(n *node, first, last int, adds *walker[poly]) *table {
	t := &table{work: o.work}
	high, low := int64(0), int64(0)
	for i := first; i <= last; i++ {
		m := &n.mods[i]
		k := min(m.n, 1<<31)
		switch m.kind {
		case modDropHigh:
			high += k
		case modDropLow:
			low += k
		default:
			t.head, t.low = high+low+k, m.kind == modKeepLow
			return t
		}
	}
	if later, _ := selection(n.mods, last+1); later >= 0 {
		t.all = true
		return t
	}
	t.head, t.tail = high, low
	t.spill = func(s state) (poly, error) { return adds.value(last+1, s) }
	return t
}

// keeping returns which of the dice held stay after a run of keeps and drops.
func (t *table) keeping(run []mod) func(*set) []state {
	return func(s *set) []state {
		if t.spill != nil {
			return nil
		}
		held := slices.Clone(s.held)
		slices.SortFunc(held, compareStates)
		lo, hi := window(run, int64(len(held)))
		return held[lo:hi]
	}
}

// laid returns the table with all dice rolled, or all elements laid.
func (o *oddsRun) laid(w *walker[bag], t *table, n *node, kids []poly) (bag, error) {
	b, mark := bag{"": {nil, monomial(0)}}, t.work.mark()
	for _, k := range kids {
		e, err := element(w, k)
		if err != nil {
			return nil, err
		}
		if b, err = t.join(b, e); err != nil {
			return nil, err
		}
		t.work.settle(mark, b.bytes())
	}
	if kids != nil {
		return b, nil
	}
	e, err := w.fresh(0)
	mark = t.work.mark()
	for range n.count {
		if err != nil {
			break
		}
		if b, err = t.join(b, e); err == nil {
			t.work.settle(mark, b.bytes())
		}
	}
	return b, err
}

// onward walks the kept dice of each set from modifier i to the next table.
func (o *oddsRun) onward(w *walker[bag], b bag, kept func(*set) []state, i int) (bag, error) {
	var all []choice[bag]
	// order-free: exact sums, whatever the order
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
	// order-free: exact sums, whatever the order
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
