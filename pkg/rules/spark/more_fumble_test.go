package spark

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/spark/body"
	"github.com/skaldrpg/skald/pkg/rules/spark/declaring"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
	"google.golang.org/protobuf/proto"
)

// spark.fumble.trigger
func TestFumbleTrigger(t *testing.T) {
	f := duel(t, func(s *eventv1.SparkSheet) { s.Weapons[0].AttackModifier = 15 })
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 1, 2, 2) // 16 does not matter; roll 4: dropped
	f.WantAttacks("ara fumble")
	f.WantHP("orc", 30)

	f = duel(t)
	f.Must(act("orc", declaring.KindMove, "", "", to(15)))
	f.End("ara")
	f.Answer(body.DecOpportunity, "sword", 1, 4, 4, 4)
	if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Broken {
		t.Fatal("roll 8 of an opportunity attack is not settled")
	}

	f = duel(t)
	f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
	f.End("orc", 20, 1, 6) // the 1 of the multiplier is no critical fail
	f.WantAttacks("ara critical")
	f.WantHP("orc", 21)
}

// spark.fumble.weapon-class
func TestWeaponClass(t *testing.T) {
	both := &eventv1.SparkWeapon{FumbleClasses: []string{"S", "P"}}
	for _, c := range []struct {
		weapon *eventv1.SparkWeapon
		ranged bool
		named  string
		want   string
	}{{sword, false, "", "S"}, {mace, false, "", "B"}, {spear, false, "", "P"}, {bow, true, "", "M"}, {claw, false, "", "F"},
		{both, false, "P", "P"}, {both, false, "S", "S"}, {spear, true, "", "M"}} {
		if got := body.ClassOf(c.weapon, c.ranged, c.named); got != c.want {
			t.Errorf("%s named %q: %s, want %s", c.weapon.Name, c.named, got, c.want)
		}
	}
}

// spark.fumble.trip-one-round: no attack in round 3, free in round 4
func TestTripOneRound(t *testing.T) {
	f := duel(t, armedWith(claw))
	f.End("ara")
	f.End("orc")
	f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
	f.End("orc", 1, 1, 1)
	if err := f.Try(act("ara", declaring.KindAttack, "claw", "orc")); err == nil {
		t.Fatal("allowed in round 3")
	}
	f.End("ara")
	f.End("orc")
	f.Must(act("ara", declaring.KindAttack, "claw", "orc"))
}

// spark.fumble.missile-broken: gone, not to be gathered
func TestMissileBroken(t *testing.T) {
	axe := &eventv1.SparkWeapon{Name: "axe", FumbleClasses: []string{"S"}, AttackModifier: 5, DamageDice: "1d6", RangeFeet: 20, Missiles: proto.Int32(1)}
	for _, c := range []struct {
		weapon *eventv1.SparkWeapon
		faces  []int
		left   int64
	}{{bow, []int{1, 3, 4}, 11}, {axe, []int{1, 1, 2}, 0}} {
		f := duel(t, armedWith(c.weapon))
		f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
		f.End("orc", c.faces...)
		n := f.Creature("ara").Counters
		if n[body.CAmmunition+c.weapon.Name] != c.left || n[body.CSpent+c.weapon.Name] != 0 {
			t.Errorf("%s: %v", c.weapon.Name, n)
		}
	}
}

// spark.fumble.missile-rebounds: the second of three in range; nobody when alone
func TestMissileRebounds(t *testing.T) {
	f := newTable(t).at(0, fighter("ara", "party", armedWith(bow))).at(5, fighter("orc", "monsters")).
		at(20, fighter("a-wen", "party")).at(30, fighter("b-orc", "monsters")).at(40, fighter("c-tam", "party")).start()
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.End("orc")
	f.End("a-wen")
	f.End("b-orc")
	f.End("c-tam", 1, 2, 3, 2, 5)
	f.WantHP("b-orc", 24)

	f = duel(t, armedWith(bow))
	f.Must(act("ara", declaring.KindAttack, "bow", "orc"))
	f.End("orc", 1, 2, 3)
	f.WantHP("orc", 30)
	f.WantHP("ara", 30)
}

// spark.fumble.broken-double-damage
func TestBrokenDoubleDamage(t *testing.T) {
	for chip, damage := range []int32{14, 12} {
		f := duel(t)
		f.Count("ara", body.CChip+"sword", chip)
		f.Must(act("ara", declaring.KindAttack, "sword", "orc"))
		f.End("orc", 1, 4, 4, 4)
		f.WantHP("orc", 30-damage)
		if f.Creature("ara").Marks[body.MWeapon+"sword"] != body.Broken {
			t.Error("the sword is whole")
		}
	}
}

// spark.item.hardness-check, spark.item.mundane-no-save
func TestWeaponBreaks(t *testing.T) {
	of := func(w *eventv1.SparkWeapon, material string) *eventv1.SparkWeapon {
		w = proto.Clone(w).(*eventv1.SparkWeapon)
		w.Material = material
		return w
	}
	for _, c := range []struct {
		name     string
		weapon   *eventv1.SparkWeapon
		strength int32
		faces    []int
		want     string
	}{
		{"wood, 13 of 13", magical(of(bow, "wood"), 0), 4, []int{1, 1, 1, 9}, body.Broken},
		{"wood, 12 of 13", magical(of(bow, "wood"), 0), 4, []int{1, 1, 1, 8}, body.Cracked},
		{"adamantine, 29 of 40", magical(of(sword, "adamantine"), 0), 9, []int{1, 4, 4, 20, 1}, body.Cracked},
		{"mundane adamantine sword", of(sword, "adamantine"), 0, []int{1, 4, 4, 1}, body.Broken},
		{"mundane longbow", bow, 0, []int{1, 1, 1}, body.Broken},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := duel(t, armedWith(c.weapon), func(s *eventv1.SparkSheet) { s.StrengthModifier = c.strength })
			f.Must(act("ara", declaring.KindAttack, c.weapon.Name, "orc"))
			f.End("orc", c.faces...)
			if got := f.Creature("ara").Marks[body.MWeapon+c.weapon.Name]; got != c.want {
				t.Fatalf("%q, want %q", got, c.want)
			}
		})
	}
}

// spark.item.hardness-table
func TestHardnessTable(t *testing.T) {
	for material, want := range map[string]int32{"rope": 23, "paper-or-cloth": -1, "mundane-crystal": 15, "iron-steel-or-deep-crystal": 28} {
		if got, known := body.Book.Hardness[material]; !known || got != want {
			t.Errorf("%s: %d, want %d", material, got, want)
		}
	}
}
