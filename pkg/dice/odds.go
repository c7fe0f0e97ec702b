package dice

import (
	"fmt"
	"math/big"
)

// Odds computes the exact distribution of the total over fair dice (I6).
//
// Limits.Explosions is part of what is computed. Limits.Draws is not: Odds
// describes the totals of rolls that it does not cut short. A reroll-until is
// the face given that it does not match, however long that takes.
//
// Errors are [*LimitError] (also when the work would exceed
// Limits.OddsWork; nothing is ever approximated), [ErrDivisionByZero] when a
// divisor can be zero and [ErrOverflow] when some total does not fit.
func (e *Expr) Odds(lim Limits) (*Distribution, error) {
	lim = lim.orDefaults()
	if err := lim.check(e.size); err != nil {
		return nil, err
	}
	o := oddsRun{lim: lim, work: newWork(lim)}
	p, err := o.node(e.root)
	if err == nil {
		p, err = o.work.reduced(p)
	}
	if err == nil {
		err = o.work.tell()
	}
	if err != nil {
		return nil, err
	}
	return &Distribution{p}, nil
}

// oddsRun holds one computation of odds.
type oddsRun struct {
	lim  Limits
	work *work
}

// node returns the distribution of a node, of which alone the memory stays
// counted.
func (o *oddsRun) node(n *node) (poly, error) {
	mark := o.work.mark()
	p, err := o.ofNode(n)
	if err == nil {
		o.work.settle(mark, p.bytes())
	}
	return p, err
}

// ofNode returns the distribution of a node. Operands are independent, since
// nothing in the notation rolls a die that two places see.
func (o *oddsRun) ofNode(n *node) (poly, error) {
	switch n.kind {
	case KindNumber:
		return monomial(n.num), nil
	case KindDice:
		p, err := o.dice(n)
		if err != nil {
			return p, fmt.Errorf("%w in %s", err, n.text)
		}
		return o.work.reduced(p)
	}
	kids := make([]poly, len(n.kids))
	for i, k := range n.kids {
		p, err := o.node(k)
		if err != nil {
			return p, err
		}
		kids[i] = p
	}
	p, err := o.combined(n, kids)
	if err != nil {
		return p, fmt.Errorf("%w in %s", err, n.text)
	}
	return p, nil
}

// combined puts the distributions of a node's children together.
func (o *oddsRun) combined(n *node, kids []poly) (poly, error) {
	switch n.kind {
	case KindPool:
		p, err := o.pool(n, kids)
		if err != nil {
			return p, err
		}
		return o.work.reduced(p)
	case KindGroup:
		return kids[0], nil
	case KindNegate:
		return o.work.mapped(kids[0], negate)
	case KindAdd:
		return o.work.mul(kids[0], kids[1])
	default:
		return o.pairs(n.kind, kids[0], kids[1])
	}
}

// pairs goes through all pairs of values, for operators that are no sum.
func (o *oddsRun) pairs(k Kind, a, b poly) (poly, error) {
	if len(b.values) == 1 {
		by := b.values[0]
		return o.work.mapped(a, func(v int64) (int64, error) { return combine(k, v, by) })
	}
	if k == KindSubtract {
		minus, err := o.work.mapped(b, negate)
		if err != nil {
			return poly{}, err
		}
		return o.work.mul(a, minus)
	}
	n, words := int64(len(a.values))*int64(len(b.values)), a.words()+b.words()+1
	if err := o.work.spend(n, a.words()+sparseCost, b.words()); err != nil {
		return poly{}, err
	}
	t, term, known := &tally{sparse: map[int64]*big.Int{}}, new(big.Int), 0
	for i, u := range a.values {
		for j, v := range b.values {
			x, err := combine(k, u, v)
			if err != nil {
				return poly{}, err
			}
			sum := t.at(x)
			if len(t.sparse) > known {
				known = len(t.sparse)
				if err := o.work.holdValues(1, words); err != nil {
					return poly{}, err
				}
			}
			sum.Add(sum, term.Mul(&a.weights[i], &b.weights[j]))
		}
	}
	return t.poly(product(a.den, b.den)), nil
}

// dice returns the distribution of a dice term.
func (o *oddsRun) dice(n *node) (poly, error) {
	switch {
	case n.count == 0:
		return monomial(0), nil
	case len(n.mods) == 0:
		if err := o.work.afford(int64(n.die.sides)*n.count, 1, 1); err != nil {
			return poly{}, err
		}
		if err := o.work.hold(int64(n.die.sides) * uniformBytes); err != nil {
			return poly{}, err
		}
		return o.work.pow(uniform(n.die), n.count, nil)
	}
	first, last := selection(n.mods, 0)
	adds := o.adds(n)
	if first < 0 && rerollsOne(n) {
		return withOnce(o, adds.algebra, n, len(n.mods), monomial(0))
	}
	if first < 0 {
		p, err := adds.fresh(0)
		if err != nil {
			return p, err
		}
		if p, err = o.work.reduced(p); err != nil {
			return p, err
		}
		return o.work.pow(p, n.count, bursts(n))
	}
	later, _ := selection(n.mods, last+1)
	branching := false
	for i := range n.mods[:first] {
		branching = branching || n.mods[i].kind.branches()
	}
	if later >= 0 || branching || rerollsOne(n) {
		return o.table(n, nil)
	}
	lo, hi := window(n.mods[first:last+1], n.count)
	states, err := o.singles(n, first)
	if err != nil {
		return poly{}, err
	}
	return o.ranks(states, n.count, lo, hi, func(s state) (poly, error) { return adds.value(last+1, s) })
}

