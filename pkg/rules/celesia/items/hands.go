package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/grid"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of things in hand.
const (
	RuleDraw       = cite.EquipmentDrawSheathe
	RuleDrawTwo    = cite.EquipmentDrawTwo
	RuleDrop       = cite.EquipmentDropItem
	RuleManipulate = cite.EquipmentManipulateItem
)

// DrawCost is one act; nothing for a weapon in easy reach with Quick Draw.
//
// celesia.equipment.quick-draw, celesia.equipment.manipulate-item
func DrawCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if quick(c, take.Item) {
		return 0
	}
	return 1
}

func quick(c *eventv1.Creature, name string) bool {
	return body.Feature(c, body.FeatQuickDraw) && body.WeaponOf(c, name) != nil && body.Where(c, name) != body.PlacePack
}

// DrawProvokes tells that drawing provokes, from anybody, unless Quick Draw makes it
// free.
func DrawProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return !quick(c, take.Item), ""
}

// RefuseThing says why a weapon or thing is not there to be handled.
func RefuseThing(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if p := body.Where(c, take.Item); p == "" || p == "body" {
		return body.Nameless("take.item", "thing to be laid down", c.GetName(), take.Item, body.Loose(nil, c))
	}
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// RefuseSheathe says why a thing cannot be put away: a shield, not in hand, locked in
// a gauntlet, or the creature is pinned.
func RefuseSheathe(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if th := body.ThingOf(c, take.Item); th.GetKind() == body.ThingShield {
		return body.Refuse("SHIELD", RuleShield, "%s is dropped, not sheathed", th.Name)
	}
	if err := refuseHeld(c, take, RuleDraw); err != nil {
		return err
	}
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// RefuseDrop says why a thing cannot be let go: a shield that is strapped on, not in
// hand, or locked in a gauntlet.
func RefuseDrop(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if th := body.ThingOf(c, take.Item); th.GetKind() == body.ThingShield {
		return body.Refuse("SHIELD", RuleShield, "%s has to be unstrapped first", th.Name)
	}
	return refuseHeld(c, take, RuleDrop)
}

func refuseHeld(c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	if p := body.Where(c, take.Item); p == "" || p == "body" {
		return body.Nameless("take.item", "thing to be laid down", c.GetName(), take.Item, body.Loose(nil, c))
	}
	if !body.InHand(body.Where(c, take.Item)) {
		return body.Refuse("NOT_THERE", rule, "%s is not in hand", take.Item)
	}
	if Locked(c, take.Item) {
		return body.Refuse("LOCKED", body.RuleGauntlet, "%s is locked in a gauntlet", take.Item)
	}
	return nil
}

// CheckDrop judges where a thing falls: in one's own space or a square in
// natural reach; only a reach weapon itself goes as far as it reaches.
//
// celesia.equipment.drop-item
func CheckDrop(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, stated := spoken.Number(take.Facts, "feet")
	switch {
	case len(take.Path) > 1:
		return fault.Field("take.path", "one square, not %d", len(take.Path))
	case len(take.Path) == 1 && c.Position == nil:
		return fault.Field("take.path", "%s stands nowhere on the map", c.Id)
	case len(take.Path) == 1 && body.OffSquares(c.Position, take.Path[0]):
		return fault.Field("take.path[0]", "lies off the squares of %d feet", grid.Square)
	case len(take.Path) == 1:
		feet = body.FeetTo(c, take.Path[0])
	case !stated:
		return nil
	}
	most := body.NaturalReach(c)
	if w := body.WeaponOf(c, take.Item); w != nil && w.Reach {
		_, most = body.Span(c, w)
	}
	if feet > most {
		return body.Refuse("OUT_OF_REACH", RuleDrop, "%d feet are too far to drop it, %d are the most", feet, most)
	}
	return nil
}

// DoSheathe puts a weapon away; a thing goes back to where it was carried.
func DoSheathe(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	to := body.PlaceStowed
	if th := body.ThingOf(c, take.Item); th != nil && body.ThingPlace(th) == body.PlaceCarried {
		to = body.PlaceCarried
	}
	body.Shift(r, c.Id, take.Item, to, "sheathed", RuleDraw)
	return nil
}

// celesia.equipment.drop-item
func DoDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	at := c.Position
	if len(take.Path) == 1 {
		at = take.Path[0]
	}
	body.Lay(r, c.Id, take.Item, at, "dropped", RuleDrop)
	return nil
}
