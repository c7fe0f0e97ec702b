package basic

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
)

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return body.OfTheFight }
