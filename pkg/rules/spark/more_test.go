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

// spark.dice.drop-to-zero
func TestDropToZero(t *testing.T) {
	for _, c := range []struct {
		name string
		die  int
		left int32
		orc  string
	}{{"the arrow does 6", 5, 0, "orc lost"}, {"the arrow does 5", 4, 1, "orc miss"}} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t)
			f.Hurt("orc", 6)
			f.Must(act("orc", declaring.KindAttack, "sword", "ara"))
			f.Must(act("ara", declaring.KindAttack, "bow", "orc"), 5, 9, c.die)
			f.WantAttacks("ara hit", c.orc)
			f.WantHP("orc", c.left)
		})
	}
}

// twoHanded attacks twice and has a dagger in the off hand.
func twoHanded(s *eventv1.SparkSheet) {
	mage(s)
	s.AttacksPerRound = 2
	s.Weapons[0].AttackModifier = 6
	s.Weapons = append(s.Weapons, &eventv1.SparkWeapon{Name: "dagger", FumbleClasses: []string{"P"}, AttackModifier: 4, DamageDice: "1d4", ReachFeet: 5, OffHand: true})
	s.Items = []*eventv1.SparkItem{{Name: "potion", Kind: "potion", Uses: 2, Healing: "1d8"}, {Name: "wand", Kind: "magic", Uses: 2}, {Name: "ring", Kind: "magic", Uses: 2}}
}

// spark.action.off-hand-attack: three d20s; a spell leaves no bonus action
func TestOffHandAttack(t *testing.T) {
	f := duel(t, twoHanded)
	wantRefused(t, f.Try(act("ara", declaring.KindCast, "fire", "orc", withParameters("bonus", "off-hand:dagger"))), cite.ActionSpellFillsRound)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc,orc", withParameters("bonus", "off-hand:dagger")))
	f.End("orc", 2, 2, 2)
	if n := len(f.Rolls("")); n != 3 {
		t.Fatalf("%d d20s, want 3", n)
	}
}

// spark.action.drink-potion, spark.action.activate-item: each takes the one bonus action
func TestItemsTakeTheBonusAction(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		bonus      []string
		allowed    bool
	}{
		{"potion after the off hand", declaring.KindAttack, []string{"off-hand:dagger", "potion:potion"}, false},
		{"attack and potion", declaring.KindAttack, []string{"potion:potion"}, true},
		{"move and wand", declaring.KindMove, []string{"activate:wand"}, true},
		{"two items", declaring.KindMove, []string{"activate:wand", "activate:ring"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := act("ara", c.kind, "", "", to(-5), withParameters("bonus", c.bonus))
			if c.kind == declaring.KindAttack {
				cmd = act("ara", c.kind, "sword", "orc", withParameters("bonus", c.bonus))
			}
			err := duel(t, twoHanded).Try(cmd)
			if !c.allowed {
				wantRefused(t, err, cite.ActionBonus)
			} else if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// spark.action.speak: one free action each time
func TestSpeak(t *testing.T) {
	f := duel(t)
	f.Must(act("ara", declaring.ActSpeak, "", ""))
	f.Must(act("ara", declaring.ActSpeak, "", ""))
	if n := f.Creature("ara").Counters[body.CFree]; n != 3 {
		t.Fatalf("%d free actions left, want 3 of 5", n)
	}
}

// spark.turn.movement-first: distances are those of the places reached
func TestMovementFirst(t *testing.T) {
	for _, c := range []struct {
		reach int32
		want  string
		faces []int
	}{{20, "ara miss", []int{2}}, {15, "ara lost", nil}} {
		short := proto.Clone(bow).(*eventv1.SparkWeapon)
		short.RangeFeet = c.reach
		f := newTable(t).at(0, fighter("ara", "party", armedWith(short))).at(50, fighter("ogre", "monsters")).start()
		f.Must(act("ara", declaring.KindAttack, "bow", "ogre"))
		f.Must(act("ogre", declaring.KindAttack, "sword", "ara", to(20)), c.faces...)
		got := f.Attacks()
		if !slices.Contains(got, c.want) || !slices.Contains(got, "ogre lost") {
			t.Errorf("a bow of %d ft: %v", c.reach, got)
		}
	}
}

// spark.attack.roll
func TestAttackRoll(t *testing.T) {
	f := duel(t, twoHanded)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc", withParameters("bonus", "off-hand:dagger")))
	f.End("orc", 10, 13, 1, 1)
	var order []string
	for _, e := range f.Events {
		if a := e.GetAttack(); a != nil {
			order = append(order, a.Weapon)
		}
	}
	if !slices.Equal(order, []string{"dagger", "sword"}) {
		t.Fatalf("%v", order)
	}
	f = duel(t, func(s *eventv1.SparkSheet) { s.Weapons[0].AttackModifier = 3 })
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 10)
	f.WantAttacks("ara miss")
}

// spark.rest.short-length: four are two hours; one broken off is none
func TestShortRestLength(t *testing.T) {
	f := patient(t, 5, 8, 3, 10, 40)
	for range 4 {
		f.mustTend(resting("short"), 1)
	}
	if n := f.Creature("ara").Counters; n[body.CMinutes] != 120 || n[body.CMana] != 7 {
		t.Fatalf("%v", n)
	}
	f.mustTend(resting("short", "dice", 1.0, "interrupted", true))
	f.WantHP("ara", 10)
	if n := f.Creature("ara").Counters[body.CMana]; n != 7 {
		t.Fatalf("mana %d", n)
	}
}
