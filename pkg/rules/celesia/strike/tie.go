package strike

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// TieUp is a second grapple check, at -10 and without the bonus of keeping up (a
// reading): the ropes pin the foe until they are removed or it wins free.
//
// celesia.maneuver.grapple-tie-up
func TieUp(r *rules.Resolution, c, foe *eventv1.Creature, take *eventv1.TakeAction, rope string) {
	rolled := RollManeuverCheck(r, "tie-up", "grapple", c, foe, checks.ManeuverDefense(foe, false), take, answers.RuleTieUp, body.Mod(-10, "tying up", answers.RuleTieUp))
	if !rolled.Success() {
		return
	}
	r.AddCondition(foe.Id, &eventv1.Condition{Name: body.CondPinned, Variant: answers.VariantRopes, Cause: rope, Rule: answers.RuleTieUp,
		Values: map[string]int32{"dc": 20 + body.ManeuverBonus(c)}})
	body.Shift(r, c.Id, rope, body.PlaceGone, "tied round "+foe.Name, answers.RuleTieUp)
}

// EscapeRopes is a maneuver check or Escape Artist against 20 and the binder's CMB.
//
// celesia.maneuver.grapple-tie-up, celesia.maneuver.escape-grapple
func EscapeRopes(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, more []*eventv1.Modifier) {
	x := answers.Tied(c)
	dc := &eventv1.TargetNumber{Kind: "DC", Value: x.Values["dc"]}
	if Escapes(r, c, nil, dc, take, spoken.Word(take.Parameters, "check"), more) {
		r.RemoveCondition(c.Id, x, "won free", answers.RuleTieUp)
	}
}
