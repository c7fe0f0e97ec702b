package items

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// valueLocked is 1 on a weapon that is locked in a gauntlet.
const valueLocked = "locked"

// RefuseManipulate refuses a creature that is pinned.
func RefuseManipulate(_ *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	}
	return nil
}

// NeededHere is how many acts the handling takes.
func NeededHere(take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.Parameters, "needed"); ok {
		return n
	}
	return 1
}

// CheckManipulate: more than one act makes it a complex action, where the table
// has that.
//
// celesia.equipment.manipulate-complex
func CheckManipulate(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	name, n := spoken.Word(take.Parameters, "task"), NeededHere(take)
	acts, _ := spoken.Number(take.Parameters, "acts")
	switch {
	case !rules.ValidID(name):
		return fault.Field("take.parameters.task", "must be 1 to 64 letters, digits, '-' or '_'")
	case acts > n:
		return fault.Field("take.parameters.acts", "must be 1 to %d", n)
	case n > 1 && body.Defaults.Value(s, body.OptManipulate) != "on":
		return body.Refuse("NOT_COMPLEX", body.OptManipulate, "at this table handling an item takes 1 act")
	case n > 1 && s.Tasks[TaskID(c.Id, name)] != nil:
		return body.Refuse("UNDER_WAY", body.OptManipulate, "%s is under way", name)
	}
	return nil
}

// Flasks lists the weapons of the sheet that are flasks of oil.
func Flasks(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Load == body.LoadFlask {
			out = append(out, w.Name)
		}
	}
	return out
}

// celesia.equipment.oil-flask
func RefuseFlask(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w := body.WeaponOf(c, take.Item)
	switch {
	case w.GetLoad() != body.LoadFlask:
		return body.Nameless("take.item", "flask", c.GetName(), take.Item, Flasks(s, c))
	case body.Has(c, body.CondPinned):
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned", c.Name)
	case !body.Held(c, w):
		return body.Refuse("NOT_IN_HAND", body.RuleFlask, "%s is not in hand", w.Name)
	case body.Loaded(c, w) > 0:
		return body.Refuse("LOADED", body.RuleFlask, "%s is prepared", w.Name)
	}
	return nil
}

// DoFlask prepares the flask, which can then be thrown.
func DoFlask(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	body.SetValue(r, c.Id, take.Item, body.ValueLoaded, 1, "prepared", body.RuleFlask)
	return nil
}

// OneHanded lists the weapons that a gauntlet can hold.
func OneHanded(_ *eventv1.State, c *eventv1.Creature) []string {
	if !hasGauntlet(c) {
		return nil
	}
	var out []string
	for _, w := range body.SheetOf(c).Weapons {
		if w.Hands == 1 {
			out = append(out, w.Name)
		}
	}
	return out
}

func hasGauntlet(c *eventv1.Creature) bool {
	for _, th := range body.SheetOf(c).Things {
		if th.Kind == body.ThingGauntlet && body.Where(c, th.Name) == body.PlaceWorn {
			return true
		}
	}
	return false
}

// celesia.equipment.locked-gauntlet
func RefuseGauntlet(now int32) func(*eventv1.State, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
		w := body.WeaponOf(c, take.Item)
		switch {
		case w == nil || w.Hands != 1:
			return body.Nameless("take.item", "one-handed weapon", c.GetName(), take.Item, OneHanded(s, c))
		case !hasGauntlet(c):
			return body.Refuse("NO_GAUNTLET", body.RuleGauntlet, "%s wears no locked gauntlet", c.Name)
		case !body.Held(c, w):
			return body.Refuse("NOT_IN_HAND", body.RuleGauntlet, "%s is not in hand", w.Name)
		case Locked(c, w.Name) != (now == 1):
			return body.Refuse("ALREADY", body.RuleGauntlet, "%s is so already", w.Name)
		}
		return nil
	}
}

// Locked tells whether a weapon is locked in a gauntlet.
func Locked(c *eventv1.Creature, name string) bool {
	return c.GetItems()[name].GetValues()[valueLocked] > 0
}

// DoGauntlet locks a weapon in the gauntlet with 1, frees it with 0.
func DoGauntlet(to int32) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		body.SetValue(r, c.Id, take.Item, valueLocked, to, "locked gauntlet", body.RuleGauntlet)
		return nil
	}
}
