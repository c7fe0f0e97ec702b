package rcr

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cAction, cBonus, cReaction, cInteraction, cMovement, cPace, cMoved, cDangerous, cDashes, cAttacks, cMulti, cLegendary, cStealth, cTurn},
	Marks:      []string{mSteady, mAttacked, mStarted, mScathed, mStanched, mLegendary, mInspired, mFreeAction},
	Conditions: conditions.Fleeting(),
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
