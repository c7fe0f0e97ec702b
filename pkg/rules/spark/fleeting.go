package spark

import "github.com/skaldrpg/skald/pkg/rules"

// OfTheFight lists what is counted, marked and laid on creatures for one fight
// alone.
func (System) OfTheFight() rules.OfTheFight {
	return rules.OfTheFight{Counters: []string{cReaction, cBonus, cAction, cFree, cOrder, cAdvantage}, Marks: []string{mLeaving}, Conditions: conditions.Fleeting()}
}
