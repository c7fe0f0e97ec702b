// Package catalogue holds every rule of every rule system as data: an id, a
// title, the wording, how much it weighs, who adjudicates it, the reading taken
// where the source is unclear, its tables, whether code decides it, and, for what a table of players may
// choose, a switch with a default.
//
// Rule ids are stable: they are cited in code, scenarios, explanations and
// refusals, so a rule may be added but none is ever renamed or removed. Ids
// have the form system.area.name, such as rcr.injury.con-allowance.
//
// Invariants, checked whenever a catalogue is loaded:
//
//   - I1: ids are unique, well formed and begin with their system's id.
//   - I2: every rule has a title, a heading and a text, a known weight,
//     status and owner; titles are unique in a system.
//   - I3: every optional rule is a toggle and has a default; core and rare
//     rules are never toggles.
//   - I4: what a toggle is part of, requires or excludes is a toggle of the same
//     system; exclusion is mutual; what excludes each other is not on by default
//     together; heads are not nested.
//   - I5: a table that decides stands in the book's tables alone, and the entry
//     refers to it.
//
// What is loaded is the Go value that tools/generate made of the book (shipped_*.go)
// when it was made of this very rules.yaml, which is held against its checksum; else
// the YAML is read. Tests hold the two against each other.
//
// The package must never adjudicate: it says what the rules are, the packages
// under pkg/rules decide by them. It reads nothing but the books under
// pkg/content, and must not know gRPC, NATS or bbolt.
package catalogue
