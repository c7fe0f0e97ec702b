package body

const (
	// MStanched is on a creature whose regeneration the damage taken since
	// its last turn has stopped.
	MStanched = "regeneration-stopped"
	// Traits that keep a creature up at 1 hit point.
	TraitUndeadFortitude = "undead fortitude"
	// TraitRelentless is relentless endurance, which is counted by uses.
	TraitRelentless = "relentless endurance"
	// DecRelentless asks whether relentless endurance is used.
	DecRelentless = "relentless-endurance"
)
