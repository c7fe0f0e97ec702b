package original

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
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
	f := newTable(t)
	rng := rand.New(rand.NewPCG(1, 1))
	f.Roller = func(sides int) int { return rng.IntN(sides) + 1 }
	sides := map[string]int{}
	for i, name := range files {
		s, err := sheet.ParseFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if v := rules.CheckSheet(System{}, s); len(v) > 0 || s.Id+".yaml" != name || s.Attribution == "" {
			t.Errorf("%s: %v", name, v)
		}
		sides[s.Side]++
		x := int32(0)
		if s.Side != "party" {
			x = 60
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: int32(5 * i)}}}})
	}
	if len(sides) != 2 {
		t.Fatalf("%v", sides)
	}
	f.start(object("unaware", []string{"party", "monsters"}))
	for range 200 {
		settleDecisions(f, rng, 1)
		checkInvariants(t, f, 1)
		if len(f.State.Active) == 0 {
			break
		}
		if err := f.Try(randomCommand(f, rng, f.State.Active[0])); err != nil {
			f.Command = nil
		}
	}
}
