package body

// OfThePlace are the conditions of the place where one stands.
var OfThePlace = []string{CondStationary, CondWall, CondTight}
