package rules

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// EndTurnAction is the id under which options list the EndTurn command.
const EndTurnAction = "end-turn"

// then ends the turns that end by themselves, once a command is carried out.
func (r *Resolution) then(err error) error {
	if err != nil || r.Value(SettingTurnEnds) != TurnEndsByItself {
		return err
	}
	ended := map[string]bool{} // each once: a round in which nobody can do anything must not go on for ever
	for r.state.Status == eventv1.State_STATUS_STARTED {
		at := slices.IndexFunc(r.state.Active, func(id string) bool { return !ended[id] && r.idle(id) })
		if at < 0 {
			return nil
		}
		id := r.state.Active[at]
		ended[id] = true
		if err := r.sys.EndTurn(r, id); err != nil {
			if f, ok := fault.As(err); ok && f.Code == fault.Illegal {
				continue // it is the rules' to say that it goes on
			}
			return err
		}
	}
	return nil
}

// idle tells whether a creature may end its turn and has nothing else left to do in it:
// nothing that takes something of its turn, and nothing free that is a deed.
func (r *Resolution) idle(id string) bool {
	mayEnd := false
	for _, o := range r.sys.Options(Query{State: r.knownTo(id), Creature: id, Content: r.req.Content, LegalOnly: true, WithoutDetails: true}) {
		switch {
		case !o.Legal:
		case o.Action == EndTurnAction:
			mayEnd = true
		case MayCall(r.sys, aPlayer, o.Action) && holdsTurn(r.Creature(id), o):
			return false
		}
	}
	return mayEnd
}

// knownTo is the state without whoever is staged and unknown to those who play a
// creature: a turn that goes on for the sake of a target would tell of it.
func (r *Resolution) knownTo(id string) *eventv1.State {
	c := r.state.Creatures[id]
	if len(c.GetControllers()) == 0 {
		return r.state
	}
	player := &eventv1.Principal{Role: eventv1.Principal_ROLE_PLAYER, Name: c.Controllers[0]}
	known := r.state
	for _, other := range SortedKeys(r.state.Creatures) {
		if event.KnownTo(r.state, r.state.Creatures[other], player) {
			continue
		}
		if known == r.state {
			known = event.Clone(r.state)
		}
		delete(known.Creatures, other)
	}
	return known
}

// deeds are the groups of what is no small matter even where it is free. To drop, to let
// go, to speak, to crouch: a turn does not last for the sake of such things.
var deeds = []string{"attack", "maneuver", "magic", "aid"}

// minor are the counters that no turn lasts for: what can be done outside it, and the
// handling of a thing.
var minor = []string{"reaction", "interaction"}

// movement is the counter of the feet that are left in a turn.
const movement = "movement"

// holdsTurn tells whether something that may be done keeps a turn from ending by itself.
// What takes nothing but minor counters does not; what moves without a cost of
// its own holds it as long as there are feet left.
func holdsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	// order-free: any one is enough
	for counter, amount := range o.Costs {
		if amount > 0 && !slices.Contains(minor, counter) {
			return true
		}
	}
	if len(o.Costs) > 0 {
		return false
	}
	feet, counted := c.GetCounters()[movement]
	return slices.Contains(deeds, o.Group) || o.Group == "move" && (feet > 0 || !counted)
}
