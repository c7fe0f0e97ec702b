package original

import (
	"io/fs"
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The sheets that are shipped are whole and make two sides that can fight.
func TestShippedSheets(t *testing.T) {
	dir := os.DirFS("../../content/sheets/original")
	files, err := fs.Glob(dir, "*.yaml")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d sheets: %v", len(files), err)
	}
	sides := map[string]int{}
	var shipped []*eventv1.Sheet
	for _, name := range files {
		s, err := sheet.ParseFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if v := rules.CheckSheet(System{}, s); len(v) > 0 || s.Id+".yaml" != name || s.Attribution == "" {
			t.Errorf("%s: %v", name, v)
		}
		sides[s.Side]++
		shipped = append(shipped, s)
	}
	if len(sides) != 2 {
		t.Fatalf("%v", sides)
	}
	rulestest.Game{Env: os.Getenv, Seeds: 4, Steps: 200, Rounds: 20, Take: shapeTake, Beyond: beyondOptions, Hold: promised,
		Set: func(t *testing.T, c *rulestest.Chance) *rulestest.Table {
			f := newTable(t)
			f.Roller = c.Die
			for i, s := range shipped {
				x := int32(0)
				if s.Side != "party" {
					x = 60
				}
				f.AddAt(x, int32(5*i), s)
			}
			f.start(object("unaware", []string{"party", "monsters"}))
			return f.Table
		}}.Play(t)
}
