// Package oracle is a second opinion for tests: the base of rcr (attacks, two weapons,
// damage, life and death, healing, saving throws, wounds) and a table of injuries or
// fumbles of basic, celesia and spark (the document of original has no table of
// injuries), written a second time, slowly and plainly, from the documents
// and without a look at the rules under test. Its tests draw situations at
// random, play them by the rules with given dice, and hold the two against each
// other. Where they differ the document decides which is mended.
//
// It must never be imported by a program, never share code with the rules it
// judges, and never be made to follow them: what it says comes from a document.
package oracle
