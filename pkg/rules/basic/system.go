package basic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System = System{}
	_ rules.Worded = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: ID, Title: "Basic combat with d6 initiative", Version: Version}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }

var allActions []*action

func init() { // not in the declaration: actions look one another up
	allActions = slices.Concat(declareActions(), moveActions(), meleeActions(), rangedActions(), chargeActions(),
		grenadeActions(), spellActions(), handActions(), grappleActions(), itemActions(), fireActions(), openActions(), holdActions(), redeclareActions())
}

// actions is everything a creature can do, in the order in which options are
// listed.
func actions() []*action { return allActions }
