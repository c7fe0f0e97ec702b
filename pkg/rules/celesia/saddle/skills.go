package saddle

import (
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// skillActions are actions that come down to one check.
func skillActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "demoralize", Title: "Demoralize", Rule: checks.RuleDemoralize, Group: play.GroupManeuver, Trigger: "other", Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse:       body.Bars(strike.RefuseDemoralize),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Side != c.Side }),
			RefuseTarget: answers.Aimed(strike.RefuseDemoralize), Do: body.Done(strike.DoDemoralize)}},
		{Action: play.Action{ID: "recall-knowledge", Title: "Recall knowledge", Rule: checks.RuleKnowledge, Group: play.GroupCheck, Costs: body.Acts(1),
			Do: body.Done(strike.DoCheck("lore", checks.RuleKnowledge))}},
		{Action: play.Action{ID: "search", Title: "Search", Rule: checks.RuleSearch, Group: play.GroupCheck, Trigger: "other", Costs: body.Acts(1), Fields: strike.Required("where"),
			Check: checks.Judged(checks.CheckSearch), Do: body.Done(strike.DoCheck("perception", checks.RuleSearch))}, Provoke: checks.SearchProvokes},
		{Action: play.Action{ID: "handle-animal", Title: "Handle an animal", Rule: checks.RuleAnimal, Group: play.GroupCheck, Costs: body.Acts(1),
			Do: body.Done(strike.DoCheck("handle-animal", checks.RuleAnimal))}},
		{Action: play.Action{ID: "sleight-of-hand", Title: "Sleight of Hand", Rule: checks.RuleSleight, Group: play.GroupCheck, Trigger: "other", Costs: body.Acts(2), Check: checks.Judged(checks.CheckSleight), Do: body.Done(doSleight(0))}},
		{Action: play.Action{ID: "quick-sleight-of-hand", Title: "Sleight of Hand at -20", Rule: checks.RuleSleight, Group: play.GroupCheck, Trigger: "other", Costs: body.Acts(1), Check: checks.Judged(checks.CheckSleight), Do: body.Done(doSleight(-20))}},
		{Action: play.Action{ID: "escape-net", Title: "Escape from a net", Rule: checks.RuleNet, Group: play.GroupOther, Trigger: "other", Costs: body.Acts(2),
			Refuse: body.Bars(checks.RefuseNet), Do: body.Done(strike.DoNet)}, Provoke: checks.Always},
		{Action: play.Action{ID: "extinguish", Title: "Extinguish flames", Rule: checks.RuleExtinguish, Group: play.GroupOther, Trigger: "other", Costs: body.Acts(2),
			Refuse: body.Bars(checks.RefuseExtinguish), Do: body.Done(strike.DoExtinguish)}, Provoke: checks.Always},
	}
}

// doSleight palms something, in 2 acts or in 1 at -20; failed by 5 or more, the one it was to be taken
// from may make an attack of opportunity, and nobody else.
//
// celesia.action.sleight-of-hand, celesia.action.sleight-of-hand-provoke
func doSleight(haste int32) func(*rules.Resolution, *eventv1.Creature, *eventv1.TakeAction) error {
	return func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
		rolled := strike.RollSkillCheck(r, "sleight-of-hand", c, body.RollKind{Name: "sleight-of-hand"}, checks.DcOf(take), "sleight of hand",
			body.Nonzero(body.Mod(haste, "as a simple action", checks.RuleSleight)), take.Circumstances, checks.RuleSleight)
		if from := spoken.Word(take.Parameters, "from"); from != "" && rolled.Total <= checks.DcOf(take)-5 {
			r.Note(rolled.Audience, c.Id, "the theft is noticed", checks.RuleSleightAoo)
			window(r, checks.Provocation{By: c.Id, Kind: "other", Provokes: true, Only: from, Take: take})
		}
		return nil
	}
}
