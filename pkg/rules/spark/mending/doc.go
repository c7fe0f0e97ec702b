// Package mending holds harm, healing, rest and repairs.
//
// It must never know an encounter's halves.
package mending
