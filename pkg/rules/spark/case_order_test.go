package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spark.critical.auto-hit: a critical of 21 waits for an ordinary hit of 24
func TestCriticalWaitsForTheHigherTotal(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", stats(14, 2), func(s *eventv1.SparkSheet) { s.Weapons[0].CriticalFrom = 19 })).
		at(5, fighter("orc", "monsters", stats(40, 5))).start()
	f.Hurt("ara", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 19, 19, 1)
	f.WantAttacks("orc hit", "ara lost")
	f.WantHP("ara", 0)
	f.WantHP("orc", 30)
}

// spark.dice.advantage: a pulled muscle in the arms keeps the 1: a critical fail; without the rule there is one die
func TestPulledArmsKeepTheOne(t *testing.T) {
	for _, c := range []struct {
		setting string
		dice    []int
		want    string
	}{{"on", []int{1, 14, 2, 2}, "ara fumble"}, {"off", []int{14, 1}, "ara hit"}} {
		f := newTable(t, body.RuleAdvantage+"="+c.setting).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
		f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryArms}}})
		f.strikes("sword", c.dice...)
		f.WantAttacks(c.want)
	}
}

// spark.dice.advantage, spark.critical.auto-hit: the critical range is read on the kept die only
func TestCriticalOfTheKeptDie(t *testing.T) {
	for _, c := range []struct {
		way  string
		dice []int
		want string
	}{{"advantage", []int{20, 3, 9, 1}, "ara critical"}, {"disadvantage", []int{20, 15, 1}, "ara hit"}, {"disadvantage", []int{20, 20, 1, 1}, "ara critical"}} {
		f := duel(t)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc", circumstances(c.way+":test")))
		f.End("orc", c.dice...)
		f.WantAttacks(c.want)
	}
}

// spark.condition.prone: 12 and +2 reach an armour class of 14, and an arrow has one die
func TestProneNumbers(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", stats(14, 2))).at(5, fighter("orc", "monsters")).start()
	f.Afflict("orc", body.CondProne)
	f.strikes("sword", 6, 12, 1)
	f.WantAttacks("ara hit")
	f.strikes("bow", 6)
	f.WantAttacks("ara miss")
	f = newTable(t, body.RuleProne+"=off").at(0, fighter("ara", "party", stats(14, 2))).at(5, fighter("orc", "monsters")).start()
	f.Afflict("orc", body.CondProne)
	f.strikes("sword", 6)
}

// spark.turn.tie-to-player: who counts as a player's in a tie by the sheet alone
func TestTieOfASheetsPlayer(t *testing.T) {
	for _, c := range []struct {
		player bool
		dice   []int
		left   int32
	}{{true, []int{12, 12, 1}, 4}, {false, []int{12, 12, 1, 1}, 0}} {
		f := newTable(t).at(0, fighter("ally", "others", func(s *eventv1.SparkSheet) { s.Player = c.player })).at(5, fighter("orc", "monsters")).start()
		f.Hurt("ally", 4)
		f.Hurt("orc", 4)
		f.Must(act("orc", declaring.KindAttack, "sword", "ally"))
		f.Must(act("ally", declaring.KindAttack, "sword", "orc"), c.dice...)
		f.WantHP("orc", 0)
		f.WantHP("ally", c.left)
	}
}

// spark.turn.tie-to-player: two players' blows of one total fall together on one orc, and an arrow tied with an arrow too
func TestTiesAmongPlayers(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(10, fighter("bryn", "party")).start()
	f.Hurt("orc", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("bryn", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 12, 12, 12, 1, 1)
	f.WantAttacks("ara hit", "bryn hit", "orc lost")

	f = newTable(t).at(0, fighter("ara", "party")).at(40, fighter("orc", "monsters")).start()
	f.Hurt("orc", 2)
	f.Must(act("orc", declaring.KindAttack, "bow", "ara"))
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"), 12, 12, 1)
	f.WantAttacks("ara hit", "orc lost")
}

// spark.turn.killed-first-fails: whoever puts itself out drinks no potion afterwards, but one drunk first is drunk
func TestNoPotionAfterOnesOwnEnd(t *testing.T) {
	for _, c := range []struct {
		first bool
		dice  []int
		hp    int32
		uses  int64
	}{{false, []int{1, 1, 2, 4}, 0, 2}, {true, []int{1, 1, 2, 5, 4}, 5, 1}} {
		f := duel(t, func(s *eventv1.SparkSheet) {
			s.Weapons = []*eventv1.SparkWeapon{mace}
			s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 2, Healing: "1d8"}}
		})
		f.Hurt("ara", 4)
		f.Must(act("ara", declaring.KindAttack, "mace", "orc", withParameters("bonus", "potion:potion", "bonus_first", c.first)))
		f.End("orc", c.dice...)
		f.WantHP("ara", c.hp)
		if got := f.Creature("ara").Counters[body.CLeft+"potion"]; got != c.uses {
			t.Errorf("first %v: %d left, want %d", c.first, got, c.uses)
		}
	}
}

