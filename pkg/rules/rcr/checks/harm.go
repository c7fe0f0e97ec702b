package checks

// Harmed is what damage came to.
type Harmed struct {
	// Taken after defences, temporary hit points included.
	Taken int32
	// Dropped from above 0 to 0 hit points.
	Dropped bool
	// Wounds gained.
	Wounds int32
}
