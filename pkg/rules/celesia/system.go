package celesia

import (
	"errors"
	"slices"
	"sync"

	content "github.com/skaldrpg/skald/pkg/content/celesia"
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/injury"
	"github.com/skaldrpg/skald/pkg/rules/celesia/items"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/saddle"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var _ rules.System = System{}

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: body.ID, Title: "Legends of Celesia", Version: body.Version, Content: content.Digest()}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return injury.Medicine{} }

// frame is the frame of actions, which the kernel has under the system's id, and what
// is wrong with it.
var frame func() (*play.Frame, error)

// errRegistered says why the kernel does not have it.
var errRegistered error

func init() { // not in the declarations: actions look one another up
	strike.Listed, frame = actions, sync.OnceValues(newFrame)
	errRegistered = play.Register(body.ID, func() *play.Frame {
		f, err := frame()
		if err != nil {
			return nil
		}
		return f
	})
}

func actions() []*strike.Action {
	return slices.Concat(saddle.AttackActions(), saddle.CoupActions(), strike.LungeActions(), saddle.RunActions(), maneuvers.SpeechActions(), saddle.ChargeActions(), strike.AidActions(), saddle.ManeuverActions(), saddle.GrappleActions(), saddle.MoveActions(), gear.HandActions(),
		saddle.SpellActions(), saddle.CareActions(), saddle.TurnActions(), strike.TaskActions(), magic.SurveyActions(), saddle.CheckActions(), saddle.ErrandActions(), gear.FirearmActions(), saddle.MountActions(), saddle.RidingActions(), saddle.TouchActions(), strike.UnderwayActions())
}

func newFrame() (*play.Frame, error) {
	all := strike.All()
	listed := make([]*play.Action, len(all))
	for i, a := range all {
		listed[i] = &a.Action
	}
	words, errWords := strike.ReadWords(play.IDs(listed))
	for _, a := range all {
		a.Complete(words)
	}
	f, err := play.New(play.Frame{System: body.ID, Words: words, May: strike.May, Perform: perform, EndTurn: refuseEndTurn, EndTurnTitle: "End the turn", EndTurnRule: cite.TurnThreeActs,
		Lasts: play.Lasts{Minor: []string{body.CReactions}, Movement: body.CRideLeft}, Shared: body.FewActs[:], Prepare: func(at *play.At) { at.Scratch = play.Fresh[items.Spot](at) }}, listed)
	return f, errors.Join(errWords, err)
}

// Act carries out an action.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	return checks.Frame().Act(r, take)
}

// Options lists what a creature may do, and why not the rest.
func (System) Options(q rules.Query) []*eventv1.Option { return checks.Frame().Options(q) }

// GMOnly tells which actions are calls of the game master.
func (System) GMOnly(action string) bool { return checks.Frame().GMOnly(action) }

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (System) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	return checks.Frame().HoldsTurn(c, o)
}

// BeforeStart tells which actions need no fight under way: checks and saving
// throws that the game master calls for, such as those that settle who is aware.
//
// celesia.surprise.awareness
func (System) BeforeStart(action string) bool { return checks.Frame().BeforeStart(action) }

// perform takes an action that nothing refuses, whole or with a part of its acts.
func perform(r *rules.Resolution, at *play.At) error {
	a, take := strike.ActionOf(at.Action.ID), at.Take
	cost, id := a.Cost(at, body.CActs), at.Take.Creature
	part, _ := spoken.Number(take.GetParameters(), checks.ParamCommit) // judged with the words
	if slices.Contains(r.State().Active, id) {
		r.Flag(id, body.MBegun, true)
	}
	if part > 0 {
		saddle.BeginPart(a, r, take, part, cost)
		return settle(r)
	}
	if err := saddle.PerformAll(a, r, take, cost, true); err != nil {
		return err
	}
	return settle(r)
}

// refuseEndTurn says why a creature cannot end its turn.
func refuseEndTurn(at *play.At) error {
	if !slices.Contains(at.State.Active, at.Actor.Id) {
		return body.Refuse("NOT_YOUR_TURN", cite.TurnThreeActs, "it is not the turn of %s", at.Actor.Name)
	}
	return nil
}
