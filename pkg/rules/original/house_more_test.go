package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content sets off where somebody is gone or out of reach of it.

// The words and the distance of a blow that content asks for: one hand is not two, disarming is
// no grapple, and off the map only a blow has a distance.
func TestWordsOnBlowsWithoutAMap(t *testing.T) {
	f := tableWith(t, featOf(t, "    - modifier: {to: attack, amount: \"1\"}")).add(one("a", "party", arms(&eventv1.OriginalWeapon{Name: "axe", Hands: 1}, bow)), one("b", "orcs"))
	for _, c := range []struct {
		weapon   string
		noDamage bool
		distance int32
		want     []string
	}{
		{"axe", false, 10, []string{"melee", "medium"}},
		{"axe", true, 10, []string{"melee", "medium"}},
		{"empty hand", true, 10, []string{"hand", "medium", "melee", "natural", "grapple"}},
		{"bow", false, -1, []string{"bow", "medium", "ranged", "two-handed"}},
	} {
		f.Resolve(func(r *rules.Resolution) error {
			b := thestrike.NewBlow(r.State(), r.Creature("a"), r.Creature("b"), body.WeaponOf(r.Creature("a"), c.weapon), body.AtHand())
			b.NoDamage = c.noDamage
			if env := b.Env(r); !slices.Equal(env.Weapon.Tags, c.want) || env.Distance != c.distance {
				t.Errorf("%s: %v at %d feet", c.weapon, env.Weapon.Tags, env.Distance)
			}
			return nil
		})
	}
	// On the same spot is 0 feet off.
	g := tableWith(t, featOf(t, "    - modifier: {to: attack, amount: \"1\"}")).at(0, one("a", "party")).at(0, one("b", "orcs"))
	g.Resolve(func(r *rules.Resolution) error {
		if env := thestrike.NewBlow(r.State(), r.Creature("a"), r.Creature("b"), body.InHand(r.Creature("a")), body.AtHand()).Env(r); env.Distance != 0 {
			t.Errorf("%d feet", env.Distance)
		}
		return nil
	})
}

// original.initiative.ties-simultaneous: the blow of one who is gone before the slot is over hurts and kills;
// what that sets off for whoever struck comes to one who is there.
func TestABlowOfOneWhoIsGone(t *testing.T) {
	book := writtenBook(t, map[string]string{"feats.yaml": "- id: probe\n  effects:\n    - {trigger: kill, whom: self, healing: {amount: \"1\"}}\n- id: fire\n  effects:\n    - {trigger: hurt, whom: actor, condition: {condition: chilled}}\n- id: swift\n  effects:\n    - speed: {mode: walk, feet: feet + 10}\n",
		"conditions.yaml": "- {id: chilled}"})
	for _, gone := range []bool{false, true} {
		f := tableWith(t, book).at(0, one("a", "party", class("cleric", 1), need(10), func(s *eventv1.Sheet) { s.Feats = []string{"probe", "swift"} })).
			at(5, one("b", "orcs", points(1), func(s *eventv1.Sheet) { s.Feats = []string{"fire"} })).at(8, one("c", "orcs", points(50), group("b"))).start(nil, 4, 4)
		f.Hurt("a", 10)
		f.Must(act("a", "attack", "sword", "b"), 15, 4)
		if f.Creature("b").GetHp() != 1 {
			t.Fatal("it is struck before the slot is over")
		}
		if gone {
			f.leave("a")
		}
		f.Roller = func(int) int { return 1 }
		f.endSlot()
		if !body.Dead(f.Creature("b")) {
			t.Errorf("gone %v: %v", gone, f.Creature("b"))
		}
		if !gone {
			f.WantHP("a", 11)
			if !body.Has(f.Creature("a"), "chilled") {
				t.Error("who struck is not chilled")
			}
		}
	}
}

// original.action.whip-outcome, original.mount.dismount-save: whoever content keeps from falling stays in the
// saddle; another who rides is off its horse with that.
func TestWhoStaysInTheSaddle(t *testing.T) {
	book := writtenBook(t, map[string]string{"feats.yaml": "- id: probe\n  effects:\n    - {trigger: hit, condition: {condition: prone}}\n- id: steady\n  effects:\n    - immunity: {conditions: [prone]}\n"})
	for _, steady := range []bool{false, true} {
		f := tableWith(t, book).at(0, one("a", "party", class("cleric", 1), need(10), func(s *eventv1.Sheet) { s.Feats = []string{"probe"} })).at(5, strongFoe(mounted, dex(0), func(s *eventv1.Sheet) {
			if steady {
				s.Feats = []string{"steady"}
			}
		})).start(nil, 6, 1)
		f.Must(act("a", "attack", "sword", "b"), 15, 3)
		b := f.Creature("b")
		if body.Has(b, body.CondProne) == steady || body.Has(b, body.CondMounted) != steady {
			t.Errorf("steady %v: %v", steady, b.Conditions)
		}
	}
}

// original.attack.backstab-bonus-table: a bonus of nothing is none.
func TestABackstabWithoutABonus(t *testing.T) {
	for row, want := range map[string]int{"1,4,2,0": 0, "1,4,2,3": 1} {
		book := writtenBook(t, map[string]string{"tables/backstab.csv": "from,to,multiplier,to_hit\n" + row + "\n"})
		f := tableWith(t, book).at(0, one("a", "party", class("thief", 1), arms(stab), dex(0))).at(5, strongFoe(dex(0))).start(nil, 6, 1)
		f.Must(act("a", "backstab", "dagger", "b", withFacts("position", "behind")), 2)
		if got := f.Roll("/to-hit").Modifiers; len(got) != want {
			t.Errorf("%s: %v", row, got)
		}
	}
}

// original.damage.subdual-with-weapon: a blow to subdue that waits for the end of its slot does what it would
// have done at once, and says by what it was multiplied.
func TestAWaitingBlowThatSubdues(t *testing.T) {
	for _, together := range []bool{true, false} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), need(10))).at(5, strongFoe(dex(0)))
		if together {
			f.start(nil, 3, 3)
		} else {
			f.start(nil, 6, 1)
		}
		f.Must(act("a", "attack", "sword", "b", withParameters("subdue", true)), 20, 2) // critical: 3, twice
		if together {
			f.endSlot()
		}
		b := f.Creature("b")
		if b.Counters[body.CTemporary] != 6 || b.Counters[body.CActual] != 0 {
			t.Errorf("together %v: %v", together, b.Counters)
		}
		var factors int
		for _, e := range f.Log {
			for _, p := range e.GetDamage().GetParts() {
				if factors += len(p.Factors); p.Factors[0].Before != 3 || p.Factors[0].After != 6 {
					t.Errorf("together %v: %v", together, p.Factors)
				}
			}
		}
		if factors != 1 {
			t.Errorf("together %v: %d factors", together, factors)
		}
	}
}
