// Package scale computes what so many tables need: streams, NATS nodes, memory,
// disk, and processes of each service. It is arithmetic on measured figures, and
// its tests hold it against them; docs/SCALE.md shows its table.
//
// It must never be part of a running service, and no figure in it may be a guess:
// what was not measured is a parameter.
package scale
