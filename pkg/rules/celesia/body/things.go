package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Kinds of things.
const (
	ThingShield     = "shield"
	ThingRope       = "rope"
	ThingCommand    = "command-word"
	ThingTrigger    = "spell-trigger"
	ThingCompletion = "spell-completion"
	ThingGauntlet   = "locked-gauntlet"
)

// More places of things, besides those of weapons.
const (
	PlaceCarried = "carried"
	PlaceWorn    = "worn"
	PlacePack    = "pack"
	PlaceGone    = "gone"
)

// Values of a thing: where it lies, and how it fares.
const (
	valueX      = "x"
	valueY      = "y"
	valueZ      = "z"
	ValueBroken = "broken"
	ValueLoaded = "loaded"
	ValueHP     = "hp"
)

// ThingOf finds a thing of the sheet by its name; nil when there is none.
func ThingOf(c *eventv1.Creature, name string) *eventv1.CelesiaThing {
	for _, th := range SheetOf(c).Things {
		if th.Name == name {
			return th
		}
	}
	return nil
}

// ThingPlace is where a thing is before the fight.
func ThingPlace(th *eventv1.CelesiaThing) string {
	if th.Place == "" {
		return PlaceCarried
	}
	return th.Place
}

// Where is the place of a weapon or thing of a creature; empty when it has none
// of that name.
func Where(c *eventv1.Creature, name string) string {
	if it := c.GetItems()[name]; it != nil {
		return it.Place
	}
	if w := WeaponOf(c, name); w != nil {
		return Place(c, w)
	}
	if th := ThingOf(c, name); th != nil {
		return ThingPlace(th)
	}
	return ""
}

// InHand tells whether a place is a hand.
func InHand(where string) bool {
	return where == PlaceMain || where == PlaceOff || where == PlaceBoth
}

// HandsFor is how many hands a weapon or thing takes.
func HandsFor(c *eventv1.Creature, name string) int32 {
	if w := WeaponOf(c, name); w != nil {
		return max(1, w.Hands)
	}
	return 1
}

// Loose names the weapons and things that can be laid down, in the order of the
// sheet.
func Loose(_ *eventv1.State, c *eventv1.Creature) []string {
	var out []string
	for _, w := range SheetOf(c).Weapons {
		if !Bodyless(w) {
			out = append(out, w.Name)
		}
	}
	for _, th := range SheetOf(c).Things {
		if ThingPlace(th) != PlaceWorn {
			out = append(out, th.Name)
		}
	}
	for _, name := range rules.SortedKeys(c.GetItems()) { // what was taken from others
		if WeaponOf(c, name) == nil && ThingOf(c, name) == nil {
			out = append(out, name)
		}
	}
	return out
}

// Openly lists what a creature holds or carries for all to see, by name; what
// is securely worn is left out.
func Openly(c *eventv1.Creature) []string {
	var out []string
	for _, name := range rules.SortedKeys(c.GetItems()) {
		if p := c.Items[name].Place; InHand(p) || p == PlaceCarried {
			out = append(out, name)
		}
	}
	return out
}

// AudienceOf a place: what is put away only its owner knows.
func AudienceOf(id, where string) *eventv1.Audience {
	if where == PlaceStowed || where == PlacePack {
		return event.Controllers(id)
	}
	return event.Everyone()
}

// Values are the numbers of a thing without those of where it lies.
func Values(c *eventv1.Creature, name string) map[string]int32 {
	out := map[string]int32{}
	for k, v := range c.GetItems()[name].GetValues() { // order-free: a map is copied into a map
		if k != valueX && k != valueY && k != valueZ {
			out[k] = v
		}
	}
	return out
}

// set gives a thing a number and leaves the others as they are.
func SetValue(r *rules.Resolution, id, name, key string, value int32, cause, rule string) {
	c := r.Creature(id)
	all := map[string]int32{}
	for k, v := range c.GetItems()[name].GetValues() { // order-free: a map is copied into a map
		all[k] = v
	}
	all[key] = value
	p := Where(c, name)
	r.Emit(AudienceOf(id, p), &eventv1.ItemChanged{Creature: id, Item: name, Place: p, Values: all, Cause: cause}, rule)
}

// Shift puts a thing elsewhere about its owner.
func Shift(r *rules.Resolution, id, name, to, cause, rule string) {
	c := r.Creature(id)
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: to, Values: Values(c, name), Cause: cause}, rule)
}

// Lay lays a thing on the ground, at a point of the map when there is one.
func Lay(r *rules.Resolution, id, name string, at *eventv1.Position, cause, rule string) {
	all := Values(r.Creature(id), name)
	if at != nil {
		all[valueX], all[valueY], all[valueZ] = at.X, at.Y, at.Z
	}
	r.Emit(event.Everyone(), &eventv1.ItemChanged{Creature: id, Item: name, Place: PlaceDropped, Values: all, Cause: cause}, rule)
}

// Lies is where a thing lies; nil when that is not known.
func Lies(c *eventv1.Creature, name string) *eventv1.Position {
	v := c.GetItems()[name].GetValues()
	if _, ok := v[valueX]; !ok {
		return nil
	}
	return &eventv1.Position{X: v[valueX], Y: v[valueY], Z: v[valueZ]}
}

// FeetTo is the distance from a creature's space to a point of the map, in feet:
// 0 inside it, 5 beside it, and 0 where one of the two is not known.
func FeetTo(c *eventv1.Creature, at *eventv1.Position) int32 {
	feet, _ := Distance(c, &eventv1.Creature{Position: at})
	return feet
}

// Trained tells whether a creature is trained in a skill.
func Trained(c *eventv1.Creature, skill string) bool {
	return slices.Contains(SheetOf(c).Trained, skill)
}

// ThingValues are the numbers that a thing begins with.
func ThingValues(th *eventv1.CelesiaThing) map[string]int32 {
	if th.HitPoints > 0 {
		return map[string]int32{ValueHP: th.HitPoints}
	}
	return map[string]int32{}
}
