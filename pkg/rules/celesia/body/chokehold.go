package body

const (
	// CondChoked is on whoever is held in a chokehold: its variant is what is cut
	// off, air or blood.
	CondChoked = "choked"
	// CondSuffocating is on whoever suffocates already; what that does is the
	// game master's.
	CondSuffocating = "suffocating"
)

// FeatGreaterGrapple lets a chokehold cut off the blood.
const FeatGreaterGrapple = "greater-grapple"

// ImmuneBreath is the immunity of whoever does not breathe.
const ImmuneBreath = "suffocation"
