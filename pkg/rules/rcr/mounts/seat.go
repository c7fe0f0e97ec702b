package mounts

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// sit puts a creature on a mount. On a platform it has the place that was said, in
// feet from the corner of the mount's space.
//
// rcr.mount.rider, rcr.mount.passenger
func sit(r *rules.Resolution, id, mount, variant string, place map[string]int32, rule string) {
	if place == nil {
		place = body.SeatOn(r.Creature(mount))
	}
	r.Relate(id, &eventv1.Relation{Kind: body.RelRides, To: mount, Variant: variant, Round: r.State().Round, Values: place, Rule: rule}, rule)
	body.Carry(r, mount)
}

// become changes the part that one who rides has on its mount.
//
// rcr.mount.rider-becomes-passenger
func become(r *rules.Resolution, id, variant, rule string) {
	seat := body.Seat(r.Creature(id))
	r.Relate(id, &eventv1.Relation{Kind: body.RelRides, To: seat.To, Variant: variant, Round: seat.Round, Values: seat.Values, Rule: rule}, rule)
	if variant == body.VariantPassenger {
		dice.EndCondition(r, id, condReining, "it gave up the reins", cite.MountShieldStrapped)
	}
}

// Settle brings those who ride in line with what has happened to them and their
// mounts by any means, the game master's word too.
func Settle(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		c := r.Creature(id)
		if seat := body.Seat(c); seat != nil {
			settleSeat(r, c, seat)
		}
	}
	if !slices.ContainsFunc(r.CreatureIDs(), func(id string) bool { return body.Seat(r.Creature(id)) != nil }) {
		return // nobody rides: nearly always
	}
	for _, id := range r.CreatureIDs() {
		if len(body.RidersOf(r.State(), id)) > 0 {
			settleMount(r, id)
		}
	}
}

func settleSeat(r *rules.Resolution, c *eventv1.Creature, seat *eventv1.Relation) {
	m := r.Creature(seat.To)
	switch {
	case m == nil: // only where a record of old does not say that it has left
	case body.Dead(c):
		part(r, c.Id, "it is dead", cite.MountRiderProneSave)
	case body.Has(c, body.CondProne):
		fallOff(r, c.Id, "prone", cite.MountRiderProneSave)
	default:
		if body.Airborne(c) { // its mount bears it
			body.EndFlight(r, c.Id, "it rides", cite.MountRider)
		}
		want := body.SeatOn(m)
		if !body.SheetOf(m).SaddlePlatform && !same(seat.Values, want) {
			r.Relate(c.Id, &eventv1.Relation{Kind: body.RelRides, To: seat.To, Variant: seat.Variant, Round: seat.Round, Values: want, Rule: seat.Rule}, cite.MountRiderSquare)
		}
	}
}

func same(a, b map[string]int32) bool {
	for _, key := range []string{body.ValSeatX, body.ValSeatY, body.ValSeatSide, body.ValSeatPast} {
		if a[key] != b[key] {
			return false
		}
	}
	return true
}

// settleMount settles what a mount's own state means for those on it: lying, fear,
// a lower speed; and takes its place in the order away while it is controlled.
func settleMount(r *rules.Resolution, id string) {
	m := r.Creature(id)
	if body.Dead(m) || body.Has(m, body.CondProne) {
		fallen(r, id, "its mount is down", 0)
		return
	}
	shy(r, id)
	slowed(r, id, "", 0)
	body.Carry(r, id)
	// Whoever consents on its own turn has that turn to its end.
	if body.ControllerOf(r.State(), id) != nil && (!slices.Contains(r.State().Active, id) || body.UnderRein(r.State(), r.Creature(id)) != nil) {
		leaveOrder(r, id)
	}
}
