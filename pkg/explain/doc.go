// Package explain says why an event came out as it did, line by line, from what the
// event holds: faces, modifiers, what a roll was against, and the rules behind each.
//
// It must never decide anything or look anything up but the titles of rules.
package explain
