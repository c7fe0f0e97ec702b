package dice

import (
	"math/big"
	"math/bits"
	"slices"
)

// poly is an exact finite measure on the integers, seen as a polynomial: the
// coefficient of x^values[i] is weights[i]/den. Values ascend, weights are
// above zero. A poly is never changed once built, so that parts may be shared.
type poly struct {
	values  []int64
	weights []big.Int
	den     *big.Int
}

var one = big.NewInt(1)

// monomial is the certain value v.
func monomial(v int64) poly {
	return poly{[]int64{v}, []big.Int{*big.NewInt(1)}, one}
}

// uniform gives each face of the die the same weight.
func uniform(d die) poly {
	p := poly{make([]int64, d.sides), make([]big.Int, d.sides), big.NewInt(int64(d.sides))}
	for i := range p.values {
		p.values[i] = d.value(i + 1)
		p.weights[i] = *one // shared: polys do not change
	}
	return p
}

// low and high return the least and greatest value.
func (p poly) low() int64  { return p.values[0] }
func (p poly) high() int64 { return p.values[len(p.values)-1] }

// reduced divides weights and denominator by their common divisor.
func (w *work) reduced(p poly) (poly, error) {
	g := new(big.Int).Set(p.den)
	for i := range p.weights {
		if g.Cmp(one) == 0 {
			return p, nil
		}
		g.GCD(nil, nil, g, &p.weights[i])
	}
	if g.Cmp(one) == 0 {
		return p, nil
	}
	if err := w.hold(p.bytes()); err != nil {
		return p, err
	}
	q := poly{p.values, make([]big.Int, len(p.weights)), new(big.Int).Quo(p.den, g)}
	for i := range p.weights {
		q.weights[i].Quo(&p.weights[i], g)
	}
	return q, nil
}

// scaled returns the weights as integers over a multiple of the denominator,
// which is left out.
func (p poly) scaled(multiple *big.Int) poly {
	if p.den.Cmp(multiple) == 0 {
		return poly{p.values, p.weights, one}
	}
	q, factor := poly{p.values, make([]big.Int, len(p.weights)), one}, new(big.Int).Quo(multiple, p.den)
	for i := range p.weights {
		q.weights[i].Mul(&p.weights[i], factor)
	}
	return q
}

// words returns the machine words of the longest weight.
func (p poly) words() int64 { return int64(p.bits()/bits.UintSize + 1) }

// tally adds up weights by value, in an array where the values lie close
// together and in a map where not.
type tally struct {
	low    int64
	dense  []big.Int
	sparse map[int64]*big.Int
}

// newTally makes room for values from low to high, of which about n occur.
func newTally(low, high int64, n int) *tally {
	if span := uint64(high) - uint64(low); span < uint64(4*n+64) {
		return &tally{low: low, dense: make([]big.Int, span+1)}
	}
	return &tally{sparse: map[int64]*big.Int{}}
}

// at returns the sum so far of a value, to be added to.
func (t *tally) at(v int64) *big.Int {
	if t.dense != nil {
		return &t.dense[v-t.low]
	}
	w := t.sparse[v]
	if w == nil {
		w = new(big.Int)
		t.sparse[v] = w
	}
	return w
}

// poly returns the sums as a poly.
func (t *tally) poly(den *big.Int) poly {
	p := poly{den: den}
	for i := range t.dense {
		if t.dense[i].Sign() != 0 {
			p.values = append(p.values, t.low+int64(i))
			p.weights = append(p.weights, t.dense[i])
		}
	}
	// order-free: sorted below
	for v := range t.sparse {
		p.values = append(p.values, v)
	}
	if t.sparse != nil {
		slices.Sort(p.values)
		for _, v := range p.values {
			p.weights = append(p.weights, *t.sparse[v])
		}
	}
	return p
}

