package body

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ProficientIn tells whether a sheet has a skill, a tool or a language.
func ProficientIn(s *eventv1.RcrSheet, name string) bool {
	known := func(list []*eventv1.RcrSkill) bool {
		return slices.ContainsFunc(list, func(sk *eventv1.RcrSkill) bool { return sk.Proficient && strings.EqualFold(sk.Name, name) })
	}
	return known(s.Skills) || known(s.Tools) || Named(s.Languages, name)
}
