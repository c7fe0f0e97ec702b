package body

const (
	// CCastings counts a creature's castings in the fight.
	CCastings = "castings"
	// CondCast is on whoever has cast in the round.
	CondCast = "cast"
	// RelIdentified is what a creature is to a caster whose casting it has tried to
	// identify: its value "casting" is the number of that.
	RelIdentified = "identified"
	// MTouch names the spell that a creature can go on touching others with.
	MTouch = "touch-spell"
)
