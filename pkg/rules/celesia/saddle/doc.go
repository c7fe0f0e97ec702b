// Package saddle holds mounts and riders.
//
// It must never order acts.
package saddle
