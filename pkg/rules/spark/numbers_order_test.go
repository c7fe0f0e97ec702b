package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.initiative.other-deeds: who shuts the door first; the mover need not know that its way is contested
func TestDoor(t *testing.T) {
	for _, c := range []struct {
		name  string
		bryn  int
		ghoul int
		shut  bool
	}{{"12 against 11", 9, 10, true}, {"12 against 12, the player's deed first", 9, 11, true}, {"12 against 13", 9, 12, false},
		{"a natural 1 is only late", 1, 2, true}, {"a natural 1 that is too late", 1, 5, false}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("bryn", "party", func(s *eventv1.SparkSheet) { s.Initiative = 3 })).at(20, fighter("ghoul", "monsters")).start()
			f.Must(act("bryn", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "ghoul")))
			f.Must(act("ghoul", declaring.KindMove, "", "", to(0)), c.bryn, c.ghoul)
			if shut := f.Creature("ghoul").Position.X == 20; shut != c.shut {
				t.Fatalf("shut %v", shut)
			}
		})
	}
}

// spark.initiative.other-deeds: an attack at the end of a contested move waits for the move
func TestContestedApproach(t *testing.T) {
	for _, c := range []struct {
		ghoul  int
		faces  []int
		attack string
	}{{10, []int{18}, "ghoul lost"}, {12, []int{18, 1}, "ghoul hit"}} {
		f := newTable(t).at(0, fighter("bryn", "party", func(s *eventv1.SparkSheet) { s.Initiative = 3 })).at(20, fighter("ghoul", "monsters")).start()
		f.Must(act("bryn", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "ghoul")))
		f.Must(act("ghoul", declaring.KindAttack, "sword", "bryn", to(5)), append([]int{9, c.ghoul}, c.faces...)...)
		f.WantAttacks(c.attack)
	}
}

// spark.turn.ranged-before-melee: among shots the higher total first
func TestTwoArchers(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Hurt("ara", 2)
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.Must(act("orc", declaring.KindAttack, "bow", "ara"), 10, 13, 1) // 15 and 18
	f.WantAttacks("orc hit", "ara lost")
	// A zombie's 22 waits for an arrow of 9.
	f = newTable(t).at(0, fighter("ara", "party", stats(14, 2))).at(20, fighter("zombie", "monsters", stats(8, 4))).at(25, fighter("wen", "party")).start()
	f.Hurt("zombie", 5)
	f.Must(act("ara", declaring.KindAttack, "bow", "zombie"))
	f.Must(act("zombie", declaring.KindAttack, "sword", "wen"))
	f.pass(7, 18, 4)
	f.WantAttacks("ara hit", "zombie lost")
}

// spark.turn.spells-with-ranged: an arrow of 15 before a spell of 11, a spell of 6 before a blow of 24
func TestSpellsAmongShots(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", stats(14, 5))).at(40, fighter("hag", "monsters", mage)).start()
	f.Hurt("hag", 2)
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.Must(act("ara", declaring.KindAttack, "bow", "hag"), 10, 10, 1)
	f.WantHP("hag", 0)
	f.WantHP("ara", 30)
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Hurt("ara", 1)
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"), 5, 19, 10, 1, 1)
	f.WantAttacks("ara lost")
}

// spark.turn.touch-spells-with-melee: an arrow of total 8 comes before a touch of 19
func TestArrowBeforeTouch(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.ArmorClass = 8 })).
		at(40, fighter("wen", "party", stats(14, 2))).start()
	f.Hurt("hag", 2)
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.Must(act("wen", declaring.KindAttack, "bow", "hag"))
	f.pass(13, 6, 1)
	f.WantAttacks("wen hit")
	f.WantHP("hag", 0)
	f.WantHP("ara", 30)
}

// spark.turn.melee-order: three in a ring, one list over the whole melee
func TestRing(t *testing.T) {
	f := newTable(t).at(0, fighter("a", "party")).at(5, fighter("b", "monsters")).atXY(0, 5, fighter("c", "others")).start()
	f.Hurt("b", 4)
	f.Must(act("a", declaring.KindAttack, "sword", "b"))
	f.Must(act("b", declaring.KindAttack, "sword", "c"))
	f.Must(act("c", declaring.KindAttack, "sword", "a"), 15, 13, 11, 1, 2)
	f.WantAttacks("a hit", "b lost", "c hit")
	f.WantHP("c", 30)
	f.WantHP("a", 25)
}

