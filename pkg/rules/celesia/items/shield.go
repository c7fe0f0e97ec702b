package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RuleShield is the rule of readying and dropping shields and of what they add to
// DV.
const RuleShield = cite.EquipmentShield

// Shields lists the shields of the sheet, on the arm or not.
func Shields(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, th := range body.SheetOf(c).Things {
		if th.Kind == body.ThingShield {
			out = append(out, th.Name)
		}
	}
	return out
}

// Shielded tells whether a shield is on the arm.
func Shielded(c *eventv1.Creature, name string) bool { return body.InHand(body.Where(c, name)) }

// RefuseDropShield says why a shield cannot be dropped: it is not on the arm, or the
// creature is pinned.
func RefuseDropShield(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefuseThing(c, take); err != nil {
		return err
	}
	if !Shielded(c, take.Item) {
		return body.Refuse("NOT_THERE", RuleShield, "%s is not on the arm", take.Item)
	}
	return nil
}

// ShieldBonus is what shields on the arm add to DV; a broken one still does.
func ShieldBonus(c *eventv1.Creature) int32 {
	best := int32(0)
	for _, th := range body.SheetOf(c).Things {
		if th.Kind == body.ThingShield && Shielded(c, th.Name) {
			best = max(best, th.ShieldBonus)
		}
	}
	return best
}
