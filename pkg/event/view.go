package event

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Audible is who may hear one event, with the controllers of the moment
// resolved: what is stored in an index so that it never changes afterwards.
type Audible struct {
	// Everyone: all viewers.
	Everyone bool
	// Players: names of the players who may, sorted; the game master always may.
	Players []string
}

// Hear resolves an event's audience against the state just before it.
func Hear(s *eventv1.State, e *eventv1.Event) Audible {
	switch e.GetAudience().GetKind() {
	case eventv1.Audience_KIND_EVERYONE:
		return Audible{Everyone: true}
	case eventv1.Audience_KIND_CREATURES:
		var names []string
		for _, id := range e.Audience.Creatures {
			names = append(names, s.Creatures[id].GetControllers()...)
		}
		slices.Sort(names)
		return Audible{Players: slices.Compact(names)}
	}
	return Audible{}
}

// By tells whether a principal may hear it.
func (a Audible) By(p *eventv1.Principal) bool {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM:
		return true
	case eventv1.Principal_ROLE_PLAYER:
		if a.Everyone {
			return true
		}
		_, found := slices.BinarySearch(a.Players, p.GetName())
		return found
	case eventv1.Principal_ROLE_SPECTATOR:
		return a.Everyone
	}
	return false
}

// Visible keeps the events that the principal may see. The state is the full
// state before the first event and is folded along (pass a copy).
func Visible(s *eventv1.State, events []*eventv1.Event, p *eventv1.Principal) []*eventv1.Event {
	var out []*eventv1.Event
	for _, e := range events {
		heard := Hear(s, e)
		Fold(s, e)
		if heard.By(p) {
			out = append(out, e)
		}
	}
	return out
}

// Belongs tells whether the principal is one of those who control the creature,
// and so knows what only they know. To the game master all belong.
func Belongs(c *eventv1.Creature, p *eventv1.Principal) bool {
	switch p.GetRole() {
	case eventv1.Principal_ROLE_GM:
		return true
	case eventv1.Principal_ROLE_PLAYER:
		return c != nil && slices.Contains(c.Controllers, p.GetName())
	}
	return false
}

// Controls tells whether the principal may act for the creature: one that
// belongs to it, unless its token is for others alone. The game master may act
// for any.
func Controls(c *eventv1.Creature, p *eventv1.Principal) bool {
	if !Belongs(c, p) {
		return false
	}
	return p.Role == eventv1.Principal_ROLE_GM || len(p.Creatures) == 0 || slices.Contains(p.Creatures, c.GetId())
}
