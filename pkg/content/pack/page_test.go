package pack_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/PACKS.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// docs/PACKS.md names every effect with its fields, every field of an entry, every
// trigger and everything that expressions can read.
func TestThePageNamesEverything(t *testing.T) {
	text := page(t)
	named := func(what, word string) {
		if !regexp.MustCompile("[`.\"(]" + regexp.QuoteMeta(word) + "[`.\"(\\[:]").MatchString(text) {
			t.Errorf("docs/PACKS.md does not name the %s %s", what, word)
		}
	}
	effect := (&contentv1.Effect{}).ProtoReflect().Descriptor().Fields()
	for i := range effect.Len() {
		f := effect.Get(i)
		named("field of an effect", string(f.Name()))
		if f.Message() == nil {
			continue
		}
		for j := range f.Message().Fields().Len() {
			named("field of "+string(f.Name()), string(f.Message().Fields().Get(j).Name()))
		}
	}
	entry := (&contentv1.Entry{}).ProtoReflect().Descriptor().Fields()
	for i := range entry.Len() {
		named("field of an entry", string(entry.Get(i).Name()))
	}
	scene := (&contentv1.Scene{}).ProtoReflect().Descriptor().Fields()
	for i := range scene.Len() {
		named("variable", string(scene.Get(i).Name()))
	}
	being := (&contentv1.Being{}).ProtoReflect().Descriptor().Fields()
	for i := range being.Len() {
		named("field of a creature", string(being.Get(i).Name()))
	}
	for k := range effects.KindHook + 1 {
		if k > 0 {
			named("effect", k.String())
		}
	}
	for _, trigger := range (rcr.System{}).Content().Triggers {
		named("trigger", trigger)
	}
}

// The pack that the page begins with can be played.
func TestThePageBeginsWithAPack(t *testing.T) {
	text := page(t)
	files := folder("weapons.yaml", "", "rules.yaml", "")
	for _, name := range []string{"pack.yaml", "weapons.yaml", "rules.yaml"} {
		_, rest, found := strings.Cut(text, name)
		_, rest, opened := strings.Cut(rest, "```yaml\n")
		block, _, closed := strings.Cut(rest, "```")
		if !found || !opened || !closed {
			t.Fatalf("the page has no %s", name)
		}
		files[name].Data = []byte(block)
	}
	if problems := readAndCheck(files, rules.ContentBase(rcr.System{})); problems != nil {
		t.Error(problems)
	}
}
