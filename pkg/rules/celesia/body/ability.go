package body

// Times of abilities in the default action economy.
const (
	TimeFree           = "free"
	TimeSwift          = "swift"
	TimeMove           = "move"
	TimeStandardAttack = "standard-attack"
	TimeStandard       = "standard"
	TimeFull           = "full"
)

// Kinds of abilities.
const (
	KindSupernatural = "supernatural"
	KindSpellLike    = "spell-like"
	KindBoost        = "boost"
	KindStrike       = "strike"
)

// MDone is the prefix of the marks of what was done this turn: "done.ACTION" for
// actions and abilities.
const MDone = "done."
