package celesia

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
)

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return strike.OfTheFight() }
