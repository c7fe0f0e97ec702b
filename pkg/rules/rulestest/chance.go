package rulestest

import (
	"math/bits"

	"github.com/skaldrpg/skald/pkg/rules"
)

// Chance is a sequence of numbers that look random and depend on a seed alone,
// on every machine and in every version of Go, so that a seed repeats a play.
type Chance struct{ state uint64 }

// NewChance begins the sequence of a seed.
func NewChance(seed uint64) *Chance { return &Chance{state: seed} }

// next is the next number, by Vigna's splitmix64.
func (c *Chance) next() uint64 {
	c.state += 0x9e3779b97f4a7c15
	z := c.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// N is a number from 0 to n-1; n must be above 0.
func (c *Chance) N(n int) int {
	high, _ := bits.Mul64(c.next(), uint64(n))
	return int(high)
}

// OneIn is true once in n times.
func (c *Chance) OneIn(n int) bool { return c.N(n) == 0 }

// Die rolls a die, the lowest and the highest face more often than is fair:
// most special rules hang on them.
func (c *Chance) Die(sides int) int {
	switch c.N(10) {
	case 0:
		return 1
	case 1:
		return sides
	}
	return 1 + c.N(sides)
}

// Settings gives every setting of a system that has a list of values one of
// them, as "id=value"; half of the time none, which leaves the defaults.
func (c *Chance) Settings(sys rules.System) []string {
	if c.OneIn(2) {
		return nil
	}
	var out []string
	for _, s := range sys.Settings() {
		if len(s.Values) > 0 {
			out = append(out, s.ID+"="+Pick(c, s.Values))
		}
	}
	return out
}

// Pick is one of a list, which must not be empty.
func Pick[T any](c *Chance, list []T) T { return list[c.N(len(list))] }

// Some are n of a list in some order; all of them when it has fewer.
func Some[T any](c *Chance, list []T, n int) []T {
	rest := append([]T(nil), list...)
	n = min(n, len(rest))
	for i := range n {
		j := i + c.N(len(rest)-i)
		rest[i], rest[j] = rest[j], rest[i]
	}
	return rest[:n]
}
