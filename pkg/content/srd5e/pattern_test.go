package srd5e

import "testing"

// Every pattern compiles, though none is before it is used.
func TestPatternsCompile(t *testing.T) {
	if len(patterns) < 60 {
		t.Errorf("%d patterns", len(patterns))
	}
	for _, p := range patterns {
		p.re() // panics where it does not
	}
}
