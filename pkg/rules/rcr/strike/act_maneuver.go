package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ManeuverActions are the actions that roll no dice.
func ManeuverActions() []*play.Action {
	return []*play.Action{
		maneuver("dash", "Dash", play.GroupMove, dash),
		maneuver("disengage", "Disengage", play.GroupMove, Disengage),
		maneuver("dodge", "Dodge", play.GroupDefend, dodge),
		{ID: "help", Title: "Help an attack", Rule: body.Fallback, Group: play.GroupAid, Costs: checks.OneAction, Least: 1, Most: 1,
			Refuse: refuseHelp, RefuseTarget: refuseAllyOf, Fields: helpFields, Check: checkHelp, Do: body.Deed(doHelp)},
		{ID: "help-check", Title: "Help with a check", Rule: body.Fallback, Group: play.GroupAid, Costs: checks.OneAction, Least: 1, Most: 1,
			Refuse: checks.RefuseActing, RefuseTarget: refuseAllyOf, Fields: helpCheckFields, Check: checkHelpCheck, Do: body.Deed(doHelpCheck)},
		{ID: "action-surge", Title: "Action surge", Rule: body.Fallback, Group: play.GroupOther,
			Items: BareWhen(func(at *play.At) bool { return body.HasTrait(at.Actor, "action surge") }), Refuse: Refusing(refuseSurge), Do: body.Deed(doSurge)},
	}
}

func refuseAllyOf(at *play.At, t *eventv1.Creature) error { return checks.RefuseAlly(at.Actor, t) }

// maneuver makes an action that costs the action, or the bonus action by a trait.
func maneuver(id, title string, group play.Group, effect func(r *rules.Resolution, c *eventv1.Creature)) *play.Action {
	return &play.Action{ID: id, Title: title, Rule: body.Fallback, Group: group,
		CostOf: func(at *play.At) []play.Cost { return checks.One(maneuverCost(at)) },
		Refuse: func(at *play.At) error {
			cornered := at.Listing || spoken.Truth(at.Take.Parameters, "cornered") || spoken.Truth(at.Take.Facts, "cornered")
			return refuseManeuver(at.State, at.Actor, id, maneuverCost(at), cornered)
		},
		Fields: func(at *play.At) []play.Field { return maneuverFields(at, id) },
		Do: func(r *rules.Resolution, at *play.At) error {
			body.Spend(r, at.Actor.Id, maneuverCost(at), title)
			r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: at.Actor.Id, Action: id, Notes: body.StatedNotes(at.Take)})
			effect(r, r.Creature(at.Actor.Id))
			return nil
		}}
}

// maneuverCost is the counter that a maneuver spends: what is said, the action else.
// A listing goes by the bonus action where the action is not to be had.
func maneuverCost(at *play.At) string {
	switch {
	case at.Listing && refuseManeuver(at.State, at.Actor, at.Action.ID, body.CAction, true) != nil && byBonus(at.Actor, at.Action.ID) &&
		checks.NeedBonus(at.State, at.Actor) == nil:
		return body.CBonus
	case spoken.Word(at.Take.Parameters, "cost") == body.CBonus:
		return body.CBonus
	}
	return body.CAction
}

func maneuverFields(at *play.At, id string) (out []play.Field) {
	bonus := byBonus(at.Actor, id) && checks.NeedBonus(at.State, at.Actor) == nil
	switch {
	case !at.Listing:
	case maneuverCost(at) == body.CBonus:
		return []play.Field{{Name: "cost", Required: true, Values: []string{body.CBonus}}}
	}
	out = body.Offer(out, at, bonus, play.Field{Name: "cost"})
	if id == "dodge" {
		escapes := body.Has(at.Actor, body.CondTerrified) && body.BaseSpeed(at.State, at.Actor) > 0
		out = body.Offer(out, at, escapes, play.Field{Name: "cornered", Required: true, True: true})
	}
	return out
}

