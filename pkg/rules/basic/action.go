package basic

import (
	"errors"
	"slices"
	"strings"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/basic"
	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// tDeclaring actions are taken while everybody declares, not on a number. The bits
// above it are the declarations that leave room for an action; one without any of
// them goes with all.
const tDeclaring play.Traits = 1

// during are the traits of an action that some declarations leave room for.
func during(kinds ...string) play.Traits {
	var t play.Traits
	for _, kind := range kinds {
		t |= roomFor(kind)
	}
	return t
}

// roomFor is the trait of the actions that a declaration leaves room for; none before
// anything is declared.
func roomFor(kind string) play.Traits {
	if i := slices.Index(declarable, kind); i >= 0 {
		return 2 << i
	}
	return 0
}

// oneAction is the cost of what takes the action of the round.
var oneAction = []play.Cost{{Counter: cAction, Amount: 1}}

// of lists the ways to do something from what a creature has.
func of(list func(*eventv1.Creature) []string) func(*play.At) []string {
	return func(at *play.At) []string { return list(at.Actor) }
}

// standing is what no action changes about who would act: worked out once for all of
// them.
type standing struct {
	// nothing says why it can do nothing at all; early why it cannot declare; waits why
	// it has not the number; bound that it declared something else; spent that the
	// action of the round is used.
	nothing, early, waits, bound, spent error
	// room is what its declaration leaves room for.
	room play.Traits
}

// stand works out what no action changes.
//
// basic.turn.sequence, basic.turn.resolve-on-count, basic.action.list
func stand(at *play.At) {
	s, c := at.State, at.Actor
	st := &standing{nothing: nothingToDo(s, c)}
	at.Scratch = st
	if c == nil || st.nothing != nil {
		return
	}
	kind := declaredBy(c)
	st.early, st.room = mayDeclare(s, c), roomFor(kind)
	st.bound = refuse("NOT_DECLARED", cite.TurnDeclare, "%s declared %s", c.Name, kind)
	switch {
	case s.Phase != phaseCount:
		st.waits = refuse("DECLARING", cite.TurnSequence, "everybody declares before the count begins")
	case !slices.Contains(s.Active, c.Id):
		st.waits = refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", c.Name)
	}
	if c.Counters[cAction] < 1 {
		st.spent = refuse("NO_ACTION", cite.ActionList, "%s has used the action of the round", c.Name)
	}
}

// nothingToDo says why a creature can do nothing at all.
//
// basic.surprise.lose-one-round
func nothingToDo(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case dead(c):
		return refuse("DEAD", cite.DeathZeroHp, "%s is dead", c.GetName())
	case unconscious(c):
		return refuse("UNCONSCIOUS", cite.InjurySubdualZero, "%s is unconscious", c.Name)
	}
	if d := barring(s, c, condition.BarsActing); d != nil {
		return refuse(strings.ToUpper(d.Name), d.Rule, "%s is %s", c.Name, d.Name)
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
	case a.Is(tDeclaring):
		return st.early
	case a.Anytime:
		if at.State.Phase != phaseCount {
			return st.waits
		}
		return nil
	case st.waits != nil:
		return st.waits
	case a.Traits != 0 && a.Traits&st.room == 0:
		return st.bound
	case len(a.Costs) > 0:
		return st.spent
	}
	return nil
}

// endable says whether the creature has a turn to end.
//
// basic.turn.resolve-on-count
func endable(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return refuse("NOT_YOUR_NUMBER", cite.TurnResolveOnCount, "the count does not stand at the number of %s", at.Actor.Name)
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
	f := play.Frame{System: ID, Prepare: stand, May: may, Whole: true, Perform: perform, EndTurn: endable,
		EndTurnTitle: "End the turn", EndTurnRule: cite.TurnRoundEnds,
		Hidden: func(at *play.At) bool { return at.Actor.Sheet == nil }} // of a sheet that the viewer does not know nothing can be said
	actions := slices.Concat(declareActions(), moveActions(), meleeActions(), rangedActions(), chargeActions(), grenadeActions(),
		spellActions(), handActions(), grappleActions(), itemActions(), fireActions(), openActions(), holdActions(), redeclareActions())
	table, err := content.Book().Table("words")
	if err != nil {
		return &f, err
	}
	if f.Words, err = rules.ReadVocabulary(table, play.IDs(actions), book.conditions.Words()...); err != nil {
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

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	f, _ := frame()
	return f.Words
}

// Validate says what is wrong with the embedded book; nil when it holds.
func (System) Validate() error {
	_, err := frame()
	return errors.Join(bookError, settings.Err(), err)
}

// spend uses up the action of the round.
func spend(r *rules.Resolution, id, why string, ruleIDs ...string) {
	r.Set(id, cAction, 0, why, ruleIDs...)
}
