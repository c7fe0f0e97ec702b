package house

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// bookOf is content of rcr, as JSON.
func bookOf(t *testing.T, text string) *effects.Book {
	t.Helper()
	p := &contentv1.Pack{}
	if err := protojson.Unmarshal([]byte(`{"name":"p","system":"rcr","version":"1","title":"P",`+text+`}`), p); err != nil {
		t.Fatal(err)
	}
	b, err := effects.New(effects.Base{System: "rcr", Support: effects.Support{Areas: true, Kinds: map[effects.Kind][]string{effects.KindNoProvoke: nil},
		Table: func(name string) (string, bool) {
			return "rolls,rule\nattack,toy.a\nsave,toy.b\n", name == "situations" || name == "bare"
		},
		CheckTables: func(func(string) (string, error)) error { return nil }}}, effects.Pinned{Digest: "a", Pack: p})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A spell with an area takes those named and whoever else stands in it, in the order of their
// ids: not who stands nowhere, who waits in the wings, whom nothing can befall any more, nor anybody
// twice. Where nobody is named, where the first one stands nowhere, and for a spell without
// an area it takes those named alone.
func TestWhoStandsInAnArea(t *testing.T) {
	b := bookOf(t, `"spells":[{"id":"blast","title":"Blast","area":{"shape":"sphere","feet":"20"},"data":{"level":3}},{"id":"bolt","title":"Bolt","data":{"level":1}}]`)
	s := &eventv1.State{Creatures: map[string]*eventv1.Creature{}}
	for id, c := range map[string]*eventv1.Creature{"caster": who("caster", 60, 0), "z": who("z", 0, 0), "near": who("near", 20, 0), "edge": who("edge", -20, 0), "far": who("far", 25, 0),
		"dead": who("dead", 5, 0), "staged": who("staged", 5, 5), "nowhere": {Id: "nowhere"}} {
		s.Creatures[id] = c
	}
	s.Creatures["dead"].Life, s.Creatures["staged"].Staged = eventv1.LifeStatus_LIFE_STATUS_DEAD, true
	for name, c := range map[string]struct {
		spell string
		named []string
		want  string
	}{
		"around the first":      {"blast", []string{"z"}, "z edge near"},
		"those named stay":      {"blast", []string{"z", "near", "far"}, "z near far edge"},
		"nobody is named":       {"blast", nil, ""},
		"the first is nowhere":  {"blast", []string{"nowhere", "z"}, "nowhere z"},
		"a later one is":        {"blast", []string{"z", "nowhere"}, "z nowhere edge near"},
		"no area":               {"bolt", []string{"z"}, "z"},
		"the dead, named":       {"blast", []string{"dead"}, "dead far near z"},
		"what is no spell here": {"", []string{"z"}, "z"},
	} {
		if got := strings.Join(squares.InArea(b, s, s.Creatures["caster"], c.spell, c.named), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A feat of the common core is one that the content has, by its id or its title, or one of the
// system's own; another is refused with what was likely meant.
func TestFeatsThatThereAre(t *testing.T) {
	b := bookOf(t, `"feats":[{"id":"dark-eyes","title":"Dark eyes","effects":[{"noProvoke":{}}]}]`)
	for feat, good := range map[string]bool{"dark-eyes": true, "Dark Eyes": true, "alert": true, "Alert": false, "dark-eye": false} {
		var wrong []string
		CheckFeats(b, &eventv1.Sheet{Feats: []string{"alert", feat}}, func(field, _ string, _ ...any) { wrong = append(wrong, field) }, "alert")
		if good != (wrong == nil) || !good && !slices.Equal(wrong, []string{"feats[1]"}) {
			t.Errorf("%s: %v", feat, wrong)
		}
	}
	if got := Cited(effects.Cite{Rule: "a"}, effects.Cite{}, effects.Cite{Rule: "b"}, effects.Cite{Rule: "a"}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("cited %v", got)
	}
}

// A row of the table of situations that content changed has the rule of the content, the others
// that of the book; where content leaves the table alone there is nothing to read again.
func TestSituationsOfContent(t *testing.T) {
	b := bookOf(t, `"tables":[{"name":"situations","columns":["rolls","rule"],"rows":[{"cells":["save","toy.mine"]},{"cells":["check","toy.c"]}]}]`)
	if text, changed := Situations(b); !changed || text != "rolls,rule\nattack,toy.a\nsave,house.p.table-situations\ncheck,house.p.table-situations\n" {
		t.Errorf("%q, %v", text, changed)
	}
	if text, changed := Situations(bookOf(t, `"feats":[{"id":"x","title":"X","effects":[{"noProvoke":{}}]}]`)); changed || text != "" {
		t.Errorf("%q, %v", text, changed)
	}
}
