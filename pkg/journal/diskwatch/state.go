package diskwatch

import (
	"fmt"
	"time"
)

// State is how the disk stands.
type State int

// States, the worst last.
const (
	// Well: there is room and writes come back.
	Well State = iota
	// Low: below the mark where new writes are to be refused; the reserve is whole.
	Low
	// Full: so little room that the reserve was given up.
	Full
	// Failing: writes come back with an error other than a lack of room.
	Failing
	// Stalled: a write has not come back for too long.
	Stalled
)

// String is the word for a state.
func (s State) String() string {
	switch s {
	case Well:
		return "well"
	case Low:
		return "low"
	case Full:
		return "full"
	case Failing:
		return "failing"
	}
	return "stalled"
}

// Status is how the disk stood at the last look.
type Status struct {
	// State of the disk, and Since when.
	State State
	Since time.Time
	// Free bytes of the disk for who is not its administrator, of Total. Both are
	// -1 where the system does not tell.
	Free, Total int64
	// Reserve is how many bytes the reserve holds now, of Wanted.
	Reserve, Wanted int64
	// Needed is how many bytes must become free until the disk is well; 0 when it is.
	Needed int64
	// Canary is how long the last small write took, or takes by now.
	Canary time.Duration
	// Err is why the disk is failing or a write found no room.
	Err error
}

// String says it in one line.
func (s Status) String() string {
	const mib = 1 << 20
	switch s.State {
	case Well:
		return fmt.Sprintf("%d MiB free", s.Free/mib)
	case Low, Full:
		return fmt.Sprintf("the disk is full: %d MiB free, the reserve holds %d of %d MiB; make %d MiB free",
			s.Free/mib, s.Reserve/mib, s.Wanted/mib, (s.Needed+mib-1)/mib)
	case Failing:
		return fmt.Sprintf("the disk fails: %v", s.Err)
	}
	return fmt.Sprintf("the disk has not answered for %s", s.Canary.Round(100*time.Millisecond))
}
