package movement

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RefuseCharge says why a charge cannot be made: at least 10 feet and at most
// twice the speed, straight, over clear ground, on sound legs.
//
// celesia.movement.charge, celesia.movement.charge-conditions, celesia.movement.charge-draw, celesia.injury.leg,
// celesia.maneuver.grapple-tie-up
func RefuseCharge(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := body.WeaponOf(c, take.Item)
	switch {
	case w == nil || body.Ranged(w):
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	case body.LostParts(c, "leg") > 0:
		return body.Refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot charge on an injured leg", c.Name)
	case body.Has(c, body.CondProne):
		return body.Refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case body.MountOf(c) != "":
		return body.Refuse("MOUNTED", cite.MountCharge, "%s charges with its mount", c.Name)
	case body.Has(c, body.CondGrappled):
		return body.Refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	case body.Has(c, body.CondPinned): // by ropes that outlast the grapple
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "blocked"):
		return body.Refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	if err := refuseChargeWeapon(s, c, w); err != nil {
		return err
	}
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	if err := manners.RefuseUnseen(take, t, cite.MovementCharge); err != nil {
		return err
	}
	feet, known := body.Apart(take, c, t)
	if known && feet < 10 {
		return body.Refuse("TOO_NEAR", cite.MovementChargeConditions, "%s is only %d feet away", t.Name, feet)
	}
	_, far := body.Span(c, w)
	if most := 2 * body.Speed(c, "walk"); feet-far > most {
		return body.Refuse("TOO_FAR", cite.MovementCharge, "%d feet are needed, %d are the most", feet-far, most)
	}
	if c.Position == nil || t.Position == nil {
		return nil
	}
	if _, clear := Run(s, c, t, far); !clear {
		return body.Refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	return nil
}

// refuseChargeWeapon: in hand, or drawn on the way with a base attack bonus of 1.
//
// celesia.movement.charge-draw
func refuseChargeWeapon(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if body.Place(c, w) != body.PlaceStowed || body.SheetOf(c).BaseAttack < 1 {
		return strike.RefuseWeapon(c, w, nil)
	}
	return gear.RefuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: w.Name})
}

// Run is the way of a charge: straight at the foe to the first space within
// reach of it, that may be where the charger stands, and whether that way is clear.
//
// celesia.movement.charge
func Run(s *eventv1.State, c, t *eventv1.Creature, reach int32) (*eventv1.Position, bool) {
	from, to := c.Position, t.Position
	if feet, _ := body.Distance(c, t); feet <= reach {
		return from, true
	}
	n := grid.Steps(from, to) / 5
	for k := int32(1); k <= n; k++ {
		at := &eventv1.Position{X: maneuvers.Along(from.X, to.X, k, n), Y: maneuvers.Along(from.Y, to.Y, k, n), Z: maneuvers.Along(from.Z, to.Z, k, n)}
		if body.Blocked(s, c, at, "") {
			return nil, false
		}
		if feet, _ := body.Distance(&eventv1.Creature{Size: c.Size, Position: at}, t); feet <= reach {
			return at, true
		}
	}
	return nil, false
}

// WhoseTurn is the creature at the end of whose turn "this turn" is over: the
// one that acts, else the one asked about.
func WhoseTurn(s *eventv1.State, id string) string {
	if len(s.Active) == 0 || slices.Contains(s.Active, id) {
		return id
	}
	return s.Active[0]
}