// foesNear are the enemies that help can be against.
func foesNear(at *play.At) (out []string) {
	for _, id := range at.Creatures() {
		if e := at.State.Creatures[id]; body.Hostile(at.Actor, e) && !body.Dead(e) && refuseHelpAgainst(at.Actor, e) == nil {
			out = append(out, id)
		}
	}
	return out
}

func refuseHelp(at *play.At) error {
	if err := checks.NeedAction(at.Actor); err != nil {
		return err
	}
	if len(foesNear(at)) == 0 {
		return body.Refuse("NO_TARGET", body.Fallback, "there is nobody within 5 feet to help against")
	}
	return nil
}

func helpFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "against"}}
	}
	return []play.Field{{Name: "against", Required: true, Values: foesNear(at)}}
}

func checkHelp(at *play.At) error {
	against := spoken.Word(at.Take.Parameters, "against")
	foe := at.State.Creatures[against]
	if foe == nil || !body.Hostile(at.Actor, foe) || body.Dead(foe) {
		return fault.Field("take.parameters.against", "%q is no enemy on the field", against)
	}
	return refuseHelpAgainst(at.Actor, foe)
}

// doHelp gives an ally advantage on its next attack on a creature near the
// helper, until the helper's next turn.
func doHelp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	against := spoken.Word(take.Parameters, "against")
	body.Spend(r, c.Id, body.CAction, "Help")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "help", Targets: take.Targets, Notes: []string{"against " + r.Creature(against).Name}})
	r.AddCondition(checks.Target(take), &eventv1.Condition{Name: body.CondHelped, Variant: against, Source: c.Id, Cause: "Help",
		Until: body.UntilNextTurn(r, c.Id, 1), Rule: cite.BaseFifthEditionFallback})
	return nil
}

// helpCheckFields are the checks with which all who can be helped can be helped.
func helpCheckFields(at *play.At) []play.Field {
	if !at.Listing {
		return []play.Field{{Name: "with"}}
	}
	tools := body.ToolNames(at.Actor)
	for _, id := range at.Creatures() {
		other := at.State.Creatures[id]
		if checks.RefuseAlly(at.Actor, other) == nil {
			theirs := body.ToolNames(other)
			tools = slices.DeleteFunc(tools, func(name string) bool { return !slices.Contains(theirs, name) })
		}
	}
	made := body.PlainValues
	if len(tools) > 0 {
		made = slices.Concat(body.SkillValues, body.MadeOf(tools), body.AbilityValues)
	}
	return []play.Field{{Name: "with", Required: true, Listed: made}}
}

func checkHelpCheck(at *play.At) error {
	with, names := strings.ToLower(spoken.Word(at.Take.Parameters, "with")), body.SkillNames(at.Target())
	if !slices.Contains(names, with) {
		return body.NoSuch("take.parameters.with", with, "skill, tool or ability of "+at.Target().Name, names)
	}
	return nil
}

// doHelpCheck gives an ally advantage on its next check of a skill, a tool or an
// ability, until the helper's next turn.
//
// rcr.base.fifth-edition-fallback
func doHelpCheck(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	with := strings.ToLower(spoken.Word(take.Parameters, "with"))
	body.Spend(r, c.Id, body.CAction, "Help")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "help-check", Targets: take.Targets, Notes: append([]string{"with " + with}, body.StatedNotes(take)...)})
	r.AddCondition(checks.Target(take), &eventv1.Condition{Name: body.CondHelped, Variant: dice.HelpedWith(with), Source: c.Id, Cause: "Help",
		Until: body.UntilNextTurn(r, c.Id, 1), Rule: body.Fallback})
	return nil
}

// doSurge gives one more action this turn.
func doSurge(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	body.Spend(r, c.Id, body.CLeft+"action surge", "action surge")
	r.Set(c.Id, body.CAction, r.Count(c.Id, body.CAction)+1, "action surge")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "action-surge"})
	return nil
}
