package rules_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
)

// A mark may have become a condition, with its variant; of what stands in another
// place "condition x" is a name like any other.
func TestAMarkThatBecameACondition(t *testing.T) {
	all, err := rules.ReadRenames([]byte("place,old,new,note\nmark,caught,condition surprised wholly,it is one\ncounter,wind,condition winded,no condition\nmark,old,new=yes,another mark\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []rules.Rename{
		{Place: rules.PlaceMark, Old: "caught", To: rules.PlaceCondition, New: "surprised", Variant: "wholly", Note: "it is one"},
		{Place: rules.PlaceCounter, Old: "wind", To: rules.PlaceCounter, New: "condition winded", Note: "no condition"},
		{Place: rules.PlaceMark, Old: "old", To: rules.PlaceMark, New: "new", NewValue: "yes", Note: "another mark"},
	} {
		if got := all.Rows[i]; got != want {
			t.Errorf("row %d: %+v, want %+v", i, got, want)
		}
	}
}
