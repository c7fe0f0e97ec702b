package injury_test

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// field wants a refusal of one field.
func (w *world) field(err error, field string) {
	w.t.Helper()
	if f, _ := fault.As(err); f == nil || len(f.Violations) != 1 || f.Violations[0].Field != field {
		w.t.Errorf("%v, want a refusal of %s", err, field)
	}
}

// What a ruling between fights may say: a reason of one line, and a version of one
// patient that is behind its record; each refusal names the field.
func TestWhatARulingMaySay(t *testing.T) {
	w := newWorld(t)
	w.enrol("kara", 20, "ann")
	w.enrol("wim", 20, "bob")
	w.harm("kara", 1)
	w.harm("kara", 2)
	w.harm("wim", 2)
	try := func(said map[string]any, patients ...string) error {
		t.Helper()
		_, err := w.client.Tend(w.ctx(), w.ruling("revert", said, patients...))
		return err
	}
	const at = "command.patient.parameters."
	w.field(try(map[string]any{"version": 3}, "kara"), at+"version") // where it stands
	w.field(try(map[string]any{"version": 4}, "kara"), at+"version")
	w.field(try(map[string]any{"version": 0}, "kara"), at+"version")
	w.field(try(map[string]any{"version": 1}, "kara", "wim"), at+"version")
	w.field(try(map[string]any{"reason": strings.Repeat("x", limits.SaidBytes+1)}, "kara"), at+"reason")
	w.field(try(map[string]any{"why": "so"}, "kara"), at+"why")
	if n := len(w.commits("kara")); n != 3 {
		t.Fatalf("refusals stored %d Commits", n-3)
	}
	if err := try(map[string]any{"version": 2, "reason": strings.Repeat("x", limits.SaidBytes)}, "kara"); err != nil {
		t.Fatal(err)
	}
	w.wantHP("kara", 19)
	w.undo("kara", "wim") // each of its own last deed
	w.wantHP("kara", 20)
	w.wantHP("wim", 20)
	w.refused(w.ruling("redo", nil, "kara", "nobody"), fault.NotFound, "UNKNOWN_PATIENT")
	w.redo("kara", "wim")
	w.wantHP("kara", 19)
	w.wantHP("wim", 18)
}

// docs/PATIENTS.md: a deed that touched several patients is taken back for all of them at
// once, step by step; when more was done to one of them between or since, the ruling is
// refused, and nobody's record changes.
func TestStepByStepForAllWhomDeedsTouched(t *testing.T) {
	treat := func(w *world) {
		w.tend(w.deed(gm, &eventv1.PatientCommand{Deed: "treat", Patients: []string{"kara"}, User: "wim"}))
	}
	for _, c := range []struct {
		name    string
		deeds   func(*world)
		back    map[string]any
		of      []string
		refused string
		kits    int64 // of wim afterwards
	}{
		{"two deeds, to before both", func(w *world) { treat(w); treat(w) }, map[string]any{"version": 2}, []string{"kara"}, "", 3},
		{"two deeds, the last of them", func(w *world) { treat(w); treat(w) }, nil, []string{"kara"}, "", 2},
		{"wim had one of its own between them", func(w *world) { treat(w); w.harm("wim", 1); treat(w) }, map[string]any{"version": 2}, []string{"kara"}, "PATIENTS_ENTANGLED", 1},
		{"the last of them, for both by name", func(w *world) { treat(w); treat(w) }, nil, []string{"kara", "wim"}, "", 2},
		{"for both by name, and wim had one since", func(w *world) { treat(w); w.harm("wim", 1) }, nil, []string{"kara", "wim"}, "PATIENTS_ENTANGLED", 2},
		{"for both by name, and kara had one since", func(w *world) { treat(w); w.harm("kara", 1) }, nil, []string{"kara", "wim"}, "PATIENTS_ENTANGLED", 2},
		{"wim's last one, which was its own", func(w *world) { treat(w); w.harm("wim", 1) }, nil, []string{"wim"}, "", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.enrol("kara", 20, "ann")
			w.enrol("wim", 20, "bob")
			w.harm("kara", 9)
			c.deeds(w)
			before := len(w.commits("kara")) + len(w.commits("wim"))
			req := w.ruling("revert", c.back, c.of...)
			if c.refused != "" {
				w.refused(req, fault.Illegal, c.refused)
				if now := len(w.commits("kara")) + len(w.commits("wim")); now != before {
					t.Errorf("the refusal stored %d Commits", now-before)
				}
			} else {
				w.tend(req)
			}
			if got := w.get(gm, "wim", 0).Creature.Counters["kit"]; got != c.kits {
				t.Errorf("wim has %d kits, want %d", got, c.kits)
			}
		})
	}
}
