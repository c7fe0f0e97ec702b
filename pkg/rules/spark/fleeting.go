package spark

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
)

// OfTheFight lists what is counted, marked and laid on creatures for one fight
// alone.
func (System) OfTheFight() rules.OfTheFight {
	return rules.OfTheFight{Counters: []string{body.CReaction, body.CBonus, body.CAction, body.CFree, body.COrder, body.CAdvantage, house.CounterSpeed}, Marks: []string{body.MLeaving}, Conditions: body.Conditions.Fleeting(), Values: []string{"until", "feet"}}
}
