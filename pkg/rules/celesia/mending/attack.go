package mending

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
)

// JudgeAttack names the outcome of an attack roll: the face that is kept
// threatens only when the attack hits.
func JudgeAttack(naturals bool, dv, threat int32, vulnerable bool) func(natural, total int32) (string, int32) {
	return func(natural, total int32) (string, int32) {
		hit := total >= dv
		if naturals && natural == 20 {
			hit = true
		}
		if naturals && natural == 1 {
			hit = false
		}
		inc := max(0, checks.Degree(total-dv, 10))
		switch {
		case !hit:
			return "failure", 0
		case natural >= threat && vulnerable:
			return "critical", inc
		}
		return "success", inc
	}
}

// OutcomeWord is the outcome of an attack roll as the log has it: critical, hit or
// miss.
func OutcomeWord(rolled rules.Rolled) string {
	switch rolled.Outcome {
	case "critical":
		return "critical"
	case "success":
		return "hit"
	}
	return "miss"
}
