package dice

import (
	"math/big"
	"math/bits"
)

// work counts what Odds may still spend, in multiplications of one machine
// word (a step on big integers costs stepCost more for itself), and the memory
// that it holds, in bytes.
type work struct {
	max, left     int64
	held, heldMax int64
	// untold is what was spent and not yet told to report.
	untold int64
	report func(int64) error
}

func newWork(lim Limits) *work {
	return &work{max: lim.OddsWork, left: lim.OddsWork, heldMax: lim.OddsMemory, report: lim.Spend}
}

const stepCost = 32

// sparseCost is what one step on values far apart costs more.
const sparseCost = 256

// spend takes steps operations on numbers of a and b words.
func (w *work) spend(steps, a, b int64) error {
	if err := w.afford(steps, a, b); err != nil {
		return err
	}
	cost := steps * (stepCost + a*b)
	w.left -= cost
	if w.untold += cost; w.report == nil || w.untold < SpendPortion {
		return nil
	}
	return w.tell()
}

// tell reports what was spent since the last time.
func (w *work) tell() error {
	if w.report == nil || w.untold == 0 {
		return nil
	}
	cost := w.untold
	w.untold = 0
	return w.report(cost)
}

// afford reports whether spend would fail.
func (w *work) afford(steps, a, b int64) error {
	if steps > w.left/(stepCost+a*b) {
		return &LimitError{Limit: LimitOddsWork, Max: w.max, Got: w.max + 1}
	}
	return nil
}

// Bytes that a value of a poly takes while it is summed up: in the tally, in
// the lists that grow, and what big integers keep in reserve.
const (
	valueBytes = 128
	wordBytes  = bits.UintSize / 8
)

// hold counts memory that is about to be allocated. What has become garbage
// since a mark is let go with settle.
func (w *work) hold(n int64) error {
	if n > w.heldMax-w.held {
		return &LimitError{Limit: LimitOddsMemory, Max: w.heldMax, Got: max(w.held, w.heldMax-n) + n}
	}
	w.held += n
	return nil
}

// holdValues counts n values with weights of so many words.
func (w *work) holdValues(n, words int64) error {
	if each := valueBytes + words*wordBytes; n > w.heldMax/each {
		return w.hold(w.heldMax + 1)
	} else {
		return w.hold(n * each)
	}
}

// mark is how much is held, for settle.
func (w *work) mark() int64 { return w.held }

// settle lets go of all that was counted since the mark but for what is left
// of it: kept bytes.
func (w *work) settle(mark, kept int64) { w.held = min(w.held, mark+kept) }

// sumValues bounds how many values from low to high a sum of n terms has: in
// an array every place counts.
func sumValues(low, high, n int64) int64 {
	span := uint64(high) - uint64(low)
	if span < uint64(4*n+64) {
		return int64(span) + 1
	}
	return n
}

// bytes is the memory of a poly.
func (p poly) bytes() int64 {
	const perValue = int64(8 + 32) // an int64 and a big.Int
	n := int64(len(p.values)) * perValue
	for i := range p.weights {
		n += intBytes(&p.weights[i])
	}
	if p.den != nil {
		n += intBytes(p.den)
	}
	return n
}

// intBytes is the memory behind a number.
func intBytes(n *big.Int) int64 { return int64(cap(n.Bits())) * wordBytes }

// bytes is the memory of a bag.
func (b bag) bytes() int64 {
	n := int64(0)
	// order-free: a sum
	for k, s := range b {
		n += setBytes + int64(len(k)) + int64(len(s.held))*16 + s.adds.bytes()
	}
	return n
}

// setBytes is what a set takes in its map besides what is in it.
const setBytes = 192
