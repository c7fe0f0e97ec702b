package dice

import (
	"cmp"
	"math/big"
	"slices"
)

// cast is the distribution of one die's state.
type cast struct {
	faces []weighed
	den   *big.Int
}

type weighed struct {
	state  state
	weight *big.Int
}

// compareStates is the ranking that keep and drop go by, highest first.
func compareStates(a, b state) int {
	return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.successes, a.successes))
}

// ranks returns the sum of what the dice of ranks lo to hi-1 contribute, out of
// n independent dice; ranks count from the highest.
func (o *oddsRun) ranks(c cast, n, lo, hi int64, contribution func(state) (poly, error)) (poly, error) {
	slices.SortFunc(c.faces, func(a, b weighed) int { return compareStates(a.state, b.state) })
	adds, common := make([]poly, len(c.faces)), one
	for i, f := range c.faces {
		p, err := contribution(f.state)
		if err != nil {
			return p, err
		}
		adds[i], common = p, lcm(common, p.den)
	}
	// From here on the weights are integers over common, which is put back at
	// the end.
	for i := range adds {
		adds[i] = adds[i].scaled(common)
	}
	if lo > 0 && hi == n {
		slices.Reverse(c.faces)
		slices.Reverse(adds)
		lo, hi = 0, n-lo
	}
	r := ranking{o.work, c, adds, n}
	var p poly
	var err error
	switch {
	case hi == lo:
		return monomial(0), nil
	case lo == 0 && hi == n:
		p, err = r.all()
	case lo == 0:
		p, err = r.top(hi)
	default:
		p, err = r.middle(lo, hi)
	}
	if err != nil {
		return p, err
	}
	p.den = product(power(c.den, n), power(common, hi-lo))
	return p, nil
}

// ranking holds n dice, the classes of their states from first to last rank,
// and what a kept die of each class adds, in integer weights.
type ranking struct {
	work *work
	cast cast
	adds []poly
	n    int64
}

// all keeps every die.
func (r ranking) all() (poly, error) {
	parts := make([]part, len(r.adds))
	for i, f := range r.cast.faces {
		parts[i] = part{f.weight, r.adds[i], 0}
	}
	p, err := r.work.sum(parts, one)
	if err != nil {
		return p, err
	}
	return r.work.pow(p, r.n, nil)
}

// top keeps the first k ranks. If the k-th die is of class t, then a < k dice
// are of classes before t and at least k-a of class t:
//
//	sum over t and a of C(n,a) before^a t^(k-a) tail(n-a, k-a)
//
// where before is the sum of the classes before t as a polynomial and tail
// weighs how the other n-a dice can fall.
func (r ranking) top(k int64) (poly, error) {
	left := new(big.Int).Set(r.cast.den)
	before := make([]poly, 1, k) // before[a] is the a-th power; missing while zero
	before[0] = monomial(0)
	var parts []part
	total, started, mark := poly{}, false, r.work.mark()
	for t, f := range r.cast.faces {
		left.Sub(left, f.weight)
		same, err := r.powers(t, k)
		if err != nil {
			return poly{}, err
		}
		parts = parts[:0]
		if started {
			parts = append(parts, part{one, total, 0})
		}
		for a := range int64(len(before)) {
			w, err := r.tail(r.n-a, k-a, f.weight, left)
			if err != nil {
				return poly{}, err
			}
			if w.Sign() == 0 {
				continue
			}
			p, shift, err := r.joined(before[a], same[k-a])
			if err != nil {
				return poly{}, err
			}
			parts = append(parts, part{w.Mul(w, new(big.Int).Binomial(r.n, a)), p, shift})
		}
		if len(parts) > 0 {
			if total, err = r.work.sum(parts, one); err != nil {
				return poly{}, err
			}
			started = true
		}
		if before, err = r.extend(before, same, f.weight, k); err != nil {
			return poly{}, err
		}
		r.work.settle(mark, total.bytes()+bytesOf(before))
	}
	return total, nil
}

// partBytes is what a part of a sum takes besides its numbers.
const partBytes = 160

func bytesOf(all []poly) (n int64) {
	for _, p := range all {
		n += p.bytes()
	}
	return n
}

