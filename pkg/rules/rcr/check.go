package rcr

func checkActions() []*action { return nil }
