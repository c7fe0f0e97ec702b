package rcr

func handActions() []*action { return nil }
