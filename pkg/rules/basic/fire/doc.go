// Package fire holds burning oil, grenades and where they scatter.
//
// It must never count a round down.
package fire
