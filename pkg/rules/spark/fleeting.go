package spark

import "github.com/skaldrpg/skald/pkg/rules"

var ofTheFight = rules.OfTheFight{
	Counters: []string{cReaction, cBonus, cPackage, cFree, cOrder, cBarredFrom, cBarredUntil, cLocked, cAdvantage, cShaken, cRestring},
	Marks:    []string{mDeclared, mCasting, mBarred, mLeaving},
}

// OfTheFight lists what is counted, marked and laid for one fight alone.
func (System) OfTheFight() rules.OfTheFight { return ofTheFight }
