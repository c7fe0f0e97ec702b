package body

// What a flask holds.
const (
	Oil       = "oil"
	HolyWater = "holy-water"
)
