package body

import (
	"strconv"
)

// Itoa writes a number in decimal digits.
func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }
