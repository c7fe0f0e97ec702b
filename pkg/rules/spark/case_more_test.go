package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// spark.turn.full-attack-slots: what each fumble of the second of three attacks leaves to the third
func TestSecondOfThree(t *testing.T) {
	three := func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 }
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		fumble []int
		third  bool
	}{
		{"2 S chipped", sword, []int{1, 1}, true},
		{"3 S bump", sword, []int{1, 2}, false},
		{"4 S dropped", sword, []int{2, 2}, false},
		{"5 S trip", sword, []int{2, 3}, true},
		{"7 S flies", sword, []int{3, 4, 1, 1, 1}, false},
		{"8 S broken", sword, []int{4, 4}, false},
		{"2 B knee", mace, []int{1, 1}, true},
		{"7 B cracked", mace, []int{3, 4}, false},
		{"3 P behind", spear, []int{1, 2}, true},
		{"2 F trip", claw, []int{1, 1}, true},
		{"4 F sprain", claw, []int{2, 2}, true},
		{"7 F wrist", claw, []int{3, 4}, false},
		{"2 M bow", bow, []int{1, 1}, false},
		{"3 M missile", bow, []int{1, 2}, true},
		{"8 M string", bow, []int{4, 4}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, armedWith(c.weapon), three)
			dice := append([]int{2, 1}, c.fumble...) // the first misses
			if c.third {
				dice = append(dice, 3)
			}
			switch c.name {
			case "8 S broken":
				dice = append(dice, 1) // the blow itself
			case "2 B knee":
				dice = append(dice, 1)
			}
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc,orc,orc"))
			f.End("orc", dice...)
			thrown, lost := len(f.Rolls("attack/ara/3")), 0
			for _, a := range f.Attacks() {
				if a == "ara lost" {
					lost++
				}
			}
			if (thrown == 1) != c.third || (lost == 1) == c.third {
				t.Fatalf("the third is thrown %d times: %v", thrown, f.Attacks())
			}
		})
	}
}

// spark.turn.full-attack-slots: a weapon lost does not stop another
func TestOtherWeaponGoesOn(t *testing.T) {
	f := duel(t, twoHanded)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "off-hand:dagger")))
	f.End("orc", 1, 2, 2, 2)
	f.WantAttacks("ara fumble", "ara lost", "ara miss")
	f = duel(t, twoHanded)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "off-hand:dagger", "bonus_first", true)))
	f.End("orc", 1, 2, 2, 2, 2) // the dagger drops
	f.WantAttacks("ara fumble", "ara miss", "ara miss")
}

// spark.fumble.alt-retrieve, spark.turn.killed-first-fails: whoever is put out while fetching throws no further d20
func TestPutOutWhileFetching(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 })
	f.Hurt("ara", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc,orc"))
	f.End("orc", 15, 1, 3)
	f.Choose("reflex", 2, 4, 7)
	f.Choose("fetch")
	f.Answer(body.DecOpportunity, "sword", 15, 1)
	f.WantAttacks("orc hit", "ara lost", "ara lost")
	f.WantHP("ara", 0)
	f.WantHP("orc", 30)
	if got := f.Creature("ara").Items["sword"].Place; got != "dropped" {
		t.Fatalf("the sword is %q", got)
	}
}

// spark.spell.counterspell-declare-mana: what is spent on an own spell first is not there to be staked, and the other way round
func TestManaForBoth(t *testing.T) {
	for _, c := range []struct {
		name      string
		own, hers int // faces for the order
		dice      []int
		ara, hag  int32
		left      int64
	}{
		{"the own spell first", 15, 5, []int{20, 1, 1, 20, 1, 1}, 1, 1, 14},
		{"the counterspell first", 5, 15, []int{20}, 0, 0, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := spellDuel(t)
			f.Count("ara", body.CMana, 20)
			f.Must(act("ara", declaring.KindCast, "fire", "hag"))
			f.Must(act("hag", declaring.KindCast, "fire", "ara"))
			f.Answer(body.DecCounterspell+"/hag", "no")
			f.Answer(body.DecCounterspell+"/ara", "yes")
			f.number(body.DecMana, 16, append([]int{c.own, c.hers}, c.dice...)...)
			f.WantHP("ara", 30-c.ara)
			f.WantHP("hag", 30-c.hag)
			if got := f.Creature("ara").Counters[body.CMana]; got != c.left {
				t.Fatalf("%d mana, want %d", got, c.left)
			}
		})
	}
}

