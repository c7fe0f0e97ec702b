package effects_test

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
)

// The creatures of all packs are listed once and in order; the latest pack has the
// say, and where there are no packs there are none.
func TestMonstersOfPacks(t *testing.T) {
	b := book(t, `{"name":"one","system":"rcr","version":"1","title":"One","monsters":[{"id":"wolf","name":"Wolf","hitPoints":11,"rcr":{"armorClass":13}},{"id":"ape","name":"Ape","hitPoints":19,"rcr":{"armorClass":12}}]}`,
		`{"name":"two","system":"rcr","version":"1","title":"Two","monsters":[{"id":"wolf","name":"Old wolf","hitPoints":20,"rcr":{"armorClass":14}}]}`)
	if got := b.Monsters(); !slices.Equal(got, []string{"ape", "wolf"}) {
		t.Errorf("%v", got)
	}
	if b.Monster("wolf").GetName() != "Old wolf" || b.Monster("ape").GetName() != "Ape" || b.Monster("cat") != nil {
		t.Errorf("%v, %v", b.Monster("wolf"), b.Monster("ape"))
	}
	var none *effects.Book
	if none.Monsters() != nil || none.Monster("wolf") != nil {
		t.Error("monsters without packs")
	}
}
