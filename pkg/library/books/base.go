package books

import (
	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// BaseOf finds what the packs of each of some rule systems are laid over: what
// the system carries out, and the rules of its book.
func BaseOf(systems *rules.Registry) func(system string) (effects.Base, error) {
	return func(system string) (effects.Base, error) {
		sys, err := systems.System(system)
		if err != nil {
			return effects.Base{}, err
		}
		base := rules.ContentBase(sys)
		base.Rule = func(id string) bool {
			_, ok := catalogue.Lookup(catalogue.RuleID(id))
			return ok
		}
		return base, nil
	}
}
