package manners

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
)

// Rules of errands.
const (
	RuleForgery   = cite.ActionDetectForgery
	RuleHoard     = cite.ActionAppraiseHoard
	RuleTorch     = cite.ActionLightTorch
	RulePush      = cite.ActionPushAnimal
	RuleCompanion = cite.ActionPushAnimalCompanion
	RuleStance    = cite.ActionChangeStance
	RuleFull      = cite.ActionInitiateFullAttackStrike
)
