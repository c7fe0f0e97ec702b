package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func moveOption(t *testing.T, f *table, id string) *eventv1.Option {
	t.Helper()
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: id, Content: f.Content}) {
		if o.Action == declaring.KindMove {
			return o
		}
	}
	t.Fatal("no move is listed")
	return nil
}

// spark.action.move, spark.reaction.opportunity-attack: an option to move says where to, and who answers a straight way there
func TestSquaresOfAMove(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-20, fighter("ogre", "monsters")).at(300, fighter("far", "monsters")).start()
	o := moveOption(t, f, "ara")
	if len(o.Squares) != 168 || o.SquaresCut || !slices.Equal(o.Provokes, []string{"orc"}) {
		t.Fatalf("%d squares, provoking %v", len(o.Squares), o.Provokes)
	}
	for _, sq := range o.Squares {
		var want []string
		from := f.Creature("ara").Position
		for _, id := range []string{"ogre", "orc"} {
			last := from
			e := f.Creature(id)
			for _, to := range body.Steps(from, []*eventv1.Position{sq.At}) {
				if body.DistanceAt(e.Position, e, last, f.Creature("ara")) <= 5 && body.DistanceAt(e.Position, e, to, f.Creature("ara")) > 5 && !slices.Contains(want, id) {
					want = append(want, id)
				}
				last = to
			}
		}
		if !slices.Equal(sq.Provokes, want) {
			t.Errorf("the way to %v provokes %v, want %v", sq.At, sq.Provokes, want)
		}
	}
	f.Must(act("ara", declaring.KindMove, "", "", to(-10)))
	f.End("orc")
	f.End("ogre")
	f.End("far")
	if len(f.Decisions) != 1 || f.Decisions[0].Creature != "orc" {
		t.Errorf("provoked: %v", f.Decisions)
	}
}

// A fast creature is told the nearest squares; one without a place, none.
func TestSquaresAreBounded(t *testing.T) {
	fast := fighter("ara", "party")
	fast.Speeds["walk"] = 120
	f := newTable(t).at(0, fast).add(fighter("orc", "monsters")).start()
	if o := moveOption(t, f, "ara"); len(o.Squares) != limits.OptionSquares || !o.SquaresCut || o.Squares[0].Feet != 5 {
		t.Errorf("%d squares", len(o.Squares))
	}
	if o := moveOption(t, f, "orc"); len(o.Squares) != 0 || o.SquaresCut {
		t.Errorf("%d squares without a place", len(o.Squares))
	}
}
