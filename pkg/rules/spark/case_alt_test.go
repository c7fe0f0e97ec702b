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

// spark.fumble.alt-wild-swing: the advantage is for whatever attack roll comes next: of a spell, of a reaction, and at once when the swing was one in the first half
func TestNextAttackRoll(t *testing.T) {
	t.Run("a spell", func(t *testing.T) {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party", mage)).start()
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
		f.End("ara", 1, 5)
		f.Must(act("ara", declaring.KindCast, "fire", "orc")) // no attack roll: it is kept
		f.End("orc", 10, 20, 1, 1)
		f.Must(act("ara", declaring.KindCast, "touch", "orc"))
		f.End("orc", 2, 12, 4)
		f.WantAttacks("ara hit")
		f.Must(act("ara", declaring.KindCast, "touch", "orc"))
		f.End("orc", 2) // used up
	})
	t.Run("a reaction", func(t *testing.T) {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party")).start()
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
		f.End("ara", 1, 6)
		f.Must(act("orc", declaring.KindMove, "", "", to(-20)))
		f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
		f.Answer(body.DecOpportunity, "sword", 2, 12, 1, 3) // two dice, then one for the bow
		f.WantAttacks("ara hit", "ara miss")
	})
	t.Run("in the first half", func(t *testing.T) {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party")).start()
		f.Must(act("ara", declaring.KindAttack, "bow", "orc", to(20)))
		f.End("orc")
		f.Answer(body.DecOpportunity, "sword", 1, 5, 2, 12, 1) // the orc overreaches; ara's shot of this round has it
		f.WantAttacks("orc fumble", "ara hit")
	})
	t.Run("the second roll of a stray blow", func(t *testing.T) {
		f := newTable(t, body.RuleAlt+"=on").at(0, fighter("orc", "monsters")).at(5, fighter("ara", "party")).at(10, fighter("wen", "party")).start()
		f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
		f.Must(act("ara", declaring.KindAttack, "sword", "orc")) // thrown with the orc's 1: no advantage on it, but on what follows
		f.End("wen", 1, 5, 1, 8, 2, 9, 1)
		f.WantHP("wen", 26)
	})
}

// spark.fumble.alt-slip-up: who lies already may slip again; the fall ends the turn, and standing up is for the next move
func TestSlipAgain(t *testing.T) {
	f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 2 })
	f.Afflict("ara", body.CondProne)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc"))
	f.End("orc", 1, 10, 14)
	f.WantAttacks("ara fumble", "ara lost")
	if n := len(f.Creature("ara").Conditions); n != 1 {
		t.Fatalf("%d conditions", n)
	}
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("stand", true)))
	f.End("orc", 2)
	if body.Has(f.Creature("ara"), body.CondProne) {
		t.Fatal("still prone")
	}
}

// spark.fumble.alt-pulled-arms, spark.fumble.alt-pulled-legs: pulled again, the three rests begin anew; a spell's attack roll and a pull at a stuck weapon suffer too
func TestPulledAgain(t *testing.T) {
	f := alt(t, mage)
	f.Put("ara", &eventv1.Vitals{Injuries: []*eventv1.Injury{{Kind: body.InjuryArms, Values: map[string]int32{"long_rests": 2}}}})
	f.Must(act("ara", declaring.KindCast, "touch", "orc"))
	f.End("orc", 20, 7)
	f.WantAttacks("ara miss")
	f.strikes("sword", 20, 1, 15, 14)
	in := f.Creature("ara").Injuries
	if len(in) != 1 || in[0].Values["long_rests"] != 0 {
		t.Fatalf("%v", in)
	}
	f.Put("ara", &eventv1.Vitals{Marks: map[string]string{body.MStuck + "sword": rules.Yes}})
	f.Must(act("ara", declaring.KindMove, "", "", withParameters("bonus", "free:sword")))
	f.End("orc", 20, 7) // 7 is kept: not free
	if f.Creature("ara").Marks[body.MStuck+"sword"] != rules.Yes {
		t.Fatal("free")
	}
}

