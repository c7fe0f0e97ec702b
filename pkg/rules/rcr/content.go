package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	thechecks "github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rcr/wield"
)

var _ rules.Contented = System{}

// Content says what of a table's own content this system carries out.
func (System) Content() effects.Support {
	attacks := house.Parts(house.PointAttack, "melee", "ranged", "spell")
	damage := house.Parts(house.PointDamage, "melee", "ranged", "spell")
	saves, checks := house.Parts(house.PointSave, body.Abilities...), house.Parts(house.PointCheck, append(rules.SortedKeys(body.SkillAbility), body.Abilities...)...)
	saves = append(saves, body.PointDeathSave)
	for _, a := range body.Abilities {
		saves = append(saves, house.PointSave+"/"+a+"/"+body.PurposeConcentration)
	}
	rolls := slices.Concat(attacks, saves, checks, []string{house.PointInitiative})
	return effects.Support{
		Kinds: map[effects.Kind][]string{
			effects.KindModifier:           slices.Concat(rolls, damage, []string{house.PointArmor}),
			effects.KindEdge:               slices.Concat(rolls, house.Parts(house.PointAttacked, "melee", "ranged", "spell")),
			effects.KindReroll:             slices.Concat(attacks, saves, checks, damage),
			effects.KindSet:                {house.PointArmor},
			effects.KindSpeed:              nil,
			effects.KindResistance:         nil,
			effects.KindImmunity:           nil,
			effects.KindCriticalRange:      nil,
			effects.KindExtraAction:        nil,
			effects.KindAura:               nil,
			effects.KindCondition:          nil,
			effects.KindDamage:             nil,
			effects.KindSave:               nil,
			effects.KindHealing:            nil,
			effects.KindTemporaryHitPoints: nil,
			effects.KindUse:                nil,
			effects.KindCost:               nil,
			effects.KindBar:                nil,
			effects.KindReplace:            nil,
			effects.KindNoProvoke:          nil,
			effects.KindHook:               nil,
		},
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerCast,
			effects.TriggerHurt, effects.TriggerKill, effects.TriggerSaveFailed, effects.TriggerSavePassed,
			effects.TriggerTurnStart, effects.TriggerTurnEnd, effects.TriggerRoundStart, effects.TriggerEnter},
		Actions:     actionIDs(),
		Counters:    []string{body.CAction, body.CBonus, body.CReaction, body.CInteraction},
		RerollsOne:  []string{house.PointAttack, house.PointSave, house.PointCheck}, // rcr.trait.lucky
		Hooks:       movement.Hooks(),
		CheckHook:   movement.CheckHook,
		Conditions:  System{}.Vocabulary().Names(rules.PlaceCondition, ""),
		DamageTypes: body.DamageTypes,
		Saves:       body.Abilities,
		Areas:       true,
		InForce:     body.InForce,
		Plain:       plain,
		Feat:        featAt,
		Fit:         wield.Fit,
		Table:       strike.TableText,
		CheckTables: func(open func(name string) (string, error)) error {
			_, err := body.LoadTables(func(name string) (string, error) {
				if slices.Contains(strike.Decided, name) {
					return open(name)
				}
				return thechecks.BookTable(name)
			})
			return err
		},
	}
}

// actionIDs are all actions; none when the frame does not hold, which Validate says.
func actionIDs() []string {
	if body.Frame() == nil {
		return nil
	}
	return body.Frame().IDs()
}
