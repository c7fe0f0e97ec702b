package basic

import "github.com/skaldrpg/skald/pkg/rules"

// What is counted, marked and laid for one fight alone.
var (
	fightCounters   = []string{cDone, cNoAttack, cHeld, cScorched, cWake, cAction, cMovement, cMoved}
	fightMarks      = []string{mDeclared, mHold, mAttackedOn, mPutOff, mFollowed, mLeaving, mSilenced, mStood, mSeries}
	fightConditions = []string{condHeld, condBurning, condInFlames}
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