// spark.fumble.hit-behind-half: nobody is behind itself, and of two aimed at on either side the one aimed at is spared
func TestBehindIsNotTheTarget(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party", armedWith(spear), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 }), fighter("orc", "monsters"), fighter("orc2", "monsters")).start()
	if err := f.Try(act("ara", declaring.KindAttack, "spear", "orc", withFacts("behind", "ara"))); err == nil {
		t.Fatal("behind itself")
	}
	f.Must(act("ara", declaring.KindAttack, "spear", "orc,orc2", withFacts("behind", "orc2")))
	f.pass(1, 1, 2, 1, 1, 2, 6)
	f.WantHP("orc2", 26)
	f.WantHP("orc", 30)
}

// spark.fumble.trip-two-rounds: the longer bar counts, whichever came first
func TestTheLongerBar(t *testing.T) {
	arms := func(s *eventv1.SparkSheet) { s.Weapons, s.AttacksPerRound = []*eventv1.SparkWeapon{spear, claw}, 2 }
	for _, weapons := range [][]string{{"spear", "claw"}, {"claw", "spear"}} {
		f := duel(t, arms)
		f.Must(act("ara", declaring.KindAttack, weapons[0], "orc,orc", withParameters("weapons", weapons)))
		f.End("orc", 1, 1, 1, 1, 1, 1)
		for range 2 {
			wantRefused(t, f.Try(act("ara", declaring.KindAttack, "claw", "orc")), cite.FumbleTripTwoRounds)
			f.pass()
		}
		f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
	}
}

// spark.fumble.missile-rebounds, spark.fumble.missile-broken: the widest range counts; the arrow that rebounds can be gathered
func TestReboundAtTheWidestRange(t *testing.T) {
	for at, struck := range map[int32]bool{160: true, 165: false} {
		f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(at, fighter("wen", "party")).start()
		dice := []int{1, 2, 3}
		if struck {
			dice = append(dice, 5)
		}
		f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
		f.pass(dice...)
		if got := f.Creature("wen").GetHp() == 24; got != struck {
			t.Errorf("at %d ft: struck %v", at, got)
		}
		if n := f.Creature("ara").Counters; n[body.CSpent+"bow"] != 1 || n[body.CAmmunition+"bow"] != 11 {
			t.Errorf("%v", n)
		}
	}
}

// spark.item.magic-save: a natural 1 breaks nothing, a natural 20 is only a number
func TestHardnessFaces(t *testing.T) {
	for _, c := range []struct {
		str  int32
		face int
		want string
	}{{40, 1, body.Cracked}, {8, 20, body.Cracked}, {9, 20, body.Broken}} {
		f := duel(t, armedWith(magical(sword, 1)), func(s *eventv1.SparkSheet) { s.StrengthModifier = c.str })
		f.strikes("sword", 1, 4, 4, c.face, 1)
		if got := f.Creature("ara").Marks[body.MWeapon+"sword"]; got != c.want {
			t.Errorf("%d and %d: %q, want %q", c.face, c.str, got, c.want)
		}
	}
}

