package items

// Gaits of a mount in a turn.
const (
	GaitSingle = "single"
	GaitDouble = "double"
	GaitRun    = "run"
)
