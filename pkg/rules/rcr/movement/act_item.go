package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/items"
	thestrike "github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ItemActions are magic items and healer's kits.
func ItemActions() []*play.Action {
	return []*play.Action{
		{ID: "use-item", Title: "Use a magic item", Rule: cite.OpportunityMagicItem, Group: play.GroupItem, Most: 1, Self: true,
			Items:  func(at *play.At) []string { return body.NamesOf(body.SheetOf(at.Actor).Items) },
			CostOf: func(at *play.At) []play.Cost { return checks.One(answers.ItemCost(items.ItemOf(at.Actor, at.Item()))) },
			Refuse: func(at *play.At) error {
				return answers.RefuseItem(at.State, at.Actor, items.ItemOf(at.Actor, at.Item()))
			},
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				return checks.RefuseItemTarget(at.Actor, t, thestrike.Revives(at.Content, items.ItemOf(at.Actor, at.Item()).GetSpell()), at.Take)
			},
			Do: body.Deed(doItem),
			Provokes: func(at *play.At) []string {
				if !items.ItemProvokes(items.ItemOf(at.Actor, at.Item())) {
					return nil
				}
				return answers.Threateners(at.State, at.Actor.Id, nil)
			}},
		{ID: "use-kit", Title: "Treat wounds with a healer's kit", Rule: cite.HealingKitUseExpended, Group: play.GroupAid, Most: 1, Self: true,
			Costs: []play.Cost{{Counter: body.CAction, Amount: 1}, {Counter: body.CKit, Amount: 1}},
			Items: thestrike.BareWhen(func(at *play.At) bool { return at.Actor.Counters[body.CKit] > 0 }),
			// The game master's word lets wounds be treated in the midst of a fight.
			Refuse: func(at *play.At) error {
				return items.RefuseKit(at.State, at.Actor, spoken.Truth(at.Take.Facts, "override"))
			},
			RefuseTarget: func(at *play.At, t *eventv1.Creature) error {
				return checks.RefuseItemTarget(at.Actor, t, false, at.Take)
			},
			Do:       body.Deed(doKit),
			Provokes: func(at *play.At) []string { return answers.Threateners(at.State, at.Actor.Id, nil) }},
	}
}

// doItem activates a magic item on its user or on one within 5 feet. The enemies
// about get their window first; a user struck down keeps the charge.
//
// rcr.opportunity.magic-item, rcr.healing.item-check
func doItem(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	it, to, stated := items.ItemOf(c, take.Item), items.OnWhom(c, take), checks.StatedIDs(take.Facts, "threatened_by")
	if cost := answers.ItemCost(it); cost != "" {
		body.Spend(r, c.Id, cost, it.Name)
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-item", Targets: []string{to}, Item: it.Name, Notes: body.StatedNotes(take)})
	if items.ItemProvokes(it) {
		OfferOpportunity(r, c.Id, items.OnItem, cite.OpportunityMagicItem, answers.Threateners(r.State(), c.Id, stated), take)
	}
	if body.Incapacitated(r.Creature(c.Id)) {
		r.Note(event.Everyone(), c.Id, it.Name+" is not used", cite.BaseOpportunityFrame)
		return nil
	}
	if !answers.Uncounted(it) {
		body.Spend(r, c.Id, body.CLeft+it.Name, "used")
	}
	itemEffect(r, c.Id, to, it)
	return nil
}

// doKit treats wounds with a kit in the midst of a fight, which only the game
// master's word allows: the fact "override".
//
// rcr.healing.kit-after-combat
func doKit(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	to, stated := items.OnWhom(c, take), checks.StatedIDs(take.Facts, "threatened_by")
	body.Spend(r, c.Id, body.CAction, "healer's kit")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "use-kit", Targets: []string{to}})
	if !kitInHand(r, c.Id, stated, take) {
		return nil
	}
	// That there is nothing to treat is found out in the act: to be refused would
	// tell anybody of another's wounds, and the window came before.
	if r.Count(to, body.CWounds) <= 0 {
		r.Note(injuries.Healers(c.Id, to), to, "there are no wounds to treat: the kit is kept", cite.HealingKitWound)
		return nil
	}
	r.Harm("kit/"+to, &eventv1.Harm{Deed: body.DeedKit, Target: to, Source: c.Id, Cause: "healer's kit",
		Facts: body.Also(map[string]string{"override": rules.Yes}, injuries.MedicineFacts(take, to))})
	return nil
}
