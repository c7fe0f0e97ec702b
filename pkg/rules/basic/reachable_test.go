package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/basic/holds"
	"github.com/skaldrpg/skald/pkg/rules/basic/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// option finds an option of a creature; nil when it is not listed.
func (f *table) option(id, action, item string) *eventv1.Option {
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id}) {
		if o.Action == action && o.Item == item {
			return o
		}
	}
	return nil
}

// basic.movement.split, basic.attack.parting-shot: a move lists where it can end and
// whom it turns its back to on the way there.
func TestSquaresOfAMove(t *testing.T) {
	f := newTable(t).add([]int32{0, 5, 25}, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	o := f.option("a", "move", "")
	if len(o.Squares) != 13*13-1 || o.SquaresCut || !slices.Equal(o.Provokes, []string{"b"}) {
		t.Fatalf("%d squares, provoking %v", len(o.Squares), o.Provokes)
	}
	for _, c := range []struct {
		x, y, feet int32
		provokes   []string
	}{
		{0, 5, 5, nil},             // still beside b
		{-5, 0, 5, []string{"b"}},  // away from b
		{30, 0, 30, []string{"b"}}, // past b, and still beside c
		{20, 30, 30, []string{"b"}},
	} {
		i := slices.IndexFunc(o.Squares, func(s *eventv1.Square) bool { return s.At.X == c.x && s.At.Y == c.y })
		if i < 0 || o.Squares[i].Feet != c.feet || !slices.Equal(o.Squares[i].Provokes, c.provokes) {
			t.Errorf("%d, %d: %v", c.x, c.y, o.Squares[max(0, i)])
		}
	}
	f = newTable(t).add([]int32{0, 5}, make1("a", "A", walks(60)), make1("b", "B")).start(nil).declare([]int{6, 1}, "a=run", "b=move")
	if o := f.option("a", "run", ""); len(o.Squares) != movement.MostSquares || !o.SquaresCut {
		t.Errorf("%d squares, cut %t", len(o.Squares), o.SquaresCut)
	}
}

// The blows that a listed square promises are those that come: the same rule decides.
func TestSquaresProvokeAsTheWayDoes(t *testing.T) {
	f := newTable(t).add([]int32{0, 15, -10}, make1("a", "A"), make1("b", "B"), make1("c", "B")).start(nil)
	f.declare([]int{6, 1, 1}, "a=move", "b=move", "c=move")
	for _, sq := range f.option("a", "move", "").Squares {
		w := holds.Way{Points: body.Steps(f.State.Creatures["a"].Position, []*eventv1.Position{sq.At}), Turning: true}
		var want []string
		for _, l := range movement.Leavings(f.State, f.State.Creatures["a"], w) {
			want = append(want, l.Enemy)
		}
		slices.Sort(want)
		if !slices.Equal(sq.Provokes, want) {
			t.Errorf("%v: the way leaves %v", sq, want)
		}
	}
}

// What may not be taken at all is listed once, whatever it could be done with.
func TestRefusedActionsAreListedOnce(t *testing.T) {
	f := newTable(t).add(nil, make1("a", "A"), make1("b", "B")).start(nil)
	seen := map[string]int{}
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a"}) {
		seen[o.Action]++
	}
	if seen["declare"] != len(body.Declarable) || seen["attack"] != 1 || seen["redeclare"] != 1 {
		t.Errorf("%v", seen)
	}
}
