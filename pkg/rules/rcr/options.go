package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	lore "github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayActIn says why the creature may not take an action at all now.
func mayActIn(s *eventv1.State, c *eventv1.Creature, a *play.Action) error {
	switch {
	case s.Status != eventv1.State_STATUS_STARTED && s.Status != eventv1.State_STATUS_ENDED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case a.Anytime:
		return nil
	case dead(c):
		return refuse("DEAD", cite.BaseFifthEditionFallback, "%s is dead", c.GetName())
	case down(c):
		return refuse("UNCONSCIOUS", cite.BaseDeathSaveFrame, "%s lies at 0 hit points", c.Name)
	case surpriseRound(s) && surprised(c):
		return refuse("SURPRISED", cite.SurpriseNoInitiative, "%s is surprised", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return refuse("NOT_YOUR_TURN", cite.InitiativeEveryRound, "it is not the turn of %s", c.Name)
	}
	if incapacitated(c) && !(a.Is(traitMoves) && merelyIncapacitated(c)) {
		return refuse("INCAPACITATED", incapacitatedRule(c), "%s is incapacitated", c.Name)
	}
	return nil
}

// merelyIncapacitated tells whether nothing but the condition of that name keeps a
// creature from acting.
func merelyIncapacitated(c *eventv1.Creature) bool {
	x, _ := conditions.Barring(c, lore.BarsActing)
	return x != nil && !slices.ContainsFunc(c.Conditions, func(x *eventv1.Condition) bool {
		d := conditions.Find(x.Name)
		return x.Name != condIncapacitated && d != nil && slices.Contains(d.Bars, lore.BarsActing)
	})
}

func incapacitatedRule(c *eventv1.Creature) string {
	switch {
	case has(c, condHelpless):
		return cite.ConditionHelplessIncapacitated
	case has(c, condParalyzed):
		return cite.ConditionParalyzedCommon
	}
	return cite.BaseFifthEditionFallback
}

// needAction says whether the creature's action is still to be had, for
// something that a terrified creature must not spend it on.
func needAction(c *eventv1.Creature) error {
	if has(c, condTerrified) {
		return refuse("TERRIFIED", cite.ConditionTerrified, "%s is terrified: Dash, or Dodge where there is no way out", c.Name)
	}
	return actionLeft(c)
}

func actionLeft(c *eventv1.Creature) error {
	if c.Counters[cAction] < 1 {
		return refuse("NO_ACTION", cite.BaseFifthEditionFallback, "%s has no action left", c.Name)
	}
	return nil
}

// needBonus says whether the creature's bonus action is still to be had.
//
// rcr.surprise.one-action
func needBonus(s *eventv1.State, c *eventv1.Creature) error {
	if c.Counters[cBonus] < 1 {
		rule := cite.BaseFifthEditionFallback
		if bareAction(s, c) {
			rule = cite.SurpriseOneAction
		}
		return refuse("NO_BONUS_ACTION", rule, "%s has no bonus action left", c.Name)
	}
	return nil
}

// needReaction says whether the creature may react now.
//
// rcr.base.opportunity-frame, rcr.surprise.one-action
func needReaction(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case bareAction(s, c):
		return refuse("NO_REACTION", cite.SurpriseOneAction, "there are no reactions now")
	case incapacitated(c):
		return refuse("INCAPACITATED", incapacitatedRule(c), "%s is incapacitated", c.GetName())
	case c.Counters[cReaction] < 1:
		return refuse("NO_REACTION", cite.BaseOpportunityFrame, "%s has no reaction left", c.Name)
	}
	return nil
}

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// spend takes one from a counter of the turn.
func spend(r *rules.Resolution, id, counter, why string, ruleIDs ...string) {
	r.Set(id, counter, r.Count(id, counter)-1, why, ruleIDs...)
}
