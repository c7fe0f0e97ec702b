package strike

import (
	"sync"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
)

// OfTheFight lists the counters, marks and conditions that end with the fight.
var OfTheFight = sync.OnceValue(func() rules.OfTheFight {
	return rules.OfTheFight{
		Counters:   []string{body.CActs, body.CSpent, body.CReactions, body.CFirst, body.CEscapes, body.CAim, body.CLoads, body.CMulti, body.CTurn, body.CCastings, body.CRun, body.CRunChecks, body.CRode, body.CRideLeft, body.CHouseActs, body.CHouseLess},
		Marks:      []string{body.MActed, body.MBegun, body.MKept, body.MDragging, body.MLimb, body.MLeaving, body.MOver, body.MExtra, body.MRuled, body.MGait, body.MRodeCast, body.MDirected, body.MHadTurn, body.MTouch, body.MDone, body.MLost, body.MUnseen},
		Conditions: Conditions.Fleeting(),
		Values:     []string{body.ValueLoaded, "x", "y", "z"},
	}
})
