package basic

import (
	"errors"
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/mending"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
)

var (
	_ rules.Contented    = System{}
	_ rules.SheetChecker = System{}
)

// Content says what of a table's own content this system carries out.
func (System) Content() effects.Support {
	f, _ := frame() // what is wrong with the book Validate says
	attacks, attacked := house.Parts(house.PointAttack, strike.Ways...), house.Parts(house.PointAttacked, strike.Ways...)
	damage := house.Parts(house.PointDamage, "melee", "ranged", "spell")
	saves := house.Parts(house.PointSave, body.Categories...)
	checks := house.Parts(house.PointCheck, "strength", "dexterity", "grapple")
	armor := []string{house.PointArmor, strike.PointTouch}
	kinds := map[effects.Kind][]string{
		effects.KindModifier:      slices.Concat(attacks, attacked, damage, armor, saves, checks, []string{house.PointInitiative}),
		effects.KindReroll:        slices.Concat(attacks, damage, saves, checks, []string{house.PointInitiative}),
		effects.KindSet:           armor,
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
		kinds[kind] = points
	}
	return effects.Support{
		Kinds: kinds,
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerHurt, effects.TriggerKill,
			effects.TriggerCast, effects.TriggerSaveFailed, effects.TriggerSavePassed, effects.TriggerTurnStart, effects.TriggerTurnEnd,
			effects.TriggerRoundStart, effects.TriggerEnter},
		Actions:     f.IDs(),
		Counters:    []string{body.CAction},
		Conditions:  System{}.Vocabulary().Names(rules.PlaceCondition, ""),
		DamageTypes: mending.DamageTypes,
		Saves:       body.Categories,
		OwnSaves:    true,
		Hooks:       strike.Hooks(),
		CheckHook:   strike.CheckHook,
		Areas:       true,
		Table: func(name string) (string, bool) {
			if name == strike.TableSituations {
				return strike.SituationsText()
			}
			return body.TableText(name)
		},
		CheckTables: func(open func(name string) (string, error)) error {
			_, err := body.ReadTables(open, nil)
			text, problem := open(strike.TableSituations)
			if problem == nil {
				_, problem = strike.ReadSituations(text)
			}
			return errors.Join(err, problem)
		},
	}
}
