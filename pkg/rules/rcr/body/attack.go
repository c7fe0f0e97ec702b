package body

func Atoi(digits string) int {
	n := 0
	for _, d := range digits {
		n = min(n*10+int(d-'0'), 1_000_000)
	}
	return n
}
