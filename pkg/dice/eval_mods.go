package dice

import (
	"cmp"
	"fmt"
	"slices"
)

// modify applies one modifier to the dice of a term. Only kept dice are looked
// at; a die that was dropped or replaced stays as it is.
func (ev *evaluator) modify(n *node, m *mod, dice []Die) ([]Die, error) {
	switch {
	case m.kind.selects():
		selectDice(m, dice)
		return dice, nil
	case m.kind.rerolls():
		return ev.reroll(n, m, dice)
	case m.kind.explodes():
		return ev.explode(n, m, dice)
	}
	for i := range dice {
		if d := &dice[i]; d.Kept {
			settle(m, d)
		}
	}
	return dice, nil
}

// settle applies a minimum, a maximum or a count to one die.
func settle(m *mod, d *Die) {
	switch {
	case m.kind == modMin && d.Value < m.n:
		d.note(EffectRaised, m)
		d.Value = m.n
	case m.kind == modMax && d.Value > m.n:
		d.note(EffectLowered, m)
		d.Value = m.n
	case m.kind == modSuccess && m.cmp.match(d.Value):
		d.note(EffectSuccess, m)
		d.Successes++
	case m.kind == modFailure && m.cmp.match(d.Value):
		d.note(EffectFailure, m)
		d.Successes--
	}
}

// anyMatch reports whether a kept die sets the modifier off, so that the usual
// case copies nothing.
func anyMatch(m *mod, dice []Die) bool {
	for i := range dice {
		if dice[i].Kept && m.cmp.match(dice[i].Value) {
			return true
		}
	}
	return false
}

// reroll replaces each matching die, once or until it no longer matches, or only the
// first. The
// new die starts afresh: nothing that earlier modifiers did to the old one
// passes on to it.
func (ev *evaluator) reroll(n *node, m *mod, dice []Die) ([]Die, error) {
	if !anyMatch(m, dice) {
		return dice, nil
	}
	out, done := make([]Die, 0, len(dice)+4), false
	for _, d := range dice {
		out = append(out, d)
		for !done && d.Kept && m.cmp.match(d.Value) {
			last := &out[len(out)-1]
			last.note(EffectRerolled, m)
			last.Kept = false
			var err error
			if d, err = ev.draw(n.die); err != nil {
				return nil, err
			}
			d.note(EffectReroll, m)
			out = append(out, d)
			done = m.kind == modRerollOne
			if m.kind != modReroll {
				break
			}
		}
	}
	return out, nil
}

// explode lets each matching die set off a chain: the first link is tested by
// the die's present value, each further one by its natural value, until one
// does not match or the chain has Limits.Explosions further dice.
func (ev *evaluator) explode(n *node, m *mod, dice []Die) ([]Die, error) {
	if !anyMatch(m, dice) {
		return dice, nil
	}
	out := make([]Die, 0, len(dice)+4)
	for _, d := range dice {
		out = append(out, d)
		head, goes := len(out)-1, d.Kept && m.cmp.match(d.Value)
		for links := 0; goes; links++ {
			last := &out[len(out)-1]
			if links == ev.lim.Explosions {
				last.note(EffectCapped, m)
				break
			}
			last.note(EffectExploded, m)
			next, err := ev.draw(n.die)
			if err != nil {
				return nil, err
			}
			goes = m.cmp.match(next.Value)
			if err := link(m, &out[head], &next); err != nil {
				return nil, fmt.Errorf("%w in %s", err, n.text)
			}
			out = append(out, next)
		}
	}
	return out, nil
}

// link settles what a further die of a chain counts for.
func link(m *mod, head, next *Die) error {
	switch m.kind {
	case modPenetrate:
		next.note(EffectPierced, m)
		next.Value--
	case modCompound:
		next.note(EffectAbsorbed, m)
		sum, err := add(head.Value, next.Value)
		if err != nil {
			return err
		}
		head.Value, next.Value, next.Kept = sum, 0, false
	default:
		next.note(EffectExplosion, m)
	}
	return nil
}

// ranked is one kept die or element in a ranking.
type ranked struct {
	index            int
	value, successes int64
}

// dropped returns the indexes that a keep or drop modifier drops. The ranking
// is by value, then by successes counted so far; among equals the earlier one
// stays. It reorders all.
func dropped(m *mod, all []ranked) []ranked {
	keep := int64(len(all)) - m.n
	if m.kind == modKeepHigh || m.kind == modKeepLow {
		keep = m.n
	}
	keep = min(max(keep, 0), int64(len(all)))
	if keep == int64(len(all)) {
		return nil
	}
	high := m.kind == modKeepHigh || m.kind == modDropLow
	slices.SortFunc(all, func(a, b ranked) int {
		c := cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.successes, a.successes))
		if !high {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(a.index, b.index))
	})
	return all[keep:]
}

// selectDice keeps or drops dice by rank.
func selectDice(m *mod, dice []Die) {
	var room [16]ranked
	all := room[:0]
	for i := range dice {
		if d := &dice[i]; d.Kept {
			all = append(all, ranked{i, d.Value, d.Successes})
		}
	}
	for _, r := range dropped(m, all) {
		d := &dice[r.index]
		d.note(EffectDropped, m)
		d.Kept = false
	}
}

// selectElements keeps or drops elements of a pool by rank.
func selectElements(m *mod, elements []Node) {
	var room [16]ranked
	all := room[:0]
	for i := range elements {
		if k := &elements[i]; k.Kept {
			all = append(all, ranked{i, k.Value, k.Successes})
		}
	}
	for _, r := range dropped(m, all) {
		k := &elements[r.index]
		k.Notes = append(k.Notes, Note{EffectDropped, m.text, k.Value})
		k.Kept = false
	}
}

// countElements counts the kept elements of a pool that match.
func countElements(m *mod, elements []Node) {
	step, effect := int64(1), EffectSuccess
	if m.kind == modFailure {
		step, effect = -1, EffectFailure
	}
	for i := range elements {
		if k := &elements[i]; k.Kept && m.cmp.match(k.Value) {
			k.Successes += step
			k.Notes = append(k.Notes, Note{effect, m.text, k.Value})
		}
	}
}
