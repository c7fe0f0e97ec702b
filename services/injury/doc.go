// Package injury is the injury service: it owns harm and medicine.
//
// In a fight it says what harm and healing do to a creature and stores
// nothing: the encounter service puts the events into its own Commit. Between
// fights it is the writer: treatment, rest, passing time and the game master's
// edits are Commits on the patient's own subject. Entering and leaving a fight
// are Commits that it prepares and the encounter service appends together with
// its own, both or neither.
//
// The package is what its own main and the all-in-one need: [Config], [New],
// [Service.Register], [Service.Run], [Service.Close] and [Rebuild]. All else is
// internal.
//
// It must never write to an encounter's subject, or keep anything that a
// rebuild from the log would not give again.
package injury
