package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const onItem trigger = "activates a magic item"

func itemActions() []*action {
	return []*action{
		{id: "use-item", title: "Use a magic item", options: itemOptions, do: doItem},
		{id: "use-kit", title: "Treat wounds with a healer's kit", options: kitOptions, do: doKit},
	}
}

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

func itemOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	var out []*eventv1.Option
	for _, it := range sheetOf(c).Items {
		costs := map[string]int32{}
		if counter := itemCost(it); counter != "" {
			costs[counter] = 1
		}
		o := option(it.Name, refuseItem(s, c, it), costs)
		o.MinimumTargets, o.MaximumTargets = 0, 1
		for _, id := range rules.SortedKeys(s.Creatures) {
			if refuseItemTarget(c, s.Creatures[id], nil) == nil {
				o.Targets = append(o.Targets, id)
			}
		}
		out = append(out, o)
	}
	return out
}

// doItem activates a magic item on its user or on one within 5 feet. The enemies
// about get their window first; a user struck down keeps the charge.
//
// rcr.opportunity.magic-item, rcr.healing.item-check
func doItem(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	it := itemOf(c, take.Item)
	if it == nil {
		return noSuch("take.item", take.Item, "magic item of "+c.Name, namesOf(sheetOf(c).Items))
	}
	if err := refuseItem(r.State(), c, it); err != nil {
		return err
	}
	target := c.Id
	if len(take.Targets) > 0 {
		var err error
		if target, err = oneTarget(take); err != nil {
			return err
		}
	}
	if err := refuseItemTarget(c, r.Creature(target), take); err != nil {
		return err
	}
	stated := statedIDs(take.Facts, "threatened_by")
	cost := itemCost(it)
	if cost != "" {
		spend(r, c.Id, cost, it.Name)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-item", Targets: []string{target}, Item: it.Name, Notes: statedNotes(take)})
	if cost == cAction && !it.CommandWordOnly {
		offerOpportunity(r, c.Id, onItem, cite.OpportunityMagicItem, threateners(r, c.Id, stated), take)
	}
	if incapacitated(r.Creature(c.Id)) {
		r.Note(event.Everyone(), c.Id, it.Name+" is not used", cite.BaseOpportunityFrame)
		return nil
	}
	spend(r, c.Id, cLeft+it.Name, "used")
	itemEffect(r, c.Id, target, it)
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

func kitOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	if c.Counters[cKit] < 1 {
		return nil
	}
	o := option("", refuseKit(s, c, false), map[string]int32{cAction: 1, cKit: 1})
	o.MaximumTargets = 1
	return []*eventv1.Option{o}
}

// doKit treats wounds with a kit in the midst of a fight, which only the game
// master's word allows: the fact "override".
//
// rcr.healing.kit-after-combat
func doKit(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	override := spoken.Truth(take.Facts, "override")
	if err := refuseKit(r.State(), c, override); err != nil {
		return err
	}
	target := c.Id
	if len(take.Targets) > 0 {
		var err error
		if target, err = oneTarget(take); err != nil {
			return err
		}
	}
	if err := refuseItemTarget(c, r.Creature(target), take); err != nil {
		return err
	}
	stated := statedIDs(take.Facts, "threatened_by")
	spend(r, c.Id, cAction, "healer's kit")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-kit", Targets: []string{target}})
	if !kitInHand(r, c.Id, stated, take) {
		return nil
	}
	// That there is nothing to treat is found out in the act: to be refused would
	// tell anybody of another's wounds, and the window came before.
	if r.Count(target, cWounds) <= 0 {
		r.Note(healers(c.Id, target), target, "there are no wounds to treat: the kit is kept", cite.HealingKitWound)
		return nil
	}
	r.Deed("kit/"+target, &eventv1.Harm{Deed: deedKit, Target: target, Source: c.Id, Cause: "healer's kit",
		Facts: also(map[string]string{"override": "yes"}, medicineFacts(take, target))})
	return nil
}
