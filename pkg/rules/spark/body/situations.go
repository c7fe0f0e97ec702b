package body

import (
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// Kinds of rolls in the table of situations.
const (
	RollAttack = "attack"
	// RollUpper and rollLower are Strength checks that need the muscles of the upper
	// or the lower body.
	RollUpper = "strength-upper"
	RollLower = "strength-lower"
)

// Moment is what a roll is made in, as the limits of situations ask.
type Moment struct {
	// Melee: the attack is neither shot nor thrown.
	Melee bool
	// Charging: it ends a charge.
	Charging bool
	// Overreached: an opponent has given an advantage, which this roll uses up.
	Overreached bool
}

// Roll is a roll with the moment it is made in, as the table of situations asks for it.
type Roll = situation.Roll[Moment]

// limits of situations, by the names that the table gives them.
var SituationLimits = map[string]situation.Limit[Moment]{
	"melee":         func(x *Roll) bool { return x.More.Melee },
	"charging":      func(x *Roll) bool { return x.More.Charging },
	"overreached":   func(x *Roll) bool { return x.More.Overreached },
	"prone-counts":  func(x *Roll) bool { return Defaults.On(x.State, RuleProne) },
	"fright-counts": func(x *Roll) bool { return Defaults.On(x.State, RuleFrightened) },
	"fright-hinders": func(x *Roll) bool {
		return Defaults.Value(x.State, SetFrightEffect) == frightHinders
	},
}
