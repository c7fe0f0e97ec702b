package systems_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/catalogue"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
)

// Every sheet that ships is one that its rule system takes.
func TestShippedSheetsAreGood(t *testing.T) {
	for _, id := range systems.Registry().IDs() {
		sys, err := systems.Registry().System(id)
		if err != nil {
			t.Fatal(err)
		}
		names := sheets.List(id)
		if len(names) < 4 {
			t.Errorf("system %s ships %d sheets; a fight wants four", id, len(names))
		}
		for _, name := range names {
			s, err := sheets.Get(id, name)
			if err != nil {
				t.Errorf("%s/%s: %v", id, name, err)
				continue
			}
			for _, v := range rules.CheckSheet(sys, s) {
				t.Errorf("%s/%s: %s: %s", id, name, v.Field, v.Description)
			}
		}
	}
}

// Every system has a catalogue, and settings that are its toggles or its own.
func TestSystemsHaveCatalogues(t *testing.T) {
	for _, id := range systems.Registry().IDs() {
		c, err := catalogue.System(id)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := systems.Registry().System(id)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, s := range sys.Settings() {
			if seen[s.ID] || s.Title == "" || s.Text == "" {
				t.Errorf("%s: setting %q comes twice or says nothing", id, s.ID)
			}
			seen[s.ID] = true
		}
		if sys.Info().Title == "" || c.Title == "" {
			t.Errorf("%s has no title", id)
		}
	}
}
