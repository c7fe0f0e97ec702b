package body

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// OfRace tells whether a creature is of a race, by its sheet or by a class of
// that name.
func OfRace(c *eventv1.Creature, race string) bool {
	s := SheetOf(c)
	return s.Race == race || s.Race == "" && s.Class == race
}

// FiresOnTheRun tells whether a creature may move at full speed and shoot a
// weapon: elves arrows and javelins, hobbits slings.
//
// original.movement.elf-fire-on-the-run, original.movement.hobbit-sling-on-the-run
func FiresOnTheRun(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	switch w.Kind {
	case "bow", "great-bow", "javelin":
		return OfRace(c, "elf")
	case "sling":
		return OfRace(c, "hobbit")
	}
	return false
}

// TooSwift says that a creature has moved too far to do anything but shoot on
// the run.
//
// original.movement.half-move-and-attack
func TooSwift(c *eventv1.Creature) error {
	if !Has(c, CondSwift) {
		return nil
	}
	return Refuse("MOVED", cite.MovementHalfMoveAndAttack, "%s has moved more than half", c.Name)
}

// Loading says that a crossbow was shot in the round before.
//
// original.attack.crossbow-every-other-round
func Loading(c *eventv1.Creature, w *eventv1.OriginalWeapon) error {
	if w.Kind == "crossbow" && c.Counters[CLoading+w.Name] > 0 {
		return Refuse("LOADING", cite.AttackCrossbowEveryOtherRound, "%s was shot in the round before", w.Name)
	}
	return nil
}

// Usable tells whether a weapon is in hand and there is room for it.
//
// original.equipment.tight-space
func Usable(c *eventv1.Creature, w *eventv1.OriginalWeapon) bool {
	return !Dropped(c, w) && (!Has(c, CondTight) || w.Kind == "dagger" || Natural(w))
}
