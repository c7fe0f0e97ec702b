package dice

import (
	"math/big"
	"math/bits"
)

// packedMul multiplies long polys as two large integers: each weight goes into
// a slot of words wide enough that sums never run over into the next. The
// library's multiplication of large integers then does the work in far fewer
// steps than pair by pair. ok is false where that would not pay.
func (w *work) packedMul(a, b poly, low int64) (p poly, ok bool, err error) {
	spanA, spanB := a.span(), b.span()
	short := uint64(min(len(a.values), len(b.values)))
	if short < 16 || spanA > 4*uint64(len(a.values)) || spanB > 4*uint64(len(b.values)) {
		return p, false, nil
	}
	slot := (a.bits()+b.bits()+bits.Len64(short))/bits.UintSize + 1
	long, brief := max(spanA, spanB)*uint64(slot), min(spanA, spanB)*uint64(slot)
	steps := (long + brief - 1) / brief * splitCost(brief)
	if steps/stepCost >= uint64(len(a.values))*uint64(len(b.values)) {
		return p, false, nil
	}
	if err := w.spend(int64(steps/stepCost+spanA+spanB), 0, 0); err != nil {
		return p, true, err
	}
	// Both operands packed, their product, what multiplying needs besides, and
	// the list of values.
	if err := w.hold(int64(spanA+spanB) * (4*int64(slot)*wordBytes + valueBytes)); err != nil {
		return p, true, err
	}
	words := new(big.Int).Mul(a.packed(slot), b.packed(slot)).Bits()
	p.den = product(a.den, b.den)
	for i := 0; i*slot < len(words); i++ {
		var weight big.Int
		end := min((i+1)*slot, len(words))
		if weight.SetBits(words[i*slot : end : end]); weight.Sign() != 0 {
			p.values = append(p.values, low+int64(i))
			p.weights = append(p.weights, weight)
		}
	}
	return p, true, nil
}

// splitCost is about the steps that multiplying numbers of n words takes when
// halves are multiplied in three parts rather than four.
func splitCost(n uint64) uint64 {
	cost := uint64(1)
	for ; n > 32; n = (n + 1) / 2 {
		cost *= 3
	}
	return cost * n * n
}

// span returns how many values lie from the least to the greatest.
func (p poly) span() uint64 { return uint64(p.high()-p.low()) + 1 }

// bits returns the length of the longest weight.
func (p poly) bits() int {
	most := 0
	for i := range p.weights {
		most = max(most, p.weights[i].BitLen())
	}
	return most
}

// packed returns the weights as one integer, one to a slot.
func (p poly) packed(slot int) *big.Int {
	words := make([]big.Word, p.span()*uint64(slot))
	for i, v := range p.values {
		copy(words[uint64(v-p.low())*uint64(slot):], p.weights[i].Bits())
	}
	return new(big.Int).SetBits(words)
}
