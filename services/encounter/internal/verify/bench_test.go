package verify_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// BenchmarkVerify decides all recorded fights of a system in the newest set again.
func BenchmarkVerify(b *testing.B) {
	registry := systems.Registry()
	for _, system := range registry.IDs() {
		fights, err := recorded.Latest(system)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(system, func(b *testing.B) {
			commits, commands := 0, 0
			for b.Loop() {
				for _, f := range fights {
					r, err := verify.Commits(b.Context(), verify.Config{Systems: registry}, f.Commits)
					if err != nil || len(r.Problems) > 0 {
						b.Fatal(err, r.Problems)
					}
					commits, commands = commits+r.Decided, commands+r.Commands
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(commits+commands), "us/command")
		})
	}
}