// spark.fumble.weapon-cracked: a critical fail of the risky blow breaks it as well; lost before, it is not used
func TestRiskyBlow(t *testing.T) {
	set := func() *table {
		f := newTable(t).at(0, fighter("ara", "party", armedWith(mace))).at(5, fighter("orc", "monsters")).at(40, fighter("wen", "party")).start()
		f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MWeapon + "mace": body.Cracked}})
		return f
	}
	risky := act("ara", declaring.KindAttack, "mace", "orc", withParameters("use_cracked", true))
	f := set()
	f.Must(risky)
	f.pass(2) // a miss is a use
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Broken {
		t.Fatalf("missed: %q", got)
	}
	f = set()
	f.Must(risky)
	f.pass(1, 2, 1, 1)
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Broken {
		t.Fatalf("fumbled: %q", got)
	}
	f = set()
	f.Hurt("orc", 2)
	f.Must(risky)
	f.Must(act("wen", declaring.KindAttack, "bow", "orc"))
	f.End("orc", 15, 15, 1)
	if got := f.Creature("ara").Marks[body.MWeapon+"mace"]; got != body.Cracked {
		t.Fatalf("lost before: %q", got)
	}
}

// spark.critical.multiplier, spark.fumble.sprain-wrist, spark.fumble.weapon-chipped: all at once: (5 + 3 - 2) x 3, halved
func TestAllThatCounts(t *testing.T) {
	f := duel(t)
	f.Count("ara", body.CChip+"sword", 2)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjurySprain, Side: "right"}}})
	f.strikes("sword", 20, 13, 5)
	f.WantHP("orc", 21)
	f.Count("ara", body.CChip+"sword", 9)
	f.strikes("sword", 20, 20, 5) // 5 + 3 - 9 is not below 0, five times nothing
	f.WantHP("orc", 21)
}

// spark.dice.drop-to-zero: 0 and below are out, and what is out is no longer aimed at; healing and mana stop at their tops
func TestBelowZero(t *testing.T) {
	f := duel(t)
	f.Hurt("orc", 1)
	f.strikes("sword", 15, 8)
	f.WantHP("orc", 0)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "sword", "orc")), cite.AttackRoll) // nobody is left
	potion := func(s *eventv1.SparkSheet) {
		s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 1, Healing: "1d8"}}
	}
	f = duel(t, potion)
	f.Hurt("ara", 29)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")))
	f.End("orc", 10, 8)
	f.WantHP("ara", 30)
}

// spark.dice.drop-to-zero, spark.turn.killed-first-fails: whoever is healed in the round in which it fell still has lost what was waiting, but declares in the next
func TestHealedInTheSameRound(t *testing.T) {
	healer := func(s *eventv1.SparkSheet) {
		mage(s)
		s.Spells = []*eventv1.SparkSpell{{Name: "mend", Delivery: "ranged", Healing: "1d8", ManaCost: 1, Dc: 10, RangeFeet: 60}}
	}
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(20, fighter("imp", "monsters")).at(-20, fighter("wen", "party", healer)).start()
	f.Hurt("ara", 2)
	f.Must(act("imp", declaring.KindAttack, "bow", "ara"))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("wen", declaring.KindCast, "mend", "ara"))
	f.End("orc", 15, 18, 5, 1, 8)
	f.WantAttacks("imp hit", "ara lost")
	f.WantHP("ara", 8)
	f.WantActive("ara", "imp", "orc", "wen")
}

// spark.turn.declare: two move, and distances are those of the places both reach
func TestBothMove(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(20)))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara", to(25)), 2, 2)
	f.WantAttacks("ara miss", "orc miss")
	f = newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", to(20)))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara", to(30)))
	f.WantAttacks("ara lost", "orc lost") // 10 ft apart
}

// spark.reaction.opportunity-attack: a reach of 10 ft is left by the step beyond it, not by the first
func TestLongReach(t *testing.T) {
	pike := proto.CloneOf(spear)
	pike.ReachFeet = 10
	f := newTable(t).at(0, fighter("ara", "party", armedWith(pike))).at(5, fighter("orc", "monsters")).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(10)))
	f.End("ara")
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "spear", 15, 1)
	if p := f.Creature("orc").Position.X; p != 15 {
		t.Fatalf("at %d", p)
	}
	f.WantHP("orc", 26)
}

