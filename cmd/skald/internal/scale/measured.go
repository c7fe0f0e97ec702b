package scale

// Measured are the figures of this repository's benchmarks on 2 cores and one
// virtual disk (docs/SCALE.md and docs/PERFORMANCE.md say how). On another machine,
// measure again: ratios travel, figures do not.
func Measured() Costs {
	return Costs{
		CommitBytes:  1700,   // 1,390 of an attack's Commit, headers of both, its share of a record of dice
		Records:      1.2,    // tapes of several draws gather in one record
		StreamRate:   7000,   // 141 µs each from many writers
		NodeRate:     17_500, // 2.5 times as many on 4 streams and more: syncs side by side
		SubjectBytes: 200,
		FoldRate:     27_500,
		ServeRate:    1300, // attacks with three rolls and a deed
	}
}
