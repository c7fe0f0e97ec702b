package body

// TraitUncannyDodge lets a creature halve the damage of a hit by its reaction.
const TraitUncannyDodge = "uncanny dodge"
