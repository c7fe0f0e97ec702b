package magic

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MCast says what spell of this turn bars others: "bonus" after a spell cast
// as a bonus action, "slot" after one of level 1 or more cast otherwise.
const MCast = "cast"

// OnCast is what provokes in casting a spell.
const OnCast checks.Trigger = "casts a spell"

// CastingCost is the counter that a casting time spends.
func CastingCost(sp *eventv1.RcrSpell) string {
	switch sp.CastingTime {
	case "bonus":
		return body.CBonus
	case "reaction":
		return body.CReaction
	}
	return body.CAction
}

// refuseSpell says why a spell cannot be cast whatever the target.
//
// rcr.condition.restrained-somatic, rcr.condition.shackled-casting
func refuseSpell(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) error {
	const frame = cite.BaseFifthEditionFallback
	var err error
	switch CastingCost(sp) {
	case body.CBonus:
		err = checks.NeedBonus(s, c)
	case body.CReaction:
		err = strike.NeedReaction(s, c)
	default:
		err = checks.NeedAction(c)
	}
	if err != nil {
		return err
	}
	if err := answers.RefuseMeans(s, c, sp); err != nil {
		return err
	}
	if sp.CastingTime == "bonus" && c.Marks[MCast] == "slot" || sp.CastingTime != "reaction" && sp.CastingTime != "bonus" && sp.Level > 0 && c.Marks[MCast] == "bonus" {
		return body.Refuse("ONE_SPELL", frame, "beside a spell cast as a bonus action only a cantrip can be cast")
	}
	return nil
}

// ProvokesByCasting tells whether casting a spell provokes: with a casting time
// of an action or longer, unless it is a melee spell attack or the caster has
// the feat for it.
//
// rcr.opportunity.cast-spell
func ProvokesByCasting(s *eventv1.State, c *eventv1.Creature, sp *eventv1.RcrSpell) bool {
	switch {
	case sp.CastingTime == "bonus" || sp.CastingTime == "reaction":
		return false
	case sp.Attack == "melee" && !sp.WeaponAttack:
		return false
	}
	return !body.Feat(s, c, body.FeatWarCaster, cite.FeatWarCasterNoOa)
}

// SpellBonus is the bonus of a spell's attack roll: by the spell's own ability where it
// has one, else that of the sheet.
//
// rcr.feat.spell-sniper-cantrip
func SpellBonus(c *eventv1.Creature, sp *eventv1.RcrSpell) int32 {
	if sp.Ability == "" {
		return body.SheetOf(c).SpellAttackBonus
	}
	return body.SheetOf(c).ProficiencyBonus + body.AbilityMod(c, sp.Ability)
}

// SpellSaveDC is the difficulty of a spell's saving throw before exhaustion, in the same
// way; 0 for the spell DC of the sheet.
func SpellSaveDC(c *eventv1.Creature, sp *eventv1.RcrSpell) int32 {
	if sp.Save.GetDc() != 0 || sp.Ability == "" {
		return sp.Save.GetDc()
	}
	return 8 + body.SheetOf(c).ProficiencyBonus + body.AbilityMod(c, sp.Ability)
}

// Restores are the conditions that a lesser restoration may end.
var Restores = []string{body.CondBlinded, body.CondDeafened, body.CondParalyzed, body.CondPoisoned}

// SlaysMages tells whether a creature saves better against the spells of a caster,
// who is within its reach: as is said, else as is measured.
//
// rcr.feat.mage-slayer-saves
func SlaysMages(s *eventv1.State, c, caster *eventv1.Creature, stated []string) bool {
	near := slices.Contains(stated, c.GetId())
	if stated == nil {
		near = answers.WithinReach(c, caster)
	}
	return near && c.GetId() != caster.GetId() && body.Feat(s, c, body.FeatMageSlayer, cite.FeatMageSlayerSaves)
}
