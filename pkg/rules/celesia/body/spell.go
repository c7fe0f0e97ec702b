package body

// MLost is on a caster whose concentration failed, until the casting ends.
const MLost = "spell-lost"
