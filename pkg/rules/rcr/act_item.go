package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// itemActions are magic items and healer's kits.
func itemActions() []*play.Action {
	onItemTarget := func(at *play.At, t *eventv1.Creature) error { return refuseItemTarget(at.Actor, t, at.Take) }
	return []*play.Action{
		{ID: "use-item", Title: "Use a magic item", Rule: cite.OpportunityMagicItem, Group: play.GroupItem, Most: 1, Self: true,
			Items:        func(at *play.At) []string { return namesOf(sheetOf(at.Actor).Items) },
			CostOf:       func(at *play.At) []play.Cost { return one(itemCost(itemOf(at.Actor, at.Item()))) },
			Refuse:       func(at *play.At) error { return refuseItem(at.State, at.Actor, itemOf(at.Actor, at.Item())) },
			RefuseTarget: onItemTarget, Do: deed(doItem),
			Provokes: func(at *play.At) []string {
				if !itemProvokes(itemOf(at.Actor, at.Item())) {
					return nil
				}
				return threateners(at.State, at.Actor.Id, nil)
			}},
		{ID: "use-kit", Title: "Treat wounds with a healer's kit", Rule: cite.HealingKitUseExpended, Group: play.GroupAid, Most: 1, Self: true,
			Costs: []play.Cost{{Counter: cAction, Amount: 1}, {Counter: cKit, Amount: 1}},
			Items: bareWhen(func(at *play.At) bool { return at.Actor.Counters[cKit] > 0 }),
			// The game master's word lets wounds be treated in the midst of a fight.
			Refuse:       func(at *play.At) error { return refuseKit(at.State, at.Actor, spoken.Truth(at.Take.Facts, "override")) },
			RefuseTarget: onItemTarget, Do: deed(doKit),
			Provokes: func(at *play.At) []string { return threateners(at.State, at.Actor.Id, nil) }},
	}
}

// itemProvokes tells whether the activation of a magic item provokes.
//
// rcr.opportunity.magic-item
func itemProvokes(it *eventv1.RcrItem) bool { return itemCost(it) == cAction && !it.CommandWordOnly }

// onWhom is the target of a command, or its actor.
func onWhom(c *eventv1.Creature, take *eventv1.TakeAction) string {
	if len(take.Targets) == 0 {
		return c.Id
	}
	return take.Targets[0]
}

// doItem activates a magic item on its user or on one within 5 feet. The enemies
// about get their window first; a user struck down keeps the charge.
//
// rcr.opportunity.magic-item, rcr.healing.item-check
func doItem(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	it, to, stated := itemOf(c, take.Item), onWhom(c, take), statedIDs(take.Facts, "threatened_by")
	if cost := itemCost(it); cost != "" {
		spend(r, c.Id, cost, it.Name)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-item", Targets: []string{to}, Item: it.Name, Notes: statedNotes(take)})
	if itemProvokes(it) {
		offerOpportunity(r, c.Id, onItem, cite.OpportunityMagicItem, threateners(r.State(), c.Id, stated), take)
	}
	if incapacitated(r.Creature(c.Id)) {
		r.Note(event.Everyone(), c.Id, it.Name+" is not used", cite.BaseOpportunityFrame)
		return nil
	}
	spend(r, c.Id, cLeft+it.Name, "used")
	itemEffect(r, c.Id, to, it)
	return nil
}

// doKit treats wounds with a kit in the midst of a fight, which only the game
// master's word allows: the fact "override".
//
// rcr.healing.kit-after-combat
func doKit(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	to, stated := onWhom(c, take), statedIDs(take.Facts, "threatened_by")
	spend(r, c.Id, cAction, "healer's kit")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-kit", Targets: []string{to}})
	if !kitInHand(r, c.Id, stated, take) {
		return nil
	}
	// That there is nothing to treat is found out in the act: to be refused would
	// tell anybody of another's wounds, and the window came before.
	if r.Count(to, cWounds) <= 0 {
		r.Note(healers(c.Id, to), to, "there are no wounds to treat: the kit is kept", cite.HealingKitWound)
		return nil
	}
	r.Harm("kit/"+to, &eventv1.Harm{Deed: deedKit, Target: to, Source: c.Id, Cause: "healer's kit",
		Facts: also(map[string]string{"override": rules.Yes}, medicineFacts(take, to))})
	return nil
}
