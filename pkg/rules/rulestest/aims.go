package rulestest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
)

// Aims holds how many creatures the actions of a frame aim at: the rows name those of
// each span, "1" or "0-1". Actions whose span hangs on the situation are left out, and
// what no row names aims at nobody.
func Aims(t *testing.T, f *play.Frame, rows map[string][]string) {
	t.Helper()
	want := map[string]string{}
	for _, span := range rules.SortedKeys(rows) {
		for _, id := range rows[span] {
			want[id] = span
		}
	}
	for _, a := range f.Actions() {
		if a.Range != nil {
			continue
		}
		got := fmt.Sprintf("%d-%d", a.Least, a.Most)
		if a.Least == a.Most {
			got = fmt.Sprint(a.Least)
		}
		if expected := want[a.ID]; got != expected && (got != "0" || expected != "") {
			t.Errorf("%s aims at %s, want %q", a.ID, got, expected)
		}
	}
	for _, id := range rules.SortedKeys(want) {
		if !slices.ContainsFunc(f.Actions(), func(a *play.Action) bool { return a.ID == id && a.Range == nil }) {
			t.Errorf("no action %s with a span of its own", id)
		}
	}
}
