package rcr

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// creation checks what Intelligence brought or cost a character when it was
// made: as many skills, tools or languages more as the modifier, or as many
// fewer of those of the background, never fewer than none. What class, species
// and feats give is untouched, and so is all of it by a later increase.
//
// rcr.character.int-extra-proficiencies, rcr.character.int-creation-only,
// rcr.character.int-negative
func (k *sheetChecker) creation(s *eventv1.RcrSheet) {
	const at = "rcr.creation"
	made := s.Creation
	if made == nil {
		return
	}
	k.within(at+".intelligence", made.Intelligence, 1, 30)
	modifier := floorHalf(made.Intelligence - 10)
	if gained := max(0, modifier); int32(len(made.Extra)) != gained {
		k.wrong(at+".extra", "Intelligence %d brings %d, not %d", made.Intelligence, gained, len(made.Extra))
	}
	if lost := min(int32(len(made.Background)), max(0, -modifier)); int32(len(made.GivenUp)) != lost {
		k.wrong(at+".given_up", "Intelligence %d takes %d of the %d of the background, not %d", made.Intelligence, lost, len(made.Background), len(made.GivenUp))
	}
	kept := slices.Clone(made.Background)
	for i, name := range made.GivenUp {
		here := slices.IndexFunc(kept, func(b string) bool { return strings.EqualFold(b, name) })
		if here < 0 {
			k.wrong(at+".given_up["+itoa(i)+"]", "%q is not of the background, or given up twice", name)
			continue
		}
		kept = slices.Delete(kept, here, here+1)
	}
	for i, name := range made.Extra {
		if named(made.Extra[:i], name) || named(kept, name) {
			k.wrong(at+".extra["+itoa(i)+"]", "%q is there already", name)
		}
	}
	for _, name := range append(kept, made.Extra...) {
		if !proficientIn(s, name) {
			k.wrong(at, "%q is no skill or tool of proficiency and no language of the sheet", name)
		}
	}
}

// proficientIn tells whether a sheet has a skill, a tool or a language.
func proficientIn(s *eventv1.RcrSheet, name string) bool {
	known := func(list []*eventv1.RcrSkill) bool {
		return slices.ContainsFunc(list, func(sk *eventv1.RcrSkill) bool { return sk.Proficient && strings.EqualFold(sk.Name, name) })
	}
	return known(s.Skills) || known(s.Tools) || named(s.Languages, name)
}
