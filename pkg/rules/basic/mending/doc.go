// Package mending holds harm, healing and deeds between fights.
//
// It must never know an encounter's turns.
package mending
