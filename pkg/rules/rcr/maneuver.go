package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bonusFor are the traits that make an action possible as a bonus action.
var bonusFor = map[string][]string{
	"dash":      {"cunning action", "step of the wind"},
	"disengage": {"cunning action", "nimble escape", "step of the wind"},
	"dodge":     {"patient defense"},
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
	if !has(c, condDisengaged) {
		r.AddCondition(c.Id, &eventv1.Condition{Name: condDisengaged, Until: &eventv1.Until{When: untilTurnEnd, Creature: c.Id, Turns: 1},
			Rule: cite.BaseOpportunityFrame})
	}
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

func refuseHelpAgainst(c, foe *eventv1.Creature) error {
	if feet, known := distanceTo(c, foe); known && feet > 5 {
		return refuse("OUT_OF_REACH", cite.BaseFifthEditionFallback, "%s is not within 5 feet", foe.Name)
	}
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
