package movement

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/items"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// itemEffect heals by the item: by the spell it holds, or by its own rarity.
//
// rcr.healing.removed-by-item-rarity, rcr.healing.listed-spells, rcr.healing.revival-spells
func itemEffect(r *rules.Resolution, user, target string, it *eventv1.RcrItem) {
	if it.FlySpeed > 0 && it.FlightActivated {
		AddCondition(r, target, items.LiftOf(it, user)) // rcr.flight.magic-worn-reactivate
	}
	if it.Healing == "" && it.Spell == "" {
		return
	}
	amount := int32(0)
	if it.Healing != "" {
		amount = max(0, r.Roll(rules.RollSpec{Label: "item/healing", Creature: user, Expression: it.Healing, Reason: "healing of " + it.Name, Rules: []string{body.Fallback}}).Total)
	}
	facts := map[string]string{"via": injuries.ViaItem, "rarity": it.Rarity}
	if thestrike.ListedSpellName(r.Content(), it.Spell) {
		facts["via"], facts["spell"] = injuries.ViaSpell, strings.ToLower(it.Spell)
	}
	if thestrike.Revives(r.Content(), it.Spell) {
		revive(r, &eventv1.Harm{Deed: body.DeedSpell, Target: target, Source: user, Cause: it.Name, Amount: amount, Facts: facts}, "item/revive/"+target)
		return
	}
	healDeed(r, "item/heal/"+target, r.Creature(target), r.Creature(user), it.Name, amount, facts)
}
