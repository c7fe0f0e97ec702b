package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/spark/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// claws are a pair of natural weapons, each of its own limb.
func claws(s *eventv1.SparkSheet) {
	left, right := proto.CloneOf(claw), proto.CloneOf(claw)
	left.Name, right.Name = "left claw", "right claw"
	s.Weapons = []*eventv1.SparkWeapon{left, right}
	s.AttacksPerRound = 2
}

// spark.fumble.hit-own-head: 4 of 4 hit points: out; spark.fumble.hit-own-knee: 9 to 6
func TestOwnHeadAndKnee(t *testing.T) {
	for _, c := range []struct {
		hp   int32
		dice []int
		left int32
	}{{4, []int{1, 2, 1, 4}, 0}, {9, []int{1, 1, 1, 3}, 6}} {
		f := duel(t, armedWith(mace))
		f.Hurt("ara", c.hp)
		f.strikes("mace", c.dice...)
		f.WantHP("ara", c.left)
		if got := body.Out(f.Creature("ara")); got != (c.left == 0) {
			t.Errorf("out %v at %d hit points", got, c.left)
		}
	}
}

// spark.fumble.wrong-angle, spark.dice.rounding: half of 5 is 2, half of 1 is nothing, and the target is spared
func TestWrongAngle(t *testing.T) {
	for _, c := range []struct {
		bonus, lost int32
		die         int
	}{{3, 2, 2}, {0, 0, 1}, {-3, 0, 2}} {
		f := duel(t, armedWith(&eventv1.SparkWeapon{Name: "fist", FumbleClasses: []string{"F"}, AttackModifier: 5, DamageDice: "1d4", DamageBonus: c.bonus, ReachFeet: 5, Natural: true}))
		f.strikes("fist", 1, 1, 2, c.die)
		f.WantHP("ara", 30-c.lost)
		f.WantHP("orc", 30)
	}
}

// spark.fumble.weapon-flies: 1 and 1 are 2 ft, the least; 10 and 10 are 20, over every point of the compass
func TestHowFarItFlies(t *testing.T) {
	for way, at := range map[int][2]int32{1: {0, 2}, 2: {2, 2}, 3: {2, 0}, 4: {2, -2}, 5: {0, -2}, 6: {-2, -2}, 7: {-2, 0}, 8: {-2, 2}} {
		f := duel(t, armedWith(mace))
		f.strikes("mace", 1, 4, 4, 1, 1, way)
		v := f.Creature("ara").Items["mace"].Values
		if v["feet"] != 2 || v["x"] != at[0] || v["y"] != at[1] || v["direction"] != int32(way) {
			t.Errorf("direction %d: %v", way, v)
		}
	}
	f := newTable(t).add(fighter("ara", "party", armedWith(mace)), fighter("orc", "monsters")).start()
	f.strikes("mace", 1, 4, 4, 10, 10) // no map, no direction
	if v := f.Creature("ara").Items["mace"].Values; v["feet"] != 20 {
		t.Fatalf("%v", v)
	}
	wantRefused(t, f.Try(act("ara", declaring.KindMove, "", "", withFacts("feet", 14.0), withParameters("bonus", "pick-up:mace"))), cite.FumbleWeaponFlies)
	f.Must(act("ara", declaring.KindMove, "", "", withFacts("feet", 15.0, "provokes", []string{}), withParameters("bonus", "pick-up:mace")))
	f.End("orc")
	if got := f.Creature("ara").Items["mace"].Place; got != "main" {
		t.Fatalf("the mace is %q", got)
	}
}

// spark.fumble.wrist-breaks: the right claw is out of use, the left is not; magic mends it
func TestBrokenRightWrist(t *testing.T) {
	f := duel(t, claws)
	f.strikes("right claw", 1, 3, 4)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "right claw", "orc")), cite.FumbleWristBreaks)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "left claw", "orc,orc", withParameters("weapons", []string{"left claw", "right claw"}))), cite.FumbleWristBreaks)
	f.strikes("left claw", 15, 5)
	f.WantHP("orc", 21)
	f.Tend(tendAra("heal", "amount", 1.0))
	f.strikes("right claw", 15, 5)
	f.WantHP("orc", 12)
}