// powers returns the powers 0 to k of what class t adds.
func (r ranking) powers(t int, k int64) ([]poly, error) {
	same := make([]poly, k+1)
	same[0] = monomial(0)
	for i := int64(1); i <= k; i++ {
		var err error
		if len(r.adds[t].values) == 1 {
			same[i], err = r.work.pow(r.adds[t], i, nil)
		} else {
			same[i], err = r.work.mul(same[i-1], r.adds[t])
		}
		if err != nil {
			return nil, err
		}
		same[i].den = one
		if err := r.work.hold(partBytes); err != nil {
			return nil, err
		}
	}
	return same, nil
}

// joined returns the product of p and q, as a poly to be shifted where q is a
// plain value.
func (r ranking) joined(p, q poly) (poly, int64, error) {
	if len(q.values) == 1 && q.weights[0].Cmp(one) == 0 {
		return p, q.values[0], nil
	}
	p, err := r.work.mul(p, q)
	return p, 0, err
}

// extend brings the powers of the classes before up to date with one more
// class: (b+w*t)^a = sum over i of C(a,i) b^(a-i) w^i t^i.
func (r ranking) extend(before, same []poly, weight *big.Int, k int64) ([]poly, error) {
	if len(before) == 1 {
		// Nothing stood before: every power below k comes into being.
		w := new(big.Int).Set(one)
		for a := int64(1); a < k; a++ {
			w.Mul(w, weight)
			p, err := r.work.sum([]part{{w, same[a], 0}}, one)
			if err != nil {
				return nil, err
			}
			before = append(before, p)
		}
		return before, nil
	}
	ways := make([]*big.Int, k)
	ways[0] = one
	for i := int64(1); i < k; i++ {
		ways[i] = new(big.Int).Mul(ways[i-1], weight)
	}
	for a := k - 1; a >= 1; a-- {
		parts := make([]part, 0, a+1)
		for i := int64(0); i <= a; i++ {
			p, shift, err := r.joined(before[a-i], same[i])
			if err != nil {
				return nil, err
			}
			w := new(big.Int).Binomial(a, i)
			parts = append(parts, part{w.Mul(w, ways[i]), p, shift})
		}
		p, err := r.work.sum(parts, one)
		if err != nil {
			return nil, err
		}
		before[a] = p
	}
	return before, nil
}

// tail returns the sum over j >= m of C(n,j) w^j rest^(n-j).
func (r ranking) tail(n, m int64, w, rest *big.Int) (*big.Int, error) {
	from, to, out := m, n, new(big.Int)
	if m <= n-m { // the complement is shorter
		from, to = 0, m-1
	}
	words := n*int64(r.cast.den.BitLen())/64 + 1
	if err := r.work.spend(to-from+2, words, words); err != nil {
		return nil, err
	}
	for j := from; j <= to; j++ {
		term := new(big.Int).Binomial(n, j)
		term.Mul(term, power(w, j))
		out.Add(out, term.Mul(term, power(rest, n-j)))
	}
	if from == 0 {
		all := new(big.Int).Add(w, rest)
		out.Sub(power(all, n), out)
	}
	return out, nil
}

// middle keeps ranks lo to hi-1 by placing the classes one after the other:
// placed[i] sums up the ways in which the classes so far fill the first i
// ranks.
func (r ranking) middle(lo, hi int64) (poly, error) {
	placed, mark := make([]*poly, r.n+1), r.work.mark()
	start := monomial(0)
	placed[0] = &start
	for t, f := range r.cast.faces {
		same, err := r.powers(t, hi-lo)
		if err != nil {
			return poly{}, err
		}
		next, kept := make([][]part, r.n+1), int64(0)
		for i, p := range placed {
			if p == nil {
				continue
			}
			i, w := int64(i), new(big.Int).Set(one)
			for c := int64(0); i+c <= r.n; c++ {
				kept := max(min(i+c, hi)-max(i, lo), 0)
				q, shift, err := r.joined(*p, same[kept])
				if err != nil {
					return poly{}, err
				}
				if err := r.work.hold(partBytes + r.n/8 + int64(w.BitLen())/8); err != nil {
					return poly{}, err
				}
				ways := new(big.Int).Binomial(r.n-i, c)
				next[i+c] = append(next[i+c], part{ways.Mul(ways, w), q, shift})
				w.Mul(w, f.weight)
			}
		}
		for i, parts := range next {
			if len(parts) == 0 {
				continue
			}
			p, err := r.work.sum(parts, one)
			if err != nil {
				return poly{}, err
			}
			placed[i] = &p
			kept += p.bytes()
		}
		r.work.settle(mark, kept)
	}
	return *placed[r.n], nil
}
