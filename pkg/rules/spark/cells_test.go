package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	"github.com/skaldrpg/skald/pkg/rules/spark/resolving"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// afterwards is what the rounds after a fumble allow.
type afterwards struct {
	name string
	// weapon of ara, and the fumble's 2d4 with what it throws at once.
	weapon *eventv1.SparkWeapon
	fumble []int
	// refused is the rule by which the same attack is refused in the next rounds;
	// rounds is how many.
	refused string
	rounds  int
	// parameters and dice of the attack afterwards and the damage it does.
	with   []any
	dice   []int
	damage int32
}

// What each cell of the 2d4 table leaves for later rounds, by class and total.
//
// spark.fumble.table-2d4, spark.fumble.trip-two-rounds, spark.fumble.trip-one-round, spark.fumble.drop-weapon,
// spark.fumble.weapon-flies, spark.fumble.weapon-chipped, spark.fumble.weapon-cracked, spark.fumble.sprain-wrist,
// spark.fumble.wrist-breaks, spark.fumble.string-breaks, spark.fumble.bow-breaks, spark.fumble.broken-double-damage
func TestFumbleCellsAfterwards(t *testing.T) {
	const (
		trip2, drop, flies, never = cite.FumbleTripTwoRounds, cite.FumbleDropWeapon, cite.FumbleWeaponFlies, 4
		gone                      = cite.ItemHardnessCheck
	)
	hit := []int{15, 5} // 20 hits; 5 and the weapon's bonus
	for _, c := range []afterwards{
		{name: "2 M", weapon: bow, fumble: []int{1, 1}, refused: gone, rounds: never},
		{name: "3 M", weapon: bow, fumble: []int{1, 2}, dice: hit, damage: 6},
		{name: "4 M", weapon: bow, fumble: []int{2, 2}, refused: drop, rounds: 1, dice: hit, damage: 6},
		{name: "5 M", weapon: bow, fumble: []int{2, 3}, dice: hit, damage: 6},
		{name: "6 M", weapon: bow, fumble: []int{3, 3}, refused: trip2, rounds: 2, dice: hit, damage: 6},
		{name: "7 M", weapon: bow, fumble: []int{4, 3}, dice: hit, damage: 6},
		{name: "8 M", weapon: bow, fumble: []int{4, 4}, refused: cite.FumbleStringBreaks, rounds: never},
		{name: "2 S", weapon: sword, fumble: []int{1, 1}, dice: hit, damage: 7},
		{name: "3 S", weapon: sword, fumble: []int{2, 1}, dice: hit, damage: 8},
		{name: "4 S", weapon: sword, fumble: []int{3, 1}, refused: drop, rounds: 1, dice: hit, damage: 8},
		{name: "5 S", weapon: sword, fumble: []int{4, 1}, refused: trip2, rounds: 2, dice: hit, damage: 8},
		{name: "6 S", weapon: sword, fumble: []int{4, 2}, dice: hit, damage: 8},
		{name: "7 S", weapon: sword, fumble: []int{4, 3, 1, 1, 1}, refused: flies, rounds: never},
		{name: "8 S", weapon: sword, fumble: []int{4, 4, 1}, refused: gone, rounds: never},
		{name: "2 B", weapon: mace, fumble: []int{1, 1, 1}, dice: hit, damage: 9},
		{name: "3 B", weapon: mace, fumble: []int{1, 2, 1}, dice: hit, damage: 9},
		{name: "4 B", weapon: mace, fumble: []int{2, 2}, refused: drop, rounds: 1, dice: hit, damage: 9},
		{name: "5 B", weapon: mace, fumble: []int{2, 3}, dice: hit, damage: 9},
		{name: "6 B", weapon: mace, fumble: []int{2, 4}, refused: trip2, rounds: 2, dice: hit, damage: 9},
		{name: "7 B", weapon: mace, fumble: []int{3, 4}, refused: cite.FumbleWeaponCracked, rounds: 2, with: []any{"use_cracked", true}, dice: hit, damage: 9},
		{name: "8 B", weapon: mace, fumble: []int{4, 4, 10, 10, 8}, refused: flies, rounds: never},
		{name: "2 P", weapon: spear, fumble: []int{1, 1}, refused: trip2, rounds: 2, dice: hit, damage: 8},
		{name: "3 P", weapon: spear, fumble: []int{2, 1}, dice: hit, damage: 8},
		{name: "4 P", weapon: spear, fumble: []int{2, 2}, refused: drop, rounds: 1, dice: hit, damage: 8},
		{name: "5 P", weapon: spear, fumble: []int{2, 3}, dice: hit, damage: 8},
		{name: "6 P", weapon: spear, fumble: []int{2, 4}, refused: drop, rounds: 1, dice: hit, damage: 8},
		{name: "7 P", weapon: spear, fumble: []int{3, 4, 2, 3, 4}, refused: flies, rounds: never},
		{name: "8 P", weapon: spear, fumble: []int{4, 4}, dice: hit, damage: 8},
		{name: "2 F", weapon: claw, fumble: []int{1, 1}, refused: cite.FumbleTripOneRound, rounds: 1, dice: hit, damage: 9},
		{name: "3 F", weapon: claw, fumble: []int{1, 2, 1}, dice: hit, damage: 9},
		{name: "4 F", weapon: claw, fumble: []int{1, 3}, dice: hit, damage: 4},
		{name: "5 F", weapon: claw, fumble: []int{1, 4}, dice: hit, damage: 9},
		{name: "6 F", weapon: claw, fumble: []int{2, 4}, dice: hit, damage: 9},
		{name: "7 F", weapon: claw, fumble: []int{3, 4}, refused: cite.FumbleWristBreaks, rounds: never},
		{name: "8 F", weapon: claw, fumble: []int{4, 4}, dice: hit, damage: 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, armedWith(c.weapon))
			f.strikes(c.weapon.Name, append([]int{1}, c.fumble...)...)
			left := f.Creature("orc").GetHp()
			for range c.rounds {
				wantRefused(t, f.Try(act("ara", declaring.KindAttack, c.weapon.Name, "orc")), c.refused)
				f.End("ara")
				f.End("orc")
			}
			if c.dice == nil {
				return
			}
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc", withParameters(c.with...)))
			f.End("orc", c.dice...)
			f.WantHP("orc", left-c.damage)
		})
	}
}

