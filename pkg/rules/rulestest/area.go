package rulestest

import (
	"fmt"

	"github.com/skaldrpg/skald/pkg/rules"
)

// WantArea holds that the option of a creature to do something is listed with an
// area, such as "sphere 10 0 target": shape, feet, width and where it lies; empty is
// none. Without details no option has one.
func (f *Table) WantArea(creature, action, item, want string) {
	f.T.Helper()
	q := rules.Query{State: f.State, Creature: creature, Content: f.Content, Actions: []string{action}}
	found := false
	for _, o := range f.System.Options(q) {
		if o.Item != item || !o.Legal {
			continue
		}
		found = true
		got := ""
		if a := o.Area; a != nil {
			got = fmt.Sprintf("%s %d %d %s", a.Shape, a.Feet, a.WidthFeet, a.Origin)
		}
		if got != want {
			f.T.Errorf("%s %s of %s has the area %q, want %q", action, item, creature, got, want)
		}
	}
	if !found {
		f.T.Errorf("%s may not %s with %s", creature, action, item)
	}
	q.WithoutDetails = true
	for _, o := range f.System.Options(q) {
		if o.Area != nil {
			f.T.Errorf("%s %s has an area although details were left out", o.Action, o.Item)
		}
	}
}