// mul returns the product: the sum of two independent values.
func (w *work) mul(a, b poly) (poly, error) {
	low, err := add(a.low(), b.low())
	if err != nil {
		return poly{}, err
	}
	high, err := add(a.high(), b.high())
	if err != nil {
		return poly{}, err
	}
	if p, ok, err := w.packedMul(a, b, low); ok {
		return p, err
	}
	n := int64(len(a.values)) * int64(len(b.values))
	if err := w.spend(n, a.words(), b.words()); err != nil {
		return poly{}, err
	}
	if err := w.holdValues(sumValues(low, high, n), a.words()+b.words()+1); err != nil {
		return poly{}, err
	}
	t, term := newTally(low, high, len(a.values)+len(b.values)), new(big.Int)
	if t.dense == nil {
		if err := w.spend(n, sparseCost, 1); err != nil {
			return poly{}, err
		}
	}
	for i := range a.values {
		for j := range b.values {
			sum := t.at(a.values[i] + b.values[j])
			sum.Add(sum, term.Mul(&a.weights[i], &b.weights[j]))
		}
	}
	return t.poly(product(a.den, b.den)), nil
}

// part is one term of a weighted sum: weight times the poly, moved by shift.
type part struct {
	weight *big.Int
	poly   poly
	shift  int64
}

// sum returns the weighted sum of parts over den.
func (w *work) sum(parts []part, den *big.Int) (poly, error) {
	low, high, n, longest := int64(0), int64(0), 0, int64(1)
	common, widest := one, int64(1)
	for i, p := range parts {
		widest = max(widest, int64(p.weight.BitLen()/bits.UintSize+1))
		lo, err := add(p.poly.low(), p.shift)
		if err != nil {
			return poly{}, err
		}
		hi, err := add(p.poly.high(), p.shift)
		if err != nil {
			return poly{}, err
		}
		if i == 0 {
			low, high = lo, hi
		}
		low, high, n = min(low, lo), max(high, hi), n+len(p.poly.values)
		if len(p.poly.values) > 0 {
			longest = max(longest, int64(p.poly.weights[0].BitLen()/bits.UintSize+1))
		}
		common = lcm(common, p.poly.den)
	}
	if err := w.spend(2*int64(n), longest, 1); err != nil {
		return poly{}, err
	}
	// Weights over the common denominator have as many digits as it, or more
	// where a part's weight has.
	words := max(longest, int64(common.BitLen()/bits.UintSize)) + widest + 1
	if err := w.holdValues(sumValues(low, high, int64(n)), words); err != nil {
		return poly{}, err
	}
	t, term, scale := newTally(low, high, n), new(big.Int), new(big.Int)
	for _, p := range parts {
		scale.Set(p.weight)
		if p.poly.den.Cmp(common) != 0 {
			scale.Mul(scale, term.Quo(common, p.poly.den))
		}
		for i := range p.poly.values {
			sum := t.at(p.poly.values[i] + p.shift)
			sum.Add(sum, term.Mul(&p.poly.weights[i], scale))
		}
	}
	return t.poly(product(common, den)), nil
}

// mapped returns the distribution of f of the value.
func (w *work) mapped(p poly, f func(int64) (int64, error)) (poly, error) {
	if err := w.holdValues(int64(len(p.values)), 1); err != nil { // the parts
		return poly{}, err
	}
	parts := make([]part, len(p.values))
	for i, v := range p.values {
		u, err := f(v)
		if err != nil {
			return poly{}, err
		}
		parts[i] = part{&p.weights[i], monomial(u), 0}
	}
	return w.sum(parts, p.den)
}

// lcm returns the least common multiple, one of its operands where it can.
func lcm(a, b *big.Int) *big.Int {
	switch {
	case b.Cmp(one) == 0 || a.Cmp(b) == 0:
		return a
	case a.Cmp(one) == 0:
		return b
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	g.Quo(b, g)
	return g.Mul(g, a)
}

// product returns a*b, one of its operands where it can.
func product(a, b *big.Int) *big.Int {
	switch {
	case b.Cmp(one) == 0:
		return a
	case a.Cmp(one) == 0:
		return b
	}
	return new(big.Int).Mul(a, b)
}

// power returns a to the n-th.
func power(a *big.Int, n int64) *big.Int {
	return new(big.Int).Exp(a, big.NewInt(n), nil)
}