// spark.fumble.alt-loss-of-nerve: drained levels count; a second fright of the same opponent leaves the first DC; of another it is one more
func TestNerveAgain(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("ogre", "monsters", func(s *eventv1.SparkSheet) { s.Level = 6 })).start()
	f.Count("ara", body.CLevelsTemporary, 2) // 2 of 4 hit dice left
	fright := func(target string, dice ...int) {
		f.Must(act("ara", declaring.KindAttack, "sword", target))
		f.End("orc")
		f.End("ogre", dice...)
	}
	fright("orc", 1, 17, 13, 2) // DC 10 + 2 x 2 = 14; 2 in the next round
	fright("orc", 1, 18, 2, 2)
	if x := f.Creature("ara").Conditions; len(x) != 1 || x[0].Values["dc"] != 14 {
		t.Fatalf("%v", x)
	}
	fright("ogre", 1, 17, 17, 2, 2) // DC 18
	x := f.Creature("ara").Conditions
	if len(x) != 2 || x[1].Values["dc"] != 18 || x[1].Source != "ogre" {
		t.Fatalf("%v", x)
	}
	f.pass(14, 17) // the one is overcome, the other not
	if x := f.Creature("ara").Conditions; len(x) != 1 || x[0].Source != "ogre" {
		t.Fatalf("%v", x)
	}
}

// spark.fumble.alt-stray-ranged, spark.fumble.alt-stray-melee: the radii to the foot's edge, and nobody who is out
func TestStrayRadii(t *testing.T) {
	near := proto.CloneOf(bow)
	near.RangeFeet, near.LongRangeFeet = 30, 100
	for _, c := range []struct {
		name   string
		orc    int32 // place of the target
		wen    int32 // feet behind it
		struck bool
	}{
		{"short range, 10 ft", 30, 10, true}, {"short range, 15 ft", 30, 15, false},
		{"long range, 30 ft", 35, 30, true}, {"long range, 35 ft", 35, 35, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party", armedWith(near))).at(c.orc, fighter("orc", "monsters")).at(c.orc+c.wen, fighter("wen", "party")).start()
			dice := []int{1, 9}
			if c.struck {
				dice = append(dice, 15, 1)
			}
			f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
			f.pass(dice...)
			if got := f.Creature("wen").GetHp() < 30; got != c.struck {
				t.Fatalf("struck %v", got)
			}
		})
	}
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).at(-10, fighter("far", "party")).start()
	f.Hurt("wen", 0)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.pass(1, 8) // wen is out, the other 10 ft off
}

// spark.fumble.alt-ammo-accident, spark.fumble.alt-loose-string, spark.fumble.alt-string-snaps: the rest of a full attack is lost
func TestShotsAfterAnAccident(t *testing.T) {
	for _, dice := range [][]int{{1, 17, 51}, {1, 5}, {1, 3}, {1, 1}} {
		f := alt(t, func(s *eventv1.SparkSheet) { s.AttacksPerRound = 3 })
		f.Must(act("ara", declaring.KindAttack, "bow", "orc,orc,orc"))
		f.End("orc", append([]int{2}, dice...)...)
		f.WantAttacks("ara fumble", "ara lost", "ara miss")
	}
}

// spark.fumble.alt-broken-item: the only fragile object needs no die; several of one kind break one by one
func TestTheOnlyFragileObject(t *testing.T) {
	f := altWith(t, []string{body.SetBrokenItem + "=" + body.AtOnce}, func(s *eventv1.SparkSheet) {
		s.Items = []*eventv1.SparkItem{{Name: "vial", Kind: "other", Uses: 2, Fragile: true}}
	})
	for left := int64(1); left >= 0; left-- {
		f.strikes("sword", 1, 19)
		if got := f.Creature("ara").Counters[body.CLeft+"vial"]; got != left {
			t.Fatalf("%d vials, want %d", got, left)
		}
	}
	f.strikes("sword", 1, 19) // nothing is left to break
}

// spark.fumble.alt-hopeless-throw: the shaken hit with disadvantage until an opponent is hit, not a friend; a reaction counts
func TestShakenUntilAnOpponentIsHit(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).atXY(0, 5, fighter("wen", "party")).start()
	f.Put("ara", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondShaken}}})
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.pass(1, 15, 8, 15, 14, 1) // a stray blow, at disadvantage too, hits wen
	if !body.Has(f.Creature("ara"), body.CondShaken) {
		t.Fatal("a friend is no opponent")
	}
	f.Must(act("orc", declaring.KindMove, "", "", to(20)))
	f.End("ara")
	f.End("wen")
	f.Answer(body.DecOpportunity+"/wen", "no")
	f.Answer(body.DecOpportunity+"/ara", "sword", 15, 14, 1)
	if body.Has(f.Creature("ara"), body.CondShaken) {
		t.Fatal("an opponent is hit by a reaction")
	}
}

