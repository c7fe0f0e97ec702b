package body

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Bearer is a creature of which no more is known than its sheet.
func Bearer(sheet *eventv1.Sheet) *eventv1.Creature { return &eventv1.Creature{Sheet: sheet} }

// MaxPoints bounds hit points and counters, either way from 0.
const MaxPoints = 1_000_000