// spark.action.multi-round-lock, spark.spell.counterspell-result: a spell of rounds that is countered in its first is over with that round
func TestLongSpellCountered(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 10, 9) // 17 beats 16
	f.WantActive("ara", "hag")
	if n := f.Creature("hag").Counters; n[body.CMana] != 12 || len(f.Creature("hag").Begun) > 0 {
		t.Fatalf("%v", n)
	}
	// In later rounds nobody is asked any more, and the mana is paid at the end.
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 10, 8) // 16 does not
	if n := f.Creature("hag").Counters; n[body.CMana] != 12 {
		t.Fatalf("%v", n)
	}
	f.End("ara")
	f.End("ara", 10, 1, 1, 1, 1)
	f.WantHP("ara", 26)
	if n := f.Creature("hag").Counters; n[body.CMana] != 4 {
		t.Fatalf("%v", n)
	}
}

// spark.initiative.other-deeds, spark.action.charge: a contested charge keeps its +1 and cannot come before its way
func TestContestedCharge(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party")).at(25, fighter("ghoul", "monsters")).at(5, fighter("wen", "party")).start()
	f.Hurt("wen", 4)
	f.Must(deedOf("bryn", "shut the door", "ghoul"))
	f.Must(act("wen", declaring.KindAttack, "sword", "ghoul"))
	f.Must(act("ghoul", declaring.KindCharge, "sword", "wen", to(10)), 2, 10, 18, 1)
	// The ghoul's way has 11, its blow 24; bryn's deed 3; wen's blow is lost, as she was 20 ft off.
	f.WantAttacks("wen lost", "ghoul hit")
	if got := f.Roll("attack/ghoul/1").Total; got != 24 {
		t.Fatalf("total %d", got)
	}
	f.WantHP("wen", 0)
}

// spark.reaction.one-per-round: a reaction refused is still there for the next trigger of the round
func TestReactionKept(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage)).at(5, fighter("orc", "monsters")).at(40, fighter("hag", "monsters", mage)).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(20)))
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.Answer(body.DecOpportunity, "no")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 10, 10)
	f.WantHP("ara", 30)
}

// spark.reaction.opportunity-attack: one that leaves the reach of two at one step is attacked by both, and not by the second once it is out
func TestTwoReactors(t *testing.T) {
	for _, hp := range []int32{30, 4} {
		f := newTable(t).at(0, fighter("ara", "party")).atXY(0, 5, fighter("bryn", "party")).at(5, fighter("orc", "monsters")).start()
		f.Hurt("orc", hp)
		f.Must(act("orc", declaring.KindMove, "", "", to(20)))
		f.End("ara")
		f.End("bryn")
		f.Answer(body.DecOpportunity+"/ara", "sword")
		dice := []int{15, 1}
		if hp > 4 {
			dice = append(dice, 15, 1)
		}
		f.Answer(body.DecOpportunity+"/bryn", "sword", dice...)
		f.WantHP("orc", max(0, hp-8))
		if hp == 4 {
			f.WantAttacks("ara hit")
			if got := f.spends(body.CReaction); len(got) != 1 || got[0] != "ara" {
				t.Fatalf("reactions spent by %v", got)
			}
		}
	}
}

// spark.action.multi-round-lock: the targets of a long spell that have moved out of its range by its end are not reached
func TestLongSpellOutOfRange(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(30, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.Spells[2].RangeFeet = 60 })).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10)
	f.Must(act("ara", declaring.KindMove, "", "", to(-30)))
	f.Must(act("ara", declaring.KindMove, "", "", to(-35)), 10) // 65 ft
	f.WantHP("ara", 30)
	if got := f.Creature("hag").Counters[body.CMana]; got != 12 {
		t.Fatalf("%d mana", got)
	}
}
