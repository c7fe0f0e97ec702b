package strike

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	ruleFeint       = cite.ActionFeint
	ruleFeintEffect = cite.ActionFeintEffect
	ruleFeintWho    = cite.ActionFeintCreatures
)

// FeintActions mislead a foe.
func FeintActions() []*Action {
	return []*Action{{Action: play.Action{ID: "feint", Title: "Feint", Rule: ruleFeint, Group: play.GroupManeuver, Trigger: "other", CostOf: body.Priced(feintCost), Least: 1, Most: 1,
		Refuse: body.Bars(refuseFeint), RefuseTarget: answers.Aimed(refuseFeint), Do: body.Done(doFeint)}}}
}

// feintCost is 2 acts, 1 with Improved Feint.
//
// celesia.feat.improved-feint
func feintCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	if body.Feature(c, body.FeatFeint) {
		return 1
	}
	return 2
}

// refuseFeint: whoever has no Intelligence score cannot be misled, as far as
// that is known.
//
// celesia.action.feint-creatures
func refuseFeint(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if body.Has(c, body.CondPinned) {
		return body.Refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	t := s.Creatures[body.Target(take)]
	if t.GetSheet() == nil {
		return nil
	}
	if _, ok := body.Score(t, "intelligence"); !ok {
		return body.Refuse("MINDLESS", ruleFeintWho, "%s has no Intelligence", t.Name)
	}
	return nil
}

// feintDC is what a feint must reach.
//
// celesia.action.feint
func feintDC(t *eventv1.Creature) int32 {
	dc := 10 + body.SheetOf(t).BaseAttack + body.Modifier(t, "wisdom")
	if body.Trained(t, "sense-motive") {
		dc = max(dc, 10+body.SkillBonus(t, "sense-motive"))
	}
	return dc
}

// doFeint takes the foe's Dexterity bonus from its DV against the next attack of
// the feinter, until the end of its next turn (a reading).
//
// celesia.action.feint, celesia.action.feint-creatures, celesia.action.feint-effect
func doFeint(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(body.Target(take))
	worse := int32(0)
	if n, _ := body.Score(t, "intelligence"); n <= 2 {
		worse = -8
	} else if !body.SheetOf(t).Humanoid {
		worse = -4
	}
	rolled := RollSkillCheck(r, "feint", c, body.RollKind{Name: "bluff"}, feintDC(t), "feint against "+t.Name,
		body.Nonzero(body.Mod(worse, "kind of creature", ruleFeintWho)), take.Circumstances, ruleFeint)
	if !rolled.Success() {
		return nil
	}
	for _, x := range t.Conditions {
		if x.Name == body.CondFeinted && x.Source == c.Id {
			r.RemoveCondition(t.Id, x, "feinted again", ruleFeintEffect)
		}
	}
	turns := int32(1)
	if slices.Contains(r.State().Active, c.Id) {
		turns = 2
	}
	body.Inflict(r, t.Id, &eventv1.Condition{Name: body.CondFeinted, Source: c.Id, Cause: "feint", Rule: ruleFeintEffect,
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id, Turns: turns}})
	return nil
}

// useFeint takes the Dexterity bonus out of the DV that the feinter's next attack
// meets, and with it what counts as dodging (a reading), unless they are out already;
// nil when that is nothing.
//
// celesia.action.feint-effect, celesia.attack.combat-expertise
func useFeint(r *rules.Resolution, c, t *eventv1.Creature) *eventv1.Modifier {
	for _, x := range t.Conditions {
		if x.Name != body.CondFeinted || x.Source != c.Id {
			continue
		}
		r.RemoveCondition(t.Id, x, "used", ruleFeintEffect)
		less := int32(0)
		if !body.Has(t, body.CondFlatFooted) && !body.Has(t, body.CondPinning) && !body.Has(t, CondRunning) {
			less = body.SheetOf(t).DefenseDexterity
		}
		if !unbalanced(t) {
			for _, y := range t.Conditions {
				less += max(0, y.Values["dodge"])
			}
		}
		if less == 0 {
			return nil
		}
		return body.Mod(-less, "feinted", ruleFeintEffect)
	}
	return nil
}
