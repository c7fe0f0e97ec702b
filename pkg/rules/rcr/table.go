package rcr

// tableActions are deeds of the game master and of people at the table:
// group checks, delayed rolls, falls, dangerous terrain.
func tableActions() []*action { return nil }
