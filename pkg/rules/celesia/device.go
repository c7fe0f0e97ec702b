package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// deviceActions use items that hold a spell. None of them is an attack action,
// even with an attack roll, so that nothing that alters attacks goes with it.
//
// celesia.item.command-word, celesia.item.spell-completion, celesia.item.spell-trigger
func deviceActions() []*action {
	return []*action{{id: "use-item", title: "Use a magic item", rule: cite.ItemCommandWord, acts: 2, trigger: "other", targeted: true, self: true,
		items: devices, most: deviceTargets, provoke: deviceProvokes, parameters: deviceParameters, before: deviceBefore,
		refuse: refuseDevice, do: doDevice}}
}

func devices(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, th := range sheetOf(c).Things {
		if th.Spell != nil {
			out = append(out, th.Name)
		}
	}
	return out
}

// deviceRule is the rule of an item's kind.
func deviceRule(th *eventv1.CelesiaThing) string {
	switch th.GetKind() {
	case thingCommand:
		return cite.ItemCommandWord
	case thingTrigger:
		return cite.ItemSpellTrigger
	case thingCompletion:
		return cite.ItemSpellCompletion
	}
	return ""
}

func deviceTargets(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	return max(1, thingOf(c, take.Item).GetSpell().GetTargets())
}

// deviceProvokes: only casting from a scroll does, and only once.
func deviceProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return thingOf(c, take.Item).GetKind() == thingCompletion, ""
}

func deviceParameters(_ *eventv1.State, c *eventv1.Creature) []*eventv1.Parameter {
	return append([]*eventv1.Parameter{{Name: "defensively", Type: "boolean", Text: "a scroll read with a concentration check does not provoke"}}, saddleParameters(c)...)
}

func deviceBefore(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) bool {
	return thingOf(c, take.Item).GetKind() == thingCompletion && castDefensively(r, c, take)
}

func refuseDevice(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	th := thingOf(c, take.Item)
	if th.GetSpell() == nil {
		return nameless("take.item", "item that holds a spell", c.GetName(), take.Item, devices(s, c))
	}
	p := where(c, th.Name)
	switch {
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case th.Kind == thingCommand && !inHand(p) && p != placeCarried && p != placeWorn, th.Kind != thingCommand && !inHand(p):
		return refuse("NOT_IN_HAND", deviceRule(th), "%s is not at hand", th.Name)
	case th.Spell.Uses > 0 && c.Counters[cLeft+th.Name] < 1:
		return refuse("SPENT", deviceRule(th), "%s is spent", th.Name)
	}
	if err := refuseRidingCast(s, c); err != nil && th.Kind == thingCompletion {
		return err
	}
	return refuseRange(c, s.Creatures[target(take)], th.Spell, take)
}

// doDevice works the spell of an item; a scroll is gone with its last use.
func doDevice(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	th := thingOf(c, take.Item)
	if th.Spell.Uses > 0 {
		r.Set(c.Id, cLeft+th.Name, r.Count(c.Id, cLeft+th.Name)-1, "used", deviceRule(th))
		if th.Kind == thingCompletion && r.Count(c.Id, cLeft+th.Name) == 0 {
			shift(r, c.Id, th.Name, placeGone, "used up", deviceRule(th))
		}
	}
	if kept := th.Kind != thingCompletion || keptInSaddle(r, c.Id, th.Spell, take); !thwarted(r, c.Id) && kept {
		takeEffect(r, c, th.Spell, take.Targets, take)
	}
	return nil
}
