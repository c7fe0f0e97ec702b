package original

import (
	"errors"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Vocabulary lists every word that commands may say in this system.
func (System) Vocabulary() *rules.Vocabulary {
	f, err := frame()
	if err != nil {
		return nil // what is wrong with the table Validate says
	}
	return f.Words
}

// GMOnly tells whether only the game master may take an action: how monsters
// react and when their morale is tested is not theirs to choose.
//
// original.encounter.reaction-roll, original.morale.when
func (System) GMOnly(action string) bool {
	f, err := frame()
	return err == nil && f.GMOnly(action)
}

// HoldsTurn tells whether something that may be done keeps a turn from ending by itself.
func (System) HoldsTurn(c *eventv1.Creature, o *eventv1.Option) bool {
	f, err := frame()
	return err == nil && f.HoldsTurn(c, o)
}

// Validate says what is wrong with the embedded tables; nil when they hold.
func (System) Validate() error {
	_, err := frame()
	return errors.Join(thestrike.BookError, body.Settings.Err(), body.Presets.Err(), err)
}

// conditions lists the conditions that a special attack may lay on its victim.
//
// original.critical.monster-special
func conditions() []string { return System{}.Vocabulary().Names(rules.PlaceCondition, "") }

// knownCondition tells whether a name is that of a condition.
func knownCondition(name string) bool {
	return System{}.Vocabulary().Find(rules.PlaceCondition, "", name) != nil
}
