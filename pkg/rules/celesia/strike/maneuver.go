package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RollManeuverCheck makes a combat maneuver check against a number.
//
// celesia.maneuver.success, celesia.maneuver.cmb
func RollManeuverCheck(r *rules.Resolution, label, name string, c, t *eventv1.Creature, cmd *eventv1.TargetNumber, take *eventv1.TakeAction, rule string, more ...*eventv1.Modifier) rules.Rolled {
	edges, mods := checks.Stated(take.GetCircumstances(), t.GetId())
	edges = append(EdgesOf(r.Content(), c, t, body.RollKind{Roll: checks.RollManeuver, Name: name}), edges...)
	defends(r, c, t, cmd)
	all := append(body.Nonzero(append([]*eventv1.Modifier{body.Mod(body.ManeuverBonus(c), "CMB", cite.ManeuverCmb)}, more...)...), mods...)
	return checks.D20{Label: label, Creature: c.Id, Reason: name, Modifiers: all, Edges: edges, Target: cmd,
		Judge: func(_, total int32) (string, int32) {
			if total >= cmd.Value {
				return "success", checks.Degree(total-cmd.Value, 10)
			}
			return "failure", checks.Degree(total-cmd.Value, 10)
		}, Rules: []string{rule}, Point: body.PointManeuver + "/" + name, Env: effects.Env{Actor: c, Target: t}}.Roll(r)
}

// defends is what content makes of the CMD of who resists; nothing of a DC that is
// nobody's.
func defends(r *rules.Resolution, c, t *eventv1.Creature, cmd *eventv1.TargetNumber) {
	if t == nil {
		return
	}
	n, mods := house.Number(r, "maneuver-defense/"+t.Id, t, nil, body.PointManeuverDefense, cmd.Value, effects.Env{Actor: c, Target: t})
	cmd.Value, cmd.Modifiers = n, append(cmd.Modifiers, mods...)
}
