package rcr

func fightActions() []*action { return nil }
