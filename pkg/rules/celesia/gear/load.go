package gear

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// loadActions load weapons that take acts to load; ammunition for the others is
// drawn with the shot.
//
// celesia.equipment.draw-ammunition, celesia.equipment.draw-nock-arrow, celesia.action.simple-as-free
func loadActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "load", Title: "Load", Rule: cite.EquipmentLoadLightCrossbow, Group: play.GroupItem, Trigger: "other", CostOf: body.Priced(body.LoadCost),
		Items: body.Ways(body.Loadable), Refuse: body.Bars(body.RefuseLoad), Do: body.Done(body.DoLoad)}, Provoke: body.LoadProvokes}}
}
