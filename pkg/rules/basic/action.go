package basic

import (
	"errors"
	"slices"
	"strings"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/fire"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/magic"
	"github.com/skaldrpg/skald/pkg/rules/basic/movement"
	"github.com/skaldrpg/skald/pkg/rules/basic/order"
	"github.com/skaldrpg/skald/pkg/rules/basic/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// standing is what no action changes about who would act: worked out once for all of
// them.
type standing struct {
	// nothing says why it can do nothing at all; waits why it has not the number.
	nothing, waits error
	// early says why it cannot declare, once it was asked.
	early error
	asked bool
	// kind is what it declared, room what that leaves room for.
	kind string
	room play.Traits
	// bound says that it declared something else, spent that the action of the round is
	// used: made when they are first wanted, once for all actions.
	bound, spent error
}

// declared says that what was declared has no room for the action.
//
// basic.turn.declare
func (st *standing) declared(c *eventv1.Creature) error {
	if st.bound == nil {
		st.bound = body.Refuse("NOT_DECLARED", cite.TurnDeclare, "%s declared %s", c.Name, st.kind)
	}
	return st.bound
}

// used says that the action of the round is used.
//
// basic.action.list
func (st *standing) used(c *eventv1.Creature) error {
	if st.spent == nil {
		st.spent = body.Refuse("NO_ACTION", cite.ActionList, "%s has used the action of the round", c.Name)
	}
	return st.spent
}

// mayDeclare says why it cannot declare.
func (st *standing) mayDeclare(at *play.At) error {
	if !st.asked {
		st.early, st.asked = order.MayDeclare(at.State, at.Actor), true
	}
	return st.early
}

var declaring = body.Refuse("DECLARING", cite.TurnSequence, "everybody declares before the count begins")

// stand works out what no action changes.
//
// basic.turn.sequence, basic.turn.resolve-on-count, basic.action.list
func stand(at *play.At) {
	s, c := at.State, at.Actor
	st := &standing{nothing: nothingToDo(s, c)}
	at.Scratch = st
	if st.nothing != nil {
		return
	}
	st.kind = order.DeclaredBy(c)
	st.room = body.RoomFor(st.kind)
	switch {
	case s.Phase != body.PhaseCount:
		st.waits = declaring
	case !slices.Contains(s.Active, c.Id):
		st.waits = body.Refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", c.Name)
	}
}

// nothingToDo says why a creature can do nothing at all.
//
// basic.surprise.lose-one-round
func nothingToDo(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return body.Refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return body.Refuse("NOT_STARTED", "", "the encounter has not begun")
	case body.Dead(c):
		return body.Refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case body.Unconscious(c):
		return body.Refuse("UNCONSCIOUS", cite.InjurySubdualZero, "%s is unconscious", c.Name)
	}
	if d := body.Barring(s, c, condition.BarsActing); d != nil {
		return body.Refuse(strings.ToUpper(d.Name), d.Rule, "%s is %s", c.Name, d.Name)
	}
	return nil
}

// may says whether the creature may take the action at all now.
//
// basic.turn.sequence, basic.turn.declare, basic.action.list
func may(at *play.At) error {
	st, a := at.Scratch.(*standing), at.Action
	switch {
	case st.nothing != nil:
		return st.nothing
	case a.Is(order.TDeclaring):
		return st.mayDeclare(at)
	case a.Anytime:
		if at.State.Phase != body.PhaseCount {
			return st.waits
		}
		return nil
	case st.waits != nil:
		return st.waits
	case a.Traits != 0 && a.Traits&st.room == 0:
		return st.declared(at.Actor)
	case len(a.Costs) > 0:
		return unpaid(at, st)
	}
	return nil
}

// unpaid says why the creature cannot pay for the action.
//
// basic.action.list
func unpaid(at *play.At, st *standing) error {
	cost := at.Action.Cost(at, body.CAction)
	switch left := at.Actor.Counters[body.CAction]; {
	case left >= int64(cost):
		return nil
	case left < 1:
		return st.used(at.Actor)
	}
	return body.Refuse("NO_ACTION", cite.ActionList, "%s takes %d actions of the round, %s has 1", at.Action.ID, cost, at.Actor.Name)
}

// endable says whether the creature has a turn to end.
//
// basic.turn.resolve-on-count
func endable(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return body.Refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", at.Actor.Name)
	}
	return nil
}

// perform carries out what nothing refuses, and ends the turns of those whom it
// leaves unable to act.
func perform(r *rules.Resolution, at *play.At) error {
	if err := at.Action.Do(r, at); err != nil {
		return err
	}
	return settle(r)
}

// frame is what creatures can do, in the order in which options are listed; a book
// that does not hold leaves it without actions and says why.
var frame = sync.OnceValues(func() (*play.Frame, error) {
	f := play.Frame{System: body.ID, Prepare: stand, May: may, Whole: true, Perform: perform, EndTurn: endable,
		Lasts:        play.Lasts{Movement: body.CMovement},
		EndTurnTitle: "End the turn", EndTurnRule: cite.TurnRoundEnds,
		Hidden: func(at *play.At) bool { return at.Actor.Sheet == nil }} // of a sheet that the viewer does not know nothing can be said
	actions := slices.Concat(strike.DeclareActions(), movement.MoveActions(), strike.MeleeActions(), strike.RangedActions(), movement.ChargeActions(), fire.GrenadeActions(),
		magic.SpellActions(), holds.HandActions(), movement.GrappleActions(), itemActions(), fire.FireActions(), strike.OpenActions(), order.HoldActions(), strike.RedeclareActions())
	table, err := content.Book().Table("words")
	if err != nil {
		return &f, err
	}
	if f.Words, err = rules.ReadVocabulary(table, play.IDs(actions), body.Book.Conditions.Words()...); err != nil {
		return &f, err
	}
	made, err := play.New(f, actions)
	if err != nil {
		return &f, err
	}
	return made, nil
})

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	f, _ := frame() // what is wrong with the book Validate says
	return f.Act(r, take)
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	f, _ := frame()
	return f.Options(q)
}

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (System) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	f, _ := frame()
	return f.HoldsTurn(c, o)
}

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	f, _ := frame()
	return f.Words
}

// Validate says what is wrong with the embedded book; nil when it holds.
func (System) Validate() error {
	_, err := frame()
	return errors.Join(body.BookError, body.Settings.Err(), body.Presets.Err(), err)
}
