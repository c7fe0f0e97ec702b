package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of maneuvers that move a foe.
const (
	RuleBullRush   = cite.ManeuverBullRush
	RuleOverrun    = cite.ManeuverOverrun
	RuleDrag       = cite.ManeuverDrag
	RuleReposition = cite.ManeuverReposition
	ruleSizeLimit  = cite.ManeuverSizeLimit
)

// DecPass is whether a foe lets an overrunning creature through.
const DecPass = "overrun-pass"

// DecPush is where a foe that is repositioned goes: "x,y" in feet.
const DecPush = "reposition-way"

// TooLarge: these maneuvers work on a foe at most one size larger.
//
// celesia.maneuver.size-limit
func TooLarge(c, t *eventv1.Creature) error {
	if t != nil && body.SizeOf(t) > body.SizeOf(c)+1 {
		return body.Refuse("TOO_LARGE", ruleSizeLimit, "%s is too large", t.Name)
	}
	return nil
}

// ReachOfMargin is how far a maneuver moves a foe: 5 feet and 5 more for each
// full 5 of margin.
//
// celesia.maneuver.success
func ReachOfMargin(total, cmd int32) int32 { return 5 + 5*checks.Degree(total-cmd, 5) }

// Shifted is a space moved by a way in feet; neither argument changes.
func Shifted(p, by *eventv1.Position) *eventv1.Position {
	return &eventv1.Position{X: p.X + by.X, Y: p.Y + by.Y, Z: p.Z + by.Z}
}

// Away is the direction in which a creature is pushed: straight back from the
// middle of the one who pushes; where that is even, along the longer way.
func Away(c, t *eventv1.Creature) *eventv1.Position {
	a, b := manners.Centre(c), manners.Centre(t)
	d := [3]int64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}
	most := max(max(d[0], -d[0]), max(d[1], -d[1]), max(d[2], -d[2]))
	step := func(n int64) int32 {
		switch {
		case 2*n >= most && n > 0:
			return 5
		case -2*n >= most && n < 0:
			return -5
		}
		return 0
	}
	return &eventv1.Position{X: step(d[0]), Y: step(d[1]), Z: step(d[2])}
}

// TornApart ends a hold between two who are no longer beside each other (a
// reading: nothing is said of a grapple that others pull apart).
func TornApart(r *rules.Resolution, id string) {
	for _, pair := range [][2]string{{id, Holds(r.Creature(id))}, {HeldBy(r.Creature(id)), id}} {
		holder, foe := r.Creature(pair[0]), r.Creature(pair[1])
		if holder == nil || foe == nil {
			continue
		}
		if feet, _ := body.Distance(holder, foe); feet > 5 {
			EndGrapple(r, holder.Id, "torn apart", cite.ManeuverGrapplePull)
		}
	}
}

// Carried settles what being moved by others means for rider and mount: a mount
// takes its rider along, a rider is out of the saddle (readings).
//
// celesia.mount.horse-space
func Carried(r *rules.Resolution, id string) {
	if body.RiderOf(r.Creature(id)) != "" {
		TakeRider(r, id)
		return
	}
	Unseat(r, id, "moved out of the saddle", cite.MountMountDismount)
}

// CheckDrag refuses a way that has more than one point or cannot be measured.
func CheckDrag(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if len(take.Path) > 1 {
		return fault.Field("take.path", "one point, not %d", len(take.Path))
	}
	_, err := PathLength(c, take)
	return err
}
