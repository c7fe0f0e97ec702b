package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Rules of loading simple firearms.
const (
	ruleLoadOne = cite.EquipmentLoadOneHandedSimpleFirearm
	ruleLoadTwo = cite.EquipmentLoadTwoHandedSimpleFirearm
)

// valueLoading marks the task of a 1-round action that loads a firearm.
const valueLoading = "loading"

// firearmActions load one barrel of a simple firearm.
func firearmActions() []*action {
	return []*action{{id: "load-firearm", title: "Load a barrel", rule: ruleLoadOne, cost: barrelCost, provoke: always, trigger: "other",
		items: simpleFirearms, refuse: refuseBarrel,
		spans: func(c *eventv1.Creature, take *eventv1.TakeAction) bool { return roundLoad(weaponOf(c, take.Item)) }, paid: doBarrel}}
}

func simpleFirearms(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Load == loadSimple {
			out = append(out, w.Name)
		}
	}
	return out
}

func barrelRule(w *eventv1.CelesiaWeapon) string {
	if w.GetHands() == 2 {
		return ruleLoadTwo
	}
	return ruleLoadOne
}

// roundLoad tells whether loading is a 1-round action: a two-handed firearm with
// neither Rapid Reload nor a cartridge.
//
// celesia.equipment.load-two-handed-simple-firearm
func roundLoad(w *eventv1.CelesiaWeapon) bool {
	return w.GetHands() == 2 && !w.GetRapidReload() && !w.GetCartridge()
}

// barrelCost is 3 acts, one less for Rapid Reload and for a cartridge each; with
// two hands it begins from a 1-round action, which takes what is left of the
// turn up to 3.
//
// celesia.equipment.load-one-handed-simple-firearm, celesia.equipment.load-two-handed-simple-firearm
func barrelCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	w := weaponOf(c, take.Item)
	if roundLoad(w) {
		return max(1, min(3, int32(c.Counters[cActs])))
	}
	cost := int32(3)
	if w.GetHands() == 2 {
		cost = 4
	}
	if w.GetRapidReload() {
		cost--
	}
	if w.GetCartridge() {
		cost--
	}
	return cost
}

func refuseBarrel(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	rule := barrelRule(w)
	switch {
	case w == nil || w.Load != loadSimple:
		return nameless("take.item", "simple firearm", c.GetName(), take.Item, simpleFirearms(s, c))
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !held(c, w):
		return refuse("NOT_IN_HAND", rule, "%s is not in hand", w.Name)
	case loaded(c, w) >= capacity(w):
		return refuse("LOADED", rule, "%s is loaded", w.Name)
	case roundLoad(w) && c.Counters[cActs] > 3:
		return refuse("ACTS_LEFT", cite.ActionOneRoundFrame, "a 1-round action runs to the end of the turn: use the extra act first")
	}
	return nil
}

// doBarrel loads one barrel, now or at the start of the next turn.
//
// celesia.equipment.load-two-handed-simple-firearm, celesia.reaction.none-during-one-round
func doBarrel(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	w := weaponOf(c, take.Item)
	if !roundLoad(w) {
		loadBarrel(r, c.Id, w)
		return nil
	}
	r.Mark(c.Id, mBusy, w.Name, cite.ReactionNoneDuringOneRound)
	r.Emit(event.Everyone(), &eventv1.TaskSet{Task: &eventv1.Task{Id: oneRoundID(c.Id), Creature: c.Id, Kind: taskOneRound, Status: "pending",
		Text: w.Name, Values: map[string]int32{"left": 3 - acts, valueLoading: 1}}}, ruleLoadTwo)
	return nil
}

func loadBarrel(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	setValue(r, id, w.Name, valueLoaded, loaded(r.Creature(id), w)+1, "loaded", barrelRule(w))
}

// finishLoading ends a 1-round action that loads; a weapon no longer in hand
// stays as it is.
//
// celesia.equipment.load-two-handed-simple-firearm
func finishLoading(r *rules.Resolution, id string, t *eventv1.Task) {
	r.Emit(event.Everyone(), &eventv1.TaskEnded{Id: t.Id, Outcome: "done"}, ruleLoadTwo)
	r.Mark(id, mBusy, "")
	if w := weaponOf(r.Creature(id), t.Text); w != nil && held(r.Creature(id), w) && loaded(r.Creature(id), w) < capacity(w) {
		loadBarrel(r, id, w)
	}
}
