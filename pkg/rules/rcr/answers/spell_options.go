package answers

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mostTargets is how many targets a spell may have by the slot it is cast with.
func mostTargets(sp *eventv1.RcrSpell, slot int32) int32 {
	return max(1, sp.Targets) + sp.UpcastTargets*max(0, slot-sp.Level)
}
