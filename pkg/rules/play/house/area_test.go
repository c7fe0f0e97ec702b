package house

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Every shape is shown as it is decided: about the target, or from the actor on; a
// line without a width has that of a square.
func TestAreaOf(t *testing.T) {
	if AreaOf(nil, "anything") != nil {
		t.Error("no book has an area")
	}
	for _, shape := range []struct {
		area   *contentv1.Area
		width  int32
		origin string
	}{
		{&contentv1.Area{Shape: "sphere", Feet: 20}, 0, "target"},
		{&contentv1.Area{Shape: "cylinder", Feet: 20}, 0, "target"},
		{&contentv1.Area{Shape: "cube", Feet: 15}, 0, "target"},
		{&contentv1.Area{Shape: "cone", Feet: 30}, 30, "actor"},
		{&contentv1.Area{Shape: "line", Feet: 60}, 5, "actor"},
		{&contentv1.Area{Shape: "line", Feet: 60, WidthFeet: 10}, 10, "actor"},
	} {
		got := shown(shape.area)
		if got.Shape != shape.area.Shape || got.Feet != shape.area.Feet || got.WidthFeet != shape.width || got.Origin != shape.origin {
			t.Errorf("%v is shown as %v", shape.area, got)
		}
	}
	var book *effects.Book
	if book.Area("x") != nil {
		t.Error("nothing has an area in no book")
	}
}
