package rules

import (
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Places of things that mean the same in every system.
const (
	placeGone    = "gone"
	placeTaken   = "taken"
	placeDropped = "dropped"
)

// places are the words for where a thing may be.
var places = []string{"both", "carried", placeDropped, placeGone, "main", "off", "pack", "stowed", placeTaken, "worn"}

// away are the places of what only its owner knows of.
var away = []string{"pack", "stowed"}

// lost tells whether a thing is no longer its owner's.
func lost(it *eventv1.ItemState) bool {
	return it.GetPlace() == placeGone || it.GetPlace() == placeTaken
}

// Thing is what a patient's record says of a thing after a fight: was, what it said
// before, is nil when it said nothing. What is gone or taken stays so; all else is
// again where the record has it, picked up and put away, with the values that are not
// of the fight alone. nil means that there is nothing to say.
func (o OfTheFight) Thing(was, is *eventv1.ItemState) *eventv1.ItemState {
	if is == nil {
		return was
	}
	out := &eventv1.ItemState{Place: is.Place, Values: map[string]int32{}}
	switch {
	case lost(is):
	case was != nil && !lost(was):
		out.Place = was.Place
	case is.Place == placeDropped:
		return was // it came by it in the fight, and left it there
	}
	for name, n := range is.Values { // order-free: a map is copied into a map
		if !Listed(o.Values, name) {
			out.Values[name] = n
		}
	}
	for name, n := range was.GetValues() { // order-free: a map is copied into a map
		if Listed(o.Values, name) {
			out.Values[name] = n
		}
	}
	return out
}

// Brought are the things of a record with what they bring into a fight: that they are
// gone, and the values that are not of one fight alone. Where all else is says the
// sheet.
func (o OfTheFight) Brought(items map[string]*eventv1.ItemState) map[string]*eventv1.ItemState {
	out := map[string]*eventv1.ItemState{}
	for name, it := range items { // order-free: a map is made of a map
		brings := &eventv1.ItemState{}
		if lost(it) {
			brings.Place = it.Place
		}
		for key, n := range it.GetValues() { // order-free: a map is copied into a map
			if !Listed(o.Values, key) {
				if brings.Values == nil {
					brings.Values = map[string]int32{}
				}
				brings.Values[key] = n
			}
		}
		if brings.Place != "" || len(brings.Values) > 0 {
			out[name] = brings
		}
	}
	return out
}

// applyItems says where things are and how they fare.
func (r *Resolution) applyItems(id string, items map[string]*eventv1.ItemState) error {
	for _, name := range SortedKeys(items) {
		field, it, c := "vitals.items["+name+"]", items[name], r.Creature(id)
		have := c.Items[name]
		switch {
		case have == nil && c.Patient != "":
			continue
		case have == nil:
			return fault.Field(field, "%q has no %q%s", id, name, DidYouMean(name, SortedKeys(c.Items)))
		case it.GetPlace() != "" && !slices.Contains(places, it.Place):
			return fault.Field(field+".place", "%q is not one of %v%s", it.Place, places, DidYouMean(it.Place, places))
		}
		now := proto.CloneOf(have)
		if it.GetPlace() != "" {
			now.Place, now.At, now.Position = it.Place, "", nil
		}
		if now.Values == nil && len(it.GetValues()) > 0 {
			now.Values = map[string]int32{}
		}
		for _, key := range SortedKeys(it.GetValues()) {
			if n := it.Values[key]; len(key) > MaxIDLength || n > 1_000_000 || n < -1_000_000 {
				return fault.Field(field+".values["+key+"]", "out of range")
			}
		}
		maps.Copy(now.Values, it.GetValues())
		if !proto.Equal(now, have) {
			r.Emit(placed(id, now.Place), &eventv1.ItemChanged{Creature: id, Item: name, Place: now.Place, Values: now.Values,
				Cause: "game master", At: now.At, Position: now.Position})
		}
	}
	return nil
}

// placed is who sees that a thing is put somewhere.
func placed(id, place string) *eventv1.Audience {
	if slices.Contains(away, place) {
		return event.Controllers(id)
	}
	return event.Everyone()
}
