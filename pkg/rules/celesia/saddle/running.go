package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RunActions are the run: four times the speed in a straight line.
func RunActions() []*strike.Action {
	return []*strike.Action{{Action: play.Action{ID: "run", Title: "Run", Rule: cite.MovementRun, Group: play.GroupMove, Trigger: "move", Costs: body.Acts(3), Refuse: body.Bars(movement.RefuseRun),
		Fields: strike.RunFields, Squares: movement.Reachable(func(c *eventv1.Creature) int32 { return 4 * body.Speed(c, body.WayOf(c, nil)) }), Check: checks.Judged(movement.CheckRun), Do: body.Done(doRun)}, Provoke: checks.Always}}
}

// doRun runs, unless the endurance check that is due fails. A turn without
// running ends the count of rounds (a reading).
//
// celesia.movement.run, celesia.movement.run-loses-dexterity, celesia.movement.run-endurance
func doRun(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if !body.Has(c, strike.CondRan) {
		r.Set(c.Id, body.CRun, 0, "not running before", cite.MovementRunEndurance)
		r.Set(c.Id, body.CRunChecks, 0, "not running before", cite.MovementRunEndurance)
	}
	if !movement.Endures(r, c.Id) {
		movement.Tire(r, c.Id)
		return nil
	}
	manners.ForRound(r, c.Id, strike.CondRan, "run", cite.MovementRunEndurance, 1)
	r.Set(c.Id, body.CRun, r.Count(c.Id, body.CRun)+1, "run", cite.MovementRunEndurance)
	if !body.Has(r.Creature(c.Id), strike.CondRunning) {
		r.AddCondition(c.Id, &eventv1.Condition{Name: strike.CondRunning, Cause: "run", Until: checks.UntilStart(c.Id), Rule: cite.MovementRunLosesDexterity})
	}
	walk(r, r.Creature(c.Id), take, "run")
	return nil
}
