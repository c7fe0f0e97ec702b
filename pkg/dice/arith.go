package dice

import (
	"math"
	"math/bits"
)

// add returns a+b or ErrOverflow.
func add(a, b int64) (int64, error) {
	s := a + b
	if (s > a) != (b > 0) && b != 0 {
		return 0, ErrOverflow
	}
	return s, nil
}

// negate returns -a or ErrOverflow.
func negate(a int64) (int64, error) {
	if a == math.MinInt64 {
		return 0, ErrOverflow
	}
	return -a, nil
}

// mul returns a*b or ErrOverflow.
func mul(a, b int64) (int64, error) {
	if a == 0 || b == 0 {
		return 0, nil
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch negative := (a < 0) != (b < 0); {
	case hi != 0:
	case !negative && lo <= math.MaxInt64:
		return int64(lo), nil
	case negative && lo <= 1<<63:
		return -int64(lo), nil
	}
	return 0, ErrOverflow
}

// div returns a/b rounded toward minus infinity.
func div(a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, ErrDivisionByZero
	case a == math.MinInt64 && b == -1:
		return 0, ErrOverflow
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q, nil
}

// magnitude returns the absolute value of a.
func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// combine applies a binary operator.
func combine(k Kind, a, b int64) (int64, error) {
	switch k {
	case KindAdd:
		return add(a, b)
	case KindSubtract:
		d := a - b
		if (d < a) != (b > 0) && b != 0 {
			return 0, ErrOverflow
		}
		return d, nil
	case KindMultiply:
		return mul(a, b)
	default:
		return div(a, b)
	}
}
