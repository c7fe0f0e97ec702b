package body

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
)

// NamesSkill refuses what is no skill, nor a kind of one.
func NamesSkill(field, name string) error {
	if SkillAbility(name) == "" {
		known := rules.SortedKeys(SkillAbilities)
		return fault.Field(field, "%q names no skill%s; known are %v", name, rules.DidYouMean(name, known), known)
	}
	return nil
}
