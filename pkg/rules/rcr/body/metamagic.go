package body

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Options of metamagic, as the sorcerer has them.
const (
	MetaCareful    = "careful"
	MetaDistant    = "distant"
	MetaEmpowered  = "empowered"
	MetaExtended   = "extended"
	MetaHeightened = "heightened"
	MetaQuickened  = "quickened"
	MetaSubtle     = "subtle"
	MetaTwinned    = "twinned"
)

// MetamagicOptions are all of them, in order.
func MetamagicOptions() []string {
	return []string{MetaCareful, MetaDistant, MetaEmpowered, MetaExtended, MetaHeightened, MetaQuickened, MetaSubtle, MetaTwinned}
}

// MetamagicOf are the options that a creature has learnt by the feat, in order.
//
// rcr.feat.metamagic-adept-options
func MetamagicOf(s *eventv1.State, c *eventv1.Creature) (out []string) {
	f := ChosenFeat(SheetOf(c), FeatMetamagicAdept)
	if f == nil || !InForce(s, cite.FeatMetamagicAdeptOptions) {
		return nil
	}
	for _, o := range MetamagicOptions() {
		if slices.ContainsFunc(f.Picks, func(p string) bool { return strings.EqualFold(p, o) }) {
			out = append(out, o)
		}
	}
	return out
}
