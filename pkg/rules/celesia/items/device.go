package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Devices lists the things of the sheet that hold a spell.
func Devices(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, th := range body.SheetOf(c).Things {
		if th.Spell != nil {
			out = append(out, th.Name)
		}
	}
	return out
}

// DeviceRule is the rule of an item's kind.
func DeviceRule(th *eventv1.CelesiaThing) string {
	switch th.GetKind() {
	case body.ThingCommand:
		return cite.ItemCommandWord
	case body.ThingTrigger:
		return cite.ItemSpellTrigger
	case body.ThingCompletion:
		return cite.ItemSpellCompletion
	}
	return ""
}

// DeviceTargets is how many targets the spell of an item takes at most; at least 1.
func DeviceTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return max(1, body.ThingOf(c, take.Item).GetSpell().GetTargets())
}

// DeviceProvokes: only casting from a scroll does, and only once.
func DeviceProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return body.ThingOf(c, take.Item).GetKind() == body.ThingCompletion, ""
}

// RefuseDevice says why a spell cannot be cast from an item: not at hand, spent, out
// of range, or the creature is pinned. A command word needs the item only worn or
// carried.
func RefuseDevice(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	th := body.ThingOf(c, take.Item)
	if th.GetSpell() == nil {
		return body.Nameless("take.item", "item that holds a spell", c.GetName(), take.Item, Devices(s, c))
	}
	p := body.Where(c, th.Name)
	switch {
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case th.Kind == body.ThingCommand && !body.InHand(p) && p != body.PlaceCarried && p != body.PlaceWorn, th.Kind != body.ThingCommand && !body.InHand(p):
		return body.Refuse("NOT_IN_HAND", DeviceRule(th), "%s is not at hand", th.Name)
	case th.Spell.Uses > 0 && c.Counters[body.CLeft+th.Name] < 1:
		return body.Refuse("SPENT", DeviceRule(th), "%s is spent", th.Name)
	}
	if err := RefuseRidingCast(s, c); err != nil && th.Kind == body.ThingCompletion {
		return err
	}
	return RefuseRange(c, s.Creatures[body.Target(take)], th.Spell, take)
}
