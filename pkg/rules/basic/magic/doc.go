// Package magic holds spells and magic items.
//
// It must never count a round down.
package magic
