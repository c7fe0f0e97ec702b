package checks

// Struck is what a spell comes to for one target.
type Struck struct {
	Id string
	// Level is the caster level that counts against it.
	Level int32
	// Saved tells whether its saving throw was made.
	Saved bool
}
