package declaring

// Thing is what somebody bashes.
type Thing struct {
	// Name, by which its state is kept.
	Name string
	// DC to break it; below 0 it gives way without a check.
	DC int32
}
