package dice

import "math/big"

// state is all of a die, or of a pool's element, that later modifiers can see.
type state struct {
	value, successes int64
}

// algebra says how what becomes of independent dice is put together. There are
// two: poly (contributions add up) and bag (dice lie on the table until a keep
// or drop looks at them all).
type algebra[T any] interface {
	// leaf is a die that has passed the modifiers walked.
	leaf(s state) (T, error)
	// join is both of two independent results.
	join(a, b T) (T, error)
	// bytes is the memory of a result.
	bytes(t T) int64
	// mix is one of several results, with weights over den.
	mix(of []choice[T], den *big.Int) (T, error)
}

// choice is a result with its weight.
type choice[T any] struct {
	weight *big.Int
	of     T
}

// walker follows one die through the modifiers from any place up to end, none
// of which looks at other dice.
type walker[T any] struct {
	algebra[T]
	die        die
	mods       []mod
	end        int
	explosions int
	work       *work
	memo       map[memoKey]T
	sums       map[int]poly // what a compound chain adds, by modifier
	// once is what a die that [modRerollOne] matches becomes, by what it is left as and
	// what a new one is; nil where the modifiers walked hold none.
	once func(own, fresh T) T
}

func newWalker[T any](a algebra[T], d die, mods []mod, end, explosions int, w *work) *walker[T] {
	return &walker[T]{a, d, mods, end, explosions, w, map[memoKey]T{}, map[int]poly{}, nil}
}

type memoKey struct {
	at   int
	what byte // 'f' any face, 'r' a face that is not rerolled, 'c' chain
}

// value walks a die in state s from modifier i.
func (w *walker[T]) value(i int, s state) (T, error) {
	if i == w.end {
		return w.leaf(s)
	}
	m := &w.mods[i]
	switch m.kind {
	case modMin:
		s.value = max(s.value, m.n)
	case modMax:
		s.value = min(s.value, m.n)
	case modSuccess, modFailure:
		if m.cmp.match(s.value) && m.kind == modSuccess {
			s.successes++
		} else if m.cmp.match(s.value) {
			s.successes--
		}
	default:
		if m.cmp.match(s.value) {
			return w.matched(i, s)
		}
	}
	return w.value(i+1, s)
}

// matched walks a die that sets off the reroll or explosion i.
func (w *walker[T]) matched(i int, s state) (T, error) {
	switch m := &w.mods[i]; m.kind {
	case modRerollOnce:
		return w.fresh(i + 1)
	case modRerollOne:
		own, err := w.value(i+1, s)
		if err != nil {
			return own, err
		}
		fresh, err := w.fresh(i + 1)
		if err != nil {
			return fresh, err
		}
		return w.once(own, fresh), nil
	case modReroll:
		return w.remember(memoKey{i, 'r'}, func() (T, error) {
			return w.faces(i+1, 0, func(v int64) bool { return !m.cmp.match(v) })
		})
	case modCompound:
		return w.compound(i, s)
	default:
		chain, err := w.remember(memoKey{i, 'c'}, func() (T, error) { return w.chain(i) })
		if err != nil {
			return chain, err
		}
		own, err := w.value(i+1, s)
		if err != nil {
			return own, err
		}
		return w.join(own, chain)
	}
}

// remember computes a result once.
func (w *walker[T]) remember(key memoKey, compute func() (T, error)) (T, error) {
	if t, ok := w.memo[key]; ok {
		return t, nil
	}
	mark := w.work.mark()
	t, err := compute()
	if err == nil {
		w.work.settle(mark, w.bytes(t))
		w.memo[key] = t
	}
	return t, err
}

// fresh walks a newly rolled die from modifier i.
func (w *walker[T]) fresh(i int) (T, error) {
	return w.remember(memoKey{i, 'f'}, func() (T, error) {
		return w.faces(i, 0, func(int64) bool { return true })
	})
}

// faces walks a die from modifier i that shows one of the faces that pass,
// each as likely, its value moved by shift.
func (w *walker[T]) faces(i int, shift int64, pass func(int64) bool) (T, error) {
	all, err := w.some(i, shift, pass)
	if err != nil {
		var none T
		return none, err
	}
	return w.mix(all, big.NewInt(int64(len(all))))
}

// some lists the results of the faces that pass.
func (w *walker[T]) some(i int, shift int64, pass func(int64) bool) ([]choice[T], error) {
	if err := w.work.spend(int64(w.die.sides), 1, 1); err != nil {
		return nil, err
	}
	if err := w.work.holdValues(int64(w.die.sides), 1); err != nil {
		return nil, err
	}
	var all []choice[T]
	for v := w.die.low(); v <= w.die.high(); v++ {
		if !pass(v) {
			continue
		}
		t, err := w.value(i, state{value: v + shift})
		if err != nil {
			return nil, err
		}
		all = append(all, choice[T]{one, t})
	}
	return all, nil
}

// chain walks the further dice that explosion i sets off at one die:
// chain(c) = those that end it + those that go on, joined with chain(c-1).
func (w *walker[T]) chain(i int) (t T, err error) {
	m, shift := &w.mods[i], int64(0)
	if m.kind == modPenetrate {
		shift = -1
	}
	t, err = w.faces(i+1, shift, func(int64) bool { return true })
	if err != nil {
		return t, err
	}
	ends, err := w.some(i+1, shift, func(v int64) bool { return !m.cmp.match(v) })
	if err != nil {
		return t, err
	}
	going, err := w.some(i+1, shift, m.cmp.match)
	if err != nil || len(going) == 0 {
		return t, err
	}
	sides := big.NewInt(int64(w.die.sides))
	on, err := w.mix(going, sides)
	if err != nil {
		return t, err
	}
	off, err := w.mix(ends, sides)
	if err != nil {
		return t, err
	}
	mark := w.work.mark()
	for range w.explosions - 1 {
		w.work.settle(mark, w.bytes(t))
		if t, err = w.join(on, t); err != nil {
			return t, err
		}
		if t, err = w.mix([]choice[T]{{one, off}, {one, t}}, one); err != nil {
			return t, err
		}
	}
	return t, nil
}

// compound walks a die from modifier i+1 with the sum of a chain added.
func (w *walker[T]) compound(i int, s state) (T, error) {
	var none T
	chain, known := w.sums[i]
	if !known {
		var err error
		sums := newWalker(&adding{work: w.work}, w.die, w.mods, i+1, w.explosions, w.work)
		if chain, err = sums.chain(i); err != nil {
			return none, err
		}
		w.sums[i] = chain
	}
	if err := w.work.holdValues(int64(len(chain.values)), 1); err != nil {
		return none, err
	}
	all := make([]choice[T], len(chain.values))
	for j, v := range chain.values {
		sum, err := add(s.value, v)
		if err != nil {
			return none, err
		}
		t, err := w.value(i+1, state{sum, s.successes})
		if err != nil {
			return none, err
		}
		all[j] = choice[T]{&chain.weights[j], t}
	}
	return w.mix(all, chain.den)
}

// adding is the algebra of contributions: what each die adds to the term.
type adding struct {
	work     *work
	counting bool
}

func (a *adding) leaf(s state) (poly, error) {
	if a.counting {
		return monomial(s.successes), nil
	}
	return monomial(s.value), nil
}

func (a *adding) bytes(p poly) int64 { return p.bytes() }

func (a *adding) join(p, q poly) (poly, error) { return a.work.mul(p, q) }

func (a *adding) mix(of []choice[poly], den *big.Int) (poly, error) {
	parts := make([]part, len(of))
	for i, c := range of {
		parts[i] = part{c.weight, c.of, 0}
	}
	return a.work.sum(parts, den)
}
