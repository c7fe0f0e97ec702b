package catalogue

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/skaldrpg/skald/pkg/content/book"
)

const good = `
system: test
title: Test
rules:
  - {id: test.dice.one, title: One, heading: H, weight: core, owner: dice, status: open, text: T}
  - {id: test.dice.two, title: Two, heading: H, weight: optional, owner: dice, status: open, text: T, toggle: true, default: "on", excludes: [test.dice.three]}
  - {id: test.dice.three, title: Three, heading: H, weight: optional, owner: dice, status: open, text: T, toggle: true, default: "off", excludes: [test.dice.two]}
`

// bookOf is a book of such rules with a table of its own.
func bookOf(rules string) book.Book {
	return book.New("test", fstest.MapFS{"rules.yaml": {Data: []byte(rules)}, "tables/two.csv": {Data: []byte("a,b\n1,2\n")}})
}

// A table is that of the file that decides, or words of the entry.
func TestParseReadsTablesOfTheBook(t *testing.T) {
	for from, want := range map[string][2]string{"tables/two.csv": {"a,b\n1,2\n", "two"}, `"a,b\n3,4\n"`: {"a,b\n3,4\n", ""}} {
		c, err := Parse(bookOf(strings.Replace(good, "text: T}", "text: T, table: "+from+"}", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if e := c.Entries[0]; e.Table != want[0] || e.TableFile != want[1] {
			t.Errorf("%s: %q of %q", from, e.Table, e.TableFile)
		}
	}
}

func TestParseTakesGoodData(t *testing.T) {
	c, err := Parse(bookOf(good))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Entries) != 3 || len(c.Toggles()) != 2 {
		t.Errorf("%d entries, %d toggles", len(c.Entries), len(c.Toggles()))
	}
}

func TestParseRefuses(t *testing.T) {
	cases := []struct{ name, old, new, says string }{
		{"an id twice", "test.dice.three,", "test.dice.two,", "defined twice"},
		{"another system's id", "id: test.dice.one", "id: rcr.dice.one", "not an id of system"},
		{"a malformed id", "id: test.dice.one", "id: test.dice", "not an id of system"},
		{"no title", "title: One,", "", "no title"},
		{"a title twice", "title: Two", "title: One", "same title"},
		{"no text", "owner: dice, status: open, text: T}", "owner: dice}", "no text"},
		{"an unknown weight", "weight: core", "weight: heavy", "unknown weight"},
		{"an unknown status", "status: open", "status: done", "status \"done\""},
		{"advice with a mechanic", "status: open", "status: advice", "with weight core"},
		{"an unknown owner", "owner: dice, status: open, text: T}", "owner: nobody, text: T}", "unknown owner"},
		{"an unknown field", "text: T}", "text: T, wording: W}", "wording"},
		{"an optional rule without a switch", `toggle: true, default: "on", excludes: [test.dice.three]`, "", "weight optional"},
		{"a switch on a core rule", "owner: dice, status: open, text: T}", `owner: dice, status: open, text: T, toggle: true, default: "on"}`, "weight core"},
		{"a switch without a default", `default: "on"`, `default: ""`, "default"},
		{"an exclusion of nothing", "excludes: [test.dice.three]", "excludes: [test.dice.nine]", "not both toggles"},
		{"an exclusion of one side", `, excludes: [test.dice.two]`, "", "does not exclude it"},
		{"two exclusives on by default", `default: "off"`, `default: "on"`, "both are on by default"},
		{"part of no toggle", `default: "off"`, `default: "off", part_of: test.dice.one`, "not both toggles"},
		{"a question without a reading", "text: T}", "text: T, unclear: Q}", "without a reading"},
		{"a ragged table", "text: T}", `text: T, table: "a,b\n1\n"}`, "table"},
		{"a table that is not there", "text: T}", "text: T, table: tables/three.csv}", "three"},
		{"words of a switch on what is none", "text: T}", "text: T, switch: S}", "no toggle"},
		{"a file of another system", "system: test", "system: other", "says it is of system"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			changed := strings.Replace(good, tc.old, tc.new, 1)
			if changed == good {
				t.Fatal("the case changes nothing")
			}
			_, err := Parse(bookOf(changed))
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, want an error that says %q", err, tc.says)
			}
		})
	}
}

// Whatever the bytes are, parse answers with an error or a valid catalogue.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("system: test\nrules: [{}]"))
	f.Add([]byte("rules: {"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Parse(bookOf(string(raw)))
		if err == nil && c.validate() != nil {
			t.Error("parsed without being valid")
		}
	})
}