// Bumps ruin what the bumped has not done yet, at once and whatever the totals.
//
// spark.fumble.bump-nearest
func TestBump(t *testing.T) {
	for _, c := range []struct {
		name   string
		weapon *eventv1.SparkWeapon
		fumble []int
	}{{"3 S", sword, []int{1, 2}}, {"6 S", sword, []int{3, 3}}, {"5 B", mace, []int{1, 4}}} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, armedWith(c.weapon), func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc,orc"))
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"), append(append([]int{1}, c.fumble...), 16)...) // 21 would hit
			f.WantAttacks("ara fumble", "ara lost", "orc lost")
			f.WantHP("ara", 30)
		})
	}
	// A natural 1 of the bumped is a critical fail all the same.
	f := duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 1, 2, 4, 1, 1, 1)
	f.WantAttacks("ara fumble", "orc fumble")
	if f.Creature("orc").Counters[body.CChip+"sword"] != 1 {
		t.Fatal("the orc's own fumble is lost")
	}
	// Nobody within 5 ft: nobody is bumped.
	f = newTable(t).at(0, fighter("ara", "party", func(s *eventv1.SparkSheet) { s.Weapons[0].ReachFeet = 10 })).at(10, fighter("orc", "monsters")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "bow", "ara"), 1, 2, 4, 2)
	f.WantAttacks("ara fumble", "orc miss")
}

// A spell is ruined between its first and last round too.
//
// spark.fumble.bump-nearest, spark.spell.countered-mana-lost, spark.action.multi-round-lock
func TestBumpIntoALongCasting(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("hag", "monsters", mage)).start()
	f.Must(act("hag", declaring.KindCast, "storm", "ara"))
	f.End("ara", 10)
	f.Must(act("ara", declaring.KindAttack, "sword", "hag"), 1, 2, 4)
	if n := f.Creature("hag").Counters; n[body.CMana] != 12 || len(f.Creature("hag").Begun) > 0 {
		t.Fatalf("%v", n)
	}
	f.WantActive("ara", "hag")
}

// A spell bumped in the first half has no d20, is not countered, and costs its mana.
//
// spark.fumble.bump-nearest, spark.dice.roll-order
func TestBumpBeforeASpell(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party", mage)).start()
	f.Must(act("orc", declaring.KindMove, "", "", to(10)))
	f.End("ara")
	f.Must(act("wen", declaring.KindCast, "fire", "orc"))
	f.Answer(body.DecOpportunity, "sword", 1, 2, 4, 2) // wen, of the two at 5 ft
	if f.Creature("wen").Counters[body.CMana] != 14 || len(f.Rolls("order/wen")) != 0 {
		t.Fatalf("mana %d", f.Creature("wen").Counters[body.CMana])
	}
	f.WantHP("orc", 30)
}

