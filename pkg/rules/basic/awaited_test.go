package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
)

// Before anybody has the turn those are waited for who have yet to declare; then who has
// the turn.
//
// basic.turn.declare
func TestAwaited(t *testing.T) {
	f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B"), make1("c", "A")).start(nil)
	want := func(ids ...string) {
		t.Helper()
		if got := rules.Awaited(System{}, f.State, nil); !slices.Equal(got, ids) {
			t.Errorf("waits for %v, want %v", got, ids)
		}
	}
	want("a", "b", "c")
	f.Must(act("b", "declare", body.KindMelee, ""))
	want("a", "c")
	f.declare([]int{6, 1, 2}, "a=move", "c=melee-attack")
	want(f.State.Active...)
	if len(f.State.Active) == 0 {
		t.Error("nobody has the turn")
	}
}
