package body

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways in which weapons are loaded.
const (
	LoadHand      = "hand-crossbow"
	LoadLight     = "light-crossbow"
	LoadHeavy     = "heavy-crossbow"
	LoadRepeating = "repeating-crossbow"
	LoadSimple    = "simple-firearm"
	LoadMartial   = "martial-firearm"
)

// Counters of the turn: cLoads counts the cartridges loaded for nothing.
const (
	CLoads = "free-loads"
	// CMulti counts the uses of Multiweapon Fighting in the turn.
	CMulti = "multiweapon"
)

// Loadable lists the weapons that the action loads. Simple firearms take longer
// and have an action of their own.
func Loadable(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range SheetOf(c).Weapons {
		if slowLoad(w) {
			out = append(out, w.Name)
		}
	}
	return out
}

// slowLoad tells whether a weapon is loaded by the action.
func slowLoad(w *eventv1.CelesiaWeapon) bool {
	return w.GetLoad() != "" && w.Load != LoadSimple && w.Load != LoadFlask
}

// Firearm tells whether a weapon is a firearm, simple or martial.
func Firearm(w *eventv1.CelesiaWeapon) bool { return w.Load == LoadSimple || w.Load == LoadMartial }

// loadRule is the rule by which a weapon is loaded.
func loadRule(w *eventv1.CelesiaWeapon) string {
	switch w.GetLoad() {
	case LoadHeavy, LoadRepeating:
		return cite.EquipmentLoadHeavyCrossbow
	case LoadMartial:
		return cite.EquipmentLoadMartialFirearm
	case LoadFlask:
		return RuleFlask
	}
	return cite.EquipmentLoadLightCrossbow
}

// Capacity is how many shots a weapon holds.
func Capacity(w *eventv1.CelesiaWeapon) int32 {
	switch {
	case w.Load == "":
		return 0
	case w.Capacity > 0:
		return w.Capacity
	case w.Load == LoadRepeating:
		return 5
	}
	return 1
}

// StartValues are the numbers that a weapon begins with.
func StartValues(w *eventv1.CelesiaWeapon) map[string]int32 {
	out := map[string]int32{}
	if w.Load != "" && w.Load != LoadFlask {
		out[ValueLoaded] = Capacity(w)
	}
	if w.HitPoints > 0 {
		out[ValueHP] = w.HitPoints
	}
	return out
}

// Loaded is how many shots are in a weapon; all that it holds while nothing is
// recorded of it.
func Loaded(c *eventv1.Creature, w *eventv1.CelesiaWeapon) int32 {
	if it := c.GetItems()[w.Name]; it != nil {
		return it.Values[ValueLoaded]
	}
	return Capacity(w)
}

// LoadCost is 1 act for what is light, 2 for a heavy or repeating crossbow;
// Rapid Reload makes the first free and the second 1.
//
// celesia.equipment.load-light-crossbow, celesia.equipment.load-heavy-crossbow,
// celesia.equipment.load-martial-firearm
func LoadCost(c *eventv1.Creature, take *eventv1.TakeAction) int32 {
	w := WeaponOf(c, take.Item)
	cost := int32(1)
	if w.GetLoad() == LoadHeavy || w.GetLoad() == LoadRepeating {
		cost = 2
	}
	if w.GetRapidReload() {
		cost--
	}
	return cost
}

// LoadProvokes: loading for nothing does not provoke (a reading), loading that
// is merely shorter does.
func LoadProvokes(_ *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) (bool, string) {
	return LoadCost(c, take) > 0, ""
}

// RefuseLoad says why a weapon cannot be loaded: of another kind, not in hand, full,
// or the creature is pinned. Rapid Reload loads a martial firearm three times a turn
// at most.
func RefuseLoad(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := WeaponOf(c, take.Item)
	if !slowLoad(w) {
		return Nameless("take.item", "weapon to be loaded so", c.GetName(), take.Item, Loadable(s, c))
	}
	rule := loadRule(w)
	switch {
	case Has(c, CondPinned):
		return Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !Held(c, w):
		return Refuse("NOT_IN_HAND", rule, "%s is not in hand", w.Name)
	case Loaded(c, w) >= Capacity(w):
		return Refuse("LOADED", rule, "%s is loaded", w.Name)
	case w.Load == LoadMartial && w.RapidReload && c.Counters[CLoads] >= 3:
		return Refuse("NO_MORE_LOADS", rule, "three cartridges a turn are the most")
	}
	return nil
}

// DoLoad puts in one bolt or cartridge, or a whole case.
func DoLoad(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := WeaponOf(c, take.Item)
	shots := Loaded(c, w) + 1
	if w.Load == LoadRepeating {
		shots = Capacity(w)
	}
	if w.Load == LoadMartial && w.RapidReload {
		r.Set(c.Id, CLoads, r.Count(c.Id, CLoads)+1, "loaded", loadRule(w))
	}
	SetValue(r, c.Id, w.Name, ValueLoaded, shots, "loaded", loadRule(w))
	return nil
}

// RefuseUnloaded says why a weapon cannot be shot: it is not loaded.
func RefuseUnloaded(c *eventv1.Creature, w *eventv1.CelesiaWeapon) error {
	if w.Load != "" && Loaded(c, w) < 1 {
		return Refuse("NOT_LOADED", loadRule(w), "%s is not loaded", w.Name)
	}
	return nil
}

// Discharge takes the shot out of a weapon that is loaded.
func Discharge(r *rules.Resolution, id string, w *eventv1.CelesiaWeapon) {
	if w.Load != "" {
		SetValue(r, id, w.Name, ValueLoaded, Loaded(r.Creature(id), w)-1, "shot", loadRule(w))
	}
}
