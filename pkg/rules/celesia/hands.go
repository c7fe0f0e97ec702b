package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of things in hand.
const (
	ruleDraw       = cite.EquipmentDrawSheathe
	ruleDrawTwo    = cite.EquipmentDrawTwo
	ruleDrop       = cite.EquipmentDropItem
	ruleManipulate = cite.EquipmentManipulateItem
)

// handActions draw, put away, pick up and drop things.
func handActions() []*action {
	return slices.Concat([]*action{
		{id: "draw", title: "Draw", rule: ruleDraw, cost: drawCost, provoke: drawProvokes, trigger: "other",
			items: loose, parameters: drawParameters, refuse: refuseDraw, check: checkDraw, do: doDraw},
		{id: "sheathe", title: "Sheathe", rule: ruleDraw, acts: 1, provoke: always, trigger: "other",
			items: loose, refuse: refuseSheathe, do: doSheathe},
		{id: "pick-up", title: "Pick up", rule: ruleManipulate, acts: 1, provoke: always, trigger: "other",
			items: loose, parameters: handsParameter, refuse: refusePickUp, check: checkHands, do: doPickUp},
		{id: "drop-item", title: "Drop", rule: ruleDrop, items: loose, parameters: dropParameters, refuse: refuseDrop, check: checkDrop, do: doDrop},
	}, shieldActions(), loadActions(), manipulateActions())
}

func handsParameter(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	ways := []string{"one"}
	if freeHands(c) >= 2 {
		ways = append(ways, "two")
	}
	return []*eventv1.Parameter{choice("hands", "hold a one-handed weapon in two hands", false, ways...)}
}

func drawParameters(s *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append(handsParameter(s, c), choice("second", "a second light or one-handed weapon, with Two-Weapon Fighting", false, loose(s, c)...))
}

func checkHands(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "hands") == "two" && freeHands(c) < 2 {
		return refuse("NO_FREE_HAND", ruleDraw, "%s has no two free hands", c.Name)
	}
	return nil
}

// checkDraw judges the hands and the second weapon.
//
// celesia.equipment.draw-two
func checkDraw(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := checkHands(s, c, take); err != nil {
		return err
	}
	second := spoken.Word(take.Parameters, "second")
	if second == "" {
		return nil
	}
	return refuseSecond(s, c, take.Item, second, spoken.Word(take.Parameters, "hands") == "two")
}

// refuseSecond says why a second weapon cannot be drawn together with a first.
//
// celesia.equipment.draw-two
func refuseSecond(s *eventv1.State, c *eventv1.Creature, first, second string, both bool) error {
	if err := refuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: second}); err != nil {
		return err
	}
	a, b := weaponOf(c, first), weaponOf(c, second)
	switch {
	case !feature(c, featTwoWeapon):
		return refuse("NO_FEAT", ruleDrawTwo, "drawing two takes Two-Weapon Fighting")
	case a == nil || b == nil || a == b || a.Hands > 1 || b.Hands > 1 || both:
		return refuse("NOT_A_PAIR", ruleDrawTwo, "two light or one-handed weapons can be drawn together")
	case where(c, first) == placePack || where(c, second) == placePack:
		return refuse("OUT_OF_REACH", ruleDrawTwo, "what is packed away is not drawn")
	case freeHands(c) < 2:
		return refuse("NO_FREE_HAND", ruleDrawTwo, "%s has no two free hands", c.Name)
	}
	return nil
}

// drawCost is one act; nothing for a weapon in easy reach with Quick Draw.
//
// celesia.equipment.quick-draw, celesia.equipment.manipulate-item
func drawCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if quick(c, take.Item) {
		return 0
	}
	return 1
}

func quick(c *eventv1.Creature, name string) bool {
	return feature(c, featQuickDraw) && weaponOf(c, name) != nil && where(c, name) != placePack
}

func drawProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return !quick(c, take.Item), ""
}

// refuseThing says why a weapon or thing is not there to be handled.
func refuseThing(c *eventv1.Creature, take *eventv1.TakeAction) error {
	if p := where(c, take.Item); p == "" || p == "body" {
		return nameless("take.item", "thing to be laid down", c.GetName(), take.Item, loose(nil, c))
	}
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// needHands says why a thing finds no hand.
func needHands(c *eventv1.Creature, name string) error {
	if need := handsFor(c, name); freeHands(c) < need {
		return refuse("NO_FREE_HAND", ruleDraw, "%s needs %d free hands", name, need)
	}
	return nil
}

// refuseDraw: what is sheathed, carried or packed away can be taken in hand; a
// shield is strapped on instead.
//
// celesia.equipment.draw-sheathe
func refuseDraw(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take); err != nil {
		return err
	}
	if th := thingOf(c, take.Item); th.GetKind() == thingShield {
		return refuse("SHIELD", ruleShield, "%s is readied, not drawn", th.Name)
	}
	switch where(c, take.Item) {
	case placeStowed, placeCarried, placePack:
		return needHands(c, take.Item)
	}
	return refuse("NOT_THERE", ruleDraw, "%s is not put away", take.Item)
}

