package rcr

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bonusFor are the traits that make an action possible as a bonus action.
var bonusFor = map[string][]string{
	"dash":      {"cunning action", "step of the wind"},
	"disengage": {"cunning action", "nimble escape", "step of the wind"},
	"dodge":     {"patient defense"},
}

// maneuvers are the actions that roll no dice.
func maneuvers() []*action {
	return []*action{
		maneuver("dash", "Dash", dash),
		maneuver("disengage", "Disengage", disengage),
		maneuver("dodge", "Dodge", dodge),
		{id: "help", title: "Help an attack", options: helpOptions, do: doHelp},
		{id: "help-check", title: "Help with a check", options: helpCheckOptions, do: doHelpCheck},
		{id: "action-surge", title: "Action surge", options: surgeOptions, do: doSurge},
	}
}

// maneuver makes an action that costs the action, or the bonus action by a trait.
func maneuver(id, title string, effect func(r *rules.Resolution, c *eventv1.Creature)) *action {
	return &action{id: id, title: title,
		options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
			o := option("", refuseManeuver(s, c, id, "action", true), map[string]int32{cAction: 1})
			if id == "dodge" && has(c, condTerrified) && baseSpeed(s, c) > 0 {
				o.Parameters = []*eventv1.Parameter{{Name: "cornered", Type: "boolean", Required: true, Text: "There is no way out",
					Values: []*structpb.Value{structpb.NewBoolValue(true)}}}
			}
			out := []*eventv1.Option{o}
			if byBonus(c, id) {
				b := option("", refuseManeuver(s, c, id, "bonus", true), map[string]int32{cBonus: 1})
				b.Parameters = []*eventv1.Parameter{choiceOf("cost", "As a bonus action", true, "bonus")}
				out = append(out, b)
			}
			return out
		},
		do: func(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
			cost := spoken.Word(take.Parameters, "cost")
			if err := refuseManeuver(r.State(), c, id, cost, spoken.Truth(take.Parameters, "cornered") || spoken.Truth(take.Facts, "cornered")); err != nil {
				return err
			}
			counter := cAction
			if cost == "bonus" {
				counter = cBonus
			}
			spend(r, c.Id, counter, title)
			r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: id, Notes: statedNotes(take)})
			effect(r, r.Creature(c.Id))
			return nil
		}}
}

func byBonus(c *eventv1.Creature, id string) bool {
	return slices.ContainsFunc(bonusFor[id], func(trait string) bool { return hasTrait(c, trait) })
}

// refuseManeuver says why such an action cannot be taken. The terrified may
// Dash, and Dodge when they cannot escape: at speed 0 or, by the caller's word,
// cornered. That no action is left is said first: it holds cornered or not.
//
// rcr.condition.terrified
func refuseManeuver(s *eventv1.State, c *eventv1.Creature, id, cost string, cornered bool) error {
	if cost == "bonus" {
		if !byBonus(c, id) {
			return refuse("NOT_AS_BONUS", cite.BaseFifthEditionFallback, "%s cannot %s as a bonus action", c.Name, id)
		}
		return needBonus(s, c)
	}
	if id != "dash" && id != "dodge" {
		return needAction(c)
	}
	if err := actionLeft(c); err != nil {
		return err
	}
	if id == "dodge" && has(c, condTerrified) && !cornered && baseSpeed(s, c) > 0 {
		return refuse("TERRIFIED", cite.ConditionTerrified, "%s is terrified and can escape: Dash", c.Name)
	}
	return nil
}

// dash gives as much movement as the speed; in the surprise round it is all
// there is.
//
// rcr.surprise.one-action
func dash(r *rules.Resolution, c *eventv1.Creature) {
	feet := baseSpeed(r.State(), c)
	r.Set(c.Id, cMovement, r.Count(c.Id, cMovement)+int64(feet), "Dash")
	r.Set(c.Id, cDashes, r.Count(c.Id, cDashes)+1, "Dash")
}

