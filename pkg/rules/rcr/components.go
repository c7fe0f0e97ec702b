package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// handless tells whether a spell lacks the free hand that its somatic or
// material component needs. A focus in hand or on the shield serves a spell
// with a material component, gestures and all; the feat War Caster lets full
// hands gesture.
//
// rcr.base.fifth-edition-fallback
func handless(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) bool {
	if !defaults.On(s, setSpellHands) || handsTaken(s, c) < 2 || sp.Material && sheetOf(c).SpellFocus {
		return false
	}
	return sp.Material || sp.Somatic && !hasFeat(c, featWarCaster)
}

// componentsDone makes the checks that conditions ask of a caster. On a failure
// the spell is not cast; the time is spent, the slot is kept.
//
// rcr.condition.grappled-somatic, rcr.condition.deafened-verbal
func (k *casting) componentsDone() bool {
	c := k.r.Creature(k.id)
	check := func(label string, dc int32, rule string) bool {
		if rollCheck(k.r, "cast/"+label, k.r.Creature(k.id), "arcana", dc, "casting",
			checkOpts{reason: "cast " + k.sp.Name + " " + label, rules: []string{rule}}).Success() {
			return true
		}
		k.r.Note(event.Everyone(), k.id, k.sp.Name+" is not cast: the slot is kept", rule)
		return false
	}
	if dc := grappleCastingDC(k.r.State(), c); dc > 0 && k.sp.Somatic && castingCost(k.sp) == cAction && !k.aside {
		if !check("grappled", dc, cite.ConditionGrappledSomatic) {
			return false
		}
	}
	if has(c, condDeafened) && k.sp.Verbal {
		return check("deafened", 10+max(k.slot, k.sp.Level), cite.ConditionDeafenedVerbal)
	}
	return true
}

// grappleCastingDC is what a grappled caster must reach: the highest escape DC
// or passive Athletics of those who hold it; 0 when nobody does. The hold's own
// escape DC beats the holder's; a hold of nobody's has that alone.
//
// rcr.condition.grappled-somatic
func grappleCastingDC(s *eventv1.State, c *eventv1.Creature) int32 {
	dc := int32(0)
	for _, x := range c.Conditions {
		if x.Name != condGrappled {
			continue
		}
		g, own := s.Creatures[x.Source], x.Values["escape_dc"]
		if own == 0 && g != nil {
			own = escapeDC(g)
		}
		if dc = max(dc, own); g != nil {
			dc = max(dc, passive(s, g, "athletics"))
		}
	}
	return dc
}

// escapeDC is the DC to escape a creature's grapple.
func escapeDC(c *eventv1.Creature) int32 {
	if dc := sheetOf(c).EscapeDc; dc > 0 {
		return dc
	}
	return 8 + abilityMod(c, "strength") + sheetOf(c).ProficiencyBonus
}
