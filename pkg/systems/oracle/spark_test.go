package oracle

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// armed is a creature of spark with a weapon of a class.
func armed(id, side string, w *eventv1.SparkWeapon) *eventv1.Sheet {
	return &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 90, Speeds: map[string]int32{"walk": 30},
		Section: &eventv1.Sheet_Spark{Spark: &eventv1.SparkSheet{Level: 4, HitDie: 8, ArmorClass: 14, AttacksPerRound: 1, Weapons: []*eventv1.SparkWeapon{w}}}}
}

// weapon draws one of a class.
func weapon(c *rulestest.Chance, class string) (w *eventv1.SparkWeapon, sides, bonus int) {
	sides, bonus = rulestest.Pick(c, []int{4, 6, 8, 12}), c.N(6)
	w = &eventv1.SparkWeapon{Name: "arm", FumbleClasses: []string{class}, AttackModifier: int32(c.N(9)),
		DamageDice: map[int]string{4: "1d4", 6: "1d6", 8: "1d8", 12: "1d12"}[sides], DamageBonus: int32(bonus), ReachFeet: 5, Natural: class == "F"}
	if class == "M" {
		w.ReachFeet, w.RangeFeet, w.Launcher, w.Missiles = 0, 80, true, proto.Int32(9)
	}
	return w, sides, bonus
}

// mayAttack tells whether the rules offer a creature an attack.
func mayAttack(t *testing.T, f *rulestest.Table, id string) bool {
	t.Helper()
	for _, o := range system(t, "spark").Options(rules.Query{State: f.State, Creature: id}) {
		if o.Action == "attack" && o.Legal {
			return true
		}
	}
	return false
}

// spark.fumble.table-2d4
func TestBlunders(t *testing.T) {
	each(t, 300, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		class := rulestest.Pick(c, []string{"M", "S", "B", "P", "F"})
		w, sides, bonus := weapon(c, class)
		one, two := 1+c.N(4), 1+c.N(4)
		row := BlunderOf(class, one, two)
		note("%s, %d and %d: %+v; 1d%d%+d", class, one, two, row, sides, bonus)
		if row.Open {
			return
		}
		thrown := &faces{chance: c}
		thrown.thrown = []int{1, one, two}
		var self, other, target int
		switch {
		case row.OwnDie:
			self = thrown.roll(4)
		case row.Bump:
			thrown.roll(2) // two stand at the same distance
		case row.Flies:
			thrown.roll(10)
			thrown.roll(10)
			thrown.roll(8)
		case row.Self+row.Other+row.Target > 0:
			damage := thrown.roll(sides) + bonus
			self, other, target = Share(damage, row.Self), Share(damage, row.Other), Share(damage, row.Target)
		}
		f := rulestest.New(t, system(t, "spark"))
		f.Settled = true
		plain, _, _ := weapon(c, "S")
		f.AddAt(0, 0, armed("a", "party", w))
		f.AddAt(5, 0, armed("o", "monsters", plain))
		f.AddAt(-5, 0, armed("w", "party", plain))
		f.Start(nil)
		f.Must(rulestest.Act("a", "attack", "arm", "o"))
		f.End("o")
		f.End("w", thrown.take()...)
		f.WantHP("a", int32(90-self))
		f.WantHP("o", int32(90-target))
		f.WantHP("w", int32(90-other))
		judgeArm(t, f, row)
		for round := 1; round <= 3; round++ {
			if row.Barred > 0 && mayAttack(t, f, "a") == (round <= row.Barred) {
				t.Errorf("round %d after it: attack offered: %t", round, round <= row.Barred)
			}
			for _, id := range []string{"a", "o", "w"} {
				f.End(id)
			}
		}
	})
}

// judgeArm holds what became of the weapon and of the hand.
func judgeArm(t *testing.T, f *rulestest.Table, row Blunder) {
	t.Helper()
	a := f.Creature("a")
	if dropped := a.Items["arm"].GetPlace() == "dropped"; dropped != (row.Weapon == "dropped") {
		t.Errorf("dropped: %t", dropped)
	}
	if gone := a.Items["arm"].GetPlace() == "gone"; gone != (row.Weapon == "broken") {
		t.Errorf("gone: %t", gone)
	}
	if chip := a.Counters["chip.arm"]; chip > 0 != (row.Weapon == "chipped") || chip > 1 {
		t.Errorf("chipped by %d", chip)
	}
	if hurt := len(a.Injuries) > 0; hurt != (row.Injury != "") {
		t.Errorf("injuries %v, want %q", a.Injuries, row.Injury)
	}
	if left, counted := a.Counters["ammunition.arm"]; counted && left != 9 && !row.Missile || row.Missile && left != 8 {
		t.Errorf("%d missiles left", left)
	}
}
