package body

const (
	// DecExtra asks which of several effects gives its extra acts this turn.
	DecExtra = "extra-acts"
	// MExtra names the effect picked for the turn: a condition, or firstTurn.
	MExtra = "extra-acts"
	// FirstTurn is the extra act of a natural 20 on initiative, in a choice.
	FirstTurn = "natural-20"
	// MostActs leaves the choice to the effect that gives most.
	MostActs = "most"
)
