package body

import "github.com/skaldrpg/skald/pkg/rules"

const (
	// DecHitDie asks for the next hit die to spend in a rest: "d8" or "stop".
	DecHitDie = "hit-die"
	// CHours counts the hours that passed for a patient.
	CHours = rules.CounterHours
	// CLongRest is what CHours showed when the last long rest ended, and 1 more; 0 for
	// one that never had any.
	CLongRest = "long-rest-hours"
	// CStableHours are the hours until a stable creature wakes by itself.
	CStableHours = "stable-hours"
	// Hours of rests.
	ShortRestHours, LongRestHours = 1, 8
)
