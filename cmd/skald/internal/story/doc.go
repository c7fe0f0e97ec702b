// Package story is `skald demo --story`: a campaign of two fights in which a player
// contests a hit of the first, what the game master sees and rules, what everybody is
// told, and an outsider who holds the exported record to it.
//
// It must need nothing outside the program, and never show a viewer's part but as that
// viewer was given it.
package story
