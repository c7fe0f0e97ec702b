package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
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
	modifier := body.FloorHalf(made.Intelligence - 10)
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
			k.wrong(at+".given_up["+body.Itoa(i)+"]", "%q is not of the background, or given up twice", name)
			continue
		}
		kept = slices.Delete(kept, here, here+1)
	}
	for i, name := range made.Extra {
		if body.Named(made.Extra[:i], name) || body.Named(kept, name) {
			k.wrong(at+".extra["+body.Itoa(i)+"]", "%q is there already", name)
		}
	}
	for _, name := range append(kept, made.Extra...) {
		if !body.ProficientIn(s, name) {
			k.wrong(at, "%q is no skill or tool of proficiency and no language of the sheet", name)
		}
	}
}
