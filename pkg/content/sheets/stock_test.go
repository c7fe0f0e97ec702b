package sheets

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/sheet"
)

// What a sheet takes from content is filled in, and nothing refers to it any more;
// as YAML it is the same.
func TestSheetsSayAllByThemselves(t *testing.T) {
	for _, name := range List("rcr") {
		s, err := Get("rcr", name)
		if err != nil {
			t.Fatal(err)
		}
		if effects.Refers(s) {
			t.Errorf("%s refers to content", name)
		}
		text, err := Read("rcr", name)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := sheet.Parse(text); err != nil || !proto.Equal(s, again) {
			t.Errorf("%s is another as YAML: %v", name, err)
		}
	}
	fighter, err := Get("rcr", "fighter")
	if err != nil {
		t.Fatal(err)
	}
	a := fighter.GetRcr().Attacks[0]
	if a.Name != "longsword" || a.Bonus != 7 || a.ReachFeet != 5 || a.Damage[0].Dice != "1d8+4" || a.TwoHandedDamage[0].Dice != "1d10+4" || a.Hand != "main" {
		t.Errorf("the fighter's sword: %v", a)
	}
}
