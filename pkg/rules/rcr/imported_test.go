package rcr

import (
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/srd5e"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// importedSheets are the sheets that the importer makes of its fixture and,
// where SKALD_SRD_MONSTERS names the full file, of that.
func importedSheets(t *testing.T) []*eventv1.Sheet {
	t.Helper()
	files := []string{"../../content/srd5e/testdata/monsters.json"}
	if full := os.Getenv("SKALD_SRD_MONSTERS"); full != "" {
		files = append(files, full)
	}
	var out []*eventv1.Sheet
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := srd5e.Import(data)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, all...)
	}
	return out
}

// Every sheet that the importer makes is one that the system takes, and its
// creatures can do something.
func TestImportedSheets(t *testing.T) {
	for _, s := range importedSheets(t) {
		if v := (System{}).CheckSheet(s); len(v) > 0 {
			t.Errorf("%s: %v", s.Id, v)
			continue
		}
		f := newTable(t).add(s, fighter("foe", "party")).start(nil, 10, 1)
		if len((System{}).Options(rules.Query{State: f.State, Creature: s.Id})) < 20 {
			t.Errorf("%s can do next to nothing", s.Id)
		}
	}
}
