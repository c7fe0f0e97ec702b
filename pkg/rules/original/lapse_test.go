package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// enter adds a patient with what its record says of it.
func (f *table) enter(s *eventv1.Sheet, c *eventv1.Creature, faces ...int) {
	f.T.Helper()
	s.Patient = s.Id
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{},
		Vitals: &eventv1.Vitals{Hp: c.Hp, Counters: c.Counters, Marks: c.Marks, Conditions: c.Conditions}}}}, faces...)
}

// Who comes from another fight brings its wounds and nothing that was counted
// in rounds there: it may charge and shoot, is not surprised, and the damage
// rolls against its foes are counted anew.
//
// original.charge.once-per-turn, original.attack.crossbow-every-other-round,
// original.surprise.free-round, original.damage.empty-hand-actual
func TestFromAnotherFight(t *testing.T) {
	hero := func() *eventv1.Sheet {
		return one("a", "party", class("fighter", 1), dex(0), arms(blade, crossbow), points(30))
	}
	first := func() *table {
		f := newTable(t).at(0, hero()).at(100, strongFoe(points(50))).start(nil, 6, 1)
		f.Must(act("a", "charge", "sword", "b"), 2)
		f.End("a")
		f.Must(act("b", "attack", "sword", "a", withFacts("position", "behind")), 19, 3)
		f.End("b")
		f.Must(act("a", "withdraw", "", "", path(92)))
		f.Must(act("a", "attack", "empty hand", "b"), 19, 19, 3) // at a disadvantage
		return f
	}
	left := first()
	left.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	for name, was := range map[string]*eventv1.Creature{"to its end": left.Creature("a"), "before its end": first().Creature("a")} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.enter(hero(), was)
			f.at(100, strongFoe(points(50), arms(spear))).start(object("surprised", []string{"monsters"}))
			a := f.Creature("a")
			if a.GetHp() != 26 || a.Counters[body.CActual] != 4 {
				t.Errorf("4 of 30 were lost: %d", a.GetHp())
			}
			for name := range a.Marks {
				if name != body.MNormal {
					t.Errorf("it brings %s", name)
				}
			}
			f.Must(act("a", "charge", "sword", "b"), 2)
			f.End("a", 6, 1)
			f.Must(act("a", "attack", "empty hand", "b"), 19, 1, 3)
			if got := f.Creature("b").Counters[body.CActual]; got != 0 {
				t.Errorf("a first roll to subdue: %d actual", got)
			}
		})
	}
	if len(left.Creature("a").Relations)+len(left.Creature("a").Begun) > 0 {
		t.Errorf("the fight leaves %v, %v", left.Creature("a").Relations, left.Creature("a").Begun)
	}
	for name, n := range left.Creature("a").Counters {
		if n != 0 && (name == body.CCharged || name == body.CMoved) {
			t.Errorf("the fight leaves %s", name)
		}
	}
}

// Holds, flight and being off one's feet end with the fight; what the game
// master laid, and magic, stay.
//
// original.grapple.pinned, original.morale.table
func TestWhatEndsWithTheFight(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("thief", 1), points(50))).at(5, one("orc", "orcs", group("orcs"))).at(100, one("cal", "party")).start(nil, 1, 2, 6)
	f.Must(act("orc", "grapple", "", "hero"), 19, 6, 1)
	if !body.Has(f.Creature("hero"), body.CondPinned) {
		t.Fatal("6 against 1")
	}
	f.Afflict("cal", body.CondHasted)
	f.Afflict("cal", body.CondHeld)
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	if body.Has(f.Creature("hero"), body.CondPinned) || body.Holding(f.Creature("orc")) != "" || !body.Has(f.Creature("cal"), body.CondHasted) || !body.Has(f.Creature("cal"), body.CondHeld) {
		t.Fatalf("%v, %v", f.Creature("hero").Conditions, f.Creature("cal").Conditions)
	}
}

// original.mass.unit-hit-points: the dice of a unit fall once; a unit that comes
// back has what is left of them.
func TestAUnitComesBack(t *testing.T) {
	f := newTable(t)
	s := one("u", "m", unit(5))
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}}, 6, 6, 1, 2, 3)
	was := f.Creature("u")
	was.Hp = proto.Int32(7)
	g := newTable(t)
	g.enter(s, was)
	if c := g.Creature("u"); c.GetHp() != 7 || c.GetHpMax() != 18 || c.Counters[body.COriginal] != 18 {
		t.Fatalf("%d of %d, %v", c.GetHp(), c.GetHpMax(), c.Counters)
	}
}

// Records of builds before say some things otherwise; they are read as they were
// meant.
//
// original.injury.knocked-out-at-zero, original.spell.miscast-table, original.mount.mounted-bonus
func TestOlderRecords(t *testing.T) {
	f := newTable(t)
	hp := int32(12)
	mage := one("m", "party", spells(&eventv1.OriginalSpell{Name: "bolt", Prepared: 2}))
	f.enter(mage, &eventv1.Creature{Hp: &hp, Counters: map[string]int64{body.OldTemporary: 5, body.CActual: 3, body.OldCast + "bolt": 1}, Marks: map[string]string{body.OldMounted: "yes"}})
	m := f.Creature("m")
	if body.Nonlethal(m) != 5 || m.Counters[body.CTemporary] != 5 || m.Counters[body.CLeft+"bolt"] != 1 || !body.Has(m, body.CondMounted) || len(m.Marks) != 0 || m.GetHp() != 12 {
		t.Fatalf("%v %v %v, %d points", m.Counters, m.Marks, m.Conditions, m.GetHp())
	}
}

// original.pursuit.rounds-to-catch: the chase is over when the last who runs is
// taken off the field.
func TestTheLastPursuerLeaves(t *testing.T) {
	f := hunt(t, 60, 4, 3, 4, 4)
	if f.gap("a", "orcs") != "60:1" {
		t.Fatalf("the gap is %q", f.gap("a", "orcs"))
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Remove{Remove: &eventv1.RemoveCreature{Creature: "orc"}}})
	if body.Has(f.Creature("a"), body.CondFleeing) || !noted(f, "nobody pursues any more", cite.PursuitRoundsToCatch) {
		t.Fatalf("it still flees: %v", f.Creature("a").Conditions)
	}
}
