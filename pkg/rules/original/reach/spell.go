package reach

// CastingFeet is how far one may move in a round and still cast.
//
// original.movement.spellcaster-10-feet
const CastingFeet = 10
