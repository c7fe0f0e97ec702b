package body

import (
	"slices"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// RollKind says what is rolled, for the circumstances.
type RollKind struct {
	// Roll is one of the constants above.
	Roll string
	// Ranged attack; else melee.
	Ranged bool
	// Name of the maneuver, the skill or the saving throw.
	Name string
	// Purpose of a skill check: sight, opposed, reaction; empty for none.
	Purpose string
	// Reactive check, made in answer to another's doing.
	Reactive bool
	// Broken weapon or tool.
	Broken bool
	// Attack that is rolled for, in its state; nil for what is no attack of its own.
	Attack *Attack
	State  *eventv1.State
}

// Mod makes a modifier.
func Mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

// Nonzero leaves out modifiers that change nothing.
func Nonzero(list ...*eventv1.Modifier) []*eventv1.Modifier {
	return slices.DeleteFunc(list, func(m *eventv1.Modifier) bool { return m.Value == 0 })
}
