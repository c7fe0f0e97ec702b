package proof

import (
	"slices"
	"strings"
	"testing"

	fights "github.com/skaldrpg/skald/pkg/recorded"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func says(lines []string, what string) bool {
	return slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, what) })
}

// here is the version of a system that this build has.
func here(t *testing.T, registry *rules.Registry, system string) string {
	t.Helper()
	sys, err := registry.System(system)
	if err != nil {
		t.Fatal(err)
	}
	return sys.Info().Version
}

// Whole fights of every system hold: what the first set was recorded by, this build
// says that it cannot decide, and checks the rest.
func TestOtherRulesAreNamed(t *testing.T) {
	registry := systems.Registry()
	for _, system := range registry.IDs() {
		newest := golden(t, system)[0]
		if r := again(t, registry, newest.Commits); !r.Holds() || r.Decided != len(newest.Commits) {
			t.Errorf("%s: %s", system, r)
		}
		old, err := fights.Load("2026-11", system)
		if err != nil {
			t.Fatal(err)
		}
		r := again(t, registry, old[0].Commits)
		if !r.OK() || r.Holds() || r.Decided > 0 || !says(r.Unchecked, "version 2 of "+system+" is needed; this build has "+here(t, registry, system)) {
			t.Errorf("%s: %s", system, r)
		}
		if strings.Contains(r.String(), "every Commit holds") {
			t.Errorf("%s: it says that every Commit holds", system)
		}
		f := open(t, old[0].Commits)
		_, e := f.event(func(e *eventv1.Event) bool { return e.GetRoll() != nil })
		e.GetRoll().Total += 3
		if r := again(t, registry, f.seal(0)); r.OK() {
			t.Errorf("%s: a forged total passes where the rules are others", system)
		}
	}
}

// Who has a part of the record is told what was checked and what cannot be; what
// shows in the part is found.
func TestAPartOfTheRecord(t *testing.T) {
	registry := systems.Registry()
	part := func(f *forger) [][]byte {
		var out [][]byte
		for _, c := range f.seal(0) {
			out = append(out, spectators(t, c))
		}
		return out
	}
	for _, system := range registry.IDs() {
		fresh := func() *forger { return open(t, golden(t, system)[0].Commits) }
		everyones := func(e *eventv1.Event) bool { return e.Audience.GetKind() == eventv1.Audience_KIND_EVERYONE }
		check := func(name string, f *forger, ok bool) {
			r := again(t, registry, part(f))
			if r.OK() != ok || r.Holds() || r.Decided > 0 || strings.Contains(r.String(), "every Commit holds") {
				t.Errorf("%s, %s: %s", system, name, r)
			}
			if !says(r.Unchecked, "what was decided") || !says(r.Unchecked, "withheld") || !says(r.Checked, "chain") {
				t.Errorf("%s, %s: not said what was checked: %v, %v", system, name, r.Checked, r.Unchecked)
			}
		}
		check("honest", fresh(), true)
		f := fresh()
		_, e := f.event(func(e *eventv1.Event) bool { return everyones(e) && e.GetRoll() != nil })
		e.GetRoll().Total++
		check("a total", f, false)
		f = fresh()
		_, e = f.event(func(e *eventv1.Event) bool { return everyones(e) && e.GetTurnStarted() != nil })
		e.GetTurnStarted().Creatures = []string{"nobody"}
		check("a turn, which only the rules tell", f, true)
	}
}
