package dice

func Abs(n int32) int32 { return max(n, -n) }
