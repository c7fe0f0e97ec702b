package basic

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cTurn, cWake, cAction, cMovement, cMoved},
	Marks:      []string{mLeaving},
	Conditions: book.conditions.Fleeting(),
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