// spark.fumble.alt-pulled-legs, spark.turn.all-roll-together: the armour lost in a half is not lost to the d20s thrown with it, but to the next
func TestPulledLegInTheSameHalf(t *testing.T) {
	nimble := func(s *eventv1.SparkSheet) { s.ArmorClass, s.DexterityModifier = 17, 3 }
	f := alt(t, nimble)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 1, 16, 2, 10) // 15 against 17
	f.WantAttacks("ara fumble", "orc miss")
	f.End("ara")
	f.Must(act("orc", declaring.KindAttack, "sword", "ara"), 9, 1) // 14 against 14
	f.WantAttacks("orc hit")
}

// spark.fumble.alt-choice: each result may be switched off by itself: the failed attack is all
func TestEveryResultOff(t *testing.T) {
	for _, c := range []struct {
		rule   string
		weapon *eventv1.SparkWeapon
		face   int
	}{
		{cite.FumbleAltWeaponBreak, sword, 1}, {cite.FumbleAltWeaponFlies, sword, 3}, {cite.FumbleAltWildSwing, sword, 5},
		{cite.FumbleAltStuckWeapon, sword, 7}, {cite.FumbleAltStrayMelee, sword, 8}, {cite.FumbleAltSelfWound, sword, 9},
		{cite.FumbleAltSelfWound, spear, 9},
		{cite.FumbleAltSlipUp, sword, 10}, {cite.FumbleAltPulledArms, sword, 15}, {cite.FumbleAltPulledLegs, sword, 16},
		{cite.FumbleAltLossOfNerve, sword, 17}, {cite.FumbleAltBrokenItem, sword, 19}, {cite.FumbleAltAccident, sword, 20},
		{cite.FumbleAltStringSnaps, bow, 3}, {cite.FumbleAltLooseString, bow, 5}, {cite.FumbleAltStrayRanged, bow, 9},
		{cite.FumbleAltAmmoAccident, bow, 17}, {cite.FumbleAltOuch, bite, 1}, {cite.FumbleAltSlipUpNatural, bite, 10},
		{cite.FumbleAltLossOfNerveNatural, bite, 19},
	} {
		f := altWith(t, []string{c.rule + "=off"}, armedWith(c.weapon)).atXY(0, 5, fighter("wen", "party"))
		before := proto.CloneOf(f.Creature("ara"))
		before.Counters[body.COrder] = 0 // it has declared since
		f.strikes(c.weapon.Name)
		f.End("wen", 1, c.face)
		f.WantAttacks("ara fumble")
		if !proto.Equal(before, f.Creature("ara")) {
			t.Errorf("%s: %v became %v", c.rule, before, f.Creature("ara"))
		}
	}
}

// spark.fumble.alt-slip-up, spark.turn.two-halves: a mover that falls in a reaction of its own walks no further, and shoots no more
func TestMoverFalls(t *testing.T) {
	f := newTable(t, body.RuleAlt+"=on").at(0, fighter("ara", "party")).at(5, fighter("orc", "monsters")).start()
	f.Must(act("orc", declaring.KindAttack, "bow", "ara", to(20)))
	f.End("ara")
	f.Answer(body.DecOpportunity+"/ara", "sword", 1, 3)
	f.Choose("reflex", 2, 4, 7)
	f.Choose("fetch")
	f.Answer(body.DecOpportunity+"/orc", "sword", 1, 10, 2)
	f.WantAttacks("orc fumble", "orc lost")
	if x := f.Creature("orc").Position.X; x != 5 || !body.Has(f.Creature("orc"), body.CondProne) {
		t.Fatalf("the orc is at %d", x)
	}
	if got := f.Creature("ara").Items["sword"].Place; got != "main" {
		t.Fatalf("the sword is %q", got)
	}
}
