package saddle

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/movement"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// MoveActions are the ways to change place and posture.
func MoveActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "move", Title: "Move", Rule: cite.MovementMove, Group: play.GroupMove, Trigger: "move", Costs: body.Acts(1), Refuse: body.Bars(movement.RefuseMove),
			Fields: gear.MoveFields, Further: gear.DrawingTwo, Squares: movement.Reachable(func(c *eventv1.Creature) int32 { return body.Speed(c, body.WayOf(c, nil)) }), Check: checks.Judged(movement.CheckMove), Do: body.Done(doMove)}, Provoke: checks.Always},
		{Action: play.Action{ID: "step", Title: "Step", Rule: cite.MovementStep, Group: play.GroupMove, Trigger: "move", Costs: body.Acts(1), Refuse: body.Bars(movement.RefuseStep),
			Fields: strike.StepFields, Squares: movement.Reachable(func(*eventv1.Creature) int32 { return 5 }), Check: checks.Judged(movement.CheckShort(cite.MovementStep)), Do: body.Done(doShort("step"))}},
		{Action: play.Action{ID: "crawl", Title: "Crawl", Rule: cite.MovementCrawl, Group: play.GroupMove, Trigger: "move", Costs: body.Acts(1), Refuse: body.Bars(movement.RefuseCrawl), Squares: movement.Reachable(func(*eventv1.Creature) int32 { return 5 }), Check: checks.Judged(movement.CheckShort(cite.MovementCrawl)), Do: body.Done(doShort("crawl"))}, Provoke: checks.Always},
		{Action: play.Action{ID: "stand-up", Title: "Stand up", Rule: cite.MovementStandUp, Group: play.GroupMove, Trigger: "stand-up", Costs: body.Acts(1),
			Refuse: body.Bars(movement.RefuseStand), Do: body.Done(movement.DoStand)}, Provoke: checks.Always},
		{Action: play.Action{ID: "drop-prone", Title: "Drop prone", Rule: cite.MovementDropProne, Group: play.GroupMove, Refuse: body.Bars(movement.RefuseDropProne),
			Do: body.Done(movement.DoDropProne)}},
	}
}

// doMove moves; a foe in hold is brought along and put beside the holder.
//
// celesia.movement.move, celesia.maneuver.grapple-move, celesia.equipment.draw-with-move
func doMove(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	for _, name := range []string{spoken.Word(take.Parameters, "draw"), spoken.Word(take.Parameters, "second")} {
		if name != "" {
			gear.Draw(r, c.Id, name, false, "drawn on the move", answers.RuleDrawOnMove)
		}
	}
	if shield := spoken.Word(take.Parameters, "shield"); shield != "" {
		gear.TurnShield(r, c.Id, shield)
	}
	if body.Legless(c) {
		body.Lift(r, c.Id, body.CondProne, "no longer on the ground", cite.InjuryLegAllLost)
	}
	foe := answers.Holds(c)
	if r.On(body.SetOnTheWay) {
		rest, on := passBy(r, c, take, foe)
		if !on {
			r.Mark(c.Id, body.MDragging, "")
			return nil
		}
		c, take = r.Creature(c.Id), &eventv1.TakeAction{Creature: c.Id, Action: take.Action, Path: rest, Parameters: take.Parameters, Facts: take.Facts}
	}
	walk(r, c, take, body.WayOf(c, take))
	if foe != "" {
		bring(r, c.Id, foe, take)
		r.Mark(c.Id, body.MDragging, "")
	}
	return nil
}

// passBy lets those answer who threaten a square that a Move leaves on the way,
// each once; those at its start had their chance before it began. A foe in hold comes
// along. It returns what is left of the way, and whether the creature still goes on.
//
// celesia.action.provoke, celesia.maneuver.grapple-move
func passBy(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, foe string) (rest []*eventv1.Position, on bool) {
	near := func(at *eventv1.Position, except []string) []string {
		there := &eventv1.Creature{Id: c.Id, Size: c.Size, Position: at}
		return slices.DeleteFunc(answers.Order(r.State()), func(id string) bool {
			foe := r.Creature(id)
			return foe.Side == c.Side || slices.Contains(except, id) || !strike.Reaches(foe, there)
		})
	}
	rest = maneuvers.Squares(c.Position, take.Path)
	asked := near(c.Position, nil)
	for len(rest) > 1 {
		at := rest[0]
		rest = rest[1:]
		fresh := near(at, asked)
		if len(fresh) == 0 {
			continue
		}
		from := r.Creature(c.Id).Position
		r.Move(&eventv1.Moved{Creature: c.Id, To: at, Mode: body.WayOf(c, take), Feet: grid.Steps(from, at)}, cite.MovementMove)
		answers.TakeRider(r, c.Id)
		follow(r, c.Id, foe)
		window(r, checks.Provocation{By: c.Id, Kind: "move", Provokes: true, Except: asked, Take: &eventv1.TakeAction{Creature: c.Id, Action: "move"}})
		asked = append(asked, fresh...)
		if now := r.Creature(c.Id); !strike.Able(now) || answers.Bound(now) != nil || body.Has(now, body.CondProne) {
			return nil, false
		}
	}
	return rest, true
}

// walk puts a creature at the end of its way and lets those it came to react.
func walk(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, mode string) {
	feet, err := answers.PathLength(c, take)
	if err != nil {
		return // the way was judged before
	}
	to := c.Position
	if n := len(take.Path); n > 0 {
		to = take.Path[n-1]
	}
	r.Move(&eventv1.Moved{Creature: c.Id, To: to, Mode: mode, Feet: feet}, cite.MovementMove)
	answers.TakeRider(r, c.Id)
	window(r, checks.Provocation{By: c.Id, Kind: "approach", Take: take})
}

func doShort(mode string) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		walk(r, c, take, mode)
		return nil
	}
}
