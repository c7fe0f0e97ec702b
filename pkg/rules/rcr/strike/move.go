package strike

var Sizes = []string{"tiny", "small", "medium", "large", "huge", "gargantuan"}
