package basic

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters:   []string{cDone, cNoAttack, cHeld, cScorched, cWake, cAction, cMovement, cMoved},
	Marks:      []string{mDeclared, mHold, mAttackedOn, mPutOff, mFollowed, mLeaving, mSilenced, mStood, mSeries},
	Conditions: []string{condHeld, condBurning, condInFlames},
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
