package items

// CondCountered is on a caster whose spell was countered, until it is cast.
const CondCountered = "countered"