// spark.turn.killed-first-fails, spark.turn.tie-to-player, by numbers
func TestMeleeNumbers(t *testing.T) {
	for _, c := range []struct {
		name            string
		araAC           int32
		ara, orc        int // totals less 5
		araHP, orcHP    int32
		dice            []int
		want            []string
		araLeft, orcEnd int32
	}{
		{"orc 19 before ara 17", 15, 12, 14, 30, 30, []int{2, 2}, []string{"orc hit", "ara hit"}, 25, 25},
		{"21 against AC 22 is a miss", 22, 10, 16, 30, 30, []int{2}, []string{"orc miss", "ara hit"}, 30, 25},
		{"orc 23 kills before ara's 19", 15, 14, 18, 5, 30, []int{2}, []string{"orc hit", "ara lost"}, 0, 30},
		{"both 18, the player's 7 are enough", 15, 13, 13, 30, 7, []int{4}, []string{"ara hit", "orc lost"}, 30, 0},
		{"left at 1 hit point", 15, 12, 14, 6, 30, []int{2, 2}, []string{"orc hit", "ara hit"}, 1, 25},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", stats(c.araAC, 5))).at(5, fighter("orc", "monsters")).start()
			f.Hurt("ara", c.araHP)
			f.Hurt("orc", c.orcHP)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"), append([]int{c.ara, c.orc}, c.dice...)...)
			f.WantAttacks(c.want...)
			f.WantHP("ara", c.araLeft)
			f.WantHP("orc", c.orcEnd)
		})
	}
}

// counter has ara counter the hag's fire of a DC with 20 mana and a tree of a rank.
func counterOf(t *testing.T, dc, rank int32, trees ...*eventv1.SparkTree) *table {
	t.Helper()
	f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) {
		s.ManaTrees[0].Rank = rank
		s.ManaTrees = append(s.ManaTrees, trees...)
	})).at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.Spells[0].Dc = dc })).start()
	return f
}

// spark.spell.counterspell-rank, spark.spell.counterspell-mana-table, spark.spell.counterspell-result,
// spark.spell.counterspell-eligibility, spark.fumble.checks
func TestCounterNumbers(t *testing.T) {
	for _, c := range []struct {
		name            string
		dc, rank, stake int32
		face            int
		total           int32
		countered       bool
	}{
		{"rank 10 and 7 mana: +8, 17 against 16", 16, 10, 7, 9, 17, true},
		{"17 is not higher than 17", 17, 10, 7, 9, 17, false},
		{"rank 9 and 16 mana: +9", 17, 9, 16, 9, 18, true},
		{"a cantrip user with 1 mana: +2", 12, 0, 1, 11, 13, true},
		{"3 mana between two rows: +1", 12, 0, 3, 10, 12, false},
		{"a natural 1 fails although 14 beats 12", 12, 18, 11, 1, 14, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := counterOf(t, c.dc, c.rank)
			f.Must(act("hag", declaring.KindCast, "fire", "ara"))
			f.End("ara")
			f.Answer(body.DecCounterspell, "yes")
			dice := []int{10, c.face}
			if !c.countered {
				dice = append(dice, 20, 1, 1)
			}
			f.number(body.DecMana, c.stake, dice...)
			r := f.Roll("counter/hag/ara")
			if r.Total != c.total || f.Creature("ara").Counters[body.CMana] != int64(20-c.stake) || f.Creature("hag").Counters[body.CMana] != 14 {
				t.Fatalf("total %d, mana %v", r.Total, f.Creature("ara").Counters)
			}
			if damaged := f.Creature("ara").GetHp() < 30; damaged == c.countered {
				t.Fatalf("countered %v", !damaged)
			}
		})
	}
}

