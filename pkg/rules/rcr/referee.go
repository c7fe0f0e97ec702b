package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
)

var _ rules.Refereed = System{}

// refereed are the game master's calls: what happens to a creature, what it
// must roll, and what it is granted.
var refereed = []string{"fall", "called-check", "called-save", "grant-inspiration", "delay-check", "call-delayed",
	"task-check", "end-task", "group-check"}

// GMOnly tells whether only the game master may take the action.
//
// rcr.dice.delayed-roll, rcr.dice.group-check, rcr.dice.threat
func (System) GMOnly(action string) bool { return slices.Contains(refereed, action) }
