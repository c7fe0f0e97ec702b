package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BlockNow is the position of the block called last; -1 before the first.
func BlockNow(s *eventv1.State) int {
	return int(s.Counters[CBlock]) - 1
}
