package answers

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpellOf finds a spell of the sheet by its name; nil when there is none.
func SpellOf(c *eventv1.Creature, name string) *eventv1.RcrSpell {
	for _, sp := range body.SheetOf(c).Spells {
		if sp.Name == name {
			return sp
		}
	}
	return nil
}

// SlotsFor lists the levels of slots left that a spell can be cast with.
func SlotsFor(c *eventv1.Creature, sp *eventv1.RcrSpell) []int32 {
	if sp.Level == 0 || sp.Innate {
		return []int32{sp.Level} // none is spent
	}
	var out []int32
	for n := sp.Level; n <= 9; n++ {
		if c.GetCounters()[body.CSlot+body.Itoa(n)] > 0 {
			out = append(out, n)
		}
	}
	return out
}

// RefuseMeans says why a creature lacks what a spell takes besides the time.
//
// rcr.condition.restrained-somatic, rcr.condition.shackled-casting
func RefuseMeans(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case body.Raging(c):
		return body.Refuse("RAGING", cite.TraitRage, "%s rages: it casts nothing", c.Name)
	case sp.Somatic && body.Has(c, body.CondRestrained):
		return body.Refuse("RESTRAINED", cite.ConditionRestrainedSomatic, "%s is restrained: no spell with a somatic component", c.Name)
	case sp.Somatic && body.Has(c, body.CondShackled):
		return body.Refuse("SHACKLED", cite.ConditionShackledCasting, "%s is shackled: no spell with a somatic component", c.Name)
	case body.Handless(s, c, sp):
		return body.Refuse("NO_FREE_HAND", frame, "%s has no hand free for the components of %s", c.Name, sp.Name)
	case !strike.UsesLeft(c, sp.Name, sp.Usage):
		return body.Refuse("NO_USES", frame, "%s is spent", sp.Name)
	case len(SlotsFor(c, sp)) == 0:
		return body.Refuse("NO_SLOT", frame, "%s has no slot left for %s", c.Name, sp.Name)
	}
	return nil
}

// RefuseSpellTarget says why a creature cannot be a target of a spell. The take
// may be nil: then nothing is stated.
func RefuseSpellTarget(content *effects.Book, s *eventv1.State, c, target *eventv1.Creature, sp *eventv1.RcrSpell, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case strike.Revives(content, sp.Name) != body.Dead(target):
		if body.Dead(target) {
			return body.Refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
		}
		return body.Refuse("NOT_DEAD", cite.HealingRevivalSpells, "%s is not dead", target.Name)
	case target.Id == c.Id && (sp.Attack != "" || sp.WeaponAttack):
		return body.Refuse("SELF", frame, "%s cannot attack itself", c.Name)
	case target.Id != c.Id && checks.FeetTo(c, target, take) > SpellReach(s, c, sp):
		return body.Refuse("OUT_OF_RANGE", frame, "%s is out of the range of %s", target.Name, sp.Name)
	case sp.Healing == "" && checks.CharmedBy(c, target.Id) && (len(sp.Damage) > 0 || sp.Save != nil || sp.Attack != ""):
		return body.Refuse("CHARMED", frame, "%s is charmed by %s", c.Name, target.Name)
	case body.SaidCover(take, target.Id) == body.CoverTotal && target.Id != c.Id:
		return body.Refuse("TOTAL_COVER", cite.BaseHalfCover, "%s has total cover", target.Name)
	}
	return nil
}

// Restoration tells whether a spell is lesser restoration, whose caster says what it
// ends.
func Restoration(sp *eventv1.RcrSpell) bool { return strings.EqualFold(sp.Name, "lesser restoration") }

// SpellReach is how far a spell reaches, in feet: one that calls for an attack roll
// twice as far from a spell sniper.
//
// rcr.feat.spell-sniper-range
func SpellReach(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) int32 {
	feet := max(5, sp.RangeFeet)
	if sp.Attack != "" && sp.RangeFeet > 5 && body.Feat(s, c, body.FeatSpellSniper, cite.FeatSpellSniperRange) {
		return 2 * feet
	}
	return feet
}
