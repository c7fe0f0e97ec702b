package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// completeReadied takes the readied action; where a Move, Step or crawl goes is
// asked when it was not said, and in what manner an attack is made when its
// attacker chooses so.
//
// celesia.reaction.complete-readied
func completeReadied(r *rules.Resolution, id string, p checks.Provocation, choose bool) {
	take := strike.ReadiedTake(r.Creature(id), p.By)
	if choose {
		take.Parameters = manners.AskManner(r, id, body.WeaponOf(r.Creature(id), take.Item), "readied/"+id)
	}
	mending.Forget(r, id, "taken")
	a := strike.ActionOf(take.Action)
	if to := strike.ReadiedWay(r, a, take); to != nil {
		take.Path = []*eventv1.Position{to}
	}
	reactWith(r, a, take, cite.ReactionCompleteReadied)
}

// doSetOff asks whether a creature takes what it has readied, now that its
// trigger has come about.
//
// celesia.action.ready, celesia.reaction.complete-readied
func doSetOff(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	d := &eventv1.Decision{Name: body.DecReaction, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: c.Id, Cause: t.Name + ": the trigger",
		Question: c.Name + " may take what it has readied", DefaultOption: "no", Rule: cite.ActionReady,
		Options: append([]*eventv1.DecisionOption{{Id: "no", Text: "Let it pass"}}, answers.TakeReadied(c)...)}
	if answer := r.Ask("reaction/"+t.Id+"/"+c.Id, d).Option; answer != "no" {
		react(r, c.Id, checks.Provocation{By: t.Id, Kind: answers.TriggerStated, Take: take}, answer)
	}
	return nil
}
