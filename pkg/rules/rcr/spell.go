package rcr

func spellActions() []*action { return nil }
