package effects

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// Env is what is going on when a Book is asked. What does not apply is left
// zero.
type Env struct {
	// State in which it happens.
	State *eventv1.State
	// Actor acts: attacks, casts, rolls.
	Actor *eventv1.Creature
	// Target is attacked or otherwise meant.
	Target *eventv1.Creature
	// Weapon in use.
	Weapon Weapon
	// Roll that is made or was made.
	Roll Roll
	// Distance between actor and target in feet; 0 takes it from their positions,
	// below 0 it is not known.
	Distance int32
	// DamageType and Damage of harm that is done.
	DamageType string
	Damage     int32
	// Spell that is cast, by name, and the entry that it was filled from.
	Spell, SpellUse string
	// Action that is taken, by id.
	Action string

	// base is the number that is asked about, which conditions of effects see as base.
	base int32
}

// Weapon is a weapon or a natural attack in use.
type Weapon struct {
	// Name on the sheet; empty for none.
	Name string
	// Use is the entry that it was filled from; may be empty.
	Use string
	// Tags: melee, ranged, natural, magic, silver, finesse, light, heavy,
	// two-handed, thrown, ...
	Tags []string
}

// Roll is a roll.
type Roll struct {
	// Point: attack, save/dexterity, check/stealth, ...
	Point string
	// Natural face and Total; 0 before it is rolled.
	Natural, Total int32
	// Success and Critical, once it is rolled.
	Success, Critical bool
}
