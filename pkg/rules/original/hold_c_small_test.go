package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.movement.spellcaster-10-feet: who casts moves 10 feet, or as far as it moves at
// all; to the last foot of them it may get away.
func TestTheLastFootOfACaster(t *testing.T) {
	for _, c := range []struct {
		name        string
		walk, moved int
		refused     string
	}{
		{"9 of 10", 120, 9, ""},
		{"10 of 10", 120, 10, cite.MovementSpellcaster10Feet},
		{"none of 1", 1, 0, ""},
		{"1 of 1", 1, 1, cite.MovementSpellcaster10Feet},
	} {
		slow := func(s *eventv1.Sheet) { s.Speeds = map[string]int32{"walk": int32(c.walk)} }
		f := newTable(t).at(0, mage(slow)).at(-5, one("orc", "orcs", points(50))).at(-10, one("friend", "party")).start(nil, 1, 6, 2)
		f.Must(act("mage", "cast", "glow", ""))
		f.Count("mage", body.CMoved, c.moved)
		err := f.Peek(act("mage", "disengage", "", "", path(1)))
		if c.refused != "" {
			wantRefused(t, err, c.refused)
		} else if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// original.attack.roll, original.charge.move: what is one of the round's attacks takes one.
func TestWhatAnAttackTakes(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(&eventv1.OriginalWeapon{Name: "sword"}, spear))).at(5, one("b", "orcs")).start(nil, 6, 1)
	seen := map[string]bool{}
	for _, o := range f.System.Options(rules.Query{State: f.State, Creature: "a"}) {
		want := int32(0)
		switch o.Action {
		case "attack", "charge", "grapple":
			want = 1
		}
		if got := o.Costs[body.CAttacks]; want == 1 && got != 1 {
			t.Errorf("%s with %q takes %d attacks", o.Action, o.Item, got)
		}
		seen[o.Action] = true
	}
	if !seen["attack"] || !seen["charge"] || !seen["grapple"] {
		t.Errorf("listed are %v", seen)
	}
}

// original.mass.unit-hit-points: a unit is of two at least, and rolls for each of them.
func TestTheSmallestUnit(t *testing.T) {
	for men, faces := range map[int32][]int{0: nil, 2: {2, 6}, 3: {2, 6, 1}} {
		f := newTable(t, body.SetMass+"=on", body.SetMassPoints+"=on")
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: one("x", "orcs", unit(men))}}}, faces...)
		want := int32(0)
		for _, n := range faces {
			want += int32(n)
		}
		if men == 0 {
			want = 20
		}
		if got := f.Creature("x").GetHp(); got != want {
			t.Errorf("%d men have %d, want %d", men, got, want)
		}
	}
}

// original.initiative.haste-first, original.initiative.reach-first-strike: of two with places
// in the order those tell; one that has none yet is behind.
func TestAheadOfOneWithoutAPlace(t *testing.T) {
	f := newTable(t).add(one("a", "party"), one("b", "orcs")).start(nil, 2, 5)
	f.joins(one("late", "orcs"), false)
	of := func(x, y string) int { return thestrike.Ahead(f.State, f.Creature(x), f.Creature(y)) }
	for _, c := range []struct {
		x, y string
		sign int
	}{{"b", "a", 1}, {"a", "b", -1}, {"a", "late", 1}, {"b", "late", 1}, {"late", "a", -1}, {"late", "b", -1}} {
		if got := of(c.x, c.y); got > 0 != (c.sign > 0) || got < 0 != (c.sign < 0) {
			t.Errorf("%s to %s: %d, want %d", c.x, c.y, got, c.sign)
		}
	}
}

// original.attack.multi-shortcut: what is no dice has no average.
func TestAveragesOfNoDice(t *testing.T) {
	for text, want := range map[string]int32{"1d6": 7, "2d4+1": 12, "d": 0, "many": 0, "1d6!": 0, "": 0} {
		if got, ok := twiceMean(text); ok != (want > 0) || ok && got != want {
			t.Errorf("%q: %d, %t", text, got, ok)
		}
	}
}
