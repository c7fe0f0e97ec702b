package catalogue

import (
	"errors"
	"strings"
	"testing"
)

// The numbers are those counted when the sources were read rule by rule; a
// rule may be added (then add it here), none is ever removed.
func TestCountsPerSystemAndWeight(t *testing.T) {
	want := map[string]map[Weight]int{
		"rcr":      {Core: 218, Optional: 176, Rare: 80, Advice: 24},
		"spark":    {Core: 100, Optional: 28, Rare: 1, Advice: 1},
		"basic":    {Core: 130, Optional: 1, Rare: 5, Advice: 1},
		"celesia":  {Core: 312, Optional: 11, Rare: 70, Advice: 1},
		"original": {Core: 144, Optional: 14, Rare: 21, Advice: 6},
	}
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, c := range all {
		got := map[Weight]int{}
		for _, e := range c.Entries {
			got[e.Weight]++
		}
		for weight, n := range want[c.System] {
			if got[weight] != n {
				t.Errorf("%s: %d rules of weight %s, want %d", c.System, got[weight], weight, n)
			}
		}
		total += len(c.Entries)
	}
	if total != 1344 || len(all) != len(want) {
		t.Errorf("%d rules in %d systems, want 1344 in %d", total, len(all), len(want))
	}
}

func TestEveryEntryReadsWell(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		for _, e := range c.Entries {
			if first := e.Title[:1]; strings.ToUpper(first) != first {
				t.Errorf("%s: title %q begins in lower case", e.ID, e.Title)
			}
			if len(e.Title) > 60 {
				t.Errorf("%s: title of %d characters", e.ID, len(e.Title))
			}
			rows, err := e.Rows()
			if err != nil {
				t.Error(err)
			}
			if e.Table != "" && len(rows) < 2 {
				t.Errorf("%s: a table of %d rows", e.ID, len(rows))
			}
		}
	}
}

func TestLookup(t *testing.T) {
	e, ok := Lookup("rcr.dice.pairwise-cancel")
	if !ok || e.Weight != Core || e.Owner != OwnerDice {
		t.Fatalf("got %+v, %v", e, ok)
	}
	for _, id := range []RuleID{"", "rcr", "rcr.dice.no-such-rule", "elsewhere.dice.assurance"} {
		if e, ok := Lookup(id); ok {
			t.Errorf("%q: found %v", id, e.ID)
		}
	}
	if _, err := System("elsewhere"); !errors.Is(err, ErrUnknownSystem) {
		t.Errorf("unknown system: %v", err)
	}
}

func TestSearch(t *testing.T) {
	c, err := System("rcr")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, text string
		finds      RuleID
	}{
		{"by id", "rcr.dice.assurance", "rcr.dice.assurance"},
		{"by words in any order and case", "PAIRS cancel", "rcr.dice.pairwise-cancel"},
		{"by heading", "rolling with the fall", "rcr.damage.fall-roll-distance"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			for _, e := range c.Search(tc.text) {
				if e.ID == tc.finds {
					return
				}
			}
			t.Errorf("%q does not find %s", tc.text, tc.finds)
		})
	}
	if n := len(c.Search("")); n != len(c.Entries) {
		t.Errorf("an empty text finds %d of %d", n, len(c.Entries))
	}
	if found := c.Search("no rule has these words xyzzy"); len(found) != 0 {
		t.Errorf("found %d", len(found))
	}
}
