package checks

import (
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Weapons are the weapons that a creature has, those listed that belong.
func Weapons(belongs func(c *eventv1.Creature, a *eventv1.RcrAttack) bool) func(*play.At) []string {
	return func(at *play.At) (out []string) {
		for _, a := range body.SheetOf(at.Actor).Attacks {
			if at.Actor.Items[a.Name] != nil && (!at.Listing || belongs(at.Actor, a)) {
				out = append(out, a.Name)
			}
		}
		return out
	}
}

// HandFields is the hand that takes a weapon.
func HandFields(at *play.At) []play.Field {
	if !at.Listing || Property(AttackOf(at.Actor, at.Item()), "two-handed") {
		return body.Offer(nil, at, false, play.Field{Name: "hand"})
	}
	hands := freeHands(at.State, at.Actor, AttackOf(at.Actor, at.Item()))
	return body.Offer(nil, at, true, play.Field{Name: "hand", Values: hands}) // drawn without a hand free, it is no option
}

// DrawProvokes tells whether drawing a weapon provokes: what lies about always does.
//
// rcr.opportunity.object-interaction
func DrawProvokes(s *eventv1.State, c *eventv1.Creature, item string) bool {
	return c.Items[item].GetPlace() != "stowed" || body.Defaults.On(s, body.SetDrawProvokes)
}

// StowProvokes tells whether stowing a weapon provokes. That of the off hand goes
// without: the exception beats the general rule on interactions.
//
// rcr.opportunity.stow-weapon
func StowProvokes(c *eventv1.Creature, item string) bool { return c.Items[item].GetPlace() != "off" }

// ReloadProvokes tells whether a reload provokes: unless it is free; with bound
// hands it never is.
//
// rcr.opportunity.reload, rcr.condition.shackled-reload
func ReloadProvokes(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
	return !a.ReloadFree || body.Has(c, body.CondShackled)
}

// When is a rule where something holds.
func When(holds bool, rule string) string {
	if holds {
		return rule
	}
	return ""
}
