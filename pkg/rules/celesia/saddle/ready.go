package saddle

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// TurnActions are what bears on turns: delaying, readying, defending.
func TurnActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "delay", Title: "Delay", Rule: cite.TurnDelay, Group: play.GroupWait, Refuse: body.Bars(answers.RefuseDelay), Do: body.Done(answers.DoDelay)}},
		{Action: play.Action{ID: "ready", Title: "Ready an action", Rule: cite.ActionReady, Group: play.GroupWait, CostOf: strike.ReadyCost, Items: strike.ReadyItems,
			Range: strike.ReadyTargets, Self: true, Traits: checks.Sealed | checks.Whole, Refuse: strike.RefuseReady, RefuseTarget: strike.RefuseReadyTarget, Fields: answers.ReadyFields, Check: strike.CheckReady,
			Choices: strike.ReadyChoices, Do: body.Done(strike.DoReady)}},
		{Action: play.Action{ID: "set-off", Title: "Set off a readied action", Rule: cite.ActionReady, Group: play.GroupReferee, Least: 1, Most: 1, Anytime: true,
			Referee: true, Refuse: body.Bars(strike.RefuseSetOff), RefuseTarget: answers.Aimed(strike.RefuseSetOff), Do: body.Done(doSetOff)}},
		{Action: play.Action{ID: "total-defense", Title: "Total defense", Rule: cite.ActionTotalDefense, Group: play.GroupDefend, Costs: body.Acts(2),
			Do: body.Done(answers.DoTotalDefense)}},
		{Action: play.Action{ID: "fight-defensively", Title: "Fight defensively", Rule: cite.AttackFightingDefensively, Group: play.GroupDefend,
			Refuse: body.Bars(answers.RefuseDefensive), Do: body.Done(answers.DoDefensive)}},
	}
}
