package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/play"
	lore "github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mayActIn says why the creature may not take an action at all now.
func mayActIn(s *eventv1.State, c *eventv1.Creature, a *play.Action) error {
	switch {
	case a.Early && s.Status != eventv1.State_STATUS_STARTED && s.Status != eventv1.State_STATUS_ENDED:
		return body.RefuseDead(c)
	case s.Status != eventv1.State_STATUS_STARTED && s.Status != eventv1.State_STATUS_ENDED:
		return body.Refuse("NOT_STARTED", "", "the encounter has not begun")
	case s.Status == eventv1.State_STATUS_ENDED:
		return body.Refuse("ENCOUNTER_ENDED", "", "the encounter is over")
	case a.Anytime:
		return nil
	case body.Dead(c):
		return body.Refuse("DEAD", cite.BaseFifthEditionFallback, "%s is dead", c.GetName())
	case body.Down(c):
		return body.Refuse("UNCONSCIOUS", cite.BaseDeathSaveFrame, "%s lies at 0 hit points", c.Name)
	case checks.SurpriseRound(s) && answers.Surprised(c):
		return body.Refuse("SURPRISED", cite.SurpriseNoInitiative, "%s is surprised", c.Name)
	case !slices.Contains(s.Active, c.Id):
		return body.Refuse("NOT_YOUR_TURN", cite.InitiativeEveryRound, "it is not the turn of %s", c.Name)
	}
	if body.Incapacitated(c) && !(a.Is(movement.TraitMoves) && merelyIncapacitated(c)) {
		return body.Refuse("INCAPACITATED", strike.IncapacitatedRule(c), "%s is incapacitated", c.Name)
	}
	return nil
}

// merelyIncapacitated tells whether nothing but the condition of that name keeps a
// creature from acting.
func merelyIncapacitated(c *eventv1.Creature) bool {
	return !slices.ContainsFunc(c.Conditions, func(x *eventv1.Condition) bool {
		d := body.Conditions.Find(x.Name)
		return x.Name != body.CondIncapacitated && d != nil && slices.Contains(d.Bars, lore.BarsActing)
	})
}
