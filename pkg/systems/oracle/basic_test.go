package oracle

import (
	"fmt"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func basicSheet(id, side, damage string, bonus int) *eventv1.Sheet {
	return &eventv1.Sheet{Id: id, Name: id, Side: side, Size: "medium", HitPoints: 200, Speeds: map[string]int32{"walk": 30},
		Abilities: map[string]int32{"constitution": 10},
		Section: &eventv1.Sheet_Basic{Basic: &eventv1.BasicSheet{ArmorClass: 15, ArmorMaterial: "leather", AttackBonus: int32(bonus),
			Weapons: []*eventv1.BasicWeapon{{Name: "sword", Damage: damage, Kind: "melee"}}}}}
}

// basic.critical.second-roll, basic.critical.regular, basic.critical.maximum,
// basic.critical.damage, basic.critical.effect-chart
func TestAfterANatural20(t *testing.T) {
	each(t, 400, func(t *testing.T, c *rulestest.Chance, note func(string, ...any)) {
		count, sides, modifier := 1+c.N(2), rulestest.Pick(c, []int{4, 6, 8, 10}), c.N(4)
		bonus, stated, second := c.N(6), c.N(9)-4, 1+c.N(20)
		row := SpecialOf(second + bonus + stated)
		damage := fmt.Sprintf("%dd%d+%d", count, sides, modifier)
		note("%s, +%d and %d, second roll %d: %s", damage, bonus, stated, second, row)
		f := rulestest.New(t, system(t, "basic"))
		f.Settled = true
		f.Add(basicSheet("a", "A", damage, bonus), basicSheet("b", "B", "1d8", 0))
		f.Start(nil)
		f.Must(rulestest.Act("a", "declare", "melee-attack", ""))
		f.Must(rulestest.Act("b", "declare", "melee-attack", ""), 6, 1)
		faces, rolled := []int{20, second}, 0
		if row != Maximum {
			for range count {
				die := c.Die(sides)
				faces, rolled = append(faces, die), rolled+die
			}
		}
		effect := 0
		if row == Charted {
			effect = c.Die(4)
			faces = append(faces, effect)
		}
		f.Must(rulestest.Act("a", "attack", "sword", "b", rulestest.Plus(int32(stated))), faces...)
		f.WantHP("b", int32(200-SpecialDamage(row, rolled, count, sides, modifier)))
		b := f.Creature("b")
		for i, name := range Chart {
			has := b.GetItems()["sword"].GetPlace() == "dropped"
			if name != "disarmed" {
				has = len(b.GetConditions()) > 0 && b.GetConditions()[0].GetName() == name
			}
			if has != (effect == i+1) {
				t.Errorf("%s: %t, the chart says %d", name, has, effect)
			}
		}
	})
}
