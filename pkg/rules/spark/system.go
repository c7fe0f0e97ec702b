package spark

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// System is the rule system. It holds nothing: all state is in the encounter.
type System struct{}

var (
	_ rules.System = System{}
	_ rules.Worded = System{}
)

// Info names the system.
func (System) Info() rules.Info {
	return rules.Info{ID: ID, Title: "Spark (two-half rounds)", Version: Version}
}

// Medicine is the system's part in harm and healing.
func (System) Medicine() rules.Medicine { return Medicine{} }

// kinds are the declarations in the order in which options are listed.
var kinds = []string{kindAttack, kindCharge, kindBullRush, kindCast, kindMove, kindDeed, kindBash, kindGather, kindRestring, kindRefit}

// Act carries out an action: a declaration, or one of the small things that
// may be done while the table declares.
func (System) Act(r *rules.Resolution, take *eventv1.TakeAction) error {
	if bookError != nil {
		return bookError
	}
	c := r.Creature(take.Creature)
	var err error
	switch {
	case slices.Contains(kinds, take.Action):
		var d *declaration
		if d, err = planFor(r.State(), c, take); err == nil {
			err = seal(r, c, d, take)
		}
	case take.Action == actFree || take.Action == actSpeak:
		err = freeAction(r, c, take)
	case take.Action == actDrop:
		err = dropConcentration(r, c)
	case take.Action == decCounterspell:
		err = refuse("NOT_ASKED", cite.TurnCounterspellAnnouncedFirstHalf, "a counterspell is announced when a spell is begun, by the answer to that")
	case take.Action == decOpportunity:
		err = refuse("NOT_ASKED", cite.ReactionOpportunityAttack, "an opportunity attack answers a step away")
	}
	if err != nil {
		return err
	}
	return settle(r)
}

// Actions that cost no package.
const (
	actFree  = "free-action"
	actSpeak = "speak"
	actDrop  = "drop-concentration"
)

// refuseFree says why a creature has no free action now.
//
// spark.action.free, spark.action.speak, spark.action.multi-round-lock
func refuseFree(s *eventv1.State, c *eventv1.Creature) error {
	if err := mayMeddle(s, c); err != nil {
		return err
	}
	if c.Counters[cFree] < 1 {
		return refuse("NO_FREE_ACTION", cite.ActionFree, "%s has used its five free actions", c.Name)
	}
	return nil
}

// mayMeddle says whether a creature may do small things now: while the table
// declares, whether it has declared itself or not.
func mayMeddle(s *eventv1.State, c *eventv1.Creature) error {
	err := mayDeclare(s, c)
	if f, ok := fault.As(err); ok && (f.Reason == "DECLARED" || f.Reason == "NOT_YOUR_TURN") {
		err = nil
	}
	if d := decode(c.GetMarks()[mDeclared]); err == nil && d != nil && d.Kind == kindCast {
		if sp := spellOf(c, d.Spell); sp != nil && sp.Rounds > 0 {
			return refuse("LOCKED", cite.ActionMultiRoundLock, "%s casts for %d rounds", c.Name, sp.Rounds)
		}
	}
	return err
}

// wordsAtOnce are the words of one free action.
//
// spark.action.speak
const wordsAtOnce = 4

func freeAction(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseFree(r.State(), c); err != nil {
		return err
	}
	text := spoken.Word(take.GetParameters(), "text")
	switch {
	case len(text) > 200:
		return fault.Field("take.parameters.text", "at most 200 bytes")
	case take.Action == actSpeak && len(strings.Fields(text)) > wordsAtOnce:
		return refuse("TOO_MANY_WORDS", cite.ActionSpeak, "a free action is %d words at most", wordsAtOnce)
	}
	rule := cite.ActionFree
	if take.Action == actSpeak {
		rule = cite.ActionSpeak
	}
	r.Set(c.Id, cFree, r.Count(c.Id, cFree)-1, take.Action, rule)
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets, Notes: []string{text}}, cite.ActionFree)
	return nil
}

// refuseDrop says why a creature cannot give up a spell it concentrates on.
func refuseDrop(s *eventv1.State, c *eventv1.Creature) error {
	if err := mayMeddle(s, c); err != nil {
		return err
	}
	if c.GetMarks()[mConcentration] == "" {
		return refuse("NO_CONCENTRATION", cite.ReactionConcentrationBars, "%s concentrates on nothing", c.Name)
	}
	return nil
}

// dropConcentration gives up a spell that demands concentration.
//
// spark.reaction.concentration-bars
func dropConcentration(r *rules.Resolution, c *eventv1.Creature) error {
	if err := refuseDrop(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: actDrop, Item: c.Marks[mConcentration]}, cite.ReactionConcentrationBars)
	r.Mark(c.Id, mConcentration, "", cite.ReactionConcentrationBars)
	return nil
}
