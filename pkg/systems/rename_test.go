package systems_test

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/scenario"
	"github.com/skaldrpg/skald/pkg/systems"
)

// A scenario of a build before gets the names of today, and no other byte changes.
func TestRenamedScenario(t *testing.T) {
	const old = `system: spark
creatures:
  - id: tam
    vitals: {counters: {missiles.longbow: 7, "uses.flask": 1, mana: 3, locked: 2}, marks: {stuck.longbow: yes}} # as it was
steps:
  - take: {creature: tam, action: attack, parameters: {ranged: true}}
    expect: {state: {creatures.tam.counters.missiles.longbow: 6}}
---
system: rcr
steps:
  - take: {creature: a, action: attack, parameters: {mode: ranged}}
  - take: {creature: a, action: move, parameters: {mode: climb}}
`
	const want = `system: spark
creatures:
  - id: tam
    vitals: {counters: {ammunition.longbow: 7, left.flask: 1, mana: 3, locked: 2}, marks: {stuck.longbow: "true"}} # as it was
steps:
  - take: {creature: tam, action: attack, parameters: {throw: true}}
    expect: {state: {creatures.tam.counters.ammunition.longbow: 6}}
---
system: rcr
steps:
  - take: {creature: a, action: attack, parameters: {throw: true}}
  - take: {creature: a, action: move, parameters: {mode: climb}}
`
	got, done, left, err := scenario.Rename("x.yaml", []byte(old), systems.Registry().System)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if done != 7 || len(left) != 1 || left[0].Line != 4 {
		t.Errorf("%d changes, left %v", done, left)
	}
	again, done, _, err := scenario.Rename("x.yaml", got, systems.Registry().System)
	if err != nil || done != 0 || string(again) != want {
		t.Errorf("again: %d changes, %v", done, err)
	}
}

// The scenarios of this build have no old names.
func TestRenamedLeavesTodaysScenarios(t *testing.T) {
	files, err := scenario.Files("../../scenarios")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, done, left, err := scenario.Rename(f, text, systems.Registry().System); err != nil || done != 0 || len(left) != 0 {
			t.Errorf("%s: %d changes, left %v, %v", f, done, left, err)
		}
	}
}
