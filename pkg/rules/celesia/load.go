package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways in which weapons are loaded.
const (
	loadHand      = "hand-crossbow"
	loadLight     = "light-crossbow"
	loadHeavy     = "heavy-crossbow"
	loadRepeating = "repeating-crossbow"
	loadSimple    = "simple-firearm"
	loadMartial   = "martial-firearm"
)

// Counters of the turn: cLoads counts the cartridges loaded for nothing.
const (
	cLoads = "free-loads"
	// cMulti counts the uses of Multiweapon Fighting in the turn.
	cMulti = "multiweapon"
)

// loadActions load weapons that take acts to load; ammunition for the others is
// drawn with the shot.
//
// celesia.equipment.draw-ammunition, celesia.equipment.draw-nock-arrow, celesia.action.simple-as-free
func loadActions() []*action {
	return []*action{{id: "load", title: "Load", rule: cite.EquipmentLoadLightCrossbow, cost: loadCost, provoke: loadProvokes,
		trigger: "other", items: loadable, refuse: refuseLoad, do: doLoad}}
}

// loadable lists the weapons that the action loads. Simple firearms take longer
// and have an action of their own.
func loadable(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if slowLoad(w) {
			out = append(out, w.Name)
		}
	}
	return out
}

// slowLoad tells whether a weapon is loaded by the action.
func slowLoad(w *eventv1.CelesiaWeapon) bool {
	return w.GetLoad() != "" && w.Load != loadSimple && w.Load != loadFlask
}

func firearm(w *eventv1.CelesiaWeapon) bool { return w.Load == loadSimple || w.Load == loadMartial }

// loadRule is the rule by which a weapon is loaded.
func loadRule(w *eventv1.CelesiaWeapon) string {
	switch w.GetLoad() {
	case loadHeavy, loadRepeating:
		return cite.EquipmentLoadHeavyCrossbow
	case loadMartial:
		return cite.EquipmentLoadMartialFirearm
	case loadFlask:
		return ruleFlask
	}
	return cite.EquipmentLoadLightCrossbow
}

// capacity is how many shots a weapon holds.
func capacity(w *eventv1.CelesiaWeapon) int32 {
	switch {
	case w.Load == "":
		return 0
	case w.Capacity > 0:
		return w.Capacity
	case w.Load == loadRepeating:
		return 5
	}
	return 1
}

// startValues are the numbers that a weapon begins with.
func startValues(w *eventv1.CelesiaWeapon) map[string]int32 {
	out := map[string]int32{}
	if w.Load != "" && w.Load != loadFlask {
		out[valueLoaded] = capacity(w)
	}
	if w.HitPoints > 0 {
		out[valueHP] = w.HitPoints
	}
	return out
}

func loaded(c *eventv1.Creature, w *eventv1.CelesiaWeapon) int32 {
	if it := c.GetItems()[w.Name]; it != nil {
		return it.Values[valueLoaded]
	}
	return capacity(w)
}

// loadCost is 1 act for what is light, 2 for a heavy or repeating crossbow;
// Rapid Reload makes the first free and the second 1.
//
// celesia.equipment.load-light-crossbow, celesia.equipment.load-heavy-crossbow,
// celesia.equipment.load-martial-firearm
func loadCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	w := weaponOf(c, take.Item)
	cost := int32(1)
	if w.GetLoad() == loadHeavy || w.GetLoad() == loadRepeating {
		cost = 2
	}
	if w.GetRapidReload() {
		cost--
	}
	return cost
}

// loadProvokes: loading for nothing does not provoke (a reading), loading that
// is merely shorter does.
func loadProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return loadCost(c, take) > 0, ""
}

func refuseLoad(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	if !slowLoad(w) {
		return nameless("take.item", "weapon to be loaded so", c.GetName(), take.Item, loadable(s, c))
	}
	rule := loadRule(w)
	switch {
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !held(c, w):
		return refuse("NOT_IN_HAND", rule, "%s is not in hand", w.Name)
	case loaded(c, w) >= capacity(w):
		return refuse("LOADED", rule, "%s is loaded", w.Name)
	case w.Load == loadMartial && w.RapidReload && c.Counters[cLoads] >= 3:
		return refuse("NO_MORE_LOADS", rule, "three cartridges a turn are the most")
	}
	return nil
}

// doLoad puts in one bolt or cartridge, or a whole case.
func doLoad(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	shots := loaded(c, w) + 1
	if w.Load == loadRepeating {
		shots = capacity(w)
	}
	if w.Load == loadMartial && w.RapidReload {
		r.Set(c.Id, cLoads, r.Count(c.Id, cLoads)+1, "loaded", loadRule(w))
	}
	setValue(r, c.Id, w.Name, valueLoaded, shots, "loaded", loadRule(w))
	return nil
}

// refuseUnloaded says why a weapon cannot be shot: it is not loaded.
func refuseUnloaded(c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if w.Load != "" && loaded(c, w) < 1 {
		return refuse("NOT_LOADED", loadRule(w), "%s is not loaded", w.Name)
	}
	return nil
}

// discharge takes the shot out of a weapon that is loaded.
func discharge(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	if w.Load != "" {
		setValue(r, id, w.Name, valueLoaded, loaded(r.Creature(id), w)-1, "shot", loadRule(w))
	}
}
