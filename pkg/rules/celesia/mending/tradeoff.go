package mending

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Trade-offs that an attacker may choose with an attack; those that last are
// conditions of the same name until the start of its next turn.
const (
	OptionExpertise   = "combat-expertise"
	OptionDeadlyAim   = "deadly-aim"
	OptionMartial     = "martial-power"
	OptionPower       = "power-attack"
	OptionPrecision   = "precision-strike"
	OptionRecklessAim = "reckless-aim"
	OptionReckless    = "reckless-offense"
	OptionWeakened    = "weakened"
)

// Chosen lists the trade-offs named with an attack.
func Chosen(take *eventv1.TakeAction) []string {
	ids, _ := spoken.Words(take.GetParameters(), "options")
	return ids
}

// Picked tells whether a trade-off is among those named with an attack.
func Picked(take *eventv1.TakeAction, option string) bool {
	return slices.Contains(Chosen(take), option)
}
