package answers

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// untrained marks the fear of mounts without combat training.
const untrained = "not trained for combat"

// Seat puts a rider where its mount is.
//
// celesia.mount.horse-space
func Seat(r *rules.Resolution, rider, mount string) {
	c, m := r.Creature(rider), r.Creature(mount)
	if m.Position == nil || c.Position != nil && grid.Steps(c.Position, m.Position) == 0 {
		return
	}
	feet := int32(0)
	if c.Position != nil {
		feet = grid.Steps(c.Position, m.Position)
	}
	r.Move(&eventv1.Moved{Creature: rider, To: m.Position, Mode: "ride", Feet: feet}, cite.MountHorseSpace)
}

// TakeRider has the rider of a creature that has moved come along, if it has one.
//
// celesia.mount.horse-space
func TakeRider(r *rules.Resolution, mount string) {
	if rider := body.RiderOf(r.Creature(mount)); r.Creature(rider) != nil {
		Seat(r, rider, mount)
	}
}

// Frighten makes a mount without combat training afraid of the fight.
//
// celesia.mount.untrained-frightened
func Frighten(r *rules.Resolution, id string) {
	c := r.Creature(id)
	afraid := body.RiderOf(c) != "" && !body.SheetOf(c).CombatTrained && r.State().Status == eventv1.State_STATUS_STARTED
	body.Keep(r, id, body.CondFrightened, untrained, cite.MountUntrainedFrightened, afraid)
}

// Unseat parts rider and mount; the rider stands beside it when there is room.
func Unseat(r *rules.Resolution, rider, cause, rule string) {
	mount := body.MountOf(r.Creature(rider))
	if mount == "" {
		return
	}
	r.Unrelate(rider, body.RelRides, mount, cause, rule)
	if body.Down(r.Creature(rider)) {
		body.SetProne(r, rider, cause, rule)
	}
	m := r.Creature(mount)
	if m == nil {
		return
	}
	r.Unrelate(mount, body.RelCarries, rider, cause, rule)
	Frighten(r, mount)
	r.Set(mount, body.CActs, 0, cause)
	r.Mark(mount, body.MDirected, "")
	c := r.Creature(rider)
	if feet, known := body.Distance(m, c); !known || feet > 0 {
		return // no map, or moved off already
	}
	if at := body.Beside(r.State(), m, c); at != nil {
		r.Move(&eventv1.Moved{Creature: rider, To: at, Mode: "dismount", Feet: grid.Steps(c.Position, at)}, rule)
	}
}

// Unruly tells whether a rider's mount is frightened and not yet in hand this
// round.
//
// celesia.mount.control-check
func Unruly(s *eventv1.State, c *eventv1.Creature) bool {
	m := s.GetCreatures()[body.MountOf(c)]
	return body.Has(m, body.CondFrightened) && c.Marks[body.MRuled] == ""
}

// MayFight tells whether a mount makes attacks of its own accord: a ridden one
// when told to, one that lost its rider never.
//
// celesia.mount.own-acts, celesia.mount.leaderless-avoids
func MayFight(c *eventv1.Creature) bool {
	return !body.Has(c, manners.CondLeaderless) && (body.RiderOf(c) == "" || c.Marks[body.MDirected] != "")
}
