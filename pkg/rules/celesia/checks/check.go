package checks

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckCost is what the game master sets, one act when nothing is said.
func CheckCost(_ *eventv1.Creature, take *eventv1.TakeAction) int32 {
	if n, ok := spoken.Number(take.GetParameters(), "acts"); ok {
		return n
	}
	return 1
}

// CheckSkill refuses a parameter that names no skill.
func CheckSkill(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	return body.NamesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill"))
}

// DcOf is the DC that the game master sets; 10 when nothing is said.
func DcOf(take *eventv1.TakeAction) int32 {
	if dc, ok := spoken.Number(take.Parameters, "dc"); ok {
		return dc
	}
	return 10
}

// CheckReactive refuses what names no skill, and a check for awareness once the
// fight has begun.
func CheckReactive(s *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Truth(take.Parameters, "awareness") && s.Status != eventv1.State_STATUS_OPEN {
		return body.Refuse("STARTED", cite.SurpriseAwareness, "who is aware was settled when the fight began")
	}
	return body.NamesSkill("take.parameters.skill", spoken.Word(take.Parameters, "skill"))
}

// CheckAbility refuses an ability that is not named.
func CheckAbility(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "ability") == "" {
		return fault.Field("take.parameters.ability", "missing")
	}
	return nil
}

// CheckSave refuses a saving throw that is not named.
func CheckSave(_ *eventv1.State, _ *eventv1.Creature, take *eventv1.TakeAction) error {
	if spoken.Word(take.Parameters, "save") == "" {
		return fault.Field("take.parameters.save", "missing")
	}
	return nil
}
