package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	ruleFlask    = cite.EquipmentOilFlask
	ruleGauntlet = cite.EquipmentLockedGauntlet
)

// loadFlask is how a flask of oil is loaded: it becomes a splash weapon with a
// fuse.
const loadFlask = "oil-flask"

// valueLocked is 1 on a weapon that is locked in a gauntlet.
const valueLocked = "locked"

// manipulateActions handle things in ways of their own.
func manipulateActions() []*action {
	return []*action{
		{id: "manipulate", title: "Manipulate an item", rule: ruleManipulate, cost: taskCost, task: true, trigger: "other", provoke: always,
			parameters: manipulateParameters, refuse: refuseManipulate, check: checkManipulate,
			spans: func(_ *eventv1.Creature, take *eventv1.TakeAction) bool { return neededHere(take) > 1 }, paid: doManipulate},
		{id: "prepare-flask", title: "Prepare a flask of oil", rule: ruleFlask, acts: 2, trigger: "other", provoke: always,
			items: flasks, refuse: refuseFlask, do: doFlask},
		{id: "lock-gauntlet", title: "Lock a weapon in a gauntlet", rule: ruleGauntlet, acts: 2, trigger: "other", provoke: always,
			items: oneHanded, refuse: refuseGauntlet(0), do: doGauntlet(1)},
		{id: "unlock-gauntlet", title: "Unlock a weapon from a gauntlet", rule: ruleGauntlet, acts: 2, trigger: "other", provoke: always,
			items: oneHanded, refuse: refuseGauntlet(1), do: doGauntlet(0)},
	}
}

func manipulateParameters(*eventv1.State, *eventv1.Creature) []*eventv1.Parameter {
	return append(actsParameter(nil, nil), choice("task", "what is handled", true, "chest", "lever"),
		&eventv1.Parameter{Name: "needed", Type: "number", Text: "acts it takes, by the game master; 1 when not given"},
		&eventv1.Parameter{Name: "scattered", Type: "boolean", Text: "the acts need not follow each other"})
}

func refuseManipulate(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// neededHere is how many acts the handling takes.
func neededHere(take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.Parameters, "needed"); ok {
		return n
	}
	return 1
}

// checkManipulate: more than one act makes it a complex action, where the table
// has that.
//
// celesia.equipment.manipulate-complex
func checkManipulate(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name, n := spoken.Word(take.Parameters, "task"), neededHere(take)
	acts, stated := spoken.Number(take.Parameters, "acts")
	switch {
	case !rules.ValidID(name):
		return fault.Field("take.parameters.task", "must be 1 to 64 letters, digits, '-' or '_'")
	case stated && acts > n:
		return fault.Field("take.parameters.acts", "must be 1 to %d", n)
	case n > 1 && defaults.Value(s, optManipulate) != "on":
		return refuse("NOT_COMPLEX", optManipulate, "at this table handling an item takes 1 act")
	case n > 1 && s.Tasks[taskID(c.Id, name)] != nil:
		return refuse("UNDER_WAY", optManipulate, "%s is under way", name)
	}
	return nil
}

// celesia.equipment.manipulate-item, celesia.equipment.manipulate-complex
func doManipulate(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	breakTasks(r, c.Id, "something else was handled")
	name, n := spoken.Word(take.Parameters, "task"), neededHere(take)
	if n == 1 {
		r.Note(event.Everyone(), c.Id, c.Name+" handles: "+name, ruleManipulate)
		return nil
	}
	consecutive := int32(1)
	if spoken.Truth(take.Parameters, "scattered") {
		consecutive = 0
	}
	progress(r, &eventv1.Task{Id: taskID(c.Id, name), Creature: c.Id, Kind: taskComplex, Status: "pending", Text: name,
		Values: map[string]int32{"needed": n, "done": 0, "consecutive": consecutive}}, acts)
	return nil
}

func flasks(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Load == loadFlask {
			out = append(out, w.Name)
		}
	}
	return out
}

// celesia.equipment.oil-flask
func refuseFlask(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := weaponOf(c, take.Item)
	switch {
	case w.GetLoad() != loadFlask:
		return nameless("take.item", "flask", c.GetName(), take.Item, flasks(s, c))
	case has(c, condPinned):
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !held(c, w):
		return refuse("NOT_IN_HAND", ruleFlask, "%s is not in hand", w.Name)
	case loaded(c, w) > 0:
		return refuse("LOADED", ruleFlask, "%s is prepared", w.Name)
	}
	return nil
}

func doFlask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	setValue(r, c.Id, take.Item, valueLoaded, 1, "prepared", ruleFlask)
	return nil
}

// oneHanded lists the weapons that a gauntlet can hold.
func oneHanded(_ *eventv1.State, c *eventv1.Creature) []string {
	if !hasGauntlet(c) {
		return nil
	}
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if w.Hands == 1 {
			out = append(out, w.Name)
		}
	}
	return out
}

func hasGauntlet(c *eventv1.Creature) bool {
	for _, th := range sheetOf(c).Things {
		if th.Kind == thingGauntlet && where(c, th.Name) == placeWorn {
			return true
		}
	}
	return false
}

// celesia.equipment.locked-gauntlet
func refuseGauntlet(now int32) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		w := weaponOf(c, take.Item)
		switch {
		case w == nil || w.Hands != 1:
			return nameless("take.item", "one-handed weapon", c.GetName(), take.Item, oneHanded(s, c))
		case !hasGauntlet(c):
			return refuse("NO_GAUNTLET", ruleGauntlet, "%s wears no locked gauntlet", c.Name)
		case !held(c, w):
			return refuse("NOT_IN_HAND", ruleGauntlet, "%s is not in hand", w.Name)
		case locked(c, w.Name) != (now == 1):
			return refuse("ALREADY", ruleGauntlet, "%s is so already", w.Name)
		}
		return nil
	}
}

func locked(c *eventv1.Creature, name string) bool {
	return c.GetItems()[name].GetValues()[valueLocked] > 0
}

func doGauntlet(to int32) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		setValue(r, c.Id, take.Item, valueLocked, to, "locked gauntlet", ruleGauntlet)
		return nil
	}
}
