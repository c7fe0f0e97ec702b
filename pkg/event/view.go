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
// state before the first event; it stays as it is.
func Visible(s *eventv1.State, events []*eventv1.Event, p *eventv1.Principal) []*eventv1.Event {
	out := make([]*eventv1.Event, 0, len(events))
	moved := false // who controls whom: then s is a copy that is folded along
	for i, e := range events {
		if hears(s, e, p) {
			out = append(out, e)
		}
		switch {
		case moved:
			Fold(s, e)
		case movesControl(e):
			moved, s = true, Clone(s)
			FoldAll(s, events[:i+1])
		}
	}
	return out
}

// hears tells whether the principal may hear an event in the state just before it,
// as [Hear] does for all.
func hears(s *eventv1.State, e *eventv1.Event, p *eventv1.Principal) bool {
	if p.GetRole() == eventv1.Principal_ROLE_PLAYER && e.GetAudience().GetKind() == eventv1.Audience_KIND_CREATURES {
		return slices.ContainsFunc(e.Audience.Creatures, func(id string) bool { return Belongs(s.Creatures[id], p) })
	}
	return Hear(s, e).By(p)
}

// movesControl tells whether an event changes who controls a creature: nothing else
// in a state says who hears an event.
func movesControl(e *eventv1.Event) bool {
	switch e.GetWhat().(type) {
	case *eventv1.Event_CreatureAdded, *eventv1.Event_CreatureRemoved, *eventv1.Event_Controllers:
		return true
	}
	return false
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
