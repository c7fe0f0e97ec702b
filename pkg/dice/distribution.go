package dice

import (
	"math/big"
	"sort"
)

// Distribution is the exact distribution of an expression's total. It does not
// change and may be shared by goroutines.
type Distribution struct{ p poly }

// Outcome is one total with its probability.
type Outcome struct {
	Value       int64
	Probability *big.Rat
}

// Bytes returns how much memory the distribution takes.
func (d *Distribution) Bytes() int64 { return d.p.bytes() }

// Len returns the number of outcomes of a probability above zero.
func (d *Distribution) Len() int { return len(d.p.values) }

// Value returns outcome i; outcomes ascend.
func (d *Distribution) Value(i int) int64 { return d.p.values[i] }

// Weight returns the weight of outcome i: its probability times Denominator.
func (d *Distribution) Weight(i int) *big.Int { return new(big.Int).Set(&d.p.weights[i]) }

// Denominator returns the sum of all weights, in lowest terms.
func (d *Distribution) Denominator() *big.Int { return new(big.Int).Set(d.p.den) }

// Outcomes lists all outcomes, ascending.
func (d *Distribution) Outcomes() []Outcome {
	out := make([]Outcome, d.Len())
	for i := range out {
		out[i] = Outcome{d.p.values[i], d.rat(&d.p.weights[i])}
	}
	return out
}

// Min returns the least outcome.
func (d *Distribution) Min() int64 { return d.p.values[0] }

// Max returns the greatest outcome.
func (d *Distribution) Max() int64 { return d.p.values[d.Len()-1] }

// Exactly returns the probability of n.
func (d *Distribution) Exactly(n int64) *big.Rat {
	i := d.find(n)
	if i == d.Len() || d.p.values[i] != n {
		return new(big.Rat)
	}
	return d.rat(&d.p.weights[i])
}

// AtLeast returns the probability of n or more.
func (d *Distribution) AtLeast(n int64) *big.Rat {
	return d.rat(new(big.Int).Sub(d.p.den, d.below(d.find(n))))
}

// AtMost returns the probability of n or less.
func (d *Distribution) AtMost(n int64) *big.Rat {
	i := d.find(n)
	if i < d.Len() && d.p.values[i] == n {
		i++
	}
	return d.rat(d.below(i))
}

// below returns the weight of the outcomes 0 to i-1, summed from the end that
// is nearer.
func (d *Distribution) below(i int) *big.Int {
	sum := new(big.Int)
	if i <= d.Len()/2 {
		for j := range i {
			sum.Add(sum, &d.p.weights[j])
		}
		return sum
	}
	for j := i; j < d.Len(); j++ {
		sum.Add(sum, &d.p.weights[j])
	}
	return sum.Sub(d.p.den, sum)
}

// Mean returns the expected total.
func (d *Distribution) Mean() *big.Rat {
	return d.rat(d.moment(1))
}

// Variance returns the expected square of the distance from the mean.
func (d *Distribution) Variance() *big.Rat {
	mean := d.Mean()
	return new(big.Rat).Sub(d.rat(d.moment(2)), mean.Mul(mean, mean))
}

// moment returns the sum of weight times value to the power k.
func (d *Distribution) moment(k int) *big.Int {
	sum, term := new(big.Int), new(big.Int)
	for i := range d.p.weights {
		v := big.NewInt(d.p.values[i])
		term.Set(&d.p.weights[i])
		for range k {
			term.Mul(term, v)
		}
		sum.Add(sum, term)
	}
	return sum
}

// find returns the first outcome of at least n.
func (d *Distribution) find(n int64) int {
	return sort.Search(d.Len(), func(i int) bool { return d.p.values[i] >= n })
}

// rat returns weight over denominator.
func (d *Distribution) rat(weight *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(weight, d.p.den)
}
