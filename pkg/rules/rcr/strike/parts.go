package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BonusParts is what the bonus of an attack is made of: the parts that the sheet lists;
// else, of a weapon, ability and proficiency where they come to the bonus, with what
// is over as the magic of a weapon that counts as magical; else the one number that the
// sheet prints. What else a sheet may have put into the number is never guessed.
//
// rcr.base.attack-and-critical
func BonusParts(c *eventv1.Creature, atk *eventv1.RcrAttack) []*eventv1.Modifier {
	const rule = cite.BaseAttackAndCritical
	listed := rules.SheetParts(c.GetSheet(), rules.NumberAttack+atk.Name, atk.Bonus, atk.Name+" on the sheet", rule)
	if len(listed) > 1 || atk.Spell {
		return listed
	}
	proficiency := body.SheetOf(c).ProficiencyBonus
	for _, ability := range abilitiesOf(atk) {
		mod := body.AbilityMod(c, ability)
		switch over := atk.Bonus - mod - proficiency; {
		case over == 0, atk.Magical && over >= 1 && over <= 3:
			out := []*eventv1.Modifier{body.Mod(mod, ability, rule), body.Mod(proficiency, "proficiency", rule)}
			if over > 0 {
				out = append(out, body.Mod(over, "magic", rule))
			}
			return out
		case atk.Bonus == mod && !atk.Magical:
			return []*eventv1.Modifier{body.Mod(mod, ability, rule)}
		}
	}
	return listed
}

// abilitiesOf are the abilities that an attack with a weapon may go by: the better one
// of a finesse weapon is whichever its bonus shows.
func abilitiesOf(atk *eventv1.RcrAttack) []string {
	switch {
	case checks.Property(atk, "finesse"):
		return []string{"strength", "dexterity"}
	case atk.ReachFeet == 0 && !checks.Property(atk, "thrown"):
		return []string{"dexterity"}
	}
	return []string{"strength"}
}
