package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
)

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight {
	all := body.OfTheFight()
	all.Marks = append(slices.Clone(all.Marks), mLeaving)
	return all
}
