package body

// Marks of one turn.
const (
	// MStarted is on a creature of which it is noted in whose reach the turn's
	// movement began: relStarted says whose.
	MStarted = "reach-noted"
	// MScathed is on it once dangerous terrain has hurt the creature this turn.
	MScathed = "scathed"
)
