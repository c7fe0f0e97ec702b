package celesia

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cTurn, cCastings, cRun, cRunChecks, cRode, cRideLeft},
	Marks:      []string{mActed, mBegun, mKept, mDragging, mLimb, mLeaving, mOver, mExtra, mRuled, mGait, mRodeCast, mDirected, mTouch, mDone, mLost, mUnseen},
	Conditions: []string{condCharged, condCharging, condDefensive, condFeinted, condFlatFooted, condFlanked, condGrappled, condPinned, condPinning, condTotal, condUnruled, condLeaderless, condRunning, condRan, condSurprised, condAttacked, condStruck, condInitiated, condCast, condKnees},
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
