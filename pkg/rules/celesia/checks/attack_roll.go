package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Nature is the nature of an attack's damage: as the weapon's, or as declared.
//
// celesia.damage.unarmed
func Nature(a body.Attack) string {
	declared := spoken.Word(a.Take.GetParameters(), "damage")
	if declared == "nonlethal" || declared == "" && a.Weapon.Nonlethal {
		return body.NatureNonlethal
	}
	return ""
}

// Turned tells whether the damage is not of the weapon's own nature, which
// hampers the attack; Improved Unarmed Strike lifts that for unarmed strikes.
//
// celesia.attack.nonlethal-with-lethal-weapon, celesia.attack.lethal-with-nonlethal-weapon,
// celesia.damage.unarmed-lethal
func Turned(a body.Attack, c *eventv1.Creature) bool {
	if (Nature(a) == body.NatureNonlethal) == a.Weapon.Nonlethal {
		return false
	}
	return !(a.Weapon.Kind == body.KindUnarmed && body.Feature(c, body.FeatImprovedUnarmed))
}