// refusePickUp: what lies in reach.
//
// celesia.equipment.manipulate-item
func refusePickUp(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take); err != nil {
		return err
	}
	if where(c, take.Item) != placeDropped {
		return refuse("NOT_THERE", ruleManipulate, "%s is not on the ground", take.Item)
	}
	if at := lies(c, take.Item); at != nil && c.Position != nil && feetTo(c, at) > naturalReach(c) {
		return refuse("OUT_OF_REACH", ruleManipulate, "%s lies %d feet away", take.Item, feetTo(c, at))
	}
	return needHands(c, take.Item)
}

func refuseSheathe(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if th := thingOf(c, take.Item); th.GetKind() == thingShield {
		return refuse("SHIELD", ruleShield, "%s is dropped, not sheathed", th.Name)
	}
	return refuseHeld(c, take, ruleDraw)
}

func refuseDrop(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if th := thingOf(c, take.Item); th.GetKind() == thingShield {
		return refuse("SHIELD", ruleShield, "%s has to be unstrapped first", th.Name)
	}
	return refuseHeld(c, take, ruleDrop)
}

func refuseHeld(c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	if p := where(c, take.Item); p == "" || p == "body" {
		return nameless("take.item", "thing to be laid down", c.GetName(), take.Item, loose(nil, c))
	}
	if !inHand(where(c, take.Item)) {
		return refuse("NOT_THERE", rule, "%s is not in hand", take.Item)
	}
	if locked(c, take.Item) {
		return refuse("LOCKED", ruleGauntlet, "%s is locked in a gauntlet", take.Item)
	}
	return nil
}

func dropParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return []*eventv1.Parameter{{Name: "path", Type: "path", Text: "the square it falls into, as take.path; one's own when not given"}}
}

// checkDrop judges where a thing falls: in one's own space or a square in
// natural reach; only a reach weapon itself goes as far as it reaches.
//
// celesia.equipment.drop-item
func checkDrop(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	feet, stated := spoken.Number(take.Facts, "feet")
	switch {
	case len(take.Path) > 1:
		return fault.Field("take.path", "one square, not %d", len(take.Path))
	case len(take.Path) == 1 && c.Position == nil:
		return fault.Field("take.path", "%s stands nowhere on the map", c.Id)
	case len(take.Path) == 1:
		feet = feetTo(c, take.Path[0])
	case !stated:
		return nil
	}
	most := naturalReach(c)
	if w := weaponOf(c, take.Item); w != nil && w.Reach {
		_, most = span(c, w)
	}
	if feet > most {
		return refuse("OUT_OF_REACH", ruleDrop, "%d feet are too far to drop it, %d are the most", feet, most)
	}
	return nil
}

// drawnPlace is where a thing goes when taken in hand.
func drawnPlace(c *eventv1.Creature, name string, both bool) string {
	if handsFor(c, name) == 2 || both {
		return placeBoth
	}
	main := usable(c, "right") || parts(c, "hand") != 2
	for _, held := range inHands(c) {
		if p := c.Items[held].Place; p == placeMain || p == placeBoth {
			main = false
		}
	}
	if main {
		return placeMain
	}
	return placeOff
}

// draw takes a thing in hand.
func draw(r *rules.Resolution, id, name string, both bool, cause, rule string) {
	shift(r, id, name, drawnPlace(r.Creature(id), name, both), cause, rule)
}

func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	draw(r, c.Id, take.Item, spoken.Word(take.Parameters, "hands") == "two", "drawn", ruleDraw)
	if second := spoken.Word(take.Parameters, "second"); second != "" {
		draw(r, c.Id, second, false, "drawn together", ruleDrawTwo)
	}
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	draw(r, c.Id, take.Item, spoken.Word(take.Parameters, "hands") == "two", "picked up", ruleManipulate)
	return nil
}

// doSheathe puts a weapon away; a thing goes back to where it was carried.
func doSheathe(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	to := placeStowed
	if th := thingOf(c, take.Item); th != nil && thingPlace(th) == placeCarried {
		to = placeCarried
	}
	shift(r, c.Id, take.Item, to, "sheathed", ruleDraw)
	return nil
}

// celesia.equipment.drop-item
func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	at := c.Position
	if len(take.Path) == 1 {
		at = take.Path[0]
	}
	lay(r, c.Id, take.Item, at, "dropped", ruleDrop)
	return nil
}
