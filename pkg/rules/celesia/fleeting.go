package celesia

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cTurn, cCastings, cRun, cRunChecks, cRode, cRideLeft},
	Marks:      []string{mActed, mBegun, mKept, mDragging, mLimb, mLeaving, mOver, mExtra, mRuled, mGait, mRodeCast, mDirected, mTouch, mDone, mLost, mUnseen},
	Conditions: conditions.Fleeting(),
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
