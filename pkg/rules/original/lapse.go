package original

import (
	"github.com/skaldrpg/skald/pkg/rules"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
)

// OfTheFight lists what is counted, marked and laid for one fight and its place
// alone.
func (System) OfTheFight() rules.OfTheFight {
	all := thestrike.OfTheFight()
	all.Conditions = thestrike.ConditionBook.Fleeting()
	return all
}
