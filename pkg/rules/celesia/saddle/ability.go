package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// abilityActions use abilities that come from the default action economy. What
// they do is the table's; here stand what they cost and whom they provoke.
func abilityActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "use-ability", Title: "Use an ability", Rule: cite.ActionSwiftAbility, Group: play.GroupOther, Trigger: "other",
		CostOf: body.Priced(manners.AbilityCost), Items: body.Ways(manners.AbilityNames), Refuse: body.Bars(manners.RefuseAbility), Fields: strike.ManeuverFields,
		Check: checks.Judged(manners.CheckManeuver), Do: body.Done(doAbility)}, Provoke: manners.AbilityProvokes}}
}

// doAbility tells the use and counts it.
func doAbility(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	a := items.AbilityOf(c, take.Item)
	_, rule := manners.Conversion(a)
	if items.Counted(a) {
		r.Set(c.Id, body.CLeft+a.Name, r.Count(c.Id, body.CLeft+a.Name)-1, "used", rule)
	}
	r.Flag(c.Id, body.MDone+a.Name, true, rule)
	if items.IsManeuver(a) {
		initiate(r, c.Id, take)
	}
	r.Note(event.Everyone(), c.Id, c.Name+" uses "+a.Name, rule)
	return nil
}
