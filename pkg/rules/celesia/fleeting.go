package celesia

import "github.com/skaldrpg/skald/pkg/rules"

// What is counted, marked and laid for one fight alone.
var (
	fightCounters   = []string{cActs, cSpent, cReactions, cFirst, cEscapes, cAim, cLoads, cMulti, cUnderway, cCoup, cRun, cRunChecks, cRode, cRideLeft}
	fightMarks      = []string{mTurn, mBegun, mUnaware, mDelaying, mReady, mKept, mDragging, mBusy, mLimb, mLeaving, mOver, mCoup, mStance, mExtra, mRuled, mKnees, mGait, mRodeCast, mDirected, mRun, mCasting, mIdentified, mTouch, mAttacked, mStruck, mInitiated, mCleaved, mUnderway, mUnderwayTake}
	fightConditions = []string{condCharged, condCharging, condDefensive, condFeinted, condFlatFooted, condFlanked, condGrappled, condPinned, condPinning, condTotal, condRiding, condRidden, condUnruled, condLeaderless, condRunning}
)

// OfTheFight tells whether a counter, mark or condition means nothing outside
// its fight.
func (System) OfTheFight(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactCounter:
		return rules.Listed(fightCounters, name)
	case rules.FactMark:
		return rules.Listed(fightMarks, name)
	case rules.FactCondition:
		return rules.Listed(fightConditions, name)
	}
	return false
}
