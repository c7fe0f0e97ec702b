package manners

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of loading simple firearms.
const (
	RuleLoadOne = cite.EquipmentLoadOneHandedSimpleFirearm
	ruleLoadTwo = cite.EquipmentLoadTwoHandedSimpleFirearm
)

// SimpleFirearms lists the simple firearms of the sheet.
func SimpleFirearms(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Load == body.LoadSimple {
			out = append(out, w.Name)
		}
	}
	return out
}

func barrelRule(w *eventv1.CelesiaWeapon) string {
	if w.GetHands() == 2 {
		return ruleLoadTwo
	}
	return RuleLoadOne
}

// RoundLoad tells whether loading is a 1-round action: a two-handed firearm with
// neither Rapid Reload nor a cartridge.
//
// celesia.equipment.load-two-handed-simple-firearm
func RoundLoad(w *eventv1.CelesiaWeapon) bool {
	return barrelActs(w) == 0
}

// BarrelCost is what the tables say; a 1-round action takes what is left of the
// turn up to 3 acts.
//
// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm
func BarrelCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	w := body.WeaponOf(c, take.Item)
	if RoundLoad(w) {
		return max(1, min(3, int32(c.Counters[body.CActs])))
	}
	return barrelActs(w)
}

// RefuseBarrel says why a simple firearm cannot be loaded: not in hand, full, or the
// creature is pinned. A 1-round action needs the extra act to be used first.
func RefuseBarrel(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := body.WeaponOf(c, take.Item)
	rule := barrelRule(w)
	switch {
	case w == nil || w.Load != body.LoadSimple:
		return body.Nameless("take.item", "simple firearm", c.GetName(), take.Item, SimpleFirearms(s, c))
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !body.Held(c, w):
		return body.Refuse("NOT_IN_HAND", rule, "%s is not in hand", w.Name)
	case body.Loaded(c, w) >= body.Capacity(w):
		return body.Refuse("LOADED", rule, "%s is loaded", w.Name)
	case RoundLoad(w) && c.Counters[body.CActs] > 3:
		return body.Refuse("ACTS_LEFT", cite.ActionOneRoundFrame, "a 1-round action runs to the end of the turn: use the extra act first")
	}
	return nil
}

// DoBarrel loads one barrel, now or at the start of the next turn.
//
// celesia.equipment.load-two-handed-simple-firearm, celesia.reaction.none-during-one-round
func DoBarrel(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	w := body.WeaponOf(c, take.Item)
	if !RoundLoad(w) {
		loadBarrel(r, c.Id, w)
		return nil
	}
	r.Begin(c.Id, &eventv1.Begun{Kind: body.BegunLoading, Action: &eventv1.TakeAction{Creature: c.Id, Action: "load-firearm", Item: w.Name},
		Done: acts, Needed: 3, Counter: body.CActs, Rule: ruleLoadTwo}, ruleLoadTwo, cite.ReactionNoneDuringOneRound)
	return nil
}

func loadBarrel(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	body.SetValue(r, id, w.Name, body.ValueLoaded, body.Loaded(r.Creature(id), w)+1, "loaded", barrelRule(w))
}

// FinishLoading ends a 1-round action that loads; a weapon no longer in hand
// stays as it is.
//
// celesia.equipment.load-two-handed-simple-firearm
func FinishLoading(r *rules.Resolution, id string) {
	b := r.EndBegun(id, body.BegunLoading, "done", ruleLoadTwo)
	if w := body.WeaponOf(r.Creature(id), b.Action.GetItem()); w != nil && body.Held(r.Creature(id), w) && body.Loaded(r.Creature(id), w) < body.Capacity(w) {
		loadBarrel(r, id, w)
	}
}
