package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bonusFor are the traits that make an action possible as a bonus action.
var bonusFor = map[string][]string{
	"dash":      {"cunning action", "step of the wind"},
	"disengage": {"cunning action", "nimble escape", "step of the wind"},
	"dodge":     {"patient defense"},
}

func byBonus(c *eventv1.Creature, id string) bool {
	return slices.ContainsFunc(bonusFor[id], func(trait string) bool { return body.HasTrait(c, trait) })
}

// refuseManeuver says why such an action cannot be taken. The terrified may
// Dash, and Dodge when they cannot escape: at speed 0 or, by the caller's word,
// cornered. That no action is left is said first: it holds cornered or not.
//
// rcr.condition.terrified
func refuseManeuver(s *eventv1.State, c *eventv1.Creature, id, cost string, cornered bool) error {
	if cost == "bonus" {
		if !byBonus(c, id) {
			return body.Refuse("NOT_AS_BONUS", cite.BaseFifthEditionFallback, "%s cannot %s as a bonus action", c.Name, id)
		}
		return checks.NeedBonus(s, c)
	}
	if id != "dash" && id != "dodge" {
		return checks.NeedAction(c)
	}
	if err := checks.ActionLeft(c); err != nil {
		return err
	}
	if id == "dodge" && body.Has(c, body.CondTerrified) && !cornered && body.BaseSpeed(s, c) > 0 {
		return body.Refuse("TERRIFIED", cite.ConditionTerrified, "%s is terrified and can escape: Dash", c.Name)
	}
	return nil
}

// dash gives as much movement as the speed; in the surprise round it is all
// there is.
//
// rcr.surprise.one-action
func dash(r *rules.Resolution, c *eventv1.Creature) {
	feet := body.BaseSpeed(r.State(), c)
	r.Set(c.Id, body.CMovement, r.Count(c.Id, body.CMovement)+int64(feet), "Dash")
	r.Set(c.Id, body.CDashes, r.Count(c.Id, body.CDashes)+1, "Dash")
}

// Disengage covers movement until the turn ends.
//
// rcr.base.opportunity-frame
func Disengage(r *rules.Resolution, c *eventv1.Creature) {
	if !body.Has(c, body.CondDisengaged) {
		r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondDisengaged, Until: &eventv1.Until{When: body.UntilTurnEnd, Creature: c.Id, Turns: 1},
			Rule: cite.BaseOpportunityFrame})
	}
}

// dodge lasts until the start of the next turn, or one round by blocks.
func dodge(r *rules.Resolution, c *eventv1.Creature) {
	r.AddCondition(c.Id, &eventv1.Condition{Name: body.CondDodging, Cause: "Dodge", Until: body.UntilNextTurn(r, c.Id, 1),
		Rule: cite.BaseFifthEditionFallback})
}

func refuseHelpAgainst(c, foe *eventv1.Creature) error {
	if feet, _ := body.DistanceTo(c, foe); feet > 5 {
		return body.Refuse("OUT_OF_REACH", cite.BaseFifthEditionFallback, "%s is not within 5 feet", foe.Name)
	}
	return nil
}

func refuseSurge(s *eventv1.State, c *eventv1.Creature) error {
	const frame = cite.BaseFifthEditionFallback
	switch {
	case checks.BareAction(s, c):
		return body.Refuse("ONE_ACTION", cite.SurpriseOneAction, "one action and nothing else")
	case c.Counters[body.CLeft+"action surge"] < 1:
		return body.Refuse("NO_RESOURCE", frame, "action surge is spent")
	}
	return nil
}
