package event

import (
	"slices"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// foldPreset puts the settings to what a preset means.
func foldPreset(s *eventv1.State, p *eventv1.PresetChosen) {
	s.Preset = p.Preset
	// order-free: each setting by itself
	for id, value := range p.Settings {
		if value == "" {
			delete(s.Settings, id)
			continue
		}
		s.Settings[id] = value
	}
}

// foldOrder keeps a standing order where it belongs: with the creature, or with the
// encounter.
func foldOrder(s *eventv1.State, o *eventv1.StandingOrder) {
	if o.GetCreature() == "" {
		s.Orders = withOrder(s.Orders, o)
		return
	}
	if c := s.Creatures[o.Creature]; c != nil { // I1
		c.Orders = withOrder(c.Orders, o)
	}
}

// withOrder is the list with an order in the place of the one before, or at the end;
// one that is empty takes it away. The list given stays as it was (I3).
func withOrder(list []*eventv1.StandingOrder, o *eventv1.StandingOrder) []*eventv1.StandingOrder {
	if o == nil {
		return list
	}
	at := slices.IndexFunc(list, func(x *eventv1.StandingOrder) bool { return SameOrder(x, o) })
	out := slices.Clone(list)
	switch {
	case o.Order == "" && at < 0:
		return list
	case o.Order == "":
		out = slices.Delete(out, at, at+1)
	case at < 0:
		out = append(out, proto.CloneOf(o))
	default:
		out[at] = proto.CloneOf(o)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// SameOrder tells whether two orders are for the same creatures and decision, with the
// same condition: the later takes the place of the earlier.
func SameOrder(a, b *eventv1.StandingOrder) bool {
	return a.Creature == b.Creature && a.Side == b.Side && a.Monsters == b.Monsters && a.Decision == b.Decision && a.When == b.When
}