// spark.turn.killed-first-fails, spark.turn.full-attack-slots: of two equal blows of one creature the second finds nobody
func TestSecondOfTwoEqualBlows(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Hurt("orc", 4)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc"))
	f.End("orc", 12, 12, 1)
	f.WantAttacks("ara hit", "ara lost")
}

// spark.turn.declare, spark.dice.roll-order: a touch at somebody put out or gone out of reach throws no multiplier and strikes nobody
func TestTouchFindsNobody(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).at(40, fighter("imp", "monsters")).start()
	f.Hurt("ara", 2)
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.Must(act("imp", declaring.KindAttack, "bow", "ara"))
	f.End("ara", 20, 15, 1) // the arrow first
	f.WantAttacks("imp hit", "hag lost")
	if got := f.Creature("hag").Counters[body.CMana]; got != 17 { // paid at its place
		t.Fatalf("%d mana", got)
	}
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.Must(act("ara", declaring.KindMove, "", "", to(-20)))
	f.Answer(body.DecOpportunity, "no", 10) // not adjacent any more: thrown for its place only
	f.WantAttacks("hag lost")
}

// spark.initiative.other-deeds, spark.action.charge: a charge whose way is barred strikes nobody, nor does a blow where no map shows the reach
func TestBarredWay(t *testing.T) {
	swift := func(s *eventv1.SparkSheet) { s.Initiative = 3 }
	shut := act("bryn", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "ghoul"))
	for _, c := range []struct {
		name  string
		cmd   *eventv1.Command
		ghoul int
		dice  []int
		want  string
	}{
		{"a blow, barred", act("ghoul", declaring.KindAttack, "sword", "bryn", withFacts("feet", 15.0)), 10, nil, "ghoul lost"},
		{"a blow in time", act("ghoul", declaring.KindAttack, "sword", "bryn", withFacts("feet", 15.0)), 12, []int{1}, "ghoul hit"},
		{"a shot, barred", act("ghoul", declaring.KindAttack, "bow", "bryn", withFacts("feet", 15.0)), 10, []int{1}, "ghoul hit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("bryn", "party", swift), fighter("ghoul", "monsters"))
			f.start()
			f.Must(c.cmd)
			// The way is one of feet without a path, contested all the same.
			f.Must(shut, append([]int{c.ghoul, 18, 9}, c.dice...)...)
			f.WantAttacks(c.want)
		})
	}
	for ghoul, want := range map[int]string{10: "ghoul lost", 12: "ghoul hit"} {
		f := newTable(t).at(0, fighter("bryn", "party", swift)).at(5, fighter("ghoul", "monsters")).start()
		f.Must(act("ghoul", declaring.KindCharge, "sword", "bryn", func(a *eventv1.TakeAction) { a.Path = []*eventv1.Position{{X: 5, Y: 5}} }))
		dice := []int{ghoul, 18, 9}
		if ghoul == 12 {
			dice = append(dice, 1)
		}
		f.Must(shut, dice...)
		f.WantAttacks(want)
	}
}

// spark.turn.declare: a declaration is its owner's, and nobody else's until all are in
func TestOwnDeclarationIsSeen(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	for who, want := range map[string]int{"ara-player": 2, "somebody": 0} {
		seen := 0
		for _, e := range f.SeenBy(player(who)) {
			if e.GetAction() != nil || e.GetBegun() != nil {
				seen++
			}
		}
		if seen != want {
			t.Errorf("%s sees %d events of the declaration, want %d", who, seen, want)
		}
	}
}

// spark.turn.movement-first, spark.action.bull-rush: a push moves nobody out of what was in reach when the d20s were thrown, by weapon or touch
func TestPushedButInReach(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party", stats(14, 20))).at(25, fighter("hag", "monsters", mage)).at(30, fighter("ara", "party")).start()
	f.Must(act("bryn", declaring.KindBullRush, "sword", "hag", func(a *eventv1.TakeAction) { a.Path = []*eventv1.Position{{X: 20, Y: 0}} }))
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.End("ara", 10, 15)
	f.number(body.DecPush, 60, 4) // 31 before 21: the hag is pushed past ara, 50 ft off
	f.WantAttacks("hag hit")
	f.WantHP("ara", 26)
}

