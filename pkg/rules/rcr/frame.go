package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// traitMoves is of actions that spend movement and need no action: whoever is
// merely incapacitated or terrified may still take them.
const traitMoves play.Traits = 1

// frame is everything that creatures can do; frameError says what is wrong with it.
var (
	frame      *play.Frame
	frameError error
)

func init() { // not in the declaration: actions look one another up
	frame, frameError = newFrame()
}

func newFrame() (*play.Frame, error) {
	actions := slices.Concat(attackActions(), powerActions(), maneuverActions(), readyActions(), moveActions(), postureActions(), handActions(),
		spellActions(), itemActions(), checkActions(), senseActions(), wrestleActions(), tableActions(), taskActions(), legendaryActions())
	words, err := readWords(play.IDs(actions))
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: ID, Words: words, Prepare: prepare, May: may, Perform: perform,
		EndTurn: refuseEndTurn, EndTurnTitle: "End turn", EndTurnRule: cite.InitiativeEveryRound}, actions)
}

// scratch is what the refusals of a command work out for its deed.
type scratch struct {
	// barred says why the creature may not act now: for actions that spend movement,
	// and for the others. It is asked for every option of a listing.
	barred [2]verdict
	// purposes are what a check costs by its purpose.
	purposes []purpose
	attack   *attackPlan
	casting  *casting
	way      *walk
	to       *eventv1.Position
}

func prepare(at *play.At) { at.Scratch = &scratch{} }

// planned is what the refusals of a command have worked out.
func planned(at *play.At) *scratch { return at.Scratch.(*scratch) }

// deed is an action's deed by a function of the creature and the command.
func deed(do func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error) func(*rules.Resolution, *play.At) error {
	return func(r *rules.Resolution, at *play.At) error { return do(r, r.Creature(at.Actor.Id), at.Take) }
}

// refusing is an action's refusal by a function of the state and the creature.
func refusing(why func(s *eventv1.State, c *eventv1.Creature) error) func(*play.At) error {
	return func(at *play.At) error { return why(at.State, at.Actor) }
}

// one is the cost of one of a counter; nothing of none.
func one(counter string) []play.Cost {
	switch counter {
	case "":
		return nil
	case cAction:
		return oneAction
	case cBonus:
		return oneBonus
	case cReaction:
		return oneReaction
	}
	return []play.Cost{{Counter: counter, Amount: 1}}
}

var (
	oneAction   = []play.Cost{{Counter: cAction, Amount: 1}}
	oneBonus    = []play.Cost{{Counter: cBonus, Amount: 1}}
	oneReaction = []play.Cost{{Counter: cReaction, Amount: 1}}
)

// bare is the one way to do a thing that is done without an item.
var bare = []string{""}

// bareWhen lists a thing that is done without an item only where it can matter; a
// command is told why it cannot be done.
func bareWhen(matters func(at *play.At) bool) func(*play.At) []string {
	return func(at *play.At) []string {
		if at.Listing && !matters(at) {
			return nil
		}
		return bare
	}
}

// perform carries out an action that nothing refuses, and settles what it leads to.
func perform(r *rules.Resolution, at *play.At) error {
	if !at.Action.Anytime {
		closeLegendary(r, rules.SortedKeys(r.State().Creatures)...)
	}
	if err := at.Action.Do(r, at); err != nil {
		return err
	}
	return settle(r)
}

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if bookError != nil || frameError != nil {
		return fault.New(fault.Internal, "BOOK", "rcr: the rule book does not hold")
	}
	if at := frame.At(r.State(), take); at != nil {
		if err := may(at); err != nil {
			return err
		}
		if err := checkObjects(r, take); err != nil {
			return err
		}
	}
	return frame.Act(r, take)
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	if frameError != nil {
		return nil
	}
	return frame.Options(q)
}

// GMOnly tells whether only the game master may take the action: what happens to a
// creature, what it must roll, and what it is granted.
//
// rcr.dice.delayed-roll, rcr.dice.group-check, rcr.dice.threat
func (System) GMOnly(action string) bool { return frame.GMOnly(action) }

var _ rules.Refereed = System{}

// verdict is a refusal that is worded once for all that it refuses.
type verdict struct {
	given bool
	err   error
}

// worded is a refusal with its words, for those that many options show.
func worded(err error) error {
	if f, ok := fault.As(err); ok {
		return f
	}
	return err
}

// may says why the creature may not take the action at all now.
func may(at *play.At) error {
	k, ok := at.Scratch.(*scratch)
	if !ok || at.Action.Anytime {
		return mayActIn(at.State, at.Actor, at.Action)
	}
	v := &k.barred[0]
	if at.Action.Is(traitMoves) {
		v = &k.barred[1]
	}
	if !v.given {
		v.given, v.err = true, worded(mayActIn(at.State, at.Actor, at.Action))
	}
	return v.err
}

// refuseEndTurn says why a creature cannot end its turn.
func refuseEndTurn(at *play.At) error {
	switch {
	case at.State.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "there is no fight")
	case !slices.Contains(at.State.Active, at.Actor.Id):
		return refuse("NOT_YOUR_TURN", cite.InitiativeEveryRound, "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}

// offer adds a word to those that an action takes: in a listing where it has a use,
// in a command always, so that what is wrong with it is said by the rule.
func offer(list []play.Field, at *play.At, useful bool, f play.Field) []play.Field {
	switch {
	case !at.Listing:
		return append(list, play.Field{Name: f.Name})
	case useful:
		return append(list, f)
	}
	return list
}

// inspirationField is the inspiration that a roll is made with.
//
// rcr.base.inspiration-held
func inspirationField(list []play.Field, at *play.At) []play.Field {
	return offer(list, at, at.Actor.Counters[cInspiration] > 0, play.Field{Name: "inspiration"})
}

// teleportField is where a teleportation goes; without a map there is nothing to say.
func teleportField(list []play.Field, at *play.At, feet int32) []play.Field {
	if feet <= 0 {
		return list
	}
	return offer(list, at, at.Actor.Position != nil,
		play.Field{Name: "path", Required: true, Text: "Where it appears, within " + itoa(feet) + " feet; the last place of the path counts"})
}

// planJump finds where the teleportation of a command ends.
func planJump(at *play.At, feet int32) (err error) {
	planned(at).to, err = planTeleport(at.State, at.Actor, feet, at.Take)
	return err
}

// target is the only target of a command.
func target(take *eventv1.TakeAction) string { return take.Targets[0] }
