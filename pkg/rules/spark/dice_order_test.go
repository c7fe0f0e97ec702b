package spark

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
)

// Those who throw together do so in the order that is said: as they declared.
//
// spark.dice.roll-order, spark.turn.all-roll-together
func TestTheOrderOfTheDice(t *testing.T) {
	f := newTable(t).at(0, fighter("a", "party")).at(5, fighter("b", "monsters")).at(10, fighter("c", "party")).start()
	said := func(want ...string) {
		t.Helper()
		if got := (System{}).DiceOrder(f.State); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
	said("a", "b", "c")
	f.Must(act("c", declaring.KindAttack, "sword", "b"))
	said("c", "a", "b")
	f.Must(act("b", declaring.KindAttack, "sword", "a"))
	said("c", "b", "a")
	f.Must(act("a", declaring.KindAttack, "sword", "b"), 2, 3, 4)
	var threw []string
	for _, e := range f.Events {
		if label, is := strings.CutPrefix(e.GetRoll().GetLabel(), "attack/"); is {
			threw = append(threw, label[:1])
		}
	}
	if want := []string{"c", "b", "a"}; !slices.Equal(threw, want) {
		t.Fatalf("threw %v, want %v", threw, want)
	}
	said("a", "b", "c")
}
