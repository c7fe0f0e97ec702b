package dice

import "math/big"

// rerollsOne reports whether a modifier of the term rolls one die again, so that its
// dice are not independent.
func rerollsOne(n *node) bool {
	for i := range n.mods {
		if n.mods[i].kind == modRerollOne {
			return true
		}
	}
	return false
}

// turns is what becomes of dice in table order, by whether the one reroll of the term
// takes place among them. Its parts are weighed: miss and hit add up to everything.
type turns[T any] struct {
	// miss is where none of them matches, hit where one does and is rolled again. Nil
	// means never.
	miss, hit *T
	// spent is what they come to when a die before them was rolled again.
	spent *T
}

// once is an algebra of dice in table order of which the first that matches is rolled
// again.
type once[T any] struct{ of algebra[T] }

func (o once[T]) leaf(s state) (turns[T], error) {
	t, err := o.of.leaf(s)
	return turns[T]{miss: &t, spent: &t}, err
}

func (o once[T]) bytes(t turns[T]) int64 {
	sum := int64(0)
	for _, p := range []*T{t.miss, t.hit, t.spent} {
		if p != nil {
			sum += o.of.bytes(*p)
		}
	}
	return sum
}

// rerolled is a die that matches: it is rolled again, unless one before it was.
func (once[T]) rerolled(own, fresh turns[T]) turns[T] {
	return turns[T]{hit: fresh.spent, spent: own.spent}
}

func (o once[T]) join(a, b turns[T]) (out turns[T], err error) {
	if out.spent, err = o.both(a.spent, b.spent); err != nil {
		return out, err
	}
	if out.miss = out.spent; a.miss != a.spent || b.miss != b.spent {
		if out.miss, err = o.both(a.miss, b.miss); err != nil {
			return out, err
		}
	}
	first, err := o.both(a.hit, b.spent)
	if err != nil {
		return out, err
	}
	second, err := o.both(a.miss, b.hit)
	if err != nil {
		return out, err
	}
	out.hit, err = o.either(first, second)
	return out, err
}

// both joins two parts; nil when one of them never is.
func (o once[T]) both(a, b *T) (*T, error) {
	if a == nil || b == nil {
		return nil, nil
	}
	t, err := o.of.join(*a, *b)
	return &t, err
}

// either is one part or the other.
func (o once[T]) either(a, b *T) (*T, error) {
	switch {
	case a == nil:
		return b, nil
	case b == nil:
		return a, nil
	}
	t, err := o.of.mix([]choice[T]{{one, *a}, {one, *b}}, one)
	return &t, err
}

func (o once[T]) mix(of []choice[turns[T]], den *big.Int) (out turns[T], err error) {
	same := true
	for _, c := range of {
		same = same && c.of.miss == c.of.spent
	}
	if out.spent, err = o.mixed(of, den, func(t turns[T]) *T { return t.spent }); err != nil {
		return out, err
	}
	if out.miss = out.spent; !same {
		if out.miss, err = o.mixed(of, den, func(t turns[T]) *T { return t.miss }); err != nil {
			return out, err
		}
	}
	out.hit, err = o.mixed(of, den, func(t turns[T]) *T { return t.hit })
	return out, err
}

// mixed mixes one part of all choices; nil when it never is.
func (o once[T]) mixed(of []choice[turns[T]], den *big.Int, part func(turns[T]) *T) (*T, error) {
	var all []choice[T]
	for _, c := range of {
		if p := part(c.of); p != nil {
			all = append(all, choice[T]{c.weight, *p})
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	t, err := o.of.mix(all, den)
	return &t, err
}

// withOnce rolls the dice of a term up to modifier end, one of which is rolled again.
func withOnce[T any](o *oddsRun, a algebra[T], n *node, end int, none T) (T, error) {
	in := once[T]{a}
	w := newWalker[turns[T]](in, n.die, n.mods, end, o.lim.Explosions, o.work)
	w.once = in.rerolled
	each, err := w.fresh(0)
	if err != nil {
		return none, err
	}
	all, mark := turns[T]{miss: &none, spent: &none}, o.work.mark()
	for range n.count {
		if all, err = in.join(all, each); err != nil {
			return none, err
		}
		o.work.settle(mark, in.bytes(all))
	}
	t, err := in.either(all.miss, all.hit)
	if err != nil {
		return none, err
	}
	return *t, nil
}
