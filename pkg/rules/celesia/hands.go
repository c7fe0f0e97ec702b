package celesia

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// handActions draw, put away, pick up and drop weapons.
func handActions() []*action {
	return []*action{
		{id: "draw", title: "Draw", rule: "celesia.equipment.draw-sheathe", cost: drawCost, provoke: drawProvokes, trigger: "other",
			items: thingNames, parameters: handsParameter, refuse: refuseDraw, check: checkHands, do: doDraw},
		{id: "sheathe", title: "Sheathe", rule: "celesia.equipment.draw-sheathe", acts: 1, provoke: always, trigger: "other",
			items: thingNames, refuse: refuseSheathe, do: doSheathe},
		{id: "pick-up", title: "Pick up", rule: "celesia.equipment.manipulate-item", acts: 1, provoke: always, trigger: "other",
			items: thingNames, parameters: handsParameter, refuse: refusePickUp, check: checkHands, do: doPickUp},
		{id: "drop-item", title: "Drop", rule: "celesia.equipment.drop-item", items: thingNames, refuse: refuseDrop, do: doDrop},
	}
}

func handsParameter(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	ways := []string{"one"}
	if freeHands(c) >= 2 {
		ways = append(ways, "two")
	}
	return []*eventv1.Parameter{choice("hands", "hold a one-handed weapon in two hands", false, ways...)}
}

func checkHands(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	v, err := oneOf(take, "hands", "one", "two")
	if err == nil && v == "two" && freeHands(c) < 2 {
		return refuse("NO_FREE_HAND", "celesia.equipment.draw-sheathe", "%s has no two free hands", c.Name)
	}
	return err
}

// thingNames are the weapons that can be laid down.
func thingNames(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if !bodyless(w) {
			out = append(out, w.Name)
		}
	}
	return out
}

// drawCost is one act, nothing with Quick Draw.
//
// celesia.equipment.quick-draw
func drawCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	if feature(c, featQuickDraw) {
		return 0
	}
	return 1
}

func drawProvokes(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) (bool, string) {
	return !feature(c, featQuickDraw), ""
}

// refuseThing says why a weapon is not there to be handled.
func refuseThing(c *eventv1.Creature, take *eventv1.TakeAction, where, words, rule string) error {
	w := weaponOf(c, take.Item)
	if w == nil || bodyless(w) {
		return fault.Field("take.item", "names no weapon of %s that is not part of the body", c.GetName())
	}
	if place(c, w) != where {
		return refuse("NOT_THERE", rule, "%s is not %s", w.Name, words)
	}
	if has(c, condPinned) {
		return refuse("PINNED", "celesia.maneuver.pin", "%s is pinned", c.Name)
	}
	return nil
}

// needHands says why a weapon finds no hand.
func needHands(c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if need := max(1, w.Hands); freeHands(c) < need {
		return refuse("NO_FREE_HAND", "celesia.equipment.draw-sheathe", "%s needs %d free hands", w.Name, need)
	}
	return nil
}

func refuseDraw(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take, placeStowed, "put away", "celesia.equipment.draw-sheathe"); err != nil {
		return err
	}
	return needHands(c, weaponOf(c, take.Item))
}

func refusePickUp(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseThing(c, take, placeDropped, "on the ground", "celesia.equipment.manipulate-item"); err != nil {
		return err
	}
	return needHands(c, weaponOf(c, take.Item))
}

func refuseSheathe(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseHeld(c, take, "celesia.equipment.draw-sheathe")
}

func refuseDrop(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseHeld(c, take, "celesia.equipment.drop-item")
}

func refuseHeld(c *eventv1.Creature, take *eventv1.TakeAction, rule string) error {
	w := weaponOf(c, take.Item)
	if w == nil || bodyless(w) {
		return fault.Field("take.item", "names no weapon of %s that is not part of the body", c.GetName())
	}
	if !held(c, w) {
		return refuse("NOT_THERE", rule, "%s is not in hand", w.Name)
	}
	return nil
}

// drawnPlace is where a weapon goes when taken in hand.
func drawnPlace(c *eventv1.Creature, w *eventv1.CelesiaWeapon, take *eventv1.TakeAction) string {
	if w.Hands == 2 || word(take.GetParameters(), "hands") == "two" {
		return placeBoth
	}
	main := usable(c, "right") || parts(c, "hand") != 2
	for _, name := range inHands(c) {
		if p := c.Items[name].Place; p == placeMain || p == placeBoth {
			main = false
		}
	}
	if main {
		return placeMain
	}
	return placeOff
}

// put says where a weapon is now; what is put away only its owner knows.
func put(r *rules.Resolution, c *eventv1.Creature, w *eventv1.CelesiaWeapon, where, cause, rule string) {
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: c.Id, Item: w.Name, Place: where,
		Values: c.Items[w.Name].GetValues(), Cause: cause}, rule)
}

func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	put(r, c, w, drawnPlace(c, w, take), "drawn", "celesia.equipment.draw-sheathe")
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	put(r, c, w, drawnPlace(c, w, take), "picked up", "celesia.equipment.manipulate-item")
	return nil
}

func doSheathe(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	put(r, c, weaponOf(c, take.Item), placeStowed, "sheathed", "celesia.equipment.draw-sheathe")
	return nil
}

func doDrop(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	put(r, c, weaponOf(c, take.Item), placeDropped, "dropped", "celesia.equipment.drop-item")
	return nil
}
