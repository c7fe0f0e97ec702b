package body

// FeatStillSpell casts without somatic components.
const FeatStillSpell = "still-spell"
