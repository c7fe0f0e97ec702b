package movement

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Air is what flight makes of a movement: legs by their numbers from 0, movement in
// half feet.
type Air interface {
	// Half is what a leg costs.
	Half(leg int) int32
	// Left is the movement that is left.
	Left(r *rules.Resolution) int32
	// Goes tells whether the flyer can still go on.
	Goes(r *rules.Resolution) bool
	// Gone writes down that all legs before one are flown, and what those since the
	// last time have cost.
	Gone(r *rules.Resolution, legs int, half int32)
	// Met carries out what a leg runs into, where written brings the state up to date;
	// false when the flight ends there.
	Met(r *rules.Resolution, leg int, from, to *eventv1.Position, spaces []string, written func()) bool
}

// To is where a leg ends; nil without positions.
func (l leg) To() *eventv1.Position { return l.to }

// Feet of a leg, and those of them that are difficult.
func (l leg) Feet() (feet, slow int32) { return l.feet, l.slow }

// Glided is a way through the air along a path, or of so many feet where nobody has
// positions; nothing is refused.
func Glided(c *eventv1.Creature, take *eventv1.TakeAction, feet int32) *way {
	w := &way{Mode: "fly", Notes: body.StatedNotes(take)}
	if len(take.Path) > 0 {
		w.Legs = legsOf(c.Position, take.Path)
	} else {
		w.Legs = []leg{{feet: feet}}
	}
	return w
}

// glide goes leg by leg through the air.
func (k *Walk) glide() {
	stop := func(why string) {
		k.R.Note(checks.SeenMoving(k.R.Creature(k.id)), k.id, k.R.Creature(k.id).Name+why, cite.BaseOpportunityFrame)
	}
	for i, l := range k.Way.Legs {
		if !k.provoke(i, l) || !k.Air.Goes(k.R) {
			stop(" goes no further")
			break
		}
		cost := k.Air.Half(i) * k.Times
		if cost > k.Air.Left(k.R)-k.half {
			stop(" has no movement left to go on")
			break
		}
		k.feet, k.half, k.flown = k.feet+l.feet, k.half+cost, i+1
		k.entered(i, l)
		from := k.at
		if l.to != nil {
			k.at = l.to
		}
		if !k.Air.Met(k.R, i, from, l.to, k.spacesAt(i), k.settle) {
			break
		}
	}
	k.settle()
}

// Fall lets a creature fall so many feet to the ground where it is: it may roll with
// the fall, takes damage for what is left, and lies or stands where it came down.
func Fall(r *rules.Resolution, id string, feet int32, facts map[string]string) {
	fall(r, id, min(feet, MaxFall), facts, body.CheckOpts{})
}

// SpendMovement takes feet of movement off what is left of the turn's.
func SpendMovement(r *rules.Resolution, id string, feet int32, why string, ruleIDs ...string) {
	spendMovement(r, id, feet, why, ruleIDs...)
}

// SizesApart is by how many size categories one creature is larger than another;
// below 0 when it is smaller.
func SizesApart(a, b *eventv1.Creature) int32 { return rankOf(a) - rankOf(b) }

// Overlap tells whether a creature's space at a place has something of another's.
func Overlap(c *eventv1.Creature, at *eventv1.Position, o *eventv1.Creature) bool {
	return at != nil && o.Position != nil && grid.Distance(at, body.SpaceFeet(c), o.Position, body.SpaceFeet(o)) == 0
}
