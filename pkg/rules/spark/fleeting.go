package spark

import "github.com/skaldrpg/skald/pkg/rules"

// What is counted and marked for one fight alone.
var (
	fightCounters = []string{cReaction, cBonus, cPackage, cFree, cOrder, cBarredFrom, cBarredUntil, cLocked, cAdvantage, cShaken, cRestring}
	fightMarks    = []string{mDeclared, mCasting, mBarred, mLeaving}
)

// OfTheFight tells whether a counter, mark or condition means nothing outside
// its fight.
func (System) OfTheFight(kind rules.FactKind, name string) bool {
	switch kind {
	case rules.FactCounter:
		return rules.Listed(fightCounters, name)
	case rules.FactMark:
		return rules.Listed(fightMarks, name)
	}
	return false
}
