package effects_test

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FuzzExpression: an expression is refused, or it can be computed for any
// creature, within its cost, twice to the same.
func FuzzExpression(f *testing.F) {
	for _, s := range []string{"1", "self.mod(\"strength\") + 2", "target.hp * 2 <= target.hp_max ? 3 : 0", "10 / self.hp", "base + 1",
		"self.conditions.exists(c, c == \"prone\") ? 1 : 0", "settings[\"rcr.dice.assurance\"] == \"on\" ? 1 : -1", "size(self.feats)",
		"9223372036854775807 + 1", "\"melee\" in weapon.tags ? 1 : 0", "int(\"12\")", "[1,2,3].map(x, x * x)[2]", "max(1, min(2, distance))",
		"self.abilities[\"none\"]", "has(self.name) ? 1 : 0", "1.5 > 1.0 ? 1 : 0", "string(self.hp).size()", "uint(3) == 3u ? 1 : 0"} {
		f.Add(s)
	}
	hero, orc := creature("hero", "party", "a"), creature("orc", "foes")
	f.Fuzz(func(t *testing.T, text string) {
		p := &contentv1.Pack{Name: "p", System: "rcr", Version: "1", Title: "P", Feats: []*contentv1.Entry{{Id: "a", Effects: []*contentv1.Effect{
			{What: &contentv1.Effect_Modifier{Modifier: &contentv1.Modifier{To: "attack", Amount: text}}}}}}}
		if len(effects.Check(base(), p)) > 0 {
			return
		}
		b, err := effects.New(base(), effects.Pinned{Pack: p})
		if err != nil {
			t.Fatal(err)
		}
		env := effects.Env{State: &eventv1.State{Creatures: map[string]*eventv1.Creature{"hero": hero, "orc": orc}}, Actor: hero, Target: orc}
		one, two := b.Modifiers(hero, "attack", env), b.Modifiers(hero, "attack", env)
		if len(one) != len(two) || len(one) > 0 && one[0] != two[0] {
			t.Fatalf("%v, then %v", one, two)
		}
		b.Modifiers(hero, "attack", effects.Env{})
	})
}