// spark.fumble.wrist-breaks, spark.turn.full-attack-slots: the claw that is broken strikes no more in the sequence, the other does
func TestWristBreaksWithinASequence(t *testing.T) {
	f := duel(t, claws, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 })
	f.Must(act("ara", declaring.KindAttack, "right claw", "orc,orc,orc", withParameters("weapons", []string{"right claw", "right claw", "left claw"})))
	f.End("orc", 1, 3, 4, 15, 5)
	f.WantAttacks("ara fumble", "ara lost", "ara hit")
	f.WantHP("orc", 21)
}

// spark.fumble.sprain-wrist: a second sprain of the limb changes nothing, another limb is spared
func TestSprainedOnce(t *testing.T) {
	f := duel(t, claws)
	f.strikes("right claw", 1, 2, 2)
	f.strikes("right claw", 1, 2, 2)
	if n := len(f.Creature("ara").Injuries); n != 1 {
		t.Fatalf("%d injuries", n)
	}
	f.strikes("right claw", 15, 5) // half of 9
	f.WantHP("orc", 26)
	f.strikes("left claw", 15, 5)
	f.WantHP("orc", 17)
	f.strikes("right claw", 1, 1, 2, 5) // half of half of 9, rounded once
	f.WantHP("ara", 28)
}

// spark.fumble.weapon-hits-nearest: the second orc at 5 ft takes 7 + 2, the ally at 10 ft and the orc aimed at nothing
func TestSpearHitsTheSecondOrc(t *testing.T) {
	w := proto.CloneOf(spear)
	w.DamageBonus, w.ReachFeet = 2, 10
	f := newTable(t).at(0, fighter("ara", "party", armedWith(w))).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("orc2", "monsters")).
		at(-10, fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "spear", "orc"))
	f.pass(1, 4, 4, 7)
	f.WantHP("orc2", 21)
	f.WantHP("orc", 30)
	f.WantHP("wen", 30)
}

// spark.fumble.nearest: the orc aimed at is nearest and is bumped, an ally at 10 ft is not
func TestBumpTakesTheTarget(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).at(-10, fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("wen", declaring.KindAttack, "bow", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 1, 1, 2, 15, 16, 1)
	f.WantAttacks("ara fumble", "wen hit", "orc lost")
}

// spark.fumble.nearest: random among three, and nobody who is out
func TestRandomVictim(t *testing.T) {
	for face, victim := range []string{"b", "c", "d"} {
		f := newTable(t).at(0, fighter("ara", "party", armedWith(claw))).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("b", "party")).
			atXY(0, -5, fighter("c", "monsters")).at(-5, fighter("d", "party")).atXY(-5, 5, fighter("e", "monsters")).start()
		f.Hurt("e", 0)
		f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
		f.pass(1, 3, 3, face+1, 1)
		f.WantHP(victim, 25)
	}
}

// spark.fumble.nearest, spark.turn.killed-first-fails: whoever a fumble puts out loses what was waiting, friend or not
func TestFumbleKillsAFriend(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(claw))).at(5, fighter("orc", "monsters")).at(-5, fighter("wen", "party")).start()
	f.Hurt("wen", 9)
	f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
	f.Must(act("wen", declaring.KindDeed, "", "", withParameters("text", "light a torch")))
	f.End("orc", 1, 3, 3, 2, 5) // 6 before the torch's 3
	f.WantHP("wen", 0)
	if f.hasNote("light a torch (done)") {
		t.Fatal("the torch is lit")
	}
}

// spark.fumble.bump-nearest: an announced counterspell is magic of this round: ruined, it is not rolled and costs nothing
func TestBumpRuinsACounterspell(t *testing.T) {
	f := newTable(t).at(0, fighter("bryn", "party")).at(5, fighter("orc", "monsters")).at(-5, fighter("ara", "party", mage)).
		at(40, fighter("hag", "monsters", mage)).start()
	f.Must(act("bryn", declaring.KindAttack, "sword", "orc", withFacts("nearest", []string{"ara"})))
	f.Must(act("hag", declaring.KindCast, "fire", "bryn"))
	f.End("ara")
	f.End("orc")
	f.Answer(body.DecCounterspell, "yes")
	f.number(body.DecMana, 7, 1, 2, 4, 10, 20, 1, 1)
	f.WantHP("bryn", 29)
	if got := f.Creature("ara").Counters[body.CMana]; got != 20 {
		t.Fatalf("%d mana", got)
	}
}

