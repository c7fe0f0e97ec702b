package rcr

import (
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// CheckSheet says what is wrong with the rcr section of a sheet.
func (System) CheckSheet(sheet *eventv1.Sheet) []fault.Violation { return nil }

// Enter gives a creature just added what it begins with.
func (System) Enter(r *rules.Resolution, add *eventv1.AddCreature) error { return nil }

// Leave settles what a creature's removal means; it is still there.
func (System) Leave(r *rules.Resolution, creature string) error { return nil }

// Edited settles what the game master's edit of a creature means.
func (System) Edited(r *rules.Resolution, creature string) error { return nil }
