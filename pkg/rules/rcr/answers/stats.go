package answers

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmorClass is what an attack on the target must reach. A stated cover beats
// none; a croucher's shield counts when it is the better one.
func ArmorClass(r *rules.Resolution, target, attacker *eventv1.Creature, _ bool, cover string) *eventv1.TargetNumber {
	ac := &eventv1.TargetNumber{Kind: "AC", Value: body.SheetOf(target).ArmorClass}
	for _, ch := range body.ChangesOf(target) {
		if ch.Key == body.ChArmorAtLeast {
			ac.Value = max(ac.Value, ch.Value)
		}
	}
	for _, ch := range body.ChangesOf(target) {
		if ch.Key == body.ChArmor {
			ac.Value += ch.Value
			ac.Modifiers = append(ac.Modifiers, body.Mod(ch.Value, ch.From.Cause, cite.BaseFifthEditionFallback))
		}
	}
	houseArmor(r, target, attacker, ac)
	if bonus, source, rule := body.CoverBonus(r.State(), target, cover); bonus != 0 {
		ac.Value += bonus
		ac.Modifiers = append(ac.Modifiers, body.Mod(bonus, source, rule))
	}
	return ac
}
