package rcr

import (
	"slices"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// movements are the actions that spend movement and need no action: whoever
// is merely incapacitated or terrified may still take them.
var movements = []string{"move", "crawl", "stand", "crouch", "drop-prone"}

// mayAct says whether the creature may take an action at all now.
func mayAct(r *rules.Resolution, c *eventv1.Creature, a *action) error {
	return mayActIn(r.State(), c, a)
}

// mayActIn is mayAct by a viewer's state, for the options.
func mayActIn(s *eventv1.State, c *eventv1.Creature, a *action) error {
	switch {
	case s.Status != eventv1.State_STATUS_STARTED && s.Status != eventv1.State_STATUS_ENDED:
		return refuse("NOT_STARTED", "", "the encounter has not begun")
	case s.Status == eventv1.State_STATUS_ENDED:
		return refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case a.anytime:
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
	moves := slices.Contains(movements, a.id)
	onlyIncapacitated := has(c, condIncapacitated) && !has(c, condHelpless) && !has(c, condParalyzed) &&
		!has(c, condPetrified) && !has(c, condStunned) && !has(c, condUnconscious)
	if incapacitated(c) && !(moves && onlyIncapacitated) {
		return refuse("INCAPACITATED", incapacitatedRule(c), "%s is incapacitated", c.Name)
	}
	return nil
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

// option makes an option, legal unless there is an error.
func option(item string, err error, costs map[string]int32) *eventv1.Option {
	o := &eventv1.Option{Item: item, Legal: err == nil, Costs: costs}
	rules.Forbid(o, err)
	return o
}

// choiceOf makes a parameter with a few values.
func choiceOf(name, text string, required bool, values ...string) *eventv1.Parameter {
	p := &eventv1.Parameter{Name: name, Type: "string", Required: required, Text: text}
	for _, v := range values {
		p.Values = append(p.Values, structpb.NewStringValue(v))
	}
	return p
}

// endTurnOption is the option to end the turn.
func endTurnOption(s *eventv1.State, c *eventv1.Creature) *eventv1.Option {
	o := &eventv1.Option{Creature: c.Id, Action: "end-turn", Title: "End turn", Legal: true}
	switch {
	case s.Status != eventv1.State_STATUS_STARTED:
		rules.Forbid(o, refuse("NOT_STARTED", "", "there is no fight"))
	case !slices.Contains(s.Active, c.Id):
		rules.Forbid(o, refuse("NOT_YOUR_TURN", cite.InitiativeEveryRound, "it is not the turn of %s", c.Name))
	}
	return o
}
