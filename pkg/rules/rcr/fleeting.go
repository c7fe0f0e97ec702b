package rcr

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cAction, cBonus, cReaction, cInteraction, cMovement, cPace, cMoved, cDangerous, cDashes, cAttacks, cMulti, cLegendary, cStealth},
	Marks:      []string{mSurprised, mTurn, mDisengaged, mSteady, mAttacked, mStarted, mEntered, mThrough, mScathed, mStanched, mLegendary, mInspired, mFreeAction, mLastSeen},
	Conditions: []string{condCrouching, condDodging, condHelped, condHidden, condReady, condGrappled},
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
