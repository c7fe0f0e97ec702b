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
	holds := func(o *eventv1.Option) bool {
		return o.Legal && o.Action != EndTurnAction && MayCall(r.sys, aPlayer, o.Action) && r.holdsTurn(id, o)
	}
	q := Query{State: r.knownTo(id), Creature: id, Content: r.req.Content, LegalOnly: true, WithoutDetails: true, Room: &Room{}}
	q.First = true // most turns go on, for the sake of the first thing that can be done
	if slices.ContainsFunc(r.sys.Options(q), holds) {
		return false
	}
	q.First = false
	all := r.sys.Options(q)
	return !slices.ContainsFunc(all, holds) && slices.ContainsFunc(all, func(o *eventv1.Option) bool { return o.Legal && o.Action == EndTurnAction })
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
	for _, other := range r.CreatureIDs() {
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

// Lasting is a system that knows what a turn goes on for where it ends by itself
// ([TurnEndsByItself]). In a system that is none it goes on for whatever costs something.
type Lasting interface {
	// HoldsTurn tells whether something that may be done keeps the creature's turn from
	// ending by itself. The option has its costs and its group.
	HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool
}

// holdsTurn asks the system.
func (r *Resolution) holdsTurn(id string, o *eventv1.Option) bool {
	if sys, ok := r.sys.(Lasting); ok {
		return sys.HoldsTurn(r.Creature(id), o)
	}
	return len(o.Costs) > 0
}
