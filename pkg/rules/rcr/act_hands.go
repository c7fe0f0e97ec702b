package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// handActions are what hands do besides attacking.
func handActions() []*play.Action {
	const rule = cite.OpportunityObjectInteraction
	interaction := func(at *play.At) []play.Cost {
		counter, _ := interactionCost(at.Actor)
		return one(counter)
	}
	about := func(at *play.At) []string { return threateners(at.State, at.Actor.Id, nil) }
	return []*play.Action{
		{ID: "draw", Title: "Draw or pick up a weapon", Rule: rule, Group: play.GroupItem, CostOf: interaction,
			Items: weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return !held(c, a.Name) }),
			Refuse: func(at *play.At) error {
				return refuseDraw(at.State, at.Actor, attackOf(at.Actor, at.Item()), spoken.Word(at.Take.Parameters, "hand"))
			},
			Fields: handFields, Do: deed(doDraw),
			Provokes: func(at *play.At) []string {
				if !drawProvokes(at.State, at.Actor, at.Item()) {
					return nil
				}
				return about(at)
			}},
		{ID: "stow", Title: "Stow a weapon", Rule: cite.OpportunityStowWeapon, Group: play.GroupItem, CostOf: interaction,
			Items:  weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return held(c, a.Name) }),
			Refuse: func(at *play.At) error { return refuseStow(at.Actor, at.Item()) }, Do: deed(doStow),
			Provokes: func(at *play.At) []string {
				if !stowProvokes(at.Actor, at.Item()) {
					return nil
				}
				return about(at)
			}},
		{ID: "drop", Title: "Drop a weapon", Rule: cite.OpportunityStowWeapon, Group: play.GroupItem,
			Items:  weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return held(c, a.Name) }),
			Refuse: func(at *play.At) error { return refuseEmpty(at.Actor, at.Item()) }, Do: deed(doDrop)},
		{ID: "interact", Title: "Interact with an object", Rule: rule, Group: play.GroupItem, CostOf: interaction, Provokes: about,
			Refuse: func(at *play.At) error { _, err := interactionCost(at.Actor); return err },
			Do: deed(func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
				counter, _ := interactionCost(c)
				return busyWithObject(r, c, take, counter)
			})},
		{ID: "use-object", Title: "Use an object", Rule: rule, Group: play.GroupItem, Costs: oneAction, Refuse: refuseActing, Provokes: about,
			// It keeps the hands as busy as an interaction.
			Do: deed(func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
				return busyWithObject(r, c, take, cAction)
			})},
		{ID: "reload", Title: "Reload", Rule: cite.OpportunityReload, Group: play.GroupItem,
			Items: weapons(func(_ *eventv1.Creature, a *eventv1.RcrAttack) bool { return property(a, "reload") }),
			CostOf: func(at *play.At) []play.Cost {
				counter, _ := reloadCost(at.Actor, attackOf(at.Actor, at.Item()))
				return one(counter)
			},
			Refuse: func(at *play.At) error { return refuseReload(at.Actor, attackOf(at.Actor, at.Item())) }, Do: deed(doReload),
			Provokes: func(at *play.At) []string {
				if !reloadProvokes(at.Actor, attackOf(at.Actor, at.Item())) {
					return nil
				}
				return about(at)
			}},
	}
}

// weapons are the weapons that a creature has, those listed that belong.
func weapons(belongs func(c *eventv1.Creature, a *eventv1.RcrAttack) bool) func(*play.At) []string {
	return func(at *play.At) (out []string) {
		for _, a := range sheetOf(at.Actor).Attacks {
			if !a.Natural && !a.Spell && at.Actor.Items[a.Name] != nil && (!at.Listing || belongs(at.Actor, a)) {
				out = append(out, a.Name)
			}
		}
		return out
	}
}

// handFields is the hand that takes a weapon.
func handFields(at *play.At) []play.Field {
	if !at.Listing || property(attackOf(at.Actor, at.Item()), "two-handed") {
		return offer(nil, at, false, play.Field{Name: "hand"})
	}
	hands := freeHands(at.State, at.Actor, attackOf(at.Actor, at.Item()))
	return offer(nil, at, len(hands) > 0, play.Field{Name: "hand", Values: hands})
}

// drawProvokes tells whether drawing a weapon provokes: what lies about always does.
//
// rcr.opportunity.object-interaction
func drawProvokes(s *eventv1.State, c *eventv1.Creature, item string) bool {
	return c.Items[item].GetPlace() != "stowed" || defaults.On(s, setDrawProvokes)
}

// stowProvokes tells whether stowing a weapon provokes. That of the off hand goes
// without: the exception beats the general rule on interactions.
//
// rcr.opportunity.stow-weapon
func stowProvokes(c *eventv1.Creature, item string) bool { return c.Items[item].GetPlace() != "off" }

// reloadProvokes tells whether a reload provokes: unless it is free; with bound
// hands it never is.
//
// rcr.opportunity.reload, rcr.condition.shackled-reload
func reloadProvokes(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return !a.ReloadFree || has(c, condShackled)
}

// when is a rule where something holds.
func when(holds bool, rule string) string {
	if holds {
		return rule
	}
	return ""
}

// doDraw takes a weapon in hand, drawn or from the ground.
//
// rcr.opportunity.object-interaction
func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, hand := attackOf(c, take.Item), spoken.Word(take.Parameters, "hand")
	cost, _ := interactionCost(c)
	return busy(r, c, take, cost, onInteract, when(drawProvokes(r.State(), c, take.Item), cite.OpportunityObjectInteraction),
		func() { moveItem(r, c, a.Name, freeHand(r.State(), c, a, hand), "drawn") })
}

// doStow puts a weapon away.
//
// rcr.opportunity.stow-weapon
func doStow(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	cost, _ := interactionCost(c)
	return busy(r, c, take, cost, onStow, when(stowProvokes(c, take.Item), cite.OpportunityStowWeapon), func() { moveItem(r, c, take.Item, "stowed", "stowed") })
}

// doDrop lets a weapon fall: that is neither stowing nor an interaction.
//
// rcr.opportunity.stow-weapon
func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return busy(r, c, take, "", "", "", func() { moveItem(r, c, take.Item, "dropped", "dropped") })
}

// doReload loads a weapon with the property Reload.
//
// rcr.opportunity.reload, rcr.condition.shackled-reload
func doReload(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := attackOf(c, take.Item)
	cost, _ := reloadCost(c, a)
	return busy(r, c, take, cost, onReload, when(reloadProvokes(c, a), cite.OpportunityReload), func() {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: r.Creature(c.Id).Items[a.Name].GetPlace(),
			Values: map[string]int32{"loaded": 1}, Cause: "reloaded"})
	})
}
