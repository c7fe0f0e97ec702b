package maneuvers

import (
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/gear"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// SpoilActions break, take and trick.
func SpoilActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "sunder", Title: "Sunder", Rule: checks.RuleSunder, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(1), Items: body.Ways(checks.MeleeNames),
			Least: 1, Most: 1, Refuse: body.Bars(refuseSunder), RefuseTarget: answers.Aimed(refuseSunder),
			Check: checks.Judged(checks.CheckThing(checks.Breakable, checks.RuleSunder)), Do: body.Done(gear.DoSunder)}},
		{Action: play.Action{ID: "steal", Title: "Steal", Rule: checks.RuleSteal, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(2), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(refuseSteal), RefuseTarget: answers.Aimed(refuseSteal), Check: checks.Judged(checks.CheckThing(checks.Stealable, checks.RuleSteal)),
			Do: body.Done(gear.DoSteal)}},
		{Action: play.Action{ID: "dirty-trick", Title: "Dirty trick", Rule: checks.RuleTrick, Group: play.GroupManeuver, Trigger: "maneuver", Costs: body.Acts(2), Items: body.Ways(checks.Bare), Least: 1, Most: 1,
			Refuse: body.Bars(refuseTrick), RefuseTarget: answers.Aimed(refuseTrick), Do: body.Done(gear.DoTrick)}},
		{Action: play.Action{ID: "remove-trick", Title: "Undo a dirty trick", Rule: checks.RuleUntrick, Group: play.GroupAid, Costs: body.Acts(1), Least: 1, Most: 1, Self: true,
			Refuse:       body.Bars(checks.RefuseUntrick),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return len(checks.Tricked(t)) > 0 }),
			RefuseTarget: answers.Aimed(checks.RefuseUntrick), Do: body.Done(checks.DoUntrick)}},
	}
}

// refuseSunder: with a melee weapon in reach, against something that can break.
func refuseSunder(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if w := body.WeaponOf(c, take.Item); w == nil || body.Ranged(w) {
		return body.Nameless("take.item", "melee weapon", c.GetName(), take.Item, checks.MeleeNames(s, c))
	}
	if err := refuseManeuver(s, c, take, checks.RuleSunder); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && len(checks.Breakable(t)) == 0 {
		return body.Refuse("NOTHING_TO_BREAK", checks.RuleSunder, "%s has nothing in sight that could be broken", t.Name)
	}
	return nil
}

// refuseSteal: with a free hand, in natural reach, from one that carries something.
//
// celesia.maneuver.steal
func refuseSteal(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	take = &eventv1.TakeAction{Creature: take.Creature, Targets: take.Targets, Facts: take.Facts} // the reach of weapons does not count
	if err := refuseManeuver(s, c, take, checks.RuleSteal); err != nil {
		return err
	}
	if strike.FreeHands(c) < 1 {
		return body.Refuse("NO_FREE_HAND", checks.RuleSteal, "%s has no free hand", c.Name)
	}
	if t := s.Creatures[body.Target(take)]; t != nil && len(checks.Stealable(t)) == 0 {
		return body.Refuse("NOTHING_TO_STEAL", checks.RuleSteal, "%s carries nothing in sight", t.Name)
	}
	return nil
}

func refuseTrick(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	return refuseManeuver(s, c, take, checks.RuleTrick)
}
