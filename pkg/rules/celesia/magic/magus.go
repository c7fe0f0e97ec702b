package magic

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of the magus.
const (
	RuleSpellCombat = cite.SpellSpellCombat
	RuleShift       = cite.SpellSpellCombatDefensive
	RuleSpellstrike = cite.SpellSpellstrike
	RuleResistance  = cite.SpellResistanceToggle
)

// MResistance is on a creature that has lowered its spell resistance.
const MResistance = "spell-resistance-lowered"

// refuseArmedCaster says why a weapon cannot be used together with a spell.
func refuseArmedCaster(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, feat, rule string, touch bool) error {
	w := body.WeaponOf(c, take.Item)
	switch {
	case w == nil || body.Ranged(w):
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	case !body.Feature(c, feat):
		return body.Refuse("NO_FEATURE", rule, "%s has not learned it", c.Name)
	case len(answers.MagusSpells(c, touch)) == 0:
		return body.Refuse("NO_SPELL", rule, "%s has no such spell", c.Name)
	case len(strike.MagusSpellsLeft(c, touch)) == 0:
		return strike.RefuseSpell(c, body.SpellOf(c, answers.MagusSpells(c, touch)[0]))
	}
	if err := items.RefuseRidingCast(s, c); err != nil {
		return err
	}
	return strike.RefuseAttack(s, c, take)
}

// RefuseSpellCombat: with a light or one-handed weapon and a free hand, once a
// turn, and not in a turn of a standard-action or 1-round spell.
//
// celesia.spell.spell-combat, celesia.spell.spell-combat-limits
func RefuseSpellCombat(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseArmedCaster(s, c, take, body.FeatSpellCombat, RuleSpellCombat, false); err != nil {
		return err
	}
	w := body.WeaponOf(c, take.Item)
	switch {
	case body.Place(c, w) == body.PlaceBoth:
		return body.Refuse("TWO_HANDS", RuleSpellCombat, "a light or one-handed weapon is needed")
	case strike.FreeHands(c) < 1:
		return body.Refuse("NO_FREE_HAND", RuleSpellCombat, "%s has no free hand", c.Name)
	case c.Marks[body.MDone+"spell-combat"] != "":
		return body.Refuse("ONCE_A_TURN", cite.SpellSpellCombatLimits, "once a turn")
	case c.Marks[body.MDone+"cast"] != "":
		return body.Refuse("SPELL_CAST", cite.SpellSpellCombatLimits, "a standard-action or 1-round spell was cast this turn")
	}
	return nil
}

// checkMagusSpell judges the spell and whom it is for.
func checkMagusSpell(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction, touch bool) error {
	name, err := answers.OneOf(take, "spell", answers.MagusSpells(c, touch)...)
	if err != nil {
		return err
	}
	if name == "" {
		return fault.Field("take.parameters.spell", "missing")
	}
	sp := body.SpellOf(c, name)
	if err := strike.RefuseSpell(c, sp); err != nil || touch {
		return err
	}
	at := SpellTarget(s, take)
	if len(take.Targets) == 0 && spoken.Word(take.Parameters, "at") == "" {
		return nil // readied: whoever sets it off
	}
	if body.Dead(at) {
		return fault.Field("take.parameters.at", "names nobody alive")
	}
	return items.RefuseRange(c, at, sp, take)
}

// SpellTarget is whom the spell is for: the one named apart, else the target of the
// attack; nil when neither exists.
func SpellTarget(s *eventv1.State, take *eventv1.TakeAction) *eventv1.Creature {
	if at := spoken.Word(take.Parameters, "at"); at != "" {
		return s.Creatures[at]
	}
	return s.Creatures[body.Target(take)]
}

// CheckSpellCombat judges the attack, then the spell, its target and its range.
func CheckSpellCombat(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := manners.CheckAttack(s, c, take); err != nil {
		return err
	}
	return checkMagusSpell(s, c, take, false)
}

// Defensive tells whether the spell is cast defensively; a penalty on the attack in
// favour of the check implies it.
func Defensive(take *eventv1.TakeAction) bool {
	return spoken.Truth(take.Parameters, "defensively") || spoken.Truth(take.Parameters, "shift")
}

// CombatProvokes: not when the spell is cast defensively; then only a failed
// check provokes, at the casting.
func CombatProvokes(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return !Defensive(take), ""
}

// RefuseSpellstrike says why a creature cannot strike with a touch spell: it has not
// learned to, no such spell is left, or the weapon is not for melee.
func RefuseSpellstrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseArmedCaster(s, c, take, body.FeatSpellstrike, RuleSpellstrike, true)
}

// CheckSpellstrike judges the attack and the spell, which must be one that is cast
// by touch.
func CheckSpellstrike(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := manners.CheckAttack(s, c, take); err != nil {
		return err
	}
	return checkMagusSpell(s, c, take, true)
}

// celesia.spell.resistance-toggle
func RefuseResistance(lowered bool) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		switch {
		case body.SheetOf(c).SpellResistance < 1:
			return body.Refuse("NO_RESISTANCE", RuleResistance, "%s has no spell resistance", c.Name)
		case (c.Marks[MResistance] != "") != lowered:
			return body.Refuse("ALREADY", RuleResistance, "the spell resistance of %s is so already", c.Name)
		}
		return nil
	}
}

// DoResistance lowers the spell resistance of a creature or brings it back, and
// tells everyone.
func DoResistance(lower bool) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
		r.Flag(c.Id, MResistance, lower, RuleResistance)
		words := "lowers"
		if !lower {
			words = "reactivates"
		}
		r.Note(event.Everyone(), c.Id, c.Name+" "+words+" its spell resistance", RuleResistance)
		return nil
	}
}
