package rules_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
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

const renamesHead = "place,old,new,note\n"

// What is wrong with a row of renames is said with the row.
func TestRenamesThatAreAmiss(t *testing.T) {
	for row, says := range map[string]string{
		"counter,a,b,": "", "counter,a,,gone": "", "mark,a=1,a=2,": "", "mark,a=1,b,": "", "counter,a,=a,kept": "",
		"relation,a,b,": `place "relation" is not one of`, "counter,,b,": "no old name", "counter,a,a,": `counter "a" is its own new name`, "mark,a=1,a=1,": `mark "a=1" is its own new name`,
		"mark,a=1,a,": `mark "a=1" is its own new name`,
	} {
		_, err := rules.ReadRenames([]byte(renamesHead+"counter,x,y,\n"+row+"\n"), nil)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), "rules: renames: row 2: "+says)) {
			t.Errorf("%s: %v, want %q", row, err, says)
		}
	}
	lost := errors.New("no such file")
	if _, err := rules.ReadRenames(nil, lost); !errors.Is(err, lost) {
		t.Errorf("%v", err)
	}
}

// moved is the toy with names that were other ones before.
type moved struct {
	toy
	table string
	size  string
}

func (m moved) Renames() (*rules.Renames, error) {
	return rules.ReadRenames([]byte(renamesHead+m.table), nil)
}
func (m moved) NameSize(*eventv1.Creature) string { return m.size }

// A state of before is known by the names of today: each number, mark and condition by its row, what has no new name gone, what is there already kept.
func TestUpgrade(t *testing.T) {
	const table = "counter,hd,hit-dice.SIZE,\ncounter,old/,new.,\ncounter,gone,,\ncounter,was,is,\ncounter,stays,=other,kept\n" +
		"mark,light=dim,light=low,\nmark,caught,condition surprised VALUE,\nmark,dust,,\ncondition,blind,blinded,\ncondition,ready,,\ncondition,helped check/,helped check.,\ncondition,grabbed,held arm,\n"
	state := func(version string) *eventv1.State {
		return &eventv1.State{SystemVersion: version, Creatures: map[string]*eventv1.Creature{"a": {Id: "a",
			Counters:   map[string]int64{"hd": 3, "old/x": 1, "old/": 2, "gone": 4, "was": 5, "is": 6, "stays": 7, "mine": 8},
			Marks:      map[string]string{"light": "dim", "caught": "wholly", "dust": "x"},
			Conditions: []*eventv1.Condition{{Name: "blind"}, {Name: "ready"}, {Name: "helped", Variant: "check/jump"}, {Name: "helped", Variant: "attack"}, {Name: "grabbed"}, {Name: "prone"}}}}}
	}
	for _, size := range []string{"8", ""} {
		s := state("")
		rules.Upgrade(moved{table: table, size: size}, s)
		c := s.Creatures["a"]
		want := map[string]int64{"new.x": 1, "is": 6, "stays": 7, "mine": 8, "new.": 2}
		if size != "" {
			want["hit-dice.8"] = 3
		}
		if !maps.Equal(c.Counters, want) {
			t.Errorf("size %q: %v, want %v", size, c.Counters, want)
		}
		if !maps.Equal(c.Marks, map[string]string{"light": "low"}) {
			t.Errorf("%v", c.Marks)
		}
		var got []string
		for _, x := range c.Conditions {
			got = append(got, strings.TrimSpace(x.Name+" "+x.Variant))
		}
		if want := []string{"surprised wholly", "blinded", "helped check.jump", "helped attack", "held arm", "prone"}; !sameWords(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	// Of today, of a system without renames or with a table that does not hold, and of nothing: as it is.
	for name, sys := range map[string]rules.System{"none": toy{}, "torn": moved{table: "counter,a,a,\n"}} {
		s := state("")
		rules.Upgrade(sys, s)
		if s.Creatures["a"].Counters["was"] != 5 || rules.RenamesOf(sys) != nil {
			t.Errorf("%s: %v", name, s.Creatures["a"].Counters)
		}
	}
	rules.Upgrade(moved{table: table}, nil)
	now := state("99")
	rules.Upgrade(moved{table: table, size: "8"}, now)
	if now.Creatures["a"].Counters["was"] != 5 {
		t.Errorf("a state of today: %v", now.Creatures["a"].Counters)
	}
	if _, err := rules.NewRegistry(moved{table: "counter,a,a,\n"}); err == nil || !strings.Contains(err.Error(), "rules: system toy: rules: renames: row 1") {
		t.Errorf("registered with renames that do not hold: %v", err)
	}
}

// sameWords tells whether two lists hold the same, in whatever order.
func sameWords(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}
