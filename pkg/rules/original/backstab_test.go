package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// den puts a thief of a level with a dagger among three orcs that turn their
// backs; the base need against them is 12.
func den(t *testing.T, level int32, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	all := append(sheets{class("thief", level), dex(1), need(12), arms(stab)}, change...)
	f := newTable(t).at(0, one("thief", "party", all...))
	for i := range 3 {
		f.at(int32(5+i), one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), points(50), shield(1), dex(2)))
	}
	return f.start(nil, 6, 1)
}

// original.attack.backstab-first-only
func TestBackstabIsTheFirstAttackOnly(t *testing.T) {
	for _, c := range []struct {
		name    string
		first   []int
		outcome string
		damage  int32
	}{{"hits", []int{7, 2}, "hit", 6}, {"misses and is spent", []int{6}, "miss", 0}} {
		t.Run(c.name, func(t *testing.T) {
			f := den(t, 3)
			f.Must(act("thief", "backstab", "dagger", "orc-1", withFacts("position", "behind")), c.first...)
			if f.Attack().Outcome != c.outcome || f.DamageTo("orc-1") != c.damage {
				t.Fatalf("%s for %d: 7+1+4 meets 12, (2+1) x 2", f.Attack().Outcome, f.DamageTo("orc-1"))
			}
			wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-2")), cite.AttackBackstabFirstOnly)
			f.Must(act("thief", "attack", "dagger", "orc-2"), 8)
			if f.Attack().Outcome != "miss" {
				t.Fatal("8+1+2 is 11")
			}
			f.Must(act("thief", "attack", "dagger", "orc-3"), 9, 1)
			if f.Attack().Outcome != "hit" || f.DamageTo("orc-3") != 2 {
				t.Fatalf("9+1+2 meets 12 without shield and DEX, for 1+1, not %d", f.DamageTo("orc-3"))
			}
			// All three were caught: they lose the round and are at a
			// disadvantage in the next.
			f.End("thief")
			if f.State.Round != 2 {
				t.Fatalf("round %d", f.State.Round)
			}
			f.Must(act("thief", "attack", "dagger", "orc-3"), 2, 3)
			if got := f.Roll("to-hit").Expression; got != "2d20kh1" {
				t.Fatal(got)
			}
		})
	}
}

// original.attack.backstab-bonus-table
func TestBackstabTable(t *testing.T) {
	for _, c := range []struct{ level, times int32 }{{1, 2}, {4, 2}, {5, 3}, {6, 3}, {8, 3}, {9, 4}, {12, 4}, {13, 5}, {20, 5}} {
		x := &eventv1.Creature{Sheet: one("x", "p", class("thief", c.level))}
		if thestrike.Book.BackstabTimes(x) != c.times || thestrike.Book.BackstabToHit(x) != 4 {
			t.Errorf("level %d: times %d at +%d", c.level, thestrike.Book.BackstabTimes(x), thestrike.Book.BackstabToHit(x))
		}
	}
	f := den(t, 6)
	f.Must(act("thief", "backstab", "dagger", "orc-1", withFacts("position", "behind")), 7, 2)
	if f.Attack().Outcome != "hit" || f.DamageTo("orc-1") != 9 {
		t.Fatalf("level 6: (2+1) x 3, not %d", f.DamageTo("orc-1"))
	}
	f = den(t, 6)
	f.Must(act("thief", "backstab", "dagger", "orc-1", withFacts("position", "behind")), 20, 2)
	if f.Attack().Outcome != "critical" || f.DamageTo("orc-1") != 12 {
		t.Fatalf("a critical adds one to the multiplier: (2+1) x 4, not %d", f.DamageTo("orc-1"))
	}
}

func TestWhoMayBackstab(t *testing.T) {
	const rule = cite.AttackBackstabFirstOnly
	yes, no := true, false
	f := den(t, 3, class("fighter", 1))
	wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-1")), rule)
	f = den(t, 1, class("fighter", 1), with(func(o *eventv1.OriginalSheet) { o.CanBackstab = &yes }))
	f.Must(act("thief", "backstab", "dagger", "orc-1", withFacts("position", "behind")), 2)
	f = den(t, 3, with(func(o *eventv1.OriginalSheet) { o.CanBackstab = &no }))
	wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-1")), rule)
	f = den(t, 3)
	wantRefused(t, f.Try(act("thief", "backstab", "empty hand", "orc-1")), rule)
	wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-1", withFacts("position", "front"))), rule)
	wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-1", withFacts("distance", 15))), cite.MovementInMeleeDefinition)
	// One that exchanges blows with the thief cannot be come upon.
	f.Must(act("thief", "attack", "dagger", "orc-1"), 2)
	f.End("thief")
	for _, id := range []string{"orc-1", "orc-2", "orc-3"} {
		f.End(id)
	}
	wantRefused(t, f.Try(act("thief", "backstab", "dagger", "orc-1")), rule)
	f.Must(act("thief", "backstab", "dagger", "orc-2", withFacts("position", "behind")), 2)
	// In a surprise round the front will do, and the foe does not strike first.
	f = newTable(t).at(0, one("thief", "party", class("thief", 1), arms(stab))).at(5, one("orc", "orcs", arms(spear), points(50))).start(object("surprised", []string{"orcs"}))
	f.Must(act("thief", "backstab", "dagger", "orc", withFacts("position", "front")), 20, 1)
	if f.Attack().Outcome != "critical" {
		t.Fatal(f.Attack())
	}
}

// original.attack.backstab-first-only: whether the thief is noticed the game
// master says, unless it is stated; one that is noticed has done nothing yet.
func TestBackstabUnnoticed(t *testing.T) {
	f := den(t, 3)
	f.Must(act("thief", "backstab", "dagger", "orc-1"))
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecUnnoticed || !f.Decisions[0].GmOnly || f.Decisions[0].Creature != "" {
		t.Fatalf("asked: %v", f.Decisions)
	}
	f.Choose("no")
	if len(f.Attacks()) > 0 || f.Creature("thief").Counters[body.CAttacks] != 0 {
		t.Fatal("it was noticed before it struck")
	}
	f.Must(act("thief", "backstab", "dagger", "orc-1"))
	f.Choose("yes", 7, 2)
	if f.Attack().GetOutcome() != "hit" || f.DamageTo("orc-1") != 6 {
		t.Fatalf("%v: 7+1+4 meets 12, (2+1) x 2", f.Attack())
	}
}
