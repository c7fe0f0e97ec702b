package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HandActions are what hands do besides attacking.
func HandActions() []*play.Action {
	const rule = cite.OpportunityObjectInteraction
	interaction := func(at *play.At) []play.Cost {
		counter, _ := checks.InteractionCost(at.Actor)
		return checks.One(counter)
	}
	about := func(at *play.At) []string { return answers.Threateners(at.State, at.Actor.Id, nil) }
	return []*play.Action{
		{ID: "draw", Title: "Draw or pick up a weapon", Rule: rule, Group: play.GroupItem, CostOf: interaction,
			Items: checks.Weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return !checks.Held(c, a.Name) }),
			Refuse: func(at *play.At) error {
				return checks.RefuseDraw(at.State, at.Actor, checks.AttackOf(at.Actor, at.Item()), spoken.Word(at.Take.Parameters, "hand"))
			},
			Fields: checks.HandFields, Do: body.Deed(doDraw),
			Provokes: func(at *play.At) []string {
				if !checks.DrawProvokes(at.State, at.Actor, at.Item()) {
					return nil
				}
				return about(at)
			}},
		{ID: "stow", Title: "Stow a weapon", Rule: cite.OpportunityStowWeapon, Group: play.GroupItem,
			CostOf: func(at *play.At) []play.Cost {
				if checks.StowsTwo(at.State, at.Actor, at.Item()) {
					return nil
				}
				return interaction(at)
			},
			Items:  checks.Weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return checks.Held(c, a.Name) }),
			Refuse: func(at *play.At) error { return checks.RefuseStow(at.State, at.Actor, at.Item()) }, Do: body.Deed(doStow),
			Provokes: func(at *play.At) []string {
				if !checks.StowProvokes(at.Actor, at.Item()) {
					return nil
				}
				return about(at)
			}},
		{ID: "drop", Title: "Drop a weapon", Rule: cite.OpportunityStowWeapon, Group: play.GroupItem,
			Items:  checks.Weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool { return checks.Held(c, a.Name) }),
			Refuse: func(at *play.At) error { return checks.RefuseEmpty(at.Actor, at.Item()) }, Do: body.Deed(doDrop)},
		{ID: "interact", Title: "Interact with an object", Rule: rule, Group: play.GroupItem, CostOf: interaction, Provokes: about,
			Refuse: func(at *play.At) error { _, err := checks.InteractionCost(at.Actor); return err },
			Do: body.Deed(func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
				counter, _ := checks.InteractionCost(c)
				return busyWithObject(r, c, take, counter)
			})},
		{ID: "use-object", Title: "Use an object", Rule: rule, Group: play.GroupItem, Costs: checks.OneAction, Refuse: checks.RefuseActing, Provokes: about,
			// It keeps the hands as busy as an interaction.
			Do: body.Deed(func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
				return busyWithObject(r, c, take, body.CAction)
			})},
		{ID: "reload", Title: "Reload", Rule: cite.OpportunityReload, Group: play.GroupItem,
			Items: checks.Weapons(func(_ *eventv1.Creature, a *eventv1.RcrAttack) bool { return checks.Property(a, "reload") }),
			CostOf: func(at *play.At) []play.Cost {
				counter, _ := checks.ReloadCost(at.Actor, checks.AttackOf(at.Actor, at.Item()))
				return checks.One(counter)
			},
			Refuse: func(at *play.At) error { return checks.RefuseReload(at.Actor, checks.AttackOf(at.Actor, at.Item())) }, Do: body.Deed(doReload),
			Provokes: func(at *play.At) []string {
				if !checks.ReloadProvokes(at.Actor, checks.AttackOf(at.Actor, at.Item())) {
					return nil
				}
				return about(at)
			}},
	}
}

// doDraw takes a weapon in hand, drawn or from the ground.
//
// rcr.opportunity.object-interaction
func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a, hand := checks.AttackOf(c, take.Item), spoken.Word(take.Parameters, "hand")
	cost, _ := checks.InteractionCost(c)
	return busy(r, c, take, cost, checks.OnInteract, checks.When(checks.DrawProvokes(r.State(), c, take.Item), cite.OpportunityObjectInteraction),
		func() { checks.MoveItem(r, c, a.Name, checks.FreeHand(r.State(), c, a, hand), "drawn") })
}

// doStow puts a weapon away.
//
// rcr.opportunity.stow-weapon
func doStow(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	cost, _ := checks.InteractionCost(c)
	second := checks.StowsTwo(r.State(), c, take.Item)
	if second {
		cost = ""
	}
	return busy(r, c, take, cost, checks.OnStow, checks.When(checks.StowProvokes(c, take.Item), cite.OpportunityStowWeapon), func() {
		checks.MoveItem(r, c, take.Item, "stowed", "stowed")
		r.Flag(c.Id, body.MStowed, !second && checks.StowsWithAnother(r.State(), c, take.Item), checks.StowingTwo(r.State(), c)...)
	})
}

// doDrop lets a weapon fall: that is neither stowing nor an interaction.
//
// rcr.opportunity.stow-weapon
func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return busy(r, c, take, "", "", "", func() { checks.MoveItem(r, c, take.Item, "dropped", "dropped") })
}

// doReload loads a weapon with the property Reload.
//
// rcr.opportunity.reload, rcr.condition.shackled-reload
func doReload(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := checks.AttackOf(c, take.Item)
	cost, _ := checks.ReloadCost(c, a)
	return busy(r, c, take, cost, checks.OnReload, checks.When(checks.ReloadProvokes(c, a), cite.OpportunityReload), func() {
		r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: a.Name, Place: r.Creature(c.Id).Items[a.Name].GetPlace(),
			Values: map[string]int32{"loaded": 1}, Cause: "reloaded"})
	})
}
