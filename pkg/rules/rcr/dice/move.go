package dice

// Abs is a number without its sign.
func Abs(n int32) int32 { return max(n, -n) }
