package effects_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// BenchmarkModifiers: what a question costs without content, where nothing of the
// kind is there, and where a condition in CEL decides.
func BenchmarkModifiers(b *testing.B) {
	hero, orc := creature("hero", "party", "keen"), creature("orc", "foes")
	env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "orc": orc}}, Actor: hero, Target: orc}
	for _, c := range []struct {
		name string
		book *effects.Book
	}{
		{"none", nil},
		{"other-kinds", book(b, `{"feats":[{"id":"keen","effects":[{"noProvoke":{}}]}]}`)},
		{"number", book(b, `{"feats":[{"id":"keen","effects":[{"modifier":{"to":"attack","amount":"2"}}]}]}`)},
		{"condition", book(b, `{"feats":[{"id":"keen","effects":[{"when":"target.hp * 2 <= target.hp_max","modifier":{"to":"attack","amount":"self.bonus"}}]}]}`)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.book.Modifiers(hero, "attack", env)
			}
		})
	}
}
