package mounts

// KeepsBooks tells whether a thing begun only remembers what a mount was last ordered:
// the order itself was told as it was given.
func KeepsBooks(kind string) bool { return kind == begunOrder || kind == begunHeading }
