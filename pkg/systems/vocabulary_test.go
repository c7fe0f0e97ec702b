package systems_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/skaldrpg/skald/pkg/content"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/systems"
)

// shared is vocabulary.yaml.
type shared struct {
	Words []struct {
		Place string            `yaml:"place"`
		Names map[string]string `yaml:"names"`
	} `yaml:"words"`
	Never map[string]map[string]string `yaml:"never"`
}

func readShared(t *testing.T) shared {
	t.Helper()
	var s shared
	d := yaml.NewDecoder(strings.NewReader(string(content.Vocabulary())))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

// spoken are the words of a place with the systems that have them.
func spoken(t *testing.T, place string) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	registry := systems.Registry()
	for _, id := range registry.IDs() {
		sys, err := registry.System(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range rules.VocabularyOf(sys).Words {
			if w.Place == place && !slices.Contains(out[w.Name], id) {
				out[w.Name] = append(out[w.Name], id)
			}
		}
	}
	return out
}

// A word that two systems have means one thing, which stands in the page; none of
// those that must not be used is used; and the page lists no word that nobody has.
func TestSharedVocabulary(t *testing.T) {
	s := readShared(t)
	for _, place := range s.Words {
		used := spoken(t, place.Place)
		for name, in := range used {
			if len(in) > 1 && place.Names[name] == "" {
				t.Errorf("%s %q is used by %v and stands in no page", place.Place, name, in)
			}
			if instead := s.Never[place.Place][name]; instead != "" {
				t.Errorf("%s %q of %v: the word is %s", place.Place, name, in, instead)
			}
		}
		for name := range place.Names {
			if used[name] == nil {
				t.Errorf("%s %q is in the page, and no system has it", place.Place, name)
			}
		}
	}
}

// The page of words is made of the same file.
func TestSharedVocabularyPage(t *testing.T) {
	s := readShared(t)
	var b strings.Builder
	b.WriteString("# Vocabulary\n\nThe same thing has the same name in every rule system. This page lists the words that mean one thing wherever they\n" +
		"occur; the words of one system alone are in [words](words/README.md). A name that ends in `.` is followed by the name of what\nit is about. " +
		"It is made of `pkg/content/vocabulary.yaml`; a test holds it to the systems.\n")
	for _, place := range s.Words {
		used := spoken(t, place.Place)
		fmt.Fprintf(&b, "\n## %s\n\n| word | meaning | systems |\n|---|---|---|\n", headings[place.Place])
		for _, name := range rules.SortedKeys(place.Names) {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, place.Names[name], strings.Join(used[name], ", "))
		}
	}
	const path = "../../docs/VOCABULARY.md"
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != b.String() {
		t.Errorf("%s is out of date (%v): go test ./systems -run TestSharedVocabularyPage -update", path, err)
	}
}

var headings = map[string]string{
	rules.PlaceCounter: "Counters", rules.PlaceMark: "Marks", rules.PlaceCondition: "Conditions", rules.PlaceRelation: "Relations",
	rules.PlaceBegun: "Things begun", rules.PlaceFact: "Facts", rules.PlaceParameter: "Parameters", rules.PlaceJoin: "Facts on joining", rules.PlaceStart: "Facts at the start",
}
