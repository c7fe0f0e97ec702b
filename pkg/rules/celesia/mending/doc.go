// Package mending holds harm, nonlethal damage, strain, healing and deeds between
// fights.
//
// It must never know whose turn it is.
package mending
