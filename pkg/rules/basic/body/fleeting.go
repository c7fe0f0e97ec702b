package body

import (
	"github.com/skaldrpg/skald/pkg/rules"
)

var OfTheFight = rules.OfTheFight{
	Counters:   []string{CTurn, CWake, CAction, CMovement, CMoved},
	Marks:      []string{MLeaving},
	Conditions: Book.Conditions.Fleeting(),
}
