package celesia

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cUnderway, cCoup, cRun, cRunChecks, cRode, cRideLeft},
	Marks:      []string{mTurn, mBegun, mUnaware, mDelaying, mReady, mKept, mDragging, mBusy, mLimb, mLeaving, mOver, mCoup, mStance, mExtra, mRuled, mKnees, mGait, mRodeCast, mDirected, mRun, mCasting, mIdentified, mTouch, mAttacked, mStruck, mInitiated, mCleaved, mUnderway, mUnderwayTake, mDone, mLost, mUnseen},
	Conditions: []string{condCharged, condCharging, condDefensive, condFeinted, condFlatFooted, condFlanked, condGrappled, condPinned, condPinning, condTotal, condRiding, condRidden, condUnruled, condLeaderless, condRunning},
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
