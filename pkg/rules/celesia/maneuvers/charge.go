package maneuvers

// Along is the k-th of n points from a to b, on the grid of 5 feet, rounded to
// the nearest.
func Along(a, b, k, n int32) int32 {
	d := (b - a) * k
	if d >= 0 {
		return a + (d+n*5/2)/(n*5)*5
	}
	return a - (-d+n*5/2)/(n*5)*5
}
