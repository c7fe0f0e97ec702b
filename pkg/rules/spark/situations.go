package spark

import (
	content "github.com/skaldrpg/skald/pkg/content/spark"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
)

// Kinds of rolls in the table of situations.
const (
	rollAttack = "attack"
	// rollUpper and rollLower are Strength checks that need the muscles of the upper
	// or the lower body.
	rollUpper = "strength-upper"
	rollLower = "strength-lower"
)

// moment is what a roll is made in, as the limits of situations ask.
type moment struct {
	// melee: the attack is neither shot nor thrown.
	melee bool
	// charging: it ends a charge.
	charging bool
	// overreached: an opponent has given an advantage, which this roll uses up.
	overreached bool
}

type roll = situation.Roll[moment]

// limits of situations, by the names that the table gives them.
var situationLimits = map[string]situation.Limit[moment]{
	"melee":         func(x *roll) bool { return x.More.melee },
	"charging":      func(x *roll) bool { return x.More.charging },
	"overreached":   func(x *roll) bool { return x.More.overreached },
	"prone-counts":  func(x *roll) bool { return defaults.On(x.State, ruleProne) },
	"fright-counts": func(x *roll) bool { return defaults.On(x.State, ruleFrightened) },
	"fright-hinders": func(x *roll) bool {
		return defaults.Value(x.State, setFrightEffect) == frightHinders
	},
}

// situations are advantage, disadvantage and modifiers as shipped; situationError
// says why they are unfit.
var situations, situationError = readSituations()

func readSituations() (*situation.Table[moment], error) {
	text, err := content.Book().Table("situations")
	if err != nil {
		return nil, err
	}
	return situation.Read(text, situationLimits)
}
