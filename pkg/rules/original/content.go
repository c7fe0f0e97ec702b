package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
)

var (
	_ rules.Contented    = System{}
	_ rules.SheetChecker = System{}
)

// Content says what of a table's own content this system carries out. What an action
// costs is not among it: the attacks of a round are counted against limits that the foe
// decides.
func (System) Content() effects.Support {
	attacks, attacked := house.Parts(house.PointAttack, "melee", "ranged"), house.Parts(house.PointAttacked, "melee", "ranged")
	damage := append(house.Parts(house.PointDamage, "melee", "ranged"), thestrike.PointSpell)
	rolls := []string{thestrike.PointSave, thestrike.PointGrapple, thestrike.PointRetreat, house.PointInitiative, house.PointMorale}
	kinds := map[effects.Kind][]string{
		effects.KindModifier:      slices.Concat(attacks, attacked, damage, []string{house.PointArmor}, rolls),
		effects.KindEdge:          slices.Concat(attacks, attacked),
		effects.KindReroll:        slices.Concat(attacks, damage, rolls),
		effects.KindSet:           {house.PointArmor, house.PointMorale},
		effects.KindSpeed:         nil,
		effects.KindResistance:    nil,
		effects.KindImmunity:      nil,
		effects.KindCriticalRange: nil,
		effects.KindExtraAction:   nil,
		effects.KindNoProvoke:     nil,
		effects.KindCondition:     nil,
		effects.KindDamage:        nil,
		effects.KindSave:          nil,
		effects.KindHealing:       nil,
		effects.KindUse:           nil,
		effects.KindHook:          nil,
	}
	for kind, points := range house.Kernel() { // order-free: a map is filled from a map
		if kind != effects.KindCost {
			kinds[kind] = points
		}
	}
	support := effects.Support{
		Kinds: kinds,
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerHurt, effects.TriggerKill,
			effects.TriggerCast, effects.TriggerSaveFailed, effects.TriggerSavePassed, effects.TriggerTurnStart, effects.TriggerTurnEnd,
			effects.TriggerRoundStart, effects.TriggerEnter},
		Counters:    []string{body.CAttacks},
		Conditions:  conditions(),
		DamageTypes: thestrike.DamageTypes,
		Saves:       []string{"paralysis"},
		OwnSaves:    true,
		LowIsBetter: []string{house.PointArmor},
		Hooks:       thestrike.Hooks(),
		CheckHook:   thestrike.CheckHook,
		Areas:       true,
		Table:       thestrike.TableText,
		CheckTables: func(open func(name string) (string, error)) error {
			_, err := thestrike.LoadTables(open, nil)
			return err
		},
	}
	if f, err := frame(); err == nil { // what is wrong with the book Validate says
		support.Actions = f.IDs()
	}
	return support
}
