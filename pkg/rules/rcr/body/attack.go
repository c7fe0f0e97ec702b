package body

// Atoi reads decimal digits, which it does not check, as a number of at most
// 1,000,000; 0 when there are none.
func Atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = min(n*10+int(d-'0'), 1_000_000)
	}
	return n
}
