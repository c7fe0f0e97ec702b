package strike

import (
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayBeReckless tells whether a creature may begin to attack recklessly with its next
// attack: the first of its own turn.
//
// rcr.trait.reckless-attack
func mayBeReckless(s *eventv1.State, c *eventv1.Creature) bool {
	return body.HasTrait(c, body.TraitReckless) && body.OwnTurn(s, c.Id) && c.Marks[body.MStruck] == "" && !body.Has(c, body.CondReckless)
}

// recklessField is whether an attack is made recklessly.
func recklessField(list []play.Field, at *play.At, a *eventv1.RcrAttack) []play.Field {
	return body.Offer(list, at, mayBeReckless(at.State, at.Actor) && a.RangeFeet == 0 && body.ByStrength(at.Actor, a, true), play.Field{Name: "reckless"})
}

// RefuseReckless says why an attack cannot be made recklessly.
//
// rcr.trait.reckless-attack
func RefuseReckless(s *eventv1.State, c *eventv1.Creature, p *AttackPlan, take *eventv1.TakeAction) error {
	const rule = cite.TraitRecklessAttack
	switch {
	case !spoken.Truth(take.GetParameters(), "reckless"):
		return nil
	case !body.HasTrait(c, body.TraitReckless):
		return body.Refuse("NO_TRAIT", rule, "%s does not attack recklessly", c.Name)
	case !mayBeReckless(s, c):
		return body.Refuse("NOT_FIRST", rule, "only with the first attack of its turn")
	case !body.ByStrength(c, p.Atk, p.Kind.Melee):
		return body.Refuse("NOT_BY_STRENGTH", rule, "only a melee attack with Strength is reckless")
	}
	return nil
}

// GoReckless lays what a reckless attack brings, until the next turn.
//
// rcr.trait.reckless-attack
func GoReckless(r *rules.Resolution, id string, take *eventv1.TakeAction) {
	if spoken.Truth(take.GetParameters(), "reckless") {
		r.AddCondition(id, &eventv1.Condition{Name: body.CondReckless, Cause: "reckless attack", Until: body.UntilNextTurn(r, id, 1), Rule: cite.TraitRecklessAttack})
	}
}
