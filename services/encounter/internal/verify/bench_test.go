package verify_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/systems"
	"github.com/skaldrpg/skald/services/encounter/internal/verify"
)

// BenchmarkVerify decides all recorded fights of a system in the newest set again.
func BenchmarkVerify(b *testing.B) {
	sets, err := recorded.Sets()
	if err != nil {
		b.Fatal(err)
	}
	registry := systems.Registry()
	for _, system := range registry.IDs() {
		fights, err := latest(sets, system)
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

// latest are the fights of a system in the last set that has it.
func latest(sets []string, system string) ([]recorded.Fight, error) {
	for _, set := range slices.Backward(sets) {
		has, err := recorded.Systems(set)
		if err != nil {
			return nil, err
		}
		if slices.Contains(has, system) {
			return recorded.Load(set, system)
		}
	}
	return nil, fmt.Errorf("no set has fights of %s", system)
}
