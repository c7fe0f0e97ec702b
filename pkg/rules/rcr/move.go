package rcr

func moveActions() []*action { return nil }
