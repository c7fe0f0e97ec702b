package rules

import "testing"

type chosen struct {
	System
	settings []Setting
}

func (c chosen) Settings() []Setting { return c.settings }

// Defaults that are kept are those of the system that is asked, and no more are
// kept than the bound.
func TestDefaultsAreKeptBySystem(t *testing.T) {
	for round := range 2 {
		for n := range 3 * maxKeptDefaults {
			value := itoa(n)
			sys := chosen{settings: []Setting{{ID: "x", Default: value}}}
			for range 2 {
				if d := defaultsIn(sys); d["x"] != value || d[SettingPlayerFacts] != PlayerFactsPropose {
					t.Fatalf("round %d: defaults of system %d are %v", round, n, d)
				}
			}
		}
	}
	if n := len(*keptDefaults.Load()); n > maxKeptDefaults {
		t.Errorf("%d are kept", n)
	}
	if d := defaultsIn(chosen{}); len(d) != len(tableSettings) {
		t.Errorf("defaults of a system without settings: %v", d)
	}
}
