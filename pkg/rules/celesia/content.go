package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
)

var _ rules.Contented = System{}

// maneuverNames are the combat maneuvers by the names under which they are rolled.
var maneuverNames = []string{"bull-rush", "dirty-trick", "disarm", "drag", "escape", "grapple", "overrun", "reposition", "steal", "sunder", "trip"}

// Content says what of a table's own content this system carries out. Damage types
// are free words here, as on sheets.
func (System) Content() effects.Support {
	ways := []string{"melee", "ranged", "spell"}
	attacks, damage := house.Parts(house.PointAttack, ways...), house.Parts(house.PointDamage, ways...)
	armor := []string{house.PointArmor + body.PartFull, house.PointArmor + body.PartTouch}
	saves := house.Parts(house.PointSave, body.Saves...)
	skills := house.Parts(house.PointCheck, slices.Concat(rules.SortedKeys(body.SkillAbilities), []string{"concentration", "constitution"})...)
	maneuvers := house.Parts(body.PointManeuver, maneuverNames...)
	rolls := slices.Concat(attacks, saves, skills, maneuvers, []string{house.PointInitiative})
	return effects.Support{
		Kinds: map[effects.Kind][]string{
			effects.KindModifier:           slices.Concat(rolls, damage, armor, []string{body.PointManeuverDefense}),
			effects.KindEdge:               slices.Concat(rolls, house.Parts(house.PointAttacked, ways...)),
			effects.KindReroll:             slices.Concat(rolls, damage),
			effects.KindSet:                slices.Concat(armor, []string{body.PointManeuverDefense}),
			effects.KindSpeed:              nil,
			effects.KindResistance:         nil,
			effects.KindImmunity:           nil,
			effects.KindCriticalRange:      nil,
			effects.KindExtraAction:        nil,
			effects.KindCost:               nil,
			effects.KindNoProvoke:          nil,
			effects.KindBar:                nil,
			effects.KindReplace:            nil,
			effects.KindAura:               nil,
			effects.KindCondition:          nil,
			effects.KindDamage:             nil,
			effects.KindSave:               nil,
			effects.KindHealing:            nil,
			effects.KindTemporaryHitPoints: nil,
			effects.KindUse:                nil,
			effects.KindHook:               nil,
		},
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerHurt, effects.TriggerKill,
			effects.TriggerCast, effects.TriggerSaveFailed, effects.TriggerSavePassed, effects.TriggerTurnStart, effects.TriggerTurnEnd,
			effects.TriggerRoundStart, effects.TriggerEnter},
		Actions:     checks.Frame().IDs(),
		Counters:    []string{body.CActs, body.CReactions},
		Conditions:  System{}.Vocabulary().Names(rules.PlaceCondition, ""),
		Saves:       body.Saves,
		Hooks:       saddle.Hooks(),
		CheckHook:   saddle.CheckHook,
		Areas:       true,
		Fit:         items.Fit,
		Table:       body.TableText,
		CheckTables: strike.CheckTables,
	}
}
