package body

// HarmWords are parameters of harm that are handed on as facts: the die that a
// scar is rolled with, the side of a lost part, words on the wound.
var HarmWords = []struct{ Parameter, Fact string }{{"scar_die", "scar-die"}, {"side", "side"}, {"wound", "wound"}}