// spark.fumble.nearest: who is hit, by distance, by reach, at random among equals
func TestNearestVictims(t *testing.T) {
	long := proto.CloneOf(claw)
	long.ReachFeet = 10
	for _, c := range []struct {
		name             string
		settings         []string
		weapon           *eventv1.SparkWeapon
		wen, orc2        int32 // places on the line
		fumble           []int
		ara, orc, w, two int32 // damage
	}{
		{"6 F the ally at 5, not the second enemy at 10", nil, long, -5, 10, []int{3, 3, 5}, 0, 0, 9, 0},
		{"6 F out of reach", nil, claw, -10, 10, []int{3, 3}, 0, 0, 0, 0},
		{"8 F two at 5 ft, the second in list order", nil, claw, -5, 0, []int{4, 4, 2, 1}, 0, 0, 5, 0},
		{"8 F two at 5 ft, the first in list order", nil, claw, -5, 0, []int{4, 4, 1, 1}, 0, 0, 0, 5},
		{"5 F the nearest but the target, half", nil, long, -10, 10, []int{1, 4, 2, 5}, 0, 0, 4, 0},
		{"8 P the ally at 10 ft, not the target at 5", nil, &eventv1.SparkWeapon{Name: "spear", FumbleClasses: []string{"P"}, DamageDice: "1d8", DamageBonus: 2, ReachFeet: 10}, -10, 40, []int{4, 4, 7}, 0, 0, 9, 0},
		{"6 F where the nearest may be the target", []string{body.SetNearestTarget + "=on"}, long, -10, 10, []int{3, 3, 5}, 0, 9, 0, 0},
		{"8 P where the nearest may be the target", []string{body.SetNearestTarget + "=on"}, spear, -10, 10, []int{4, 4, 7}, 0, 10, 0, 0},
		{"8 F never the target", []string{body.SetNearestTarget + "=on"}, claw, -10, 10, []int{4, 4}, 0, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).at(0, fighter("ara", "party", armedWith(c.weapon))).at(5, fighter("orc", "monsters")).at(c.wen, fighter("wen", "party"))
			if c.orc2 == 0 {
				f.atXY(0, 5, fighter("orc2", "monsters"))
			} else {
				f.at(c.orc2, fighter("orc2", "monsters"))
			}
			f.start()
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
			f.End("orc")
			f.End("orc2")
			f.End("wen", append([]int{1}, c.fumble...)...)
			for id, lost := range map[string]int32{"ara": c.ara, "orc": c.orc, "wen": c.w, "orc2": c.two} {
				f.WantHP(id, 30-lost)
			}
		})
	}
}

// spark.fumble.hit-behind-half: as measured, as stated, or as the game master says without a map
func TestBehind(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(spear))).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).start()
	attack := func(faces []int, facts ...any) {
		f.Must(act("ara", declaring.KindAttack, "spear", "orc", withFacts(facts...)))
		f.End("orc")
		f.End("wen", faces...)
	}
	attack([]int{1, 2, 1}) // wen stands beside, not behind
	f.WantHP("wen", 30)
	attack([]int{1, 2, 3, 6}, "behind", "wen")
	f.WantHP("wen", 26)
	f = newTable(t).add(fighter("ara", "party", armedWith(spear)), fighter("orc", "monsters"), fighter("wen", "party")).start()
	attack([]int{1, 2, 1})
	if d := f.Decisions[0]; d.Name != body.DecBehind || !d.GmOnly || len(d.Options) != 2 {
		t.Fatalf("%v", d)
	}
	f.Choose("wen", 6)
	f.WantHP("wen", 26)
	attack([]int{1, 2, 1}, "behind", []string{})
	f.WantHP("wen", 26)
}

// The halves of fumbles are rounded down once, at the end.
//
// spark.dice.rounding
func TestHalves(t *testing.T) {
	for _, c := range []struct {
		amount, times int32
		halves        []bool
		want          int32
	}{{7, 1, []bool{true}, 3}, {1, 1, []bool{true}, 0}, {6, 3, []bool{true, false}, 9}, {7, 1, []bool{true, true}, 1}, {5, 2, []bool{true}, 5}} {
		if got := resolving.Scale(c.amount, c.times, c.halves...); got != c.want {
			t.Errorf("%d x%d halved %v: %d, want %d", c.amount, c.times, c.halves, got, c.want)
		}
	}
}

// A thrown weapon: 2 M breaks the piece, 8 M has no string, 4 M leaves the weapon dropped.
//
// spark.fumble.bow-breaks, spark.fumble.string-breaks, spark.fumble.missile-broken
func TestThrownWeaponCells(t *testing.T) {
	for _, c := range []struct {
		name        string
		weapon      *eventv1.SparkWeapon
		fumble      []int
		left, spent int64
		crackedOnes int64
	}{
		{"2 M breaks it", hurled, []int{1, 1}, 2, 0, 0},
		{"2 M, magical and held: cracked", magical(hurled, 1), []int{1, 1, 20}, 2, 0, 1},
		{"3 M destroys it", hurled, []int{1, 2}, 2, 0, 0},
		{"5 M flies on", hurled, []int{2, 3}, 2, 1, 0},
		{"8 M does nothing more", hurled, []int{4, 4}, 3, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, armedWith(c.weapon))
			f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", true)))
			f.End("orc", append([]int{1}, c.fumble...)...)
			n := f.Creature("ara").Counters
			if n[body.CAmmunition+"axe"] != c.left || n[body.CSpent+"axe"] != c.spent || n[body.CCracked+"axe"] != c.crackedOnes {
				t.Fatalf("%v", n)
			}
			if f.Creature("ara").Marks[body.MString+"axe"] != "" || f.Creature("ara").Marks[body.MWeapon+"axe"] != "" {
				t.Fatalf("%v", f.Creature("ara").Marks)
			}
		})
	}
}
