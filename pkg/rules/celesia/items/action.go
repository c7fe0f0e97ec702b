package items

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Paid carries out a deed that is told the acts that it takes.
func Paid(do func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction, int32) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error {
		return do(r, r.Creature(at.Take.Creature), at.Take, at.Scratch.(*Spot).Cost)
	}
}

// UpTo is an action of one target up to so many.
func UpTo(most func(*eventv1.Creature, *eventv1.TakeAction) int32) func(*play.At) (int32, int32) {
	return func(at *play.At) (int32, int32) { return 1, most(at.Actor, at.Take) }
}

// Spot is what is worked out once for a listing, or a command.
type Spot struct {
	// Cost is all the acts of an action that is being carried out.
	Cost int32
	// one is the command of a listing with the target that is looked at.
	one *eventv1.TakeAction
	// Trades are the words of attacks in melee and at range.
	Trades [2][]play.Field
	// Waits says why the creature has no turn; judged tells that it is known.
	Waits  error
	Judged bool
	// Living are those who are not dead, without and with the creature itself.
	Living [2][]string
	// Threats are those who could make an attack of opportunity; nil when nobody
	// has asked yet.
	Threats []string
}

// AimedAt is the command with one target. A listing has one for all targets.
func (p *Spot) AimedAt(at *play.At, id string) *eventv1.TakeAction {
	if !at.Listing {
		return body.AimedAt(at.Take, []string{id})
	}
	if p.one == nil {
		p.one = &eventv1.TakeAction{Creature: at.Take.Creature, Targets: make([]string, 1)}
	}
	p.one.Action, p.one.Item, p.one.Targets[0] = at.Take.Action, at.Take.Item, id
	return p.one
}
