package gear

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FirearmActions load one barrel of a simple firearm.
func FirearmActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "load-firearm", Title: "Load a barrel", Rule: manners.RuleLoadOne, Group: play.GroupItem, Trigger: "other", CostOf: body.Priced(manners.BarrelCost),
		Items: body.Ways(manners.SimpleFirearms), Refuse: body.Bars(manners.RefuseBarrel), Do: items.Paid(manners.DoBarrel)}, Provoke: checks.Always, Spans: func(c *eventv1.Creature, take *eventv1.TakeAction) bool {
		return manners.RoundLoad(body.WeaponOf(c, take.Item))
	}}}
}