// disengage covers movement until the turn ends.
//
// rcr.base.opportunity-frame
func disengage(r *rules.Resolution, c *eventv1.Creature) {
	r.Mark(c.Id, mDisengaged, "yes", cite.BaseOpportunityFrame)
}

// dodge lasts until the start of the next turn, or one round by blocks.
func dodge(r *rules.Resolution, c *eventv1.Creature) {
	r.AddCondition(c.Id, &eventv1.Condition{Name: condDodging, Cause: "Dodge", Until: untilNextTurn(r, c.Id, 1),
		Rule: cite.BaseFifthEditionFallback})
}

// helpAgainst is the help that a creature has on its next attack on a target.
func helpAgainst(c *eventv1.Creature, target string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == condHelped && x.Variant == target {
			return x
		}
	}
	return nil
}

func helpOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := option("", needAction(c), map[string]int32{cAction: 1})
	o.MinimumTargets, o.MaximumTargets = 1, 1
	var foes []string
	for _, id := range rules.SortedKeys(s.Creatures) {
		other := s.Creatures[id]
		switch {
		case id == c.Id || dead(other):
		case hostile(c, other):
			if refuseHelpAgainst(c, other) == nil {
				foes = append(foes, id)
			}
		default:
			o.Targets = append(o.Targets, id)
		}
	}
	whom := choiceOf("against", "Whom the help is against", true, foes...)
	whom.Type = rules.TypeCreature
	o.Parameters = []*eventv1.Parameter{whom}
	if o.Legal && (len(o.Targets) == 0 || len(foes) == 0) {
		rules.Forbid(o, refuse("NO_TARGET", cite.BaseFifthEditionFallback, "there is nobody to help, or nobody within 5 feet to help against"))
	}
	return []*eventv1.Option{o}
}

func refuseHelpAgainst(c, foe *eventv1.Creature) error {
	if feet, known := distanceTo(c, foe); known && feet > 5 {
		return refuse("OUT_OF_REACH", cite.BaseFifthEditionFallback, "%s is not within 5 feet", foe.Name)
	}
	return nil
}

// doHelp gives an ally advantage on its next attack on a creature near the
// helper, until the helper's next turn.
func doHelp(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := needAction(c); err != nil {
		return err
	}
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	against := spoken.Word(take.Parameters, "against")
	foe := r.Creature(against)
	ally := r.Creature(id)
	switch {
	case foe == nil || !hostile(c, foe) || dead(foe):
		return fault.Field("take.parameters.against", "%q is no enemy on the field", against)
	case id == c.Id || hostile(c, ally) || dead(ally):
		return refuse("NO_ALLY", cite.BaseFifthEditionFallback, "%s is nobody to help", ally.Name)
	}
	if err := refuseHelpAgainst(c, foe); err != nil {
		return err
	}
	spend(r, c.Id, cAction, "Help")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "help", Targets: []string{id}, Notes: []string{"against " + foe.Name}})
	r.AddCondition(id, &eventv1.Condition{Name: condHelped, Variant: against, Source: c.Id, Cause: "Help",
		Until: untilNextTurn(r, c.Id, 1), Rule: cite.BaseFifthEditionFallback})
	return nil
}

func refuseSurge(s *eventv1.State, c *eventv1.Creature) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case bareAction(s, c):
		return refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
	case c.Counters[cLeft+"action surge"] < 1:
		return refuse("NO_RESOURCE", frame, "action surge is spent")
	}
	return nil
}

func surgeOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	if !hasTrait(c, "action surge") {
		return nil
	}
	return []*eventv1.Option{option("", refuseSurge(s, c), nil)}
}

// doSurge gives one more action this turn.
func doSurge(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	if !hasTrait(c, "action surge") {
		return refuse("NO_TRAIT", cite.BaseFifthEditionFallback, "%s has no action surge", c.Name)
	}
	if err := refuseSurge(r.State(), c); err != nil {
		return err
	}
	spend(r, c.Id, cLeft+"action surge", "action surge")
	r.Set(c.Id, cAction, r.Count(c.Id, cAction)+1, "action surge")
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: "action-surge"})
	return nil
}
