package spark

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// spark.fumble.trip-two-rounds, spark.fumble.timing: who trips in a reaction of the first half attacks in that round all the same; the two
// that follow are without attacks. A bar that no round ends holds until it is lifted.
func TestTrippedFromTheNextRound(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(spear))).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("imp", "monsters")).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(30)))
	f.Must(act("ara", declaring.KindAttack, "spear", "imp"))
	f.End("imp")
	f.Choose("spear", 1, 1, 1, 9, 1) // 2 P: trip; then 14 hits for 1 + 3
	f.WantAttacks("ara fumble", "ara hit")
	f.WantHP("imp", 26)
	for range 2 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "spear", "imp")), cite.FumbleTripTwoRounds)
		f.pass()
	}
	f.strikesAt("spear", "imp", 2)

	f = duel(t)
	f.Afflict("ara", body.CondStumbled)
	for range 3 {
		wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), body.BarredBy(f.Creature("ara")))
		f.pass()
	}
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{}})
}

// strikesAt has ara attack somebody while all others pass.
func (f *table) strikesAt(weapon, target string, faces ...int) {
	f.T.Helper()
	f.Must(act("ara", declaring.KindAttack, weapon, target))
	f.pass(faces...)
}

// spark.fumble.bump-nearest: a bump ruins attacks and magic of the round, and nothing else of it: deeds, tasks and items are done
func TestWhatABumpLeaves(t *testing.T) {
	for _, c := range []struct {
		name string
		does *eventv1.Command
		dice []int
		done func(f *table) bool
	}{
		{"a deed", deedOf("orc", "rings the bell", ""), []int{10}, func(f *table) bool { return f.hasNote("rings the bell (done)") }},
		{"a thing bashed", act("orc", declaring.KindBash, "", "", withParameters("object", "door", "dc", 5.0)), []int{10, 10}, func(f *table) bool { return f.hasNote("door is broken") }},
		{"an item", act("orc", declaring.KindMove, "", "", withParameters("bonus", "activate:wand")), []int{10}, func(f *table) bool { return f.Creature("orc").Counters[body.CLeft+"wand"] == 1 }},
		{"no attack", act("orc", declaring.KindAttack, "sword", "ara"), []int{20}, func(f *table) bool { return slices.Contains(f.Attacks(), "orc lost") }},
		{"no spell", act("orc", declaring.KindCast, "bless", ""), []int{10}, func(f *table) bool {
			return !body.Has(f.Creature("orc"), body.CondConcentrating) && f.Creature("orc").Counters[body.CMana] == 18
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters", twoHanded)).start()
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.Must(proto.CloneOf(c.does), append([]int{1, 2, 4}, c.dice...)...) // 6 S
			f.WantAttacks(append([]string{"ara fumble"}, f.Attacks()[1:]...)...)
			if !c.done(f) {
				t.Fatalf("%v %v", f.Attacks(), f.Creature("orc").Counters)
			}
			f.WantHP("ara", 30)
		})
	}
}

// spark.fumble.bump-nearest, spark.turn.killed-first-fails, spark.spell.countered-mana-lost: a spell that a bump ruined costs its mana; one whose caster is put out before its slot costs none,
// bumped into or not
func TestManaOfTheLostSpell(t *testing.T) {
	for _, c := range []struct {
		name string
		hp   int32
		mana int64
	}{{"bumped into", 30, 14}, {"bumped into and put out", 3, 20}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).at(60, fighter("wen", "party")).start()
			f.Hurt("hag", c.hp)
			f.Must(act("hag", declaring.KindCast, "fire", "wen"))
			f.Must(act("wen", declaring.KindAttack, "bow", "hag"))
			f.Must(act("ara", declaring.KindAttack, "sword", "hag"), 10, 20, 1, 2, 4, 2, 2) // 6 S; the spell stands at 11, the shot before it: a critical hit that counts once, for 2 + 1
			f.WantHP("wen", 30)
			if got := f.Creature("hag").Counters[body.CMana]; got != c.mana {
				t.Fatalf("%d mana", got)
			}
		})
	}
}

