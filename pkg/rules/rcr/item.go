package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const onItem trigger = "activates a magic item"

func itemOf(c *eventv1.Creature, name string) *eventv1.RcrItem {
	for _, it := range sheetOf(c).Items {
		if it.Name == name {
			return it
		}
	}
	return nil
}

// itemCost is the counter that an activation spends; empty for none.
func itemCost(it *eventv1.RcrItem) string {
	switch it.Activation {
	case "bonus":
		return cBonus
	case "other":
		return ""
	}
	return cAction
}

func refuseItem(s *eventv1.State, c *eventv1.Creature, it *eventv1.RcrItem) error {
	var err error
	switch itemCost(it) {
	case cBonus:
		err = needBonus(s, c)
	case cAction:
		err = needAction(c)
	default:
		if bareAction(s, c) {
			err = refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
		}
	}
	if err == nil && c.Counters[cLeft+it.Name] < 1 {
		err = refuse("NO_CHARGES", cite.BaseFifthEditionFallback, "%s is spent", it.Name)
	}
	return err
}

// refuseItemTarget says why a creature cannot be given what an item does: it
// is its user, or within 5 feet.
func refuseItemTarget(c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	const frame = cite.BaseFifthEditionFallback
	feet, known := distanceTo(c, target)
	if n, ok := spoken.Number(take.GetFacts(), "distance"); ok {
		feet, known = n, true
	}
	switch {
	case dead(target):
		return refuse("TARGET_DEAD", frame, "%s is dead", target.Name)
	case target.Id != c.Id && known && feet > 5:
		return refuse("OUT_OF_REACH", frame, "%s is not within 5 feet", target.Name)
	}
	return nil
}

// itemEffect heals by the item: by the spell it holds, or by its own rarity.
//
// rcr.healing.removed-by-item-rarity, rcr.healing.listed-spells
func itemEffect(r *rules.Resolution, user, target string, it *eventv1.RcrItem) {
	if it.Healing == "" && it.Spell == "" {
		return
	}
	amount := int32(0)
	if it.Healing != "" {
		amount = max(0, r.Roll(rules.RollSpec{Label: "item/healing", Creature: user, Expression: it.Healing, Reason: "healing of " + it.Name}).Total)
	}
	facts := map[string]string{"via": viaItem, "rarity": it.Rarity}
	if listedSpellName(it.Spell) {
		facts["via"], facts["spell"] = viaSpell, strings.ToLower(it.Spell)
	}
	healDeed(r, "item/heal/"+target, r.Creature(target), r.Creature(user), it.Name, amount, facts)
}

func refuseKit(s *eventv1.State, c *eventv1.Creature, override bool) error {
	switch {
	case s.Status == eventv1.State_STATUS_STARTED && !override:
		return refuse("IN_COMBAT", cite.HealingKitAfterCombat, "wounds are treated with a kit after combat")
	case c.Counters[cKit] < 1:
		return refuse("NO_KIT", cite.HealingKitUseExpended, "%s has no use of a healer's kit left", c.Name)
	}
	return needAction(c)
}
