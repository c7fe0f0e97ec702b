package rcr

import "github.com/skaldrpg/skald/pkg/rules"

// What is counted, marked and laid for one fight alone.
var (
	fightCounters   = []string{cAction, cBonus, cReaction, cInteraction, cMovement, cPace, cMoved, cDangerous, cDashes, cAttacks, cMulti, cLegendary}
	fightMarks      = []string{mSurprised, mTurn, mDisengaged, mSteady, mAttacked, mStarted, mEntered, mThrough, mScathed, mStanched, mLegendary, mInspired}
	fightConditions = []string{condCrouching, condDodging, condHelped, condHidden, condReady, condGrappled}
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
