package body

import (
	"slices"
	"strconv"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/play/condition"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// Itoa writes a whole number in decimal.
func Itoa[N int | int32 | int64](n N) string { return strconv.FormatInt(int64(n), 10) }

// Refuse makes a refusal.
func Refuse(reason, rule, format string, args ...any) error {
	return fault.Refuse(reason, rule, format, args...)
}

// Told reads a boolean out of a Struct and tells whether it is there.
func Told(s *structpb.Struct, key string) (value, ok bool) {
	v, ok := s.GetFields()[key].GetKind().(*structpb.Value_BoolValue)
	if !ok {
		return false, false
	}
	return v.BoolValue, true
}

// Has tells whether a creature has a condition of this name.
func Has(c *eventv1.Creature, name string) bool { return ConditionOf(c, name) != nil }

// ConditionOf finds a condition by name; nil when the creature has none.
func ConditionOf(c *eventv1.Creature, name string) *eventv1.Condition {
	for _, x := range c.GetConditions() {
		if x.Name == name {
			return x
		}
	}
	return nil
}

// Dead tells whether a creature is dead; one that is not there counts as dead.
func Dead(c *eventv1.Creature) bool {
	return c == nil || c.Life == eventv1.LifeStatus_LIFE_STATUS_DEAD
}

// Unconscious tells whether a creature is alive and knocked out.
func Unconscious(c *eventv1.Creature) bool {
	return c.GetLife() == eventv1.LifeStatus_LIFE_STATUS_UNCONSCIOUS
}

// Up tells whether a creature is conscious and on the field.
func Up(c *eventv1.Creature) bool {
	return !Dead(c) && !Unconscious(c) && c.Marks[MLeaving] == ""
}

// Able tells whether a creature can act in this round.
//
// basic.surprise.lose-one-round
func Able(c *eventv1.Creature) bool { return Up(c) && Barring(nil, c, condition.BarsActing) == nil }

// SheetOf is a creature's basic section; an empty one when the viewer has none.
func SheetOf(c *eventv1.Creature) *eventv1.BasicSheet {
	if b := c.GetSheet().GetBasic(); b != nil {
		return b
	}
	return &eventv1.BasicSheet{}
}

// Tagged tells whether the sheet gives a creature a tag, such as undead.
func Tagged(c *eventv1.Creature, tag string) bool { return slices.Contains(SheetOf(c).Tags, tag) }

// Opposed tells whether two creatures are on different sides.
func Opposed(a, b *eventv1.Creature) bool { return a.GetSide() != b.GetSide() }

// Constitution is the score of that ability; 0 when the sheet has none.
func Constitution(c *eventv1.Creature) int64 {
	return int64(c.GetSheet().GetAbilities()["constitution"])
}

// Walk is the speed on foot in feet a round, with what content adds to it; 0 when the
// sheet has none.
func Walk(c *eventv1.Creature) int32 {
	return c.GetSheet().GetSpeeds()["walk"] + int32(c.GetCounters()[house.CounterSpeed+"walk"])
}

// SizeModifier is that of the grapple check, and the rule of content behind it, if any;
// sizes that the table does not name read as the nearest it does.
//
// basic.dice.grapple-size
func (b *ruleBook) SizeModifier(size string) (n int32, by string) {
	name := "medium"
	switch size {
	case "tiny", "small":
		name = "small"
	case "large", "huge", "gargantuan":
		name = "large"
	}
	return b.Size[name], b.SizeBy[name]
}
