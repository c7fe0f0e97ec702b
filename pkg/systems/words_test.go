package systems_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
)

var update = flag.Bool("update", false, "write docs/words anew")

// wordPages is where the pages are that this test keeps true.
const wordPages = "../../docs/words"

// TestWordPages: docs/words has a page for every system that says which words
// it takes, and no page of another.
func TestWordPages(t *testing.T) {
	want := map[string]string{}
	for _, id := range systems.Registry().IDs() {
		sys, err := systems.Registry().System(id)
		if err != nil {
			t.Fatal(err)
		}
		v := rules.VocabularyOf(sys)
		if v == nil || len(v.Words) == 0 {
			t.Fatalf("%s has no words", id)
		}
		want[id+".md"] = wordPage(id, sys.Info().Title, v) + packSection(t, sys)
	}
	if *update {
		for name, page := range want {
			if err := os.WriteFile(filepath.Join(wordPages, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(wordPages)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name() == "README.md" {
			continue
		}
		got, err := os.ReadFile(filepath.Join(wordPages, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if want[f.Name()] != string(got) {
			t.Errorf("docs/words/%s is not what the vocabularies say: run go test ./systems -run TestWordPages -update in pkg", f.Name())
		}
		delete(want, f.Name())
	}
	for name := range want {
		t.Errorf("docs/words/%s is missing", name)
	}
}

// Every word of a vocabulary stands on its page, under each action that takes it.
func TestWordPagesAreWhole(t *testing.T) {
	for _, id := range systems.Registry().IDs() {
		sys, err := systems.Registry().System(id)
		if err != nil {
			t.Fatal(err)
		}
		v := rules.VocabularyOf(sys)
		page := wordPage(id, sys.Info().Title, v)
		rows := map[string]int{}
		for line := range strings.Lines(page) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				rows[strings.TrimSpace(cells[1])]++
			}
		}
		want := map[string]int{}
		for _, w := range v.Words {
			want["`"+w.Name+"`"] += max(1, len(w.Actions))
		}
		for name, n := range want {
			if rows[name] != n {
				t.Errorf("%s: %s stands %d times on the page, want %d", id, name, rows[name], n)
			}
		}
		for _, a := range v.Actions {
			if !strings.Contains(page, "\n### "+a+"\n") && !strings.Contains(page, "`"+a+"`") {
				t.Errorf("%s: the page does not name the action %s", id, a)
			}
		}
	}
}

// wordPage is the page of a system.
func wordPage(id, title string, v *rules.Vocabulary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Words of %s\n\n%s. What commands may say beyond their fixed fields; [README.md](README.md) says how to read it.\n"+
		"This page is made from the vocabulary of the rule system (`go test ./systems -run TestWordPages -update` in `pkg`); a\n"+
		"test fails when the two differ. `skald rules words %s` lists the same.\n", id, strings.TrimSuffix(title, "."), id)
	b.WriteString("\n## Actions\n")
	ofAction := func(w rules.Word) bool { return w.Place == rules.PlaceParameter || w.Place == rules.PlaceFact }
	wordTable(&b, "\n### Every action\n", true, v, func(w rules.Word) bool { return ofAction(w) && len(w.Actions) == 0 })
	var none []string
	for _, action := range v.Actions {
		if !wordTable(&b, "\n### "+action+"\n", true, v, func(w rules.Word) bool { return ofAction(w) && slices.Contains(w.Actions, action) }) {
			none = append(none, "`"+action+"`")
		}
	}
	if len(none) > 0 {
		b.WriteString("\n### Actions without words of their own\n\n" + strings.Join(none, ", ") + "\n")
	}
	for _, place := range []struct{ place, title, said string }{
		{rules.PlaceJoin, "Joining", "`AddCreature.facts`"},
		{rules.PlaceStart, "Starting", "`StartEncounter.facts`"},
	} {
		wordTable(&b, "\n## "+place.title+"\n\n"+place.said+".\n", false, v, func(w rules.Word) bool { return w.Place == place.place })
	}
	var deeds []string
	for _, w := range v.Words {
		if w.Place == rules.PlaceDeed {
			deeds = append(deeds, w.Actions...)
		}
	}
	slices.Sort(deeds)
	for i, deed := range slices.Compact(deeds) {
		heading := "\n### " + deed + "\n"
		if i == 0 {
			heading = "\n## Deeds between fights\n\n`PatientCommand.parameters`.\n" + heading
		}
		wordTable(&b, heading, false, v, func(w rules.Word) bool { return w.Place == rules.PlaceDeed && slices.Contains(w.Actions, deed) })
	}
	for _, place := range []struct{ place, title, said string }{
		{rules.PlaceCounter, "Counters", "`Vitals.counters`, each a whole number"},
		{rules.PlaceMark, "Marks", "`Vitals.marks`"},
		{rules.PlaceCondition, "Conditions", "`Vitals.conditions`"},
		{rules.PlaceInjury, "Injuries", "`Vitals.injuries`; the values are parts of the body"},
		{rules.PlaceRelation, "Relations", "`Vitals.relations`; to whom a creature is what"},
		{rules.PlaceBegun, "Things begun", "what a creature has set out to do"},
	} {
		wordTable(&b, "\n## "+place.title+"\n\n"+place.said+".\n", false, v, func(w rules.Word) bool { return w.Place == place.place })
	}
	return b.String()
}

// wordTable writes the words that are wanted under a heading, in the order of
// the vocabulary; false when there are none.
func wordTable(b *strings.Builder, heading string, place bool, v *rules.Vocabulary, wanted func(rules.Word) bool) bool {
	rows := 0
	for _, w := range v.Words {
		if !wanted(w) {
			continue
		}
		if rows++; rows == 1 {
			b.WriteString(heading + "\n")
			if place {
				b.WriteString("| name | said as | type | values | whose | rule | words |\n|---|---|---|---|---|---|---|\n")
			} else {
				b.WriteString("| name | type | values | whose | rule | words |\n|---|---|---|---|---|---|\n")
			}
		}
		cells := []string{"`" + w.Name + "`"}
		if place {
			cells = append(cells, w.Place)
		}
		rule := ""
		if w.Rule != "" {
			rule = "`" + w.Rule + "`"
		}
		for _, cell := range append(cells, w.Type, wordValues(w), w.Matter, rule, w.Text) {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", "\\|") + " ")
		}
		b.WriteString("|\n")
	}
	return rows > 0
}

// wordValues is what a word may be, in a cell.
func wordValues(w rules.Word) string {
	out := strings.Join(w.Values, ", ")
	if w.Least != 0 || w.Most != 0 {
		out = fmt.Sprintf("%d to %d", w.Least, w.Most)
	}
	if len(w.Sides) > 0 {
		out += "; sides: " + strings.Join(w.Sides, ", ")
	}
	return strings.TrimPrefix(out, "; ")
}
