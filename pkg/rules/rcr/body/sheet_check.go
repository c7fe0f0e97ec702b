package body

// Abilities are the names of the six abilities, in the order of a sheet.
var Abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

// Limits of a sheet's section.
const (
	MaxEntries = 200
	MaxFeet    = 100_000
)
