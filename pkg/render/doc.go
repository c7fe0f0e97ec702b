// Package render puts fights into words for people at a terminal: events,
// rolls, states, options, decisions, odds. Every function is pure: the same
// messages give the same text.
//
// It must never decide or compute anything that a message does not say, nor
// filter what a viewer may see: whoever passes a message has been shown it.
package render
