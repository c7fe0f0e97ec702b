package manners

// KeepsBooks tells whether a condition only remembers that its bearer has attacked in its
// turn: the attack was told as it was made.
func KeepsBooks(condition string) bool { return condition == CondAttacked || condition == condStruck }
