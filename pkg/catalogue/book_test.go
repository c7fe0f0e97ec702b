package catalogue

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A table stands in the book once: every file but the vocabulary is the table of
// one rule, and no rule repeats a file in words of its own.
func TestTablesStandOnce(t *testing.T) {
	for _, b := range books {
		c, err := System(b.System())
		if err != nil {
			t.Fatal(err)
		}
		names, err := b.Tables()
		if err != nil {
			t.Fatal(err)
		}
		owners, cells := map[string][]RuleID{}, map[string]string{}
		for _, name := range names {
			text, err := b.Table(name)
			if err != nil {
				t.Fatal(err)
			}
			cells[name] = spread(t, text)
		}
		for _, e := range c.Entries {
			if e.TableFile != "" {
				owners[e.TableFile] = append(owners[e.TableFile], e.ID)
			} else if e.Table != "" {
				for _, name := range names {
					if cells[name] == spread(t, e.Table) {
						t.Errorf("%s repeats the table %s", e.ID, name)
					}
				}
			}
		}
		for _, name := range names {
			if name != "words" && len(owners[name]) != 1 {
				t.Errorf("%s: the table %s is of the rules %v, want one", c.System, name, owners[name])
			}
		}
	}
}

// spread is the cells of a table below its heading, in order of their words.
func spread(t *testing.T, text string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	cells := slices.Concat(rows[1:]...)
	slices.Sort(cells)
	return strings.ToLower(strings.Join(cells, "\n"))
}

// A rule that a table names is in the catalogue.
func TestTablesCiteRules(t *testing.T) {
	cited := 0
	for _, b := range books {
		id := regexp.MustCompile(`\b` + b.System() + `\.[a-z]+\.[a-z0-9-]+`)
		names, err := b.Tables()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := b.Table(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range id.FindAllString(text, -1) {
				cited++
				if _, ok := Lookup(RuleID(found)); !ok && !strings.Contains(found, ".setting.") {
					t.Errorf("%s: table %s: no rule %s", b.System(), name, found)
				}
			}
		}
	}
	if cited < 100 {
		t.Errorf("%d citations found: the tables are not read as they are written", cited)
	}
}
