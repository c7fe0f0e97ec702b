package checks

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// hideTraits make hiding possible as a bonus action.
var hideTraits = []string{"cunning action", "nimble escape"}

func byTrait(c *eventv1.Creature) bool {
	return slices.ContainsFunc(hideTraits, func(t string) bool { return body.HasTrait(c, t) })
}

// keenest is the best passive Perception among the enemies that are awake.
func keenest(s *eventv1.State, c *eventv1.Creature, said body.WaterSaid) int32 {
	dc := int32(1)
	for _, id := range rules.SortedKeys(s.Creatures) {
		e := s.Creatures[id]
		if !body.Hostile(c, e) || body.Incapacitated(e) {
			continue
		}
		dc = max(dc, passiveAt(e, "perception", dice.PassiveEdges(s, e, c, "perception", said)))
	}
	return dc
}

// passive is the score of a skill without a roll: 10 and its bonus, or what the
// sheet says, 5 more with advantage on such checks and 5 less with disadvantage,
// however many sources are left. It has no die that exhaustion could lower.
//
// rcr.injury.row1-shock, rcr.condition.exhaustion-d20
func passive(s *eventv1.State, c *eventv1.Creature, skill string) int32 {
	return passiveAt(c, skill, dice.CheckEdges(s, c, body.SkillAbility[skill], skill, ""))
}

func passiveAt(c *eventv1.Creature, skill string, edges []*eventv1.Edge) int32 {
	bonus, _ := body.SkillBonus(c, skill)
	score := 10 + bonus
	if own := body.SheetOf(c).PassivePerception; skill == "perception" && own > 0 {
		score = own
	}
	switch p := dice.Weigh(edges); {
	case p > 0:
		score += 5
	case p < 0:
		score -= 5
	}
	return score
}

// seemsDying tells whether a creature is dying as far as the table knows: one
// made stable by death saves is still dying to all but the game master.
//
// rcr.death.secret-saves
func seemsDying(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_DYING || body.StableInSecret(c)
}

// RefuseStabilise says why a creature cannot be stabilised, by what everybody
// sees of it: neither that it is stable in secret nor that by its sheet it needs
// no air may be learnt by trying.
//
// rcr.base.death-save-frame, rcr.death.secret-saves, rcr.underwater.suffocating-no-stabilize
func RefuseStabilise(s *eventv1.State, c, target *eventv1.Creature, take *eventv1.TakeAction) error {
	if !seemsDying(target) {
		return body.Refuse("NOT_DYING", cite.BaseDeathSaveFrame, "%s is not dying", target.GetName())
	}
	if Airless(target) && body.Defaults.On(s, cite.UnderwaterSuffocatingNoStabilize) {
		return body.Refuse("SUFFOCATING", cite.BaseDeathSaveFrame, "%s cannot be stabilised while it suffocates", target.Name)
	}
	return RefuseItemTarget(c, target, false, take)
}