// spark.dice.meet-or-beat: a natural 20 is no success by itself on a save, a counterspell, a check or a bash; on an attack it is what the weapon's range says
func TestNaturalTwenty(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", mage, func(s *eventv1.SparkSheet) { s.ManaTrees[0].Rank, s.Reflex = 0, -10 })).
		at(5, fighter("hag", "monsters", mage, func(s *eventv1.SparkSheet) { s.Spells[0].Dc = 22 })).start()
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 1, 10, 20, 20, 4, 4) // 22 is not above 22, and 10 does not reach it
	f.WantHP("ara", 22)

	p := patient(t, 4, 8, 0, 12, 25)
	p.State.Creatures["ara"].Sheet.GetSpark().HealSkill = -6
	p.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondBleeding}}})
	p.Tend(tendAra("stop-bleeding"), 20) // 14
	if !body.Has(p.Creature("ara"), body.CondBleeding) {
		t.Fatal("a natural 20 stopped it")
	}
	f = duel(t, stats(14, -20))
	f.State.Creatures["orc"].Sheet.GetSpark().ArmorClass = 100
	f.strikes("sword", 20, 4, 1)
	f.WantAttacks("ara critical")
}

// spark.dice.meet-or-beat: an armour class that is just reached and just not, with a charge, a stated modifier and a pulled leg at once
func TestJustEnough(t *testing.T) {
	for face, want := range map[int]string{10: "ara hit", 9: "ara miss"} {
		f := newTable(t).at(0, fighter("ara", "party")).at(30, fighter("orc", "monsters", func(s *eventv1.SparkSheet) {
			s.ArmorClass, s.DexterityModifier = 16, 2
		})).start()
		f.Put("orc", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryLegs}}}) // 14
		cover := func(a *eventv1.TakeAction) {
			a.Circumstances = []*eventv1.Circumstance{{Direction: "modifier", Value: -2, Cause: "smoke"}, {Direction: "modifier", Value: 9, Cause: "spite", Target: "ara"}}
		}
		f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(25), cover)) // 5 + 1 - 2
		dice := []int{face}
		if face == 10 {
			dice = append(dice, 1)
		}
		f.End("orc", dice...)
		f.WantAttacks(want)
	}
}

// spark.initiative.other-deeds, spark.fumble.checks: a 1 that only orders a spell or a bonus action is late and no critical fail
func TestOrderingOne(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara", 1, 20, 1, 1)
	f.WantHP("ara", 29)
	f = duel(t, twoHanded)
	f.Hurt("ara", 10)
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "potion:potion")))
	f.End("orc", 1, 4)
	f.WantHP("ara", 14)
	// The attack roll of a spell that shows a 1 fails, and its mana is gone.
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "touch", "ara"))
	f.End("ara", 1)
	f.WantAttacks("hag miss")
	if got := f.Creature("hag").Counters[body.CMana]; got != 17 {
		t.Fatalf("%d mana", got)
	}
}

// spark.action.bonus: a draught has the place of the deed that it goes with: before the highest blow or after the lowest
func TestPlaceOfADraught(t *testing.T) {
	for _, c := range []struct {
		name  string
		first bool
		orc   int // its total less 5
		dice  []int
		hp    int32
		uses  int64
	}{
		// ara's blows are 18 and 8 and miss an armour class of 30; she has 4 hit points, the orc does 4.
		{"first, before 15", true, 10, []int{8, 1}, 8, 1},
		{"first, after 19", true, 14, []int{1}, 0, 2},
		{"last, after 15", false, 10, []int{1}, 0, 2},
		{"last, before 7", false, 2, []int{8}, 12, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) {
				twoHanded(s)
				s.ArmorClass = 10
			})).at(5, fighter("orc", "monsters", func(s *eventv1.SparkSheet) { s.ArmorClass = 30 })).start()
			f.Hurt("ara", 4)
			f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "potion:potion", "bonus_first", c.first)))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"), append([]int{12, 2, c.orc}, c.dice...)...)
			f.WantHP("ara", c.hp)
			if got := f.Creature("ara").Counters[body.CLeft+"potion"]; got != c.uses {
				t.Fatalf("%d draughts, want %d", got, c.uses)
			}
		})
	}
}
