package declaring

// Thing is what somebody bashes.
type Thing struct {
	// Name, by which its state is kept.
	Name string
	// DC to break it; below 0 it gives way without a check.
	DC int32
	// Rule of the row of hardness that a table's own content changed; empty for the
	// document's own.
	Rule string
}