// spark.spell.countered-mana-lost, spark.spell.counterspell-declare-mana: exactly the mana that a spell or a counterspell costs is enough
func TestTheLastMana(t *testing.T) {
	for mana, cast := range map[int]bool{6: true, 5: false} {
		f := spellDuel(t)
		f.Count("hag", body.CMana, 0)
		f.Count("ara", body.CMana, mana)
		err := f.Try(act("ara", declaring.KindCast, "fire", "hag"))
		if !cast {
			wantRefused(t, err, cite.SpellCounteredManaLost)
			continue
		}
		f.End("hag", 10, 20, 1, 1) // no counterspell without mana
		f.WantHP("hag", 29)        // half of 2
		if got := f.Creature("ara").Counters[body.CMana]; got != 0 {
			t.Errorf("%d mana left", got)
		}
	}
	f := spellDuel(t)
	f.Count("hag", body.CMana, 1)
	f.Must(act("ara", declaring.KindCast, "fire", "hag"))
	f.End("hag")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 1, 10, 12) // 12 + 1 + 5 beats 17
	if a, b := f.Creature("ara").Counters[body.CMana], f.Creature("hag").Counters[body.CMana]; a != 14 || b != 0 {
		t.Errorf("%d and %d mana left", a, b)
	}
	f.WantHP("hag", 30)
}

// spark.turn.killed-first-fails, spark.turn.movement-first: who is put out in the first half, by a stray blow of somebody's reaction,
// does not make the move that it declared, nor asks anybody about it
func TestPutOutBeforeItsMove(t *testing.T) {
	for _, c := range []struct{ hp, y int32 }{{6, 30}, {5, 0}} {
		f := newTable(t).at(0, fighter("wen", "party")).at(5, fighter("orc", "monsters", armedWith(claw))).at(10, fighter("ara", "party")).start()
		f.Hurt("wen", c.hp)
		f.Must(act("ara", declaring.KindMove, "", "", to(40)))
		f.Must(act("wen", declaring.KindMove, "", "", way([3]int32{0, 30, 0})))
		f.End("orc")
		f.Answer(body.DecOpportunity, "claw", 1, 3, 3, 1) // 6 F: the nearest but for the target, for 1 + 4
		if p := f.Creature("wen").Position; p.Y != c.y {
			t.Errorf("wen with %d is at %v", c.hp, p)
		}
		f.WantHP("wen", c.hp-5)
	}
}

// spark.fumble.bump-nearest, spark.reaction.opportunity-attack: of two who answer one step, the first bumps into the second: its blow is
// ruined, and its reaction is not used
func TestBumpedIntoBeforeItsReaction(t *testing.T) {
	for _, c := range []struct {
		dice []int
		want []string
	}{
		{[]int{1, 2, 4, 2}, []string{"orc fumble"}},
		{[]int{1, 2, 4, 1, 15, 1}, []string{"orc fumble", "pig hit"}}, // it is ara who is bumped into
	} {
		f := newTable(t).at(5, fighter("orc", "monsters")).at(0, fighter("ara", "party")).atXY(5, 5, fighter("pig", "monsters")).start()
		f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
		f.End("orc")
		f.End("pig")
		f.Answer(body.DecOpportunity+"/orc", "sword")
		f.Answer(body.DecOpportunity+"/pig", "sword", c.dice...)
		f.WantAttacks(c.want...)
	}
}

// spark.reaction.opportunity-attack, spark.turn.killed-first-fails: nobody who is out, or has no place, answers a step, stated or measured
func TestWhoAnswersAStep(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).add(fighter("imp", "monsters")).start()
	f.Hurt("orc", 0)
	f.Must(act("ara", declaring.KindMove, "", "", to(-30), withFacts("provokes", []string{"orc"})))
	f.End("imp") // nobody is asked
	if p := f.Creature("ara").Position; p.X != -30 {
		t.Fatalf("at %v", p)
	}
	f.Must(act("ara", declaring.KindMove, "", "", to(-60)))
	f.End("imp")
	// Stated, it answers without a place; put out by it, the mover stays.
	for _, c := range [][2]int32{{4, -60}, {5, -30}} {
		hp, x := c[0], c[1]
		f.Hurt("ara", hp)
		f.Must(act("ara", declaring.KindMove, "", "", to(-30), withFacts("provokes", []string{"imp"})))
		f.End("imp")
		f.Answer(body.DecOpportunity, "sword", 15, 1)
		if p := f.Creature("ara").Position; p.X != x {
			t.Fatalf("%d hit points: at %v", hp, p)
		}
		f.Place("ara", -60, 0)
	}
}
