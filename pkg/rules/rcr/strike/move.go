package strike

// Sizes are the sizes of creatures, the smallest first.
var Sizes = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}