// spark.spell.counterspell-declare-mana: from 1 to what there is; without mana nobody is asked
func TestStake(t *testing.T) {
	f := counterOf(t, 17, 10)
	f.Count("ara", body.CMana, 6)
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	d := f.Decisions[0]
	for stake, fits := range map[int32]bool{0: false, 1: true, 6: true, 7: false} {
		if err := rules.CheckAnswer(d, &eventv1.Answer{Number: stake}); (err == nil) != fits {
			t.Errorf("a stake of %d: %v", stake, err)
		}
	}
	f.number(body.DecMana, 6, 10, 20)
	if r := f.Roll("counter/hag/ara"); r.Total != 20+2+5 || f.Creature("ara").Counters[body.CMana] != 0 {
		t.Fatalf("%v", r)
	}
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara", 10, 20, 1, 1)
}

// spark.spell.counterspell-rank: of several trees one is named, the highest by default
func TestNamedTree(t *testing.T) {
	f := counterOf(t, 17, 4, &eventv1.SparkTree{Name: "wards", Rank: 10})
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 1)
	if d := f.Decisions[0]; d.Name != body.DecTree || d.DefaultOption != "wards" {
		t.Fatalf("%v", d)
	}
	f.Choose("embers", 10, 15)
	if r := f.Roll("counter/hag/ara"); r.Total != 15+1+2 {
		t.Fatalf("%v", r)
	}
}

// spark.spell.counterspell-result: two against one spell, in the order announced; those left over cost no mana
func TestTwoCounterspells(t *testing.T) {
	for _, c := range []struct {
		faces     []int
		ara, bryn int64
	}{{[]int{10, 13, 12}, 19, 13}, {[]int{10, 20}, 19, 20}} {
		f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.ManaTrees[0].Rank = 8 })).
			at(10, fighter("bryn", "party", mage, func(s *eventv1.SparkSheet) { s.ManaTrees[0].Rank = 8 })).
			at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.Spells[0].Dc = 18 })).start()
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		f.pass()
		f.Answer(body.DecCounterspell+"/ara", "yes")
		f.Answer(body.DecCounterspell+"/bryn", "yes")
		f.number(body.DecMana, 1)             // +5
		f.number(body.DecMana, 7, c.faces...) // +7
		f.WantHP("ara", 30)
		if a, b := f.Creature("ara").Counters[body.CMana], f.Creature("bryn").Counters[body.CMana]; a != c.ara || b != c.bryn {
			t.Fatalf("mana %d and %d, want %d and %d", a, b, c.ara, c.bryn)
		}
	}
}

// spark.turn.counterspell-announced-first-half: the counterspeller is killed first: no roll, no mana, the spell goes off
func TestCounterspellerKilled(t *testing.T) {
	f := counterOf(t, 17, 10).at(40, fighter("archer", "monsters")).at(20, fighter("wen", "party"))
	f.Hurt("ara", 2)
	f.Must(act("hag", declaring.KindCast, "fire", "wen"))
	f.Must(act("archer", declaring.KindAttack, "bow", "ara"))
	f.pass()
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 8, 15, 1, 20, 1, 1)
	f.WantHP("ara", 0)
	f.WantHP("wen", 29)
	if got := f.Creature("ara").Counters; got[body.CMana] != 20 || len(f.Rolls("counter/hag/ara")) != 0 {
		t.Fatalf("mana %d", got[body.CMana])
	}
}

// spark.spell.countered-mana-lost: 15 of 30, cost 6
func TestManaOfTheCaster(t *testing.T) {
	for _, face := range []int{20, 2} {
		f := counterOf(t, 17, 10)
		f.Count("hag", body.CMana, 15)
		f.Must(act("hag", declaring.KindCast, "fire", "ara"))
		f.End("ara")
		f.Answer(body.DecCounterspell, "yes")
		dice := []int{10, face}
		if face == 2 {
			dice = append(dice, 20, 1, 1)
		}
		f.number(body.DecMana, 11, dice...)
		if h, a := f.Creature("hag").Counters[body.CMana], f.Creature("ara").Counters[body.CMana]; h != 9 || a != 9 {
			t.Fatalf("mana %d and %d", h, a)
		}
	}
}

