package effects

import contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"

// Cite says what an answer comes from.
type Cite struct {
	// Rule id: of the effect, or house.PACK.ID of what it is part of.
	Rule string
	// Title of the feat, thing, condition or rule.
	Title string
}

// Modifier is added to a roll or a number.
type Modifier struct {
	Cite
	// Kind for stacking; empty stacks with everything.
	Kind string
	// Amount that is added; may be negative.
	Amount int32
	// Dice that are added, such as "1d4"; empty for none.
	Dice string
	// Type of damage; empty means that of the attack.
	Type string
}

// Edge is an advantage or a disadvantage.
type Edge struct {
	Cite
	// Advantage, or else disadvantage.
	Advantage bool
}

// Defense is what becomes of damage of one type.
type Defense struct {
	// Immune: nothing comes through.
	Immune bool
	// Resistant: half comes through.
	Resistant bool
	// Vulnerable: twice as much comes through.
	Vulnerable bool
	// Less is taken off.
	Less int32
	// Cites of what took part.
	Cites []Cite
}

// Number is a number that content changed.
type Number struct {
	// Value with the effects.
	Value int32
	// Cites of what changed it; none when nothing did.
	Cites []Cite
}

// ExtraAction is more of what a turn has.
type ExtraAction struct {
	Cite
	// Counter of the turn.
	Counter string
	// Amount that is added.
	Amount int32
}

// Reroll rolls dice again, once, or lifts them.
type Reroll struct {
	Cite
	// UpTo: faces up to this one are rolled again; 0 means none.
	UpTo int32
	// One: only the first of the dice that shows such a face is, the others stay.
	One bool
	// AtLeast: faces count at least so much; 0 means what they show.
	AtLeast int32
}

// Aura is what reaches others near by.
type Aura struct {
	Cite
	// Source is the creature that has it.
	Source string
	// Feet that it reaches.
	Feet int32
	// Who it reaches: allies, enemies, others, all.
	Who string
}

// Happening is something that an effect sets off, for the system to carry out.
type Happening struct {
	Cite
	// Kind: KindCondition, KindDamage, KindSave, KindUse, KindTemporaryHitPoints,
	// KindHealing or KindHook.
	Kind Kind
	// Bearer is who has the feat, the thing or the condition.
	Bearer string
	// Creature that it befalls.
	Creature string
	// Dice of damage, healing or temporary hit points; may be empty.
	Dice string
	// Amount added to them; of a use, how many are taken.
	Amount int32
	// Type of damage.
	Type string
	// Condition by name, its Variant, the Rounds that it lasts (0 without end),
	// whether a saving throw at the end of a turn ends it, and whether it is taken
	// away.
	Condition, Variant string
	Rounds             int32
	SaveEnds, Remove   bool
	// Save by name and its difficulty; for a condition with SaveEnds, those of the
	// throw that ends it.
	Save string
	DC   int32
	// Half: the damage of Failed is done by half on a success.
	Half bool
	// Failed and Passed are what comes of the saving throw.
	Failed, Passed []Happening
	// Resource that a use takes from.
	Resource string
	// Hook and what it is given.
	Hook *contentv1.Hook
}
