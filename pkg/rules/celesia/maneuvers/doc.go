// Package maneuvers holds maneuvers, grapples, chokeholds and overruns.
//
// It must never order acts.
package maneuvers
