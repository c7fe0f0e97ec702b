package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.trait.rage: one point of damage taken keeps it up, a blow that misses does not.
func TestOnePointKeepsARageUp(t *testing.T) {
	pin := weapons(&eventv1.RcrAttack{Name: "pin", Bonus: 5, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	for _, c := range []struct {
		name  string
		faces []int
		hp    int32
		rages bool
	}{{"one point", []int{15, 1}, 39, true}, {"two", []int{15, 2}, 38, true}, {"a miss", []int{2}, 40, false}} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", trait("rage")), fighter("b", "monsters", pin)).start(nil, 5, 20)
			f.Afflict("a", body.CondRaging)
			f.Must(act("b", "attack", "pin", "a"), c.faces...)
			f.WantHP("a", c.hp)
			f.End("b", 20)
			f.End("a", 5)
			if body.Raging(f.Creature("a")) != c.rages {
				t.Errorf("rages: %v", f.Creature("a").Conditions)
			}
		})
	}
}
