package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// chargeActions are the charge; the item is the weapon that it is made with.
func chargeActions() []*action {
	return []*action{{id: "charge", title: "Charge", rule: cite.MovementCharge, acts: 2, provoke: always, trigger: "move", targeted: true,
		items: meleeNames, refuse: refuseCharge, do: doCharge}}
}

func meleeNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if !ranged(w) {
			out = append(out, w.Name)
		}
	}
	return out
}

// refuseCharge says why a charge cannot be made: at least 10 feet and at most
// twice the speed, straight, over clear ground, on sound legs.
//
// celesia.movement.charge, celesia.movement.charge-conditions, celesia.movement.charge-draw, celesia.injury.leg
func refuseCharge(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	switch {
	case w == nil || ranged(w):
		return nameless("take.item", "melee weapon", c.GetName(), take.Item, meleeNames(s, c))
	case lostParts(c, "leg") > 0:
		return refuse("LEG_INJURED", cite.InjuryLeg, "%s cannot charge on an injured leg", c.Name)
	case has(c, condProne):
		return refuse("PRONE", cite.MovementStandUp, "%s is prone", c.Name)
	case mountOf(c) != "":
		return refuse("MOUNTED", cite.MountCharge, "%s charges with its mount", c.Name)
	case has(c, condGrappled):
		return refuse("GRAPPLED", cite.ManeuverGrapple, "%s is in a grapple", c.Name)
	case spoken.Truth(take.GetFacts(), "difficult") || spoken.Truth(take.GetFacts(), "blocked"):
		return refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	if err := refuseChargeWeapon(s, c, w); err != nil {
		return err
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	if err := refuseUnseen(take, t, cite.MovementCharge); err != nil {
		return err
	}
	feet, known := apart(take, c, t)
	if known && feet < 10 {
		return refuse("TOO_NEAR", cite.MovementChargeConditions, "%s is only %d feet away", t.Name, feet)
	}
	_, far := span(c, w)
	if most := 2 * speed(c, "walk"); known && feet-far > most {
		return refuse("TOO_FAR", cite.MovementCharge, "%d feet are needed, %d are the most", feet-far, most)
	}
	if c.Position == nil || t.Position == nil {
		return nil
	}
	if _, clear := run(s, c, t, far); !clear {
		return refuse("NOT_CLEAR", cite.MovementChargeConditions, "the way is not clear")
	}
	return nil
}

// refuseChargeWeapon: in hand, or drawn on the way with a base attack bonus of 1.
//
// celesia.movement.charge-draw
func refuseChargeWeapon(s *eventv1.State, c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if place(c, w) != placeStowed || sheetOf(c).BaseAttack < 1 {
		return refuseWeapon(c, w, nil)
	}
	return refuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: w.Name})
}

// run is the way of a charge: straight at the foe to the first space within
// reach of it, and whether that way is clear.
func run(s *eventv1.State, c, t *eventv1.Creature, reach int32) (*eventv1.Position, bool) {
	from, to := c.Position, t.Position
	n := grid.Steps(from, to) / 5
	for k := int32(1); k <= n; k++ {
		at := &eventv1.Position{X: along(from.X, to.X, k, n), Y: along(from.Y, to.Y, k, n), Z: along(from.Z, to.Z, k, n)}
		if blocked(s, c, at, "") {
			return nil, false
		}
		if feet, _ := distance(&eventv1.Creature{Size: c.Size, Position: at}, t); feet <= reach {
			return at, true
		}
	}
	return nil, false
}

// along is the k-th of n points from a to b, on the grid of 5 feet, rounded to
// the nearest.
func along(a, b, k, n int32) int32 {
	d := (b - a) * k
	if d >= 0 {
		return a + (d+n*5/2)/(n*5)*5
	}
	return a - (-d+n*5/2)/(n*5)*5
}

// whoseTurn is the creature at the end of whose turn "this turn" is over: the
// one that acts, else the one asked about.
func whoseTurn(s *eventv1.State, id string) string {
	if len(s.Active) == 0 || slices.Contains(s.Active, id) {
		return id
	}
	return s.Active[0]
}

// doCharge moves to the foe. Until the turn ends the charger has advantage on
// melee attacks against it alone; until its next turn everybody has advantage
// on attacks against the charger.
//
// celesia.movement.charge-advantage, celesia.movement.charge-exposed
func doCharge(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := weaponOf(c, take.Item), r.Creature(target(take))
	r.AddCondition(c.Id, &eventv1.Condition{Name: condCharged, Cause: "charge", Until: untilStart(c.Id), Rule: cite.MovementChargeExposed})
	r.AddCondition(c.Id, &eventv1.Condition{Name: condCharging, Source: t.Id, Cause: "charge", Rule: cite.MovementChargeAdvantage,
		Until: &eventv1.Until{When: "end-of-turn", Creature: whoseTurn(r.State(), c.Id)}})
	if place(c, w) == placeStowed {
		draw(r, c.Id, w.Name, false, "drawn in the charge", cite.MovementChargeDraw)
	}
	if c.Position != nil && t.Position != nil {
		_, far := span(c, w)
		if at, clear := run(r.State(), c, t, far); clear {
			r.Move(&eventv1.Moved{Creature: c.Id, To: at, Mode: "charge", Feet: grid.Steps(c.Position, at)}, cite.MovementCharge)
			takeRider(r, c.Id)
		}
	}
	window(r, provocation{by: c.Id, kind: "approach", take: take})
	return nil
}
