package manners

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// WeaponNames lists the weapons of the sheet, in hand or not.
func WeaponNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		out = append(out, w.Name)
	}
	return out
}

// CheckAttack judges the nature of the damage and the trade-offs named with an
// attack.
func CheckAttack(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := CheckNature(s, c, take); err != nil {
		return err
	}
	return checkTradeOffs(s, c, take)
}

// CheckNature judges whether the damage may be of the nature asked for.
func CheckNature(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	// celesia.attack.nonlethal-with-lethal-weapon
	if w := body.WeaponOf(c, take.Item); spoken.Word(take.Parameters, "damage") == body.NatureNonlethal && !w.Nonlethal && body.Ranged(w) {
		return body.Refuse("MELEE_ONLY", cite.AttackNonlethalWithLethalWeapon, "only melee weapons can be turned to nonlethal damage")
	}
	return nil
}