// spark.fumble.bump-nearest: bumped in the first half there is no opportunity attack and no counterspell any more
func TestBumpRuinsReactions(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party", mage)).
		atXY(5, 5, fighter("orc2", "monsters")).at(60, fighter("hag", "monsters", mage)).start()
	f.Must(act("orc", declaring.KindMove, "", "", withFacts("provokes", []string{"ara"}), to(20)))
	f.Must(act("orc2", declaring.KindMove, "", "", withFacts("provokes", []string{"wen"}), to(25)))
	f.Must(act("hag", declaring.KindCast, "fire", "ara"))
	f.End("ara")
	f.End("wen")
	f.Answer(body.DecOpportunity, "sword", 1, 2, 4, 3, 10, 20, 1, 1) // orc, orc2 and wen stand at 5 ft: the third
	f.WantHP("ara", 29)
}

// spark.fumble.bump-nearest, spark.initiative.other-deeds: in a reaction of the attack half the bumper's own blow is ruined too
func TestBumpInALateReaction(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("ghoul", "monsters")).at(-5, fighter("orc", "monsters")).
		at(40, fighter("bryn", "party")).start()
	f.Must(act("bryn", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "ghoul")))
	f.Must(act("ghoul", declaring.KindMove, "", "", to(30)))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 5, 18, 12) // the ghoul's 19 before ara's 17
	f.Answer(body.DecOpportunity, "sword", 1, 2, 4, 1)
	f.WantAttacks("ara fumble", "ara lost")
	f.WantHP("orc", 30)
}

// spark.fumble.alt-slip-up, spark.turn.two-halves: a fall in such a reaction ends the whole share of the round
func TestFallInALateReaction(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("ghoul", "monsters")).at(-5, fighter("orc", "monsters")).
		at(40, fighter("bryn", "party")).start()
	f.Must(act("bryn", declaring.KindDeed, "", "", withParameters("text", "shut the door", "rival", "ghoul")))
	f.Must(act("ghoul", declaring.KindMove, "", "", to(30)))
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 5, 18, 12)
	f.Answer(body.DecOpportunity, "sword", 1, 12, 2)
	f.WantAttacks("ara fumble", "ara lost")
	if !body.Has(f.Creature("ara"), body.CondProne) {
		t.Fatal("still on its feet")
	}
}

// spark.fumble.alt-slip-up: a fall with the off hand taken first ends the deed as well, one taken afterwards does not undo it
func TestFallBesideADeed(t *testing.T) {
	for first, want := range map[bool]bool{true: false, false: true} {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", twoHanded)).at(5, fighter("orc", "monsters")).start()
		f.Must(act("ara", declaring.KindDeed, "", "", withParameters("text", "pull the lever", "bonus", "off-hand:dagger", "bonus_target", "orc", "bonus_first", first)))
		dice := []int{1, 12, 2}
		if !first {
			dice = []int{10, 1, 12, 2}
		}
		f.End("orc", dice...)
		if got := f.hasNote("pull the lever (done)"); got != want {
			t.Errorf("first %v: done %v", first, got)
		}
	}
}

// spark.fumble.broken-double-damage: the dice of a sneak attack are in what is doubled
func TestSneakDoubled(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.SneakAttack = "2d6" })
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("sneak", true)))
	f.End("orc", 1, 4, 4, 2, 1, 3) // (2 + 1 + 3 + 3) twice
	f.WantHP("orc", 30-18)
}

// spark.fumble.broken-double-damage: at the slot of its total, whatever the armour; none on a target put out before
func TestDoubleDamageHasItsPlace(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters", stats(40, 5))).at(40, fighter("wen", "party", stats(14, 30))).start()
	f.Hurt("orc", 2)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("wen", declaring.KindAttack, "bow", "orc"))
	f.End("orc", 1, 4, 4, 15, 1) // the arrow first: no damage die for the sword
	f.WantHP("orc", 0)
	if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Broken {
		t.Fatal("the sword is whole")
	}
	f = newTable(t).at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters", stats(40, 5))).start()
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 1, 4, 4, 15, 1, 4) // 20 before 6
	f.WantAttacks("ara fumble", "orc hit")
	f.WantHP("orc", 16)
}

