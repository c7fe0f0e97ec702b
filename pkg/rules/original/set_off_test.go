package original

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The words on a blow that content can ask for: kind, size, and how it is struck.
func TestWordsOnABlow(t *testing.T) {
	f := pair(t, featOf(t, "    - modifier: {to: attack, amount: \"1\"}"), "a")
	for _, c := range []struct {
		weapon *eventv1.OriginalWeapon
		melee  bool
		want   []string
	}{
		{&eventv1.OriginalWeapon{Name: "sword"}, true, []string{"melee", "medium"}},
		{&eventv1.OriginalWeapon{Name: "club", Size: "large", Blunt: true}, true, []string{"melee", "large", "blunt"}},
		{&eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger"}, true, []string{"dagger", "small", "melee"}},
		{&eventv1.OriginalWeapon{Name: "bow", Kind: "bow", Hands: 2, Magic: true}, false, []string{"bow", "medium", "ranged", "magic", "two-handed"}},
	} {
		f.Resolve(func(r *rules.Resolution) error {
			b := thestrike.NewBlow(r.State(), r.Creature("a"), r.Creature("b"), c.weapon, body.AtHand())
			b.Melee = c.melee
			env := b.Env(r)
			if !slices.Equal(env.Weapon.Tags, c.want) || env.Distance != 5 {
				t.Errorf("%s: %v at %d feet, want %v", c.weapon.Name, env.Weapon.Tags, env.Distance, c.want)
			}
			return nil
		})
	}
}

// What content sets off by harm knows its type: that of what content did, and none where
// a weapon hurt as well.
func TestHarmSetOffKnowsItsType(t *testing.T) {
	for name, c := range map[string]struct {
		kind string
		less int // of the weapon's damage
		b, a int32
	}{
		"cold, the weapon does nothing": {"cold", 8, 29, 28},
		"fire, the weapon does nothing": {"fire", 8, 29, 30},
		"cold beside the weapon":        {"cold", 0, 26, 30},
	} {
		t.Run(name, func(t *testing.T) {
			first := fmt.Sprintf("{modifier: {to: damage, amount: \"-%d\"}}\n    - {modifier: {to: damage, dice: 1d2, type: %s}}", c.less, c.kind)
			book := writtenBook(t, map[string]string{"feats.yaml": "- id: probe\n  effects:\n    - " + first +
				"\n- id: shiver\n  effects:\n    - {trigger: hurt, whom: actor, damage: {amount: \"2\"}, when: 'damage_type == \"cold\"'}\n"})
			f := tableWith(t, book)
			for i, s := range []*eventv1.Sheet{one("a", "party", class("fighter", 1), points(30), dex(0), str(0)), one("b", "orcs", points(30))} {
				s.GetOriginal().Weapons = []*eventv1.OriginalWeapon{{Name: "sword", Damage: "1d8"}}
				s.Feats = [][]string{{"probe"}, {"shiver"}}[i]
				f.AddAt(int32(5*i), 0, s)
			}
			f.blow(nil, 18, 1, 3)
			f.WantHP("b", c.b)
			f.WantHP("a", c.a)
		})
	}
}

// What a miss sets off in a slot in which foes act at the same time, the first thing of it,
// takes effect with all else.
func TestWhatAMissSetsOffWaits(t *testing.T) {
	f := pair(t, featOf(t, "    - {trigger: miss, condition: {condition: chilled, rounds: 1}}", "conditions.yaml", "- {id: chilled}"), "a").start(nil, 3, 3)
	f.Must(act("a", "attack", "sword", "b"), 2)
	if body.Has(f.Creature("b"), "chilled") {
		t.Fatal("it is chilled before the slot is over")
	}
	f.End("a")
	f.End("b")
	if !body.Has(f.Creature("b"), "chilled") {
		t.Error("nothing came of the miss")
	}
}
