package gear

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HandActions draw, put away, pick up and drop things.
func HandActions() []*strike.Action {
	return slices.Concat([]*strike.Action{
		{Action: play.Action{ID: "draw", Title: "Draw", Rule: items.RuleDraw, Group: play.GroupItem, Trigger: "other", CostOf: body.Priced(items.DrawCost), Items: body.Ways(body.Loose),
			Refuse: body.Bars(RefuseDraw), Fields: drawFields, Check: checks.Judged(checkDraw), Do: body.Done(doDraw)}, Provoke: items.DrawProvokes},
		{Action: play.Action{ID: "sheathe", Title: "Sheathe", Rule: items.RuleDraw, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(1), Items: body.Ways(body.Loose),
			Refuse: body.Bars(items.RefuseSheathe), Do: body.Done(items.DoSheathe)}, Provoke: checks.Always},
		{Action: play.Action{ID: "pick-up", Title: "Pick up", Rule: items.RuleManipulate, Group: play.GroupItem, Trigger: "other", Costs: body.Acts(1), Items: body.Ways(body.Loose),
			Refuse: body.Bars(refusePickUp), Fields: drawFields, Check: checks.Judged(checkHands), Do: body.Done(doPickUp)}, Provoke: checks.Always},
		{Action: play.Action{ID: "drop-item", Title: "Drop", Rule: items.RuleDrop, Group: play.GroupItem, Items: body.Ways(body.Loose), Refuse: body.Bars(items.RefuseDrop), Check: checks.Judged(items.CheckDrop), Do: body.Done(items.DoDrop)}},
	}, shieldActions(), loadActions(), manipulateActions())
}

func checkHands(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "hands") == "two" && strike.FreeHands(c) < 2 {
		return body.Refuse("NO_FREE_HAND", items.RuleDraw, "%s has no two free hands", c.Name)
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
	return RefuseSecond(s, c, take.Item, second, spoken.Word(take.Parameters, "hands") == "two")
}

// RefuseSecond says why a second weapon cannot be drawn together with a first.
//
// celesia.equipment.draw-two
func RefuseSecond(s *eventv1.State, c *eventv1.Creature, first, second string, both bool) error {
	if err := RefuseDraw(s, c, &eventv1.TakeAction{Creature: c.Id, Item: second}); err != nil {
		return err
	}
	a, b := body.WeaponOf(c, first), body.WeaponOf(c, second)
	switch {
	case !body.Feature(c, body.FeatTwoWeapon):
		return body.Refuse("NO_FEAT", items.RuleDrawTwo, "drawing two takes Two-Weapon Fighting")
	case a == nil || b == nil || a == b || a.Hands > 1 || b.Hands > 1 || both:
		return body.Refuse("NOT_A_PAIR", items.RuleDrawTwo, "two light or one-handed weapons can be drawn together")
	case body.Where(c, first) == body.PlacePack || body.Where(c, second) == body.PlacePack:
		return body.Refuse("OUT_OF_REACH", items.RuleDrawTwo, "what is packed away is not drawn")
	case strike.FreeHands(c) < 2:
		return body.Refuse("NO_FREE_HAND", items.RuleDrawTwo, "%s has no two free hands", c.Name)
	}
	return nil
}

// needHands says why a thing finds no hand.
func needHands(c *eventv1.Creature, name string) error {
	if need := body.HandsFor(c, name); strike.FreeHands(c) < need {
		return body.Refuse("NO_FREE_HAND", items.RuleDraw, "%s needs %d free hands", name, need)
	}
	return nil
}

// RefuseDraw: what is sheathed, carried or packed away can be taken in hand; a
// shield is strapped on instead.
//
// celesia.equipment.draw-sheathe
func RefuseDraw(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := items.RefuseThing(c, take); err != nil {
		return err
	}
	if th := body.ThingOf(c, take.Item); th.GetKind() == body.ThingShield {
		return body.Refuse("SHIELD", items.RuleShield, "%s is readied, not drawn", th.Name)
	}
	switch body.Where(c, take.Item) {
	case body.PlaceStowed, body.PlaceCarried, body.PlacePack:
		return needHands(c, take.Item)
	}
	return body.Refuse("NOT_THERE", items.RuleDraw, "%s is not put away", take.Item)
}

// refusePickUp: what lies in reach.
//
// celesia.equipment.manipulate-item
func refusePickUp(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := items.RefuseThing(c, take); err != nil {
		return err
	}
	if body.Where(c, take.Item) != body.PlaceDropped {
		return body.Refuse("NOT_THERE", items.RuleManipulate, "%s is not on the ground", take.Item)
	}
	if feet := body.FeetTo(c, body.Lies(c, take.Item)); feet > body.NaturalReach(c) {
		return body.Refuse("OUT_OF_REACH", items.RuleManipulate, "%s lies %d feet away", take.Item, feet)
	}
	return needHands(c, take.Item)
}

// drawnPlace is where a thing goes when taken in hand.
func drawnPlace(c *eventv1.Creature, name string, both bool) string {
	if body.HandsFor(c, name) == 2 || both {
		return body.PlaceBoth
	}
	main := strike.Usable(c, "right") || body.Parts(c, "hand") != 2
	for _, held := range body.InHands(c) {
		if p := c.Items[held].Place; p == body.PlaceMain || p == body.PlaceBoth {
			main = false
		}
	}
	if main {
		return body.PlaceMain
	}
	return body.PlaceOff
}

// Draw takes a thing in hand.
func Draw(r *rules.Resolution, id, name string, both bool, cause, rule string) {
	body.Shift(r, id, name, drawnPlace(r.Creature(id), name, both), cause, rule)
}

func doDraw(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	Draw(r, c.Id, take.Item, spoken.Word(take.Parameters, "hands") == "two", "drawn", items.RuleDraw)
	if second := spoken.Word(take.Parameters, "second"); second != "" {
		Draw(r, c.Id, second, false, "drawn together", items.RuleDrawTwo)
	}
	return nil
}

func doPickUp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	Draw(r, c.Id, take.Item, spoken.Word(take.Parameters, "hands") == "two", "picked up", items.RuleManipulate)
	return nil
}
