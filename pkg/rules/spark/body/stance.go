package body

import (
	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/situation"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ArmorOf is what an attack must reach: a Dexterity bonus is lost with a pulled leg.
//
// spark.fumble.alt-pulled-legs
func ArmorOf(c *eventv1.Creature) int32 {
	return SheetOf(c).ArmorClass - lostDexterity(c)
}

// ArmorNumber is that with its parts: the Dexterity modifier, which the number of the
// sheet contains, apart from the rest. An injury is its bearer's own to know, and the
// roll is for all to see: the number that one has lowered is one part, which says
// no more than the number.
//
// spark.attack.roll, spark.fumble.alt-pulled-legs
func ArmorNumber(c *eventv1.Creature) *eventv1.TargetNumber {
	s := SheetOf(c)
	const whole, rule = "armour class on the sheet", cite.AttackRoll
	parts := rules.SheetParts(c.GetSheet(), rules.NumberArmor, s.ArmorClass, whole, rule)
	if len(parts) == 1 && s.DexterityModifier != 0 {
		parts = []*eventv1.Modifier{Mod(s.ArmorClass-s.DexterityModifier, whole, rule), Mod(s.DexterityModifier, "Dexterity", rule)}
	}
	if lostDexterity(c) > 0 {
		parts = []*eventv1.Modifier{Mod(ArmorOf(c), "armour class", rule)}
	}
	return &eventv1.TargetNumber{Kind: "AC", Value: ArmorOf(c), Modifiers: parts}
}

// InitiativeOf is the initiative modifier.
func InitiativeOf(c *eventv1.Creature) int32 { return SheetOf(c).Initiative - lostDexterity(c) }

// lostDexterity is the Dexterity bonus that a pulled leg takes; a negative
// modifier stays.
//
// spark.fumble.alt-pulled-legs
func lostDexterity(c *eventv1.Creature) int32 {
	if !HasInjury(c, InjuryLegs) {
		return 0
	}
	return max(0, SheetOf(c).DexterityModifier)
}

// WearOf is what a weapon's damage has lost: chips, and teeth or claws snapped.
//
// spark.fumble.weapon-chipped, spark.fumble.alt-ouch
func WearOf(c *eventv1.Creature, weapon string) []*eventv1.Modifier {
	var wear []*eventv1.Modifier
	if n := int32(c.GetCounters()[CChip+weapon]); n > 0 {
		wear = append(wear, Mod(-n, "chipped", cite.FumbleWeaponChipped))
	}
	for _, in := range c.GetInjuries() {
		if in.Kind == InjurySnap && in.Side == weapon && in.Amount > 0 {
			wear = append(wear, Mod(-in.Amount, "snapped", cite.FumbleAltOuch))
		}
	}
	return wear
}

// Expression is the dice of a roll: any number of one kind means two dice,
// both kinds cancel to one.
//
// spark.dice.advantage
func Expression(edges []*eventv1.Edge) string {
	switch situation.Cancel(edges) {
	case 1:
		return "2d20kh1"
	case -1:
		return "2d20kl1"
	}
	return "1d20"
}
