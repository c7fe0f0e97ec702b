package basic

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What an attack must reach comes apart, and the attack tells its facts.
//
// basic.attack.to-hit, basic.attack.grapple-touch
func TestPartsOfArmor(t *testing.T) {
	listed := func(s *eventv1.Sheet, _ *eventv1.BasicSheet) {
		s.MadeOf = []*eventv1.SheetNumber{{Number: rules.NumberArmor, Parts: []*eventv1.SheetPart{{Source: "leather", Value: 11}, {Source: "Dexterity", Value: 1}}}}
	}
	touch := func(n int32) change { return section(func(b *eventv1.BasicSheet) { b.TouchArmorClass = n }) }
	for _, c := range []struct {
		name   string
		change []change
		want   string
	}{
		{"one number", nil, "12 armour class on the sheet"},
		{"with the armour's share", []change{touch(10)}, "10 without armour, 2 armour"},
		{"all but one of it is the armour's", []change{touch(1)}, "1 without armour, 11 armour"},
		{"no armour", []change{touch(12)}, "12 armour class on the sheet"},
		{"listed", []change{touch(10), listed}, "11 leather, 1 Dexterity"},
	} {
		f := lone(t, []int32{0, 5}, body.KindMelee, make1("a", "A"), make1("b", "B", c.change...))
		f.Must(act("a", "attack", "sword", "b"), 2)
		if got := rulestest.Parts(f.Roll("to-hit").Target.Modifiers); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if got := rulestest.Told(f.Attack()); got != "distance 5 feet measured" {
			t.Errorf("%s: it went by %q", c.name, got)
		}
		if left := rulestest.Unexplained(f.Log, 0); len(left) > 0 {
			t.Errorf("%s: nothing explains %v", c.name, left)
		}
	}
}

// What is doubled or halved after the roll is written out; what is not has no step.
//
// basic.damage.charge-double, basic.attack.subdual-flat
func TestFactorsOfDamage(t *testing.T) {
	parts := func(f *table) (out []*eventv1.Factor) {
		for _, e := range f.Log {
			for _, p := range e.GetDamage().GetParts() {
				out = append(out, p.Factors...)
			}
		}
		return out
	}
	f := newTable(t).add([]int32{0, 45}, make1("a", "A", wields(spear())), make1("b", "B", hp(60), ac(10))).start(nil).declare([]int{6, 1}, "a=charge", "b=move")
	f.Must(act("a", "charge", "spear", "b"), 15, 3)
	if got := parts(f); len(got) != 1 || got[0].Before != 3 || got[0].Times != 2 || got[0].After != 6 || got[0].Rule != cite.DamageChargeDouble {
		t.Errorf("a charge: %v", got)
	}
	for action, want := range map[string]int{"subdue": 1, "attack": 0} {
		f = lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", action, "sword", "b"), 18, 5)
		if got := parts(f); len(got) != want || want > 0 && (got[0].Over != 2 || got[0].After != 2 || got[0].Rule != cite.AttackSubdualFlat) {
			t.Errorf("%s: %v", action, got)
		}
	}
}
