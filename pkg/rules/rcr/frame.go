package rcr

import (
	"slices"
	"sync"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/barding"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func init() { // not in the declaration: actions look one another up
	frame := sync.OnceValues(newFrame)
	body.Frame = func() *play.Frame {
		f, _ := frame()
		return f
	}
	body.FrameError = func() error {
		_, err := frame()
		return err
	}
	answerMoments()
}

// answerMoments has the chapters answer what befalls creatures, in this order.
func answerMoments() {
	body.AnswerMoment(body.OnDamage, mounts.Hurt)
	body.AnswerMoment(body.OnProne, mounts.Tripped)
	body.AnswerMoment(body.OnFallen, mounts.Fallen)
	body.AnswerMoment(body.OnThrust, flight.Thrust) // while whoever rides is still aboard
	body.AnswerMoment(body.OnThrust, mounts.Thrust)
	body.AnswerMoment(body.OnPace, mounts.Slowed)
	body.AnswerMoment(body.OnAway, mounts.Away)
	body.AnswerMoment(body.OnDrop, mounts.BeginsToFall)
	body.AnswerMoment(body.OnCatch, mounts.Catch)
	body.AnswerMoment(body.OnLoose, flight.Loose)
	body.AnswerMoment(body.OnPartEnds, func(r *rules.Resolution, id, _ string, _ int32) bool { flight.EndTurn(r, id); return false })
	body.AirDC = func(s *eventv1.State, c *eventv1.Creature) (int32, string) {
		return flight.Rise(s, c, flight.WeatherOf(s, nil))
	}
	body.Shaken = flight.Shaken
}

func newFrame() (*play.Frame, error) {
	actions := slices.Concat(attackActions(), chargeActions(), traitActions(), stealActions(), powerActions(), strike.ManeuverActions(), readyActions(), moveActions(), movement.PostureActions(), movement.HandActions(), movement.ImproviseActions(),
		spellActions(), movement.ItemActions(), checkActions(), movement.SenseActions(), movement.WrestleActions(), movement.TableActions(), checks.TaskActions(), legendaryActions(),
		underwater.Actions(fightTires), barding.Actions(), mounts.Actions(), flight.Actions(mounts.RefuseWay))
	words, err := body.ReadWords(play.IDs(actions))
	if err != nil {
		return nil, err
	}
	return play.New(play.Frame{System: body.ID, Words: words, Prepare: prepare, May: may, Perform: perform, Relieves: true,
		Lasts:   play.Lasts{Minor: []string{body.CReaction, body.CInteraction}, Movement: body.CMovement},
		EndTurn: refuseEndTurn, EndTurnTitle: "End turn", EndTurnRule: cite.InitiativeEveryRound}, actions)
}

// scratch is what the refusals of a command work out for its deed.
type scratch struct {
	// barred says why the creature may not act now: for actions that spend movement,
	// and for the others. It is asked for every option of a listing.
	barred [2]checks.Verdict
	// riding tells whether anybody rides or a mount bolts, once looked is true: each
	// action is asked about it only then.
	looked, riding bool
	// purposes are what a check costs by its purpose.
	purposes []checks.Purpose
	attack   *strike.AttackPlan
	casting  *movement.Casting
	way      *movement.Walk
	to       *eventv1.Position
}

func prepare(at *play.At) { at.Scratch = play.Fresh[scratch](at) }

// planned is what the refusals of a command have worked out.
func planned(at *play.At) *scratch { return at.Scratch.(*scratch) }

// perform carries out an action that nothing refuses, and settles what it leads to.
func perform(r *rules.Resolution, at *play.At) error {
	if !at.Action.Anytime {
		answers.CloseLegendary(r, r.CreatureIDs()...)
	}
	from := at.Actor.Position
	if err := at.Action.Do(r, at); err != nil {
		return err
	}
	mounts.Ordered(r, at, from)
	flight.Passed(r, at.Actor.Id, at.Action.ID)
	return settle(r)
}

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if body.BookError != nil || body.FrameError() != nil {
		return fault.New(fault.Internal, "BOOK", "rcr: the rule book does not hold")
	}
	at := body.Frame().At(r.State(), take)
	if at == nil {
		return body.Frame().Act(r, take)
	}
	if err := may(at); err != nil {
		return err
	}
	if err := body.CheckObjects(r, take); err != nil {
		return err
	}
	return body.Frame().ActAt(r, at)
}

// BeforeStart tells whether an action needs no fight under way.
func (System) BeforeStart(action string) bool { return body.Frame().BeforeStart(action) }

var _ rules.Preparer = System{}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option {
	if body.FrameError() != nil {
		return nil
	}
	if q.Content == nil {
		q.Content = rules.OwnBook(System{})
	}
	return body.Frame().Options(q)
}

// GMOnly tells whether only the game master may take the action: what happens to a
// creature, what it must roll, and what it is granted.
//
// rcr.dice.delayed-roll, rcr.dice.group-check, rcr.dice.threat
func (System) GMOnly(action string) bool { return body.Frame().GMOnly(action) }

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (System) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	return body.Frame().HoldsTurn(c, o)
}

var _ rules.Refereed = System{}

// worded is a refusal with its words, for those that many options show.
func worded(err error) error {
	if f, ok := fault.As(err); ok {
		return f
	}
	return err
}

// may says why the creature may not take the action at all now.
func may(at *play.At) error {
	if at.Action.Anytime || at.Action.Early {
		return mayActIn(at.State, at.Actor, at.Action)
	}
	k := planned(at)
	if !k.looked {
		k.looked, k.riding = true, mounts.AnyRide(at.State)
	}
	if k.riding {
		if err := mounts.RefusePassenger(at.State, at.Actor); err != nil {
			return err
		}
	}
	v := &k.barred[0]
	if at.Action.Is(movement.TraitMoves) {
		v = &k.barred[1]
	}
	if !v.Given {
		v.Given, v.Err = true, mayActIn(at.State, at.Actor, at.Action)
		if at.Listing && !at.Unread() {
			v.Err = worded(v.Err)
		}
	}
	if v.Err != nil || !k.riding {
		return v.Err
	}
	return mounts.Refuse(at)
}

// refuseEndTurn says why a creature cannot end its turn.
func refuseEndTurn(at *play.At) error {
	switch {
	case at.State.Status != eventv1.State_STATUS_STARTED:
		return body.Refuse("NOT_STARTED", "", "there is no fight")
	case !slices.Contains(at.State.Active, at.Actor.Id):
		return body.Refuse("NOT_YOUR_TURN", cite.InitiativeEveryRound, "it is not the turn of %s", at.Actor.Name)
	}
	return body.FirstError(mounts.RefuseEnd(at.State, at.Actor), flight.RefuseEndTurn(at.State, at.Actor))
}

// planJump finds where the teleportation of a command ends.
func planJump(at *play.At, feet int32) (err error) {
	planned(at).to, err = magic.PlanTeleport(at.State, at.Actor, feet, at.Take)
	return err
}