// spark.fumble.missile-broken: the only throwing axe gone, there is none for the hand, nor for a reaction
func TestTheOnlyAxe(t *testing.T) {
	axe := proto.CloneOf(hurled)
	axe.Missiles = proto.Int32(1)
	f := duel(t, armedWith(axe))
	f.Must(act("ara", declaring.KindAttack, "axe", "orc", withParameters("throw", true)))
	f.End("orc", 1, 1, 2)
	wantRefused(t, f.Try(act("ara", declaring.KindAttack, "axe", "orc")), cite.FumbleMissileBroken)
	wantRefused(t, f.Try(act("ara", declaring.KindCharge, "axe", "orc", to(-5))), cite.FumbleMissileBroken)
	for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "ara"}) {
		if o.Item == "axe" && o.Legal {
			t.Errorf("offered: %v", o)
		}
	}
	f.Must(act("orc", declaring.KindMove, "", "", to(20)))
	f.End("ara") // no attack is asked for
}

// spark.item.mundane-no-save, spark.fumble.weapon-cracked: of three axes the one in the hand breaks or cracks
func TestOneOfThreeAxes(t *testing.T) {
	for _, c := range []struct {
		name, class   string
		dice          []int
		left, cracked int64
	}{{"8 S", "S", []int{1, 4, 4, 1}, 2, 0}, {"7 B", "B", []int{1, 4, 3}, 2, 1}} {
		axe := proto.CloneOf(hurled)
		axe.FumbleClasses = []string{c.class}
		f := duel(t, armedWith(axe))
		f.strikes("axe", c.dice...)
		n := f.Creature("ara").Counters
		if n[body.CAmmunition+"axe"] != c.left || n[body.CCracked+"axe"] != c.cracked || f.Creature("ara").Marks[body.MWeapon+"axe"] != "" {
			t.Errorf("%s: %v", c.name, n)
		}
		f.strikes("axe", 2) // another is at hand
	}
	f := alt(t, armedWith(hurled))
	f.strikes("axe", 1, 2)
	if n := f.Creature("ara").Counters; n[body.CAmmunition+"axe"] != 2 || n[body.CSpent+"axe"] != 0 {
		t.Fatalf("%v", n)
	}
	f.strikes("axe", 2)
}

// spark.fumble.weapon-class: a natural weapon is of class F at a distance too: never dropped nor broken
func TestNaturalWeaponAtADistance(t *testing.T) {
	spit := &eventv1.SparkWeapon{Name: "spit", FumbleClasses: []string{"F"}, AttackModifier: 5, DamageDice: "1d6", RangeFeet: 30, Natural: true}
	f := newTable(t).at(0, fighter("drake", "monsters", armedWith(spit))).at(20, fighter("ara", "party")).start()
	for _, dice := range [][]int{{1, 1, 1}, {1, 2, 2}} {
		f.Must(act("drake", declaring.KindAttack, "spit", "ara"))
		f.End("ara", dice...)
		for body.BarredUntil(f.Creature("drake")) >= f.State.Round {
			f.pass()
		}
	}
	c := f.Creature("drake")
	if c.Marks[body.MWeapon+"spit"] != "" || c.Items["spit"].GetPlace() != "" || len(c.Injuries) != 1 || c.Injuries[0].Kind != body.InjurySprain {
		t.Fatalf("%v", c)
	}
	if got := body.ClassOf(spit, true, ""); got != body.ClassFist {
		t.Fatalf("class %s", got)
	}
}

// spark.action.charge, spark.fumble.alt-stray-melee: the second roll of a charge's blow has its +1
func TestStrayChargeHasItsBonus(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(30, fighter("orc", "monsters")).atXY(25, 5, fighter("wen", "party")).start()
	f.Must(act("ara", declaring.KindCharge, "sword", "orc", to(25)))
	f.pass(1, 8, 8, 1) // 8 + 5 + 1
	if got := f.Roll("second").Total; got != 14 {
		t.Fatalf("total %d", got)
	}
	f.WantHP("wen", 26)
}

// spark.condition.frightened: fright of an earlier fight is tried again from the first round on
func TestFrightOfAnEarlierFight(t *testing.T) {
	f := newTable(t).add(fighter("ara", "party"), fighter("orc", "monsters"))
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondFrightened, Source: "orc", Values: map[string]int32{"dc": 12, "round": 7}}}})
	f.start(11)
	f.pass(12)
	if body.Has(f.Creature("ara"), body.CondFrightened) {
		t.Fatal("12 did not overcome DC 12")
	}
}
