package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ImproviseActions are what a tavern brawler makes of a thing in its hand that is no
// weapon.
//
// rcr.feat.tavern-brawler-property
func ImproviseActions() []*play.Action {
	const rule = cite.FeatTavernBrawlerProperty
	return []*play.Action{{ID: "improvise", Title: "Give what is no weapon a property", Rule: rule, Group: play.GroupItem,
		Items: checks.Weapons(func(c *eventv1.Creature, a *eventv1.RcrAttack) bool {
			return checks.Property(a, body.PropImprovised) && body.HasFeat(c, body.FeatTavernBrawler)
		}),
		Refuse: func(at *play.At) error {
			return checks.RefuseImprovise(at.State, at.Actor, checks.AttackOf(at.Actor, at.Item()))
		},
		Fields: func(*play.At) []play.Field { return []play.Field{{Name: "property", Required: true}} },
		Do: body.Deed(func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
			property := spoken.Word(take.Parameters, "property")
			r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Item: take.Item, Notes: []string{property}}, rule)
			checks.Improvise(r, c, take.Item, property)
			return nil
		})}}
}
