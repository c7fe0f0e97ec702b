package body

var Abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

// Limits of a sheet's section.
const (
	MaxEntries = 200
	MaxFeet    = 100_000
)
