package rcr

import (
	"slices"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/wield"
)

var _ rules.Contented = System{}

// Points that content can change. Attacks and what they do are told apart by
// melee, ranged and spell.
const (
	pointAttack     = "attack"
	pointAttacked   = "attacked"
	pointDamage     = "damage"
	pointArmor      = "armor-class"
	pointSave       = "save"
	pointCheck      = "check"
	pointInitiative = "initiative"
)

// Content says what of a table's own content this system carries out.
func (System) Content() effects.Support {
	attacks := parts(pointAttack, "melee", "ranged", "spell")
	damage := parts(pointDamage, "melee", "ranged", "spell")
	saves, checks := parts(pointSave, abilities...), parts(pointCheck, append(rules.SortedKeys(skillAbility), abilities...)...)
	rolls := slices.Concat(attacks, saves, checks, []string{pointInitiative})
	return effects.Support{
		Kinds: map[effects.Kind][]string{
			effects.KindModifier:           slices.Concat(rolls, damage, []string{pointArmor}),
			effects.KindEdge:               slices.Concat(rolls, parts(pointAttacked, "melee", "ranged", "spell")),
			effects.KindReroll:             slices.Concat(attacks, saves, checks, damage),
			effects.KindSet:                {pointArmor},
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
		},
		Triggers: []string{effects.TriggerHit, effects.TriggerMiss, effects.TriggerCritical, effects.TriggerCast,
			effects.TriggerTurnStart, effects.TriggerTurnEnd},
		Counters:    []string{cAction, cBonus, cReaction},
		Conditions:  System{}.Vocabulary().Names(rules.PlaceCondition, ""),
		DamageTypes: damageTypes,
		Saves:       abilities,
		Areas:       true,
		Fit:         wield.Fit,
		Table:       tableText,
		CheckTables: func(open func(name string) (string, error)) error {
			_, err := loadTables(func(name string) (string, error) {
				if slices.Contains(decided, name) {
					return open(name)
				}
				return bookTable(name)
			})
			return err
		},
	}
}

// parts are the points of a whole.
func parts(whole string, of ...string) []string {
	out := make([]string, 0, len(of))
	for _, part := range of {
		out = append(out, whole+"/"+part)
	}
	return out
}

// decided are the tables that packs can change: those that decide.
var decided = []string{"limbs", "setback"}

func tableText(name string) (string, bool) {
	if !slices.Contains(decided, name) {
		return "", false
	}
	text, err := bookTable(name)
	return text, err == nil
}

// bookTable is the text of a table as the book has it.
func bookTable(name string) (string, error) { return content.Book().Table(name) }
