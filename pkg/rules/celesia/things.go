package celesia

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of things.
const (
	thingShield     = "shield"
	thingRope       = "rope"
	thingCommand    = "command-word"
	thingTrigger    = "spell-trigger"
	thingCompletion = "spell-completion"
	thingGauntlet   = "locked-gauntlet"
)

// More places of things, besides those of weapons.
const (
	placeCarried = "carried"
	placeWorn    = "worn"
	placePack    = "pack"
	placeGone    = "gone"
)

// Values of a thing: where it lies, and how it fares.
const (
	valueX      = "x"
	valueY      = "y"
	valueZ      = "z"
	valueBroken = "broken"
	valueLoaded = "loaded"
	valueHP     = "hp"
)

// thingOf finds a thing of the sheet by its name; nil when there is none.
func thingOf(c *eventv1.Creature, name string) *eventv1.CelesiaThing {
	for _, th := range sheetOf(c).Things {
		if th.Name == name {
			return th
		}
	}
	return nil
}

// thingPlace is where a thing is before the fight.
func thingPlace(th *eventv1.CelesiaThing) string {
	if th.Place == "" {
		return placeCarried
	}
	return th.Place
}

// where is the place of a weapon or thing of a creature; empty when it has none
// of that name.
func where(c *eventv1.Creature, name string) string {
	if it := c.GetItems()[name]; it != nil {
		return it.Place
	}
	if w := weaponOf(c, name); w != nil {
		return place(c, w)
	}
	if th := thingOf(c, name); th != nil {
		return thingPlace(th)
	}
	return ""
}

// inHand tells whether a place is a hand.
func inHand(where string) bool {
	return where == placeMain || where == placeOff || where == placeBoth
}

// handsFor is how many hands a weapon or thing takes.
func handsFor(c *eventv1.Creature, name string) int32 {
	if w := weaponOf(c, name); w != nil {
		return max(1, w.Hands)
	}
	return 1
}

// loose names the weapons and things that can be laid down, in the order of the
// sheet.
func loose(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range sheetOf(c).Weapons {
		if !bodyless(w) {
			out = append(out, w.Name)
		}
	}
	for _, th := range sheetOf(c).Things {
		if thingPlace(th) != placeWorn {
			out = append(out, th.Name)
		}
	}
	for _, name := range rules.SortedKeys(c.GetItems()) { // what was taken from others
		if weaponOf(c, name) == nil && thingOf(c, name) == nil {
			out = append(out, name)
		}
	}
	return out
}

// openly lists what a creature holds or carries for all to see, by name; what
// is securely worn is left out.
func openly(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.GetItems()) {
		if p := c.Items[name].Place; inHand(p) || p == placeCarried {
			out = append(out, name)
		}
	}
	return out
}

// audienceOf a place: what is put away only its owner knows.
func audienceOf(id, where string) *eventv1.Audience {
	if where == placeStowed || where == placePack {
		return event.Controllers(id)
	}
	return event.Everyone()
}

// values are the numbers of a thing without those of where it lies.
func values(c *eventv1.Creature, name string) map[string]int32 {
	out := map[string]int32{}
	for k, v := range c.GetItems()[name].GetValues() { // order-free: a map is copied into a map
		if k != valueX && k != valueY && k != valueZ {
			out[k] = v
		}
	}
	return out
}

// set gives a thing a number and leaves the others as they are.
func setValue(r *rules.Resolution, id, name, key string, value int32, cause, rule string) {
	c := r.Creature(id)
	all := map[string]int32{}
	for k, v := range c.GetItems()[name].GetValues() { // order-free: a map is copied into a map
		all[k] = v
	}
	all[key] = value
	p := where(c, name)
	r.Emit(audienceOf(id, p), &eventv1.ItemChanged{Creature: id, Item: name, Place: p, Values: all, Cause: cause}, rule)
}

// shift puts a thing elsewhere about its owner.
func shift(r *rules.Resolution, id, name, to, cause, rule string) {
	c := r.Creature(id)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: to, Values: values(c, name), Cause: cause}, rule)
}

// lay lays a thing on the ground, at a point of the map when there is one.
func lay(r *rules.Resolution, id, name string, at *eventv1.Position, cause, rule string) {
	all := values(r.Creature(id), name)
	if at != nil {
		all[valueX], all[valueY], all[valueZ] = at.X, at.Y, at.Z
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: placeDropped, Values: all, Cause: cause}, rule)
}

// lies is where a thing lies; nil when that is not known.
func lies(c *eventv1.Creature, name string) *eventv1.Position {
	v := c.GetItems()[name].GetValues()
	if _, ok := v[valueX]; !ok {
		return nil
	}
	return &eventv1.Position{X: v[valueX], Y: v[valueY], Z: v[valueZ]}
}

// feetTo is the distance from a creature's space to a point of the map, in feet:
// 0 inside it, 5 beside it.
func feetTo(c *eventv1.Creature, at *eventv1.Position) int32 {
	feet, _ := distance(c, &eventv1.Creature{Position: at})
	return feet
}

// trained tells whether a creature is trained in a skill.
func trained(c *eventv1.Creature, skill string) bool {
	return slices.Contains(sheetOf(c).Trained, skill)
}

// thingValues are the numbers that a thing begins with.
func thingValues(th *eventv1.CelesiaThing) map[string]int32 {
	if th.HitPoints > 0 {
		return map[string]int32{valueHP: th.HitPoints}
	}
	return map[string]int32{}
}
