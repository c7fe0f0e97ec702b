package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
)

// OfTheFight lists the counters, marks and conditions that end with their fight.
var OfTheFight = rules.OfTheFight{
	Counters:   []string{CTurn, CWake, CAction, CMovement, CMoved, house.CounterSpeed},
	Marks:      []string{MLeaving},
	Conditions: Book.Conditions.Fleeting(),
	Values:     []string{"loaded", "spares", "shot", "x", "y", "z"},
}
