package rcr

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// readyActions are readying something and doing it outside one's own turn. That the
// trigger has come is the caller's word.
func readyActions() []*play.Action {
	return []*play.Action{
		{ID: "ready", Title: "Ready an action", Rule: body.Fallback, Group: play.GroupWait, Costs: checks.OneAction, Items: answers.ReadyItems,
			Refuse: magic.RefuseReady, Fields: answers.ReadyFields, Check: checkReady, Choices: magic.ReadyChoices, Do: doReady},
		{ID: "use-ready", Title: "Do what was readied", Rule: body.Fallback, Group: play.GroupWait, Costs: checks.OneReaction, Anytime: true, Self: true,
			Items: answers.ReadiedItems, Names: answers.ReadiedTitle, Refuse: answers.RefuseUseReady, Range: answers.ReadiedRange,
			Repeat: func(at *play.At) bool {
				what, item := dice.Readied(at.Actor)
				return what == dice.ReadyCast && answers.Repeats(answers.SpellOf(at.Actor, item))
			},
			RefuseTarget: answers.RefuseReadiedOn, Fields: answers.ReadiedFields, Check: checkUseReady, Do: doUseReady},
	}
}

func checkReady(at *play.At) error {
	if trigger := spoken.Word(at.Take.Parameters, "trigger"); trigger == "" || len(trigger) > answers.MaxTrigger {
		return fault.Field("take.parameters.trigger", "must be 1 to %d bytes", answers.MaxTrigger)
	}
	if answers.ReadySaid(at.Take) != dice.ReadyCast {
		return nil
	}
	k := &movement.Casting{Id: at.Actor.Id, Sp: answers.SpellOf(at.Actor, at.Item()), Take: at.Take}
	planned(at).casting = k
	return k.Choose(at.Actor)
}

// doReady spends the action on something to be done as a reaction, until the
// start of the next turn. A spell is cast now, with all that goes with that,
// and its energy held by concentration.
//
// rcr.base.fifth-edition-fallback, rcr.surprise.one-action
func doReady(r *rules.Resolution, at *play.At) error {
	c, what := r.Creature(at.Actor.Id), answers.ReadySaid(at.Take)
	var values map[string]int32
	if what == dice.ReadyCast {
		k := planned(at).casting
		k.R = r
		if !k.Hold(c) {
			return nil
		}
		values = map[string]int32{"slot": k.Slot}
	} else {
		body.Spend(r, c.Id, body.CAction, "Ready")
		r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "ready"})
		answers.DropReady(r, c.Id, "readied anew")
	}
	r.Begin(c.Id, &eventv1.Begun{Kind: body.BegunReadied, Action: &eventv1.TakeAction{Creature: c.Id, Action: what, Item: at.Item()},
		Words: spoken.Word(at.Take.Parameters, "trigger"), Values: values, Until: &eventv1.Until{When: body.UntilTurnStart, Creature: c.Id, Turns: 1},
		Rule: cite.BaseFifthEditionFallback}, cite.BaseFifthEditionFallback)
	return nil
}

func checkUseReady(at *play.At) error {
	what, item := dice.Readied(at.Actor)
	if err := body.CheckReadied(at.Take, what); err != nil {
		return err
	}
	if what == dice.ReadyCast {
		k := &movement.Casting{Id: at.Actor.Id, Sp: answers.SpellOf(at.Actor, item), Take: at.Take, Slot: answers.ReadiedSlot(at.Actor)}
		planned(at).casting = k
		return k.Aim(at.Content, at.State, at.Actor)
	}
	inner := answers.ReadiedAt(at)
	if inner.Action.Check == nil {
		return nil
	}
	return inner.Action.Check(inner)
}

func doUseReady(r *rules.Resolution, at *play.At) error {
	id := at.Actor.Id
	what, _ := dice.Readied(at.Actor)
	switch what {
	case dice.ReadyAttack:
		carryOut(r, at, func(*eventv1.Creature, *strike.AttackPlan) strike.AttackOpts {
			body.Spend(r, id, body.CReaction, "readied attack")
			answers.DropReady(r, id, "used")
			return strike.AttackOpts{Label: "ready/" + id}
		})
		return nil
	case dice.ReadyCast:
		k := planned(at).casting
		k.R = r
		k.Release()
		return nil
	}
	inner := answers.ReadiedAt(at)
	body.Spend(r, id, body.CReaction, "readied "+what)
	answers.DropReady(r, id, "used")
	return answers.Aside(r, id, "readied "+what, answers.Moving(what), answers.Poise(r.State(), r.Creature(id), what), func() error { return inner.Action.Do(r, inner) })
}
