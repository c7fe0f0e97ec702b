// Package growth works what feats give for good into a sheet as it is read in: an
// ability and all that hangs on it, proficiencies, training, hit points, and what a feat
// is used up by. A feat whose entry says that the numbers include it adds nothing.
//
// It must never touch the sheet that it is given, nor know of a fight: all that it asks
// of the state is what the table plays by, and which sheet the creature had before.
package growth
