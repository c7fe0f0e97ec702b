// Package sheets holds the creature sheets that Skald ships: monsters of the
// System Reference Document 5.1 and characters of Skald's own, as YAML in one
// folder per rule system. They serve scenarios, examples and tests.
//
// A sheet here is plain content: nothing in this package may be needed to play
// with other sheets, and no rule may depend on a name in it.
package sheets
