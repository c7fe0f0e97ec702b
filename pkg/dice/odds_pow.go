package dice

import (
	"math/big"
	"math/bits"
)

// pow returns the n-th power of p: the sum of n independent values.
//
// Let P be p as a polynomial and P = R/D with a D that leaves R short. Then
// Q = P^n satisfies R D Q' = n (R'D - R D') Q, a recurrence for Q's
// coefficients with few terms: 7 for a plain die (D = 1-x), whatever its
// sides. Explosions bring D = 1 - sum x^f/s over the faces f that explode.
func (w *work) pow(p poly, n int64, bursts *poly) (poly, error) {
	low, err := mul(p.low(), n)
	if err != nil {
		return poly{}, err
	}
	if _, err := mul(p.high(), n); err != nil {
		return poly{}, err
	}
	if n == 1 {
		return p, nil
	}
	if len(p.values) == 1 {
		q := monomial(low)
		q.weights[0].Exp(&p.weights[0], big.NewInt(n), nil)
		q.den = power(p.den, n)
		return q, nil
	}
	stride := uint64(0)
	for _, v := range p.values[1:] {
		stride = gcd(stride, uint64(v-p.values[0]))
	}
	degree := uint64(p.high()-p.low()) / stride
	if degree > uint64(64*len(p.values)) || degree > 1<<24 {
		return w.powBySquares(p, n)
	}
	words := n*int64(p.den.BitLen())/(2*bits.UintSize) + 1
	length := int64(degree)*n + 1
	if hi, lo := bits.Mul64(degree, uint64(n)); hi != 0 || lo > 1<<32 {
		length = 1 << 32 // more than memory allows
	}
	if err := w.afford(length, words, 1); err != nil {
		return poly{}, err
	}
	if err := w.holdValues(int64(degree)+1, 1); err != nil {
		return poly{}, err
	}
	coeffs := make([]big.Int, degree+1)
	for i, v := range p.values {
		coeffs[uint64(v-p.low())/stride] = p.weights[i]
	}
	if err := w.holdValues(length, words); err != nil {
		return poly{}, err
	}
	rec := w.recurrence(coeffs, n, stride, bursts)
	if err := w.spend(length*int64(len(rec.terms)+1), words, rec.words()); err != nil {
		return poly{}, err
	}
	q := rec.run(power(&coeffs[0], n), length)
	out := poly{den: power(p.den, n)}
	for k := range q {
		if q[k].Sign() != 0 {
			out.values = append(out.values, low+int64(k)*int64(stride))
			out.weights = append(out.weights, q[k])
		}
	}
	return out, nil
}

// powBySquares is for values far apart.
func (w *work) powBySquares(p poly, n int64) (poly, error) {
	result, err := monomial(0), error(nil)
	mark := w.mark()
	for ; n > 0 && err == nil; n >>= 1 {
		w.settle(mark, result.bytes()+p.bytes())
		if n&1 == 1 {
			if result, err = w.mul(result, p); err != nil {
				break
			}
		}
		if n > 1 {
			p, err = w.mul(p, p)
		}
	}
	return result, err
}

// recurrence is lead*k*q[k] = sum over terms of q[k-back]*(fix - k*slope).
type recurrence struct {
	lead  big.Int
	terms []recurrenceTerm
}

type recurrenceTerm struct {
	back       int
	fix, slope big.Int
}

// recurrence picks the D with the fewest terms.
func (w *work) recurrence(coeffs []big.Int, n int64, stride uint64, bursts *poly) recurrence {
	unit, step := []big.Int{*big.NewInt(1)}, []big.Int{*big.NewInt(1), *big.NewInt(-1)}
	divisors := [][]big.Int{step}
	if b := burstDivisor(bursts, stride); b != nil {
		divisors = append(divisors, b, times(b, step))
	}
	best := newRecurrence(coeffs, unit, n)
	for _, d := range divisors {
		if r := newRecurrence(coeffs, d, n); len(r.terms) < len(best.terms) {
			best = r
		}
	}
	return best
}

// burstDivisor returns s - sum x^f over the exploding faces f of s, or nil
// where that is of no use.
func burstDivisor(bursts *poly, stride uint64) []big.Int {
	if bursts == nil || len(bursts.values) == 0 || len(bursts.values) > 16 || bursts.low() < 1 {
		return nil
	}
	d := make([]big.Int, uint64(bursts.high())/stride+1)
	d[0].Set(bursts.den)
	for _, f := range bursts.values {
		if uint64(f)%stride != 0 {
			return nil
		}
		d[uint64(f)/stride].SetInt64(-1)
	}
	return d
}

// newRecurrence derives the recurrence of P^n from P and D.
func newRecurrence(p, d []big.Int, n int64) recurrence {
	r := times(p, d)
	a, b := times(r, d), minus(times(slope(r), d), times(r, slope(d)))
	rec := recurrence{}
	rec.lead.Set(&a[0])
	for i := 1; i < max(len(a), len(b)+1); i++ {
		t := recurrenceTerm{back: i}
		if i < len(a) {
			t.slope.Set(&a[i])
			t.fix.Mul(&a[i], big.NewInt(int64(i)))
		}
		if i <= len(b) {
			t.fix.Add(&t.fix, new(big.Int).Mul(&b[i-1], big.NewInt(n)))
		}
		if t.slope.Sign() != 0 || t.fix.Sign() != 0 {
			rec.terms = append(rec.terms, t)
		}
	}
	return rec
}

// words returns the machine words of the longest slope.
func (r *recurrence) words() int64 {
	most := r.lead.BitLen()
	for i := range r.terms {
		most = max(most, r.terms[i].slope.BitLen())
	}
	return int64(most/bits.UintSize + 1)
}

// run returns the first length coefficients, given the one of x^0.
func (r *recurrence) run(first *big.Int, length int64) []big.Int {
	q := make([]big.Int, length)
	q[0].Set(first)
	var k, factor, term, sum big.Int
	for i := 1; i < len(q); i++ {
		k.SetInt64(int64(i))
		sum.SetInt64(0)
		for j := range r.terms {
			t := &r.terms[j]
			if t.back > i {
				break
			}
			if q[i-t.back].Sign() == 0 {
				continue
			}
			factor.Mul(&k, &t.slope)
			factor.Sub(&t.fix, &factor)
			sum.Add(&sum, term.Mul(&q[i-t.back], &factor))
		}
		q[i].Quo(&sum, factor.Mul(&k, &r.lead))
	}
	return q
}

// times multiplies polynomials given by their coefficients from x^0.
func times(a, b []big.Int) []big.Int {
	out, term := make([]big.Int, len(a)+len(b)), new(big.Int)
	for i := range b {
		if b[i].Sign() == 0 {
			continue
		}
		for j := range a {
			if a[j].Sign() != 0 {
				out[i+j].Add(&out[i+j], term.Mul(&a[j], &b[i]))
			}
		}
	}
	return out[:max(len(a)+len(b)-1, 0)]
}

// minus subtracts polynomials.
func minus(a, b []big.Int) []big.Int {
	out := make([]big.Int, max(len(a), len(b)))
	for i := range out {
		if i < len(a) {
			out[i].Set(&a[i])
		}
		if i < len(b) {
			out[i].Sub(&out[i], &b[i])
		}
	}
	return out
}

// slope returns the derivative.
func slope(a []big.Int) []big.Int {
	out := make([]big.Int, max(len(a)-1, 0))
	for i := range out {
		out[i].Mul(&a[i+1], big.NewInt(int64(i+1)))
	}
	return out
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
