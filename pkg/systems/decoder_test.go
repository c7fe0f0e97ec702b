package systems_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/render"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/systems"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// packed is a word that would need a decoder of its own: numbers, lists and
// structures in the place of a word.
var packed = regexp.MustCompile(`^-?\d|[{}\[\]@;,:|/]|^yes$|[A-Za-z0-9+/]{24,}=*$`)

// One decoder draws every system: marks are plain words, what creatures are to each
// other and have begun is typed, and an option says what a form needs.
func TestOneDecoderDrawsEverySystem(t *testing.T) {
	for _, id := range systems.Registry().IDs() {
		t.Run(id, func(t *testing.T) {
			for seed := range uint64(3) {
				f := newFight(t, systemOf(t, id), seed, 0)
				for n := 0; !f.over() && n < 120; n++ {
					f.step()
					plainMarks(t, f.state)
					if n%10 == 0 {
						drawn(t, f)
					}
				}
			}
		})
	}
}

func plainMarks(t *testing.T, s *eventv1.State) {
	t.Helper()
	words := func(whose string, marks map[string]string) {
		for name, value := range marks {
			if packed.MatchString(value) {
				t.Errorf("%s: mark %s is %q", whose, name, value)
			}
		}
	}
	words("the encounter", s.Marks)
	for id, c := range s.Creatures {
		words(id, c.Marks)
	}
	for name, side := range s.Sides {
		words("side "+name, side.Marks)
	}
}

// drawn holds what a front end draws of a fight.
func drawn(t *testing.T, f *fight) {
	t.Helper()
	text := render.State(f.state)
	for id, c := range f.state.Creatures {
		for _, r := range c.Relations {
			if f.state.Creatures[r.To] == nil || !strings.Contains(text, strings.ReplaceAll(r.Kind, "-", " ")+" ") {
				t.Errorf("%s: relation %v is not drawn", id, r)
			}
		}
		for _, b := range c.Begun {
			if !strings.Contains(text, strings.ReplaceAll(b.Kind, "-", " ")) {
				t.Errorf("%s: %v is not drawn", id, b)
			}
		}
	}
	for _, id := range f.state.Active {
		options := f.sys.Options(rules.Query{State: f.state, Creature: id})
		for _, o := range options {
			complete(t, f.state, o)
		}
		if render.Style(render.Style{}).Options(options) == "" {
			t.Errorf("%s: no options are drawn", id)
		}
	}
}

// complete holds that a form can be made of an option.
func complete(t *testing.T, s *eventv1.State, o *eventv1.Option) {
	t.Helper()
	if !slices.Contains(play.Groups, play.Group(o.Group)) || o.Title == "" {
		t.Errorf("option %s %s: group %q, title %q", o.Action, o.Item, o.Group, o.Title)
	}
	if !o.Legal && (o.Reason == "" || len(o.Targets) > 0) {
		t.Errorf("option %s %s: illegal with reason %q and targets %v", o.Action, o.Item, o.Reason, o.Targets)
	}
	for _, id := range slices.Concat(o.Targets, o.Provokes) {
		if s.Creatures[id] == nil {
			t.Errorf("option %s %s names %q, who is not there", o.Action, o.Item, id)
		}
	}
	for _, p := range slices.Concat(o.Parameters, o.Facts) {
		if p.Name == "" || p.Type == "" || p.Text == "" || p.Matter == "" {
			t.Errorf("option %s %s: a form cannot be made of %v", o.Action, o.Item, p)
		}
	}
	for _, c := range o.Choices {
		if c.Action == "" {
			t.Errorf("option %s: a choice without an action: %v", o.Action, c)
		}
	}
}

// The decoder knows no system by name.
func TestDecoderKnowsNoSystem(t *testing.T) {
	files, err := filepath.Glob("../render/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range systems.Registry().IDs() {
			if strings.Contains(string(text), `"`+id+`"`) || strings.Contains(string(text), "rules/"+id) {
				t.Errorf("%s speaks of %s", file, id)
			}
		}
	}
}
