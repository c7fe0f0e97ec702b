package basic

import (
	"slices"
	"strconv"

	"google.golang.org/protobuf/types/known/structpb"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// refuse makes a refusal.
func refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// told reads a boolean out of a Struct and tells whether it is there.
func told(s *structpb.Struct, key string) (value, ok bool) {
	v, ok := s.GetFields()[key].GetKind().(*structpb.Value_BoolValue)
	if !ok {
		return false, false
	}
	return v.BoolValue, true
}

func has(c *eventv1.Creature, name string) bool { return conditionOf(c, name) != nil }

// conditionOf finds a condition by name; nil when the creature has none.
func conditionOf(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

func dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

func unconscious(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
}

// up tells whether a creature is conscious and on the field.
func up(c *eventv1.Creature) bool {
	return !dead(c) && !unconscious(c) && c.Marks[mLeaving] == ""
}

// able tells whether a creature can act in this round.
//
// basic.surprise.lose-one-round
func able(c *eventv1.Creature) bool { return up(c) && barring(nil, c, condition.BarsActing) == nil }

func sheetOf(c *eventv1.Creature) *eventv1.BasicSheet {
	if b := c.GetSheet().GetBasic(); b != nil {
		return b
	}
	return &eventv1.BasicSheet{}
}

func tagged(c *eventv1.Creature, tag string) bool { return slices.Contains(sheetOf(c).Tags, tag) }

// opposed tells whether two creatures are on different sides.
func opposed(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }

func constitution(c *eventv1.Creature) int64 {
	return int64(c.GetSheet().GetAbilities()["constitution"])
}

func walk(c *eventv1.Creature) int32 { return c.GetSheet().GetSpeeds()["walk"] }

// sizeModifier is that of the grapple check; sizes that the table does not name
// read as the nearest it does.
//
// basic.dice.grapple-size
func sizeModifier(size string) int32 {
	switch size {
	case "tiny", "small":
		return book.size["small"]
	case "large", "huge", "gargantuan":
		return book.size["large"]
	}
	return book.size["medium"]
}
