package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mage gives a sheet a spark, a tree of rank 10, 20 mana and spells.
func mage(s *eventv1.SparkSheet) {
	s.Sparks, s.ManaTrees, s.Mana = []string{"arcane"}, []*eventv1.SparkTree{{Name: "embers", Rank: 10}}, 20
	s.Spells = []*eventv1.SparkSpell{
		{Name: "fire", ManaCost: 6, Dc: 17, Delivery: "ranged", DamageDice: "2d6", Save: "reflex", HalfOnSave: true, RangeFeet: 60},
		{Name: "touch", ManaCost: 3, Dc: 14, Delivery: "melee-touch", Attack: true, AttackModifier: 6, DamageDice: "1d10"},
		{Name: "storm", ManaCost: 8, Dc: 16, Delivery: "ranged", Rounds: 3, DamageDice: "4d6", Targets: 2},
		{Name: "bless", ManaCost: 2, Dc: 12, Delivery: "other", Concentration: true},
	}
}

func spellDuel(t *testing.T) *table {
	t.Helper()
	return newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("hag", "monsters", mage)).start()
}

// number answers a decision for a number.
func (f *table) number(name string, n int32, faces ...int) {
	f.T.Helper()
	d := f.Decisions[0]
	if d.Name != name {
		f.T.Fatalf("%s is open, not %s", d.Name, name)
	}
	a := &eventv1.Answer{Number: n}
	if err := rules.CheckAnswer(d, a); err != nil {
		f.T.Fatal(err)
	}
	f.Recorded = append(f.Recorded, rules.Answered(d, a, "answer"))
	if err := f.Resume(faces); err != nil {
		f.T.Fatal(err)
	}
}

// spark.spell.counterspell-result, spark.spell.counterspell-rank,
// spark.spell.counterspell-cost, spark.spell.countered-mana-lost, spark.fumble.checks
func TestCounterspell(t *testing.T) {
	for _, c := range []struct {
		name      string
		stake     int32
		faces     []int
		countered bool
		left      int64
	}{
		{"rank 10 and 7 mana: 8, equal is not enough", 7, []int{10, 9, 5, 3, 4}, false, 13},
		{"18 counters", 7, []int{10, 10}, true, 13},
		{"11 mana, fails", 11, []int{10, 8, 5, 3, 4}, false, 9},
		{"a natural 1 fails", 20, []int{10, 1, 5, 3, 4}, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := spellDuel(t)
			f.Must(act("hag", declaring.KindCast, "fire", "ara"))
			f.End("ara")
			f.Answer(body.DecCounterspell, "yes")
			if d := f.Decisions[0]; d.Minimum != 1 || d.Maximum != 20 { // spark.spell.counterspell-declare-mana
				t.Fatalf("from %d to %d mana", d.Minimum, d.Maximum)
			}
			f.number(body.DecMana, c.stake, c.faces...)
			damage := int32(0)
			if !c.countered {
				damage = 7
			}
			f.WantHP("ara", 30-damage)
			if hag, ara := f.Creature("hag").Counters[body.CMana], f.Creature("ara").Counters[body.CMana]; hag != 14 || ara != c.left {
				t.Fatalf("mana of the hag %d, of ara %d", hag, ara)
			}
		})
	}
}

// spark.spell.counterspell-rank, spark.dice.rounding
func TestHalfRank(t *testing.T) {
	for rank, want := range []int32{1, 1, 1, 1, 2, 2, 3, 3} {
		c := &eventv1.Creature{Sheet: &eventv1.Sheet{Section: &eventv1.Sheet_Spark{Spark: &eventv1.SparkSheet{ManaTrees: []*eventv1.SparkTree{{Name: "t", Rank: int32(rank)}}}}}}
		if got := resolving.HalfRank(c, "t"); got != want {
			t.Errorf("rank %d gives %d, want %d", rank, got, want)
		}
	}
}

// spark.spell.counterspell-eligibility: a fighter without a spark is not asked;
// nor is whoever has used the reaction
func TestNoCounterspell(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara", 10, 20, 3, 4)
	f.WantHP("ara", 27)
}

// spark.turn.counterspell-announced-first-half, spark.spell.counterspell-cost:
// a caster put out before its slot keeps its mana, and no counter is rolled
func TestCasterPutOut(t *testing.T) {
	f := spellDuel(t).at(20, fighter("wen", "party"))
	f.Hurt("hag", 5)
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.Must(act("wen", declaring.KindAttack, "bow", "hag"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 10, 15, 8)
	f.WantHP("hag", 0)
	if hag, ara := f.Creature("hag").Counters[body.CMana], f.Creature("ara"); hag != 20 || ara.Counters[body.CMana] != 20 {
		t.Fatalf("mana %d and %d", hag, ara.Counters[body.CMana])
	}
}

// spark.turn.touch-spells-with-melee: by its total among the melee attacks
func TestTouchSpell(t *testing.T) {
	f := spellDuel(t)
	f.Hurt("ara", 3)
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"))
	f.Answer(body.DecCounterspell, "no", 13, 11, 5) // 19 against 16
	f.WantAttacks("hag hit", "ara lost")
}

// spark.turn.spells-with-ranged: before melee whatever the totals
func TestSpellBeforeMelee(t *testing.T) {
	f := spellDuel(t)
	f.Hurt("ara", 2)
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"))
	f.Answer(body.DecCounterspell, "no", 5, 19, 2, 6, 6)
	f.WantAttacks("ara lost")
}

// spark.action.multi-round-lock: rounds 1, 2 and 3, free again in round 4
func TestLock(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	wantRefused(t, f.Try(act("hag", declaring.ActSpeak, "", "")), cite.ActionMultiRoundLock)
	f.End("ara", 10)
	for round := range 2 {
		f.WantActive("ara")
		wantRefused(t, f.Try(act("hag", declaring.KindMove, "", "", to(10))), cite.ActionMultiRoundLock)
		if round == 0 {
			f.Must(act("ara", declaring.KindMove, "", "", to(-20))) // no reaction either
			continue
		}
		f.End("ara", 10, 1, 2, 3, 4)
	}
	f.WantHP("ara", 20)
	f.WantActive("ara", "hag")
	if got := f.Creature("hag").Counters[body.CMana]; got != 12 {
		t.Fatalf("mana %d", got)
	}
}
