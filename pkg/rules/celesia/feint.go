package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	ruleFeint       = cite.ActionFeint
	ruleFeintEffect = cite.ActionFeintEffect
	ruleFeintWho    = cite.ActionFeintCreatures
)

// feintActions mislead a foe.
func feintActions() []*action {
	return []*action{{id: "feint", title: "Feint", rule: ruleFeint, cost: feintCost, trigger: "other", targeted: true, refuse: refuseFeint, do: doFeint}}
}

// feintCost is 2 acts, 1 with Improved Feint.
//
// celesia.feat.improved-feint
func feintCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	if feature(c, featFeint) {
		return 1
	}
	return 2
}

// refuseFeint: whoever has no Intelligence score cannot be misled, as far as
// that is known.
//
// celesia.action.feint-creatures
func refuseFeint(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if has(c, condPinned) {
		return refuse("PINNED", cite.ManeuverPin, "%s is pinned and can only try to escape", c.Name)
	}
	t := s.Creatures[target(take)]
	if t.GetSheet() == nil {
		return nil
	}
	if _, ok := score(t, "intelligence"); !ok {
		return refuse("MINDLESS", ruleFeintWho, "%s has no Intelligence", t.Name)
	}
	return nil
}

// feintDC is what a feint must reach.
//
// celesia.action.feint
func feintDC(t *eventv1.Creature) int32 {
	dc := 10 + sheetOf(t).BaseAttack + modifier(t, "wisdom")
	if trained(t, "sense-motive") {
		dc = max(dc, 10+skillBonus(t, "sense-motive"))
	}
	return dc
}

// doFeint takes the foe's Dexterity bonus from its DV against the next attack of
// the feinter, until the end of its next turn (a reading).
//
// celesia.action.feint, celesia.action.feint-creatures, celesia.action.feint-effect
func doFeint(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	t := r.Creature(target(take))
	worse := int32(0)
	if n, _ := score(t, "intelligence"); n <= 2 {
		worse = -8
	} else if !sheetOf(t).Humanoid {
		worse = -4
	}
	rolled := rollSkillCheck(r, "feint", c, rollKind{name: "bluff"}, feintDC(t), "feint against "+t.Name,
		nonzero(mod(worse, "kind of creature", ruleFeintWho)), take.Circumstances, ruleFeint)
	if !rolled.Success() {
		return nil
	}
	for _, x := range t.Conditions {
		if x.Name == condFeinted && x.Source == c.Id {
			return nil
		}
	}
	turns := int32(1)
	if len(r.State().Active) > 0 && r.State().Active[0] == c.Id {
		turns = 2
	}
	r.AddCondition(t.Id, &eventv1.Condition{Name: condFeinted, Source: c.Id, Cause: "feint", Rule: ruleFeintEffect,
		Until: &eventv1.Until{When: "end-of-turn", Creature: c.Id, Turns: turns}})
	return nil
}

// useFeint takes the Dexterity bonus out of the DV that the feinter's next attack
// meets, unless it is out already.
//
// celesia.action.feint-effect
func useFeint(r *rules.Resolution, c, t *eventv1.Creature) *eventv1.Modifier {
	for _, x := range t.Conditions {
		if x.Name != condFeinted || x.Source != c.Id {
			continue
		}
		r.RemoveCondition(t.Id, x, "used", ruleFeintEffect)
		if has(t, condFlatFooted) || has(t, condPinning) || has(t, condRunning) {
			return nil
		}
		return mod(-sheetOf(t).DefenseDexterity, "feinted", ruleFeintEffect)
	}
	return nil
}
