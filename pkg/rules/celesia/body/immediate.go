package body

const (
	// TimeImmediate is the time of abilities that are reactions.
	TimeImmediate = "immediate"
	// KindCounter is a maneuver that answers a foe.
	KindCounter = "counter"
)
