package spark

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
)

var _ rules.Contented = System{}

// Content says what of a table's own content this system carries out.
func (System) Content() effects.Support {
	attacks := house.Parts(house.PointAttack, "melee", "ranged", "spell")
	attacked := house.Parts(house.PointAttacked, "melee", "ranged", "spell")
	damage := house.Parts(house.PointDamage, "melee", "ranged", "spell")
	saves := house.Parts(house.PointSave, body.Saves...)
	tried := slices.Concat(saves, []string{body.PointStrength, body.PointSleightOfHand, body.PointCounterspell, body.PointHeal, house.PointInitiative})
	kinds := house.Kernel()
	for k, points := range map[effects.Kind][]string{ // order-free: a map is filled
		effects.KindModifier:           slices.Concat(attacks, attacked, tried, damage, []string{house.PointArmor}),
		effects.KindEdge:               slices.Concat(attacks, attacked, tried),
		effects.KindReroll:             slices.Concat(attacks, tried, damage),
		effects.KindSet:                {house.PointArmor},
		effects.KindSpeed:              nil,
		effects.KindResistance:         nil,
		effects.KindImmunity:           nil,
		effects.KindCriticalRange:      nil,
		effects.KindExtraAction:        nil,
		effects.KindNoProvoke:          nil,
		effects.KindCondition:          nil,
		effects.KindDamage:             nil,
		effects.KindSave:               nil,
		effects.KindHealing:            nil,
		effects.KindTemporaryHitPoints: nil,
		effects.KindUse:                nil,
		effects.KindHook:               nil,
	} {
		kinds[k] = points
	}
	return effects.Support{
		Kinds: kinds,
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerHurt, effects.TriggerKill,
			effects.TriggerCast, effects.TriggerSaveFailed, effects.TriggerSavePassed, effects.TriggerTurnStart, effects.TriggerTurnEnd,
			effects.TriggerRoundStart, effects.TriggerEnter},
		Actions:     play.IDs(append(declaring.Declarations(), declaring.Others()...)),
		Counters:    []string{body.CReaction, body.CFree, body.CMana},
		Extra:       []string{body.CBonus, body.CReaction, body.CFree},
		Conditions:  System{}.Vocabulary().Names(rules.PlaceCondition, ""),
		Saves:       body.Saves,
		Hooks:       resolving.Hooks,
		CheckHook:   resolving.CheckHook,
		Areas:       true,
		Table:       body.TableText,
		CheckTables: body.CheckTables,
	}
}
