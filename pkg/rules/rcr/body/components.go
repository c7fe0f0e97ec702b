package body

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Handless tells whether a spell lacks the free hand that its somatic or
// material component needs. A focus in hand or on the shield serves a spell
// with a material component, gestures and all; the feat War Caster lets full
// hands gesture.
//
// rcr.base.fifth-edition-fallback, rcr.feat.war-caster-somatic
func Handless(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) bool {
	if !Defaults.On(s, SetSpellHands) || HandsTaken(s, c) < 2 || sp.Material && SheetOf(c).SpellFocus {
		return false
	}
	return sp.Material || sp.Somatic && !Feat(s, c, FeatWarCaster, cite.FeatWarCasterSomatic)
}

// EscapeDC is the DC to escape a creature's grapple.
func EscapeDC(c *eventv1.Creature) int32 {
	if dc := SheetOf(c).EscapeDc; dc > 0 {
		return dc
	}
	return 8 + AbilityMod(c, "strength") + SheetOf(c).ProficiencyBonus
}
