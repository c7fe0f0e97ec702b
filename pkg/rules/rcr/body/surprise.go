package body

// MFreeAction is on a creature that joined, surprised everyone and has
// its one free action; it has no initiative yet.
const MFreeAction = "free-action"