// pool returns the distribution of a pool whose elements have the
// distributions given.
func (o *oddsRun) pool(n *node, kids []poly) (poly, error) {
	first, last := selection(n.mods, 0)
	adds := o.adds(n)
	if first < 0 {
		sum := monomial(0)
		for _, k := range kids {
			p, err := element(adds, k)
			if err != nil {
				return p, err
			}
			if sum, err = o.work.mul(sum, p); err != nil {
				return sum, err
			}
		}
		return sum, nil
	}
	later, _ := selection(n.mods, last+1)
	alike := true
	for _, k := range n.kids[1:] {
		alike = alike && k.text == n.kids[0].text
	}
	if later >= 0 || !alike {
		return o.table(n, kids)
	}
	before := newWalker(&table{work: o.work, all: true}, die{}, n.mods, first, 1, o.work)
	cast, err := element(before, kids[0])
	if err != nil {
		return poly{}, err
	}
	count := int64(len(kids))
	lo, hi := window(n.mods[first:last+1], count)
	return o.ranks(cast.singles(), count, lo, hi, func(s state) (poly, error) { return adds.value(last+1, s) })
}

// adds returns the walker that sums up what dice contribute at the end.
func (o *oddsRun) adds(n *node) *walker[poly] {
	a := &adding{work: o.work, counting: n.counting()}
	return newWalker(a, n.die, n.mods, len(n.mods), o.lim.Explosions, o.work)
}

// Bytes of a side of a die as uniform and as singles keep it.
const (
	uniformBytes = 40
	weighedBytes = 96
)

// element walks an element of a pool with the distribution given.
func element[T any](w *walker[T], kid poly) (T, error) {
	all := make([]choice[T], len(kid.values))
	for i, v := range kid.values {
		t, err := w.value(0, state{value: v})
		if err != nil {
			return t, err
		}
		all[i] = choice[T]{&kid.weights[i], t}
	}
	return w.mix(all, kid.den)
}

// singles returns the states of one die before modifier end, none of which
// adds dice.
func (o *oddsRun) singles(n *node, end int) (cast, error) {
	if end == 0 {
		if err := o.work.hold(int64(n.die.sides) * (uniformBytes + weighedBytes)); err != nil {
			return cast{}, err
		}
		p := uniform(n.die)
		c := cast{den: p.den}
		for i, v := range p.values {
			c.faces = append(c.faces, weighed{state{value: v}, &p.weights[i]})
		}
		return c, o.work.spend(int64(n.die.sides), 1, 1)
	}
	w := newWalker(&table{work: o.work, all: true}, n.die, n.mods, end, o.lim.Explosions, o.work)
	b, err := w.fresh(0)
	if err != nil {
		return cast{}, err
	}
	return b.singles(), nil
}

// selection returns the first run of keep and drop modifiers from i on, or -1.
func selection(mods []mod, i int) (first, last int) {
	for ; i < len(mods); i++ {
		if mods[i].kind.selects() {
			for last = i; last+1 < len(mods) && mods[last+1].kind.selects(); last++ {
			}
			return i, last
		}
	}
	return -1, -1
}

// window returns which ranks, counted from the highest, are left of count dice
// after a run of keep and drop modifiers: lo up to but not including hi.
func window(mods []mod, count int64) (lo, hi int64) {
	hi = count
	for i := range mods {
		n := min(mods[i].n, hi-lo)
		switch mods[i].kind {
		case modKeepHigh:
			hi = lo + n
		case modKeepLow:
			lo = hi - n
		case modDropHigh:
			lo += n
		default:
			hi -= n
		}
	}
	return lo, hi
}

// bursts returns 1/s for each face that sets off the term's explosions.
func bursts(n *node) *poly {
	for i := range n.mods {
		if m := &n.mods[i]; m.kind.explodes() && n.die.sides <= 1<<12 {
			p := poly{den: big.NewInt(int64(n.die.sides))}
			for v := n.die.low(); v <= n.die.high(); v++ {
				if m.cmp.match(v) {
					p.values = append(p.values, v)
					p.weights = append(p.weights, *one)
				}
			}
			return &p
		}
	}
	return nil
}
