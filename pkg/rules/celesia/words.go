package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
)

var _ rules.Worded = System{}

// Vocabulary lists every word that commands may say.
func (System) Vocabulary() *rules.Vocabulary { return checks.Frame().Words }
