package saddle

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/checks"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/strike"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// GrappleActions begin, keep up, end and leave a hold.
func GrappleActions() []*strike.Action {
	return []*strike.Action{
		{Action: play.Action{ID: "grapple", Title: "Grapple", Rule: cite.ManeuverGrapple, Group: play.GroupManeuver, Trigger: "maneuver", CostOf: body.Priced(maneuvers.GrappleCost),
			Least: 1, Most: 1,
			Refuse: body.Bars(func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
				return answers.RefuseGrapple(s, c, s.Creatures[body.Target(take)], take)
			}),
			RefuseTarget: answers.Aimed(func(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
				return answers.RefuseGrapple(s, c, s.Creatures[body.Target(take)], take)
			}),
			Do: body.Done(maneuvers.DoGrapple)}, Provoke: checks.Always},
		{Action: play.Action{ID: "grapple-continued", Title: "Keep up the grapple", Rule: cite.ManeuverGrappleContinued, Group: play.GroupManeuver, Trigger: "maneuver",
			CostOf: body.Priced(maneuvers.GrappleCost), Traits: checks.WhileHolding, Refuse: body.Bars(maneuvers.RefuseHolding), Do: body.Done(doContinue)}},
		{Action: play.Action{ID: "release-grapple", Title: "Release the grapple", Rule: cite.ManeuverGrappleRelease, Group: play.GroupManeuver, Traits: checks.WhileHolding,
			Refuse: body.Bars(maneuvers.RefuseHolding), Do: body.Done(maneuvers.DoRelease)}},
		{Action: play.Action{ID: "release-pin", Title: "Give up the pin", Rule: cite.ManeuverGrapplePin, Group: play.GroupManeuver, Traits: checks.WhileHolding,
			Refuse: body.Bars(maneuvers.RefuseUnpin), Do: body.Done(maneuvers.DoUnpin)}},
		{Action: play.Action{ID: "escape-grapple", Title: "Escape the grapple", Rule: cite.ManeuverEscapeGrapple, Group: play.GroupManeuver, Trigger: "maneuver",
			Costs: body.Acts(1), Refuse: body.Bars(maneuvers.RefuseEscape), Do: body.Done(maneuvers.DoEscape)}},
		{Action: play.Action{ID: "untie", Title: "Untie somebody", Rule: answers.RuleTieUp, Group: play.GroupAid, Trigger: "other", Costs: body.Acts(1), Least: 1, Most: 1,
			Refuse:       body.Bars(answers.RefuseUntie),
			Candidates:   checks.Those(func(_, t *eventv1.Creature) bool { return answers.Tied(t) != nil }),
			RefuseTarget: answers.Aimed(answers.RefuseUntie), Do: body.Done(answers.DoUntie)}, Provoke: checks.Always},
	}
}

// doContinue keeps a hold up at +5; success lets the holder move with the foe,
// hurt it or pin it, failure loses the hold (a reading).
//
// celesia.maneuver.grapple-continued, celesia.maneuver.grapple-maintain
func doContinue(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	foe := r.Creature(answers.Holds(c))
	rolled := strike.RollManeuverCheck(r, "grapple-continued", "grapple", c, foe, checks.ManeuverDefense(foe, false), take,
		cite.ManeuverGrappleContinued, body.Mod(5, "keeping up", cite.ManeuverGrappleContinued))
	if !rolled.Success() {
		answers.EndGrapple(r, c.Id, "not kept up", cite.ManeuverGrappleMaintain)
		return nil
	}
	r.Flag(c.Id, body.MKept, true, cite.ManeuverGrappleMaintain)
	what := r.Ask("grapple", maneuvers.HoldDecision(c, foe)).Option
	switch way, rest, _ := strings.Cut(what, ":"); way {
	case "tie-up":
		strike.TieUp(r, c, foe, take, rest)
	case "move":
		r.Flag(c.Id, body.MDragging, true, cite.ManeuverGrappleMove)
	case "pin":
		maneuvers.Pin(r, c.Id, foe.Id)
	case "choke":
		maneuvers.Pin(r, c.Id, foe.Id)
		maneuvers.Choke(r, r.Creature(c.Id), r.Creature(foe.Id), rest, take)
	case "lethal", "nonlethal":
		// celesia.maneuver.grapple-damage: no attack roll and no degrees.
		harm(r, body.Attack{By: c.Id, Target: foe.Id, Weapon: body.WeaponOf(c, rest), Label: "grapple",
			Take: &eventv1.TakeAction{Creature: c.Id, Parameters: body.ParamStruct("damage", way)}}, 0, false, "")
	}
	return nil
}