// spark.critical.auto-hit, spark.critical.multiplier
func TestCriticalNumbers(t *testing.T) {
	four := func(from int32) func(*eventv1.SparkSheet) {
		return func(s *eventv1.SparkSheet) {
			s.Weapons[0].CriticalFrom, s.Weapons[0].AttackModifier, s.Weapons[0].DamageBonus = from, 2, 4
		}
	}
	for _, c := range []struct {
		name   string
		from   int32
		ac     int32
		faces  []int
		want   string
		damage int32
	}{
		{"19-20 against AC 40", 19, 40, []int{19, 3, 6}, "ara critical", 10},
		{"20 against AC 22", 0, 22, []int{19}, "ara miss", 0},
		{"4", 19, 40, []int{19, 4, 6}, "ara critical", 20},
		{"16", 19, 40, []int{19, 16, 6}, "ara critical", 30},
		{"17", 19, 40, []int{19, 17, 6}, "ara critical", 40},
		{"20", 19, 40, []int{19, 20, 6}, "ara critical", 50},
	} {
		f := duel(t, four(c.from))
		f.State.Creatures["orc"].Sheet.GetSpark().ArmorClass = c.ac
		f.Put("orc", &eventv1.Vitals{HpTemp: ptr(100)})
		f.strikes("sword", c.faces...)
		f.WantAttacks(c.want)
		if got := 100 - f.Creature("orc").GetHpTemp(); got != c.damage {
			t.Errorf("%s: %d damage, want %d", c.name, got, c.damage)
		}
	}
}

// spark.fumble.checks: a spell's attack roll has no weapon class: it only fails
func TestSpellFumble(t *testing.T) {
	for _, setting := range []string{"off", "on"} {
		f := newTable(t, body.RuleAlt+"="+setting).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
		f.Must(act("hag", declaring.KindCast, "touch", "ara"))
		f.End("ara", 1)
		f.WantAttacks("hag miss")
	}
}

// spark.fumble.weapon-chipped: 7, and after a second chip 6; the third attack of a sequence already suffers
func TestChips(t *testing.T) {
	f := duel(t)
	f.strikes("sword", 1, 1, 1)
	f.strikes("sword", 15, 5)
	f.WantHP("orc", 23)
	f.strikes("sword", 1, 1, 1)
	f.strikes("sword", 15, 5)
	f.WantHP("orc", 17)
	f.Count("ara", body.CChip+"sword", 20)
	f.strikes("sword", 15, 5) // never below 0
	f.WantHP("orc", 17)
}

// spark.action.speak: three or four words
func TestWords(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.ActSpeak, "", "", withParameters("text", "behind you, the door!")))
	wantRefused(t, f.Try(act("ara", declaring.ActSpeak, "", "", withParameters("text", "they all come from behind"))), cite.ActionSpeak)
	if n := f.Creature("ara").Counters[body.CFree]; n != 4 {
		t.Fatalf("%d free actions left", n)
	}
}

// spark.condition.prone: standing up takes the move, a step of 5 ft is not enough, and a charge needs feet
func TestProneMoves(t *testing.T) {
	f := duel(t)
	f.Afflict("ara", body.CondProne)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-10))), body.RuleProne)
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "sword", "orc", to(-5))), body.RuleProne)
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", to(-5), withParameters("stand", true))), body.RuleProne)
	f.Must(act("ara", declaring.KindMove, "", "", to(-5)))
	f.End("orc")
	f.Choose("no")
	if !body.Has(f.Creature("ara"), body.CondProne) {
		t.Fatal("a step of 5 ft is enough")
	}
	f.Must(act("orc", declaring.KindAttack, "bow", "ara"))
	f.End("ara", 6) // an arrow has one die
	f.WantAttacks("orc miss")
}

// Words of the counters that outlast no fight.
//
// spark.fumble.alt-wild-swing, spark.fumble.trip-two-rounds
func TestEndOfTheFight(t *testing.T) {
	f := duel(t, armedWith(spear))
	f.strikes("spear", 1, 1, 1)
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
	f.Must(&eventv1.Command{What: &eventv1.Command_End{End: &eventv1.EndEncounter{}}})
	for _, id := range []string{"ara", "orc"} {
		c := f.Creature(id)
		for _, name := range rules.SortedKeys(c.Counters) {
			if c.Counters[name] != 0 && name == body.COrder {
				t.Errorf("%s keeps %s", id, name)
			}
		}
		if len(c.Marks) != 0 || len(c.Begun) != 0 || body.Has(c, body.CondStumbled) {
			t.Errorf("%s keeps %v, %v, %v", id, c.Marks, c.Begun, c.Conditions)
		}
	}
}
