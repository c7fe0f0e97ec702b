package saddle

import (
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/manners"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ErrandActions are full actions that come down to a check or to time, and
// maneuvers that take a turn or none of it.
func ErrandActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "appraise-hoard", Title: "Appraise a hoard", Rule: manners.RuleHoard, Group: play.GroupCheck, Trigger: "other", Costs: body.Acts(3),
			Refuse: body.Bars(magic.RefusePinned), Do: body.Done(strike.DoCheck("appraise", manners.RuleHoard))}, Provoke: checks.Always},
		{Action: play.Action{ID: "detect-forgery", Title: "Examine a page for forgery", Rule: manners.RuleForgery, Group: play.GroupCheck, Trigger: "other", Costs: body.Acts(3),
			Refuse: body.Bars(magic.RefusePinned), Do: body.Done(strike.DoCheck("linguistics", manners.RuleForgery))}, Provoke: checks.Always},
		{Action: play.Action{ID: "light-torch", Title: "Light a torch", Rule: manners.RuleTorch, Group: play.GroupOther, Trigger: "other", Costs: body.Acts(3),
			Refuse: body.Bars(magic.RefuseTorch), Do: body.Done(magic.DoTorch)}, Provoke: checks.Always},
		{Action: play.Action{ID: "push-animal", Title: "Push an animal", Rule: manners.RulePush, Group: play.GroupOther, Costs: body.Acts(3), Least: 1, Most: 1,
			Refuse: body.Bars(magic.RefusePush), RefuseTarget: answers.Aimed(magic.RefusePush), Do: body.Done(magic.DoPush)}},
		{Action: play.Action{ID: "push-companion", Title: "Push the companion", Rule: manners.RuleCompanion, Group: play.GroupOther, Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse:       body.Bars(magic.RefuseCompanion),
			Candidates:   checks.Those(func(c, t *eventv1.Creature) bool { return t.Id == body.SheetOf(c).Companion }),
			RefuseTarget: answers.Aimed(magic.RefuseCompanion), Do: body.Done(magic.DoPush)}},
		{Action: play.Action{ID: "full-strike", Title: "Initiate a full-attack strike", Rule: manners.RuleFull, Group: play.GroupAttack, Trigger: "attack", Costs: body.Acts(3),
			Items: body.Ways(magic.StrikeNames), Refuse: body.Bars(magic.RefuseFullStrike), Fields: strike.ManeuverFields, Check: checks.Judged(manners.CheckManeuver),
			Do: body.Done(doFullStrike)}},
		{Action: play.Action{ID: "change-stance", Title: "Change stance", Rule: manners.RuleStance, Group: play.GroupOther, Items: body.Ways(magic.Stances), Refuse: body.Bars(magic.RefuseStance),
			Do: body.Done(magic.DoStance)}},
	}
}

// doFullStrike uses the strike up.
//
// celesia.action.initiate-full-attack-strike
func doFullStrike(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Set(c.Id, body.CLeft+take.Item, r.Count(c.Id, body.CLeft+take.Item)-1, "initiated", manners.RuleFull)
	r.Flag(c.Id, body.MDone+take.Item, true, manners.RuleFull)
	initiate(r, c.Id, take)
	r.Note(event.Everyone(), c.Id, c.Name+" initiates "+take.Item, manners.RuleFull)
	return nil
}
