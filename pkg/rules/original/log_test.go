package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What multiplies damage is written out; an ordinary hit has no step. The attack names
// its roll and its facts.
//
// original.damage.multiplier, original.critical.natural-20-critical
func TestFactorsOfDamage(t *testing.T) {
	for face, want := range map[int]int{19: 0, 20: 1} {
		f := newTable(t).at(0, one("a", "party", need(10))).at(5, strongFoe()).start(nil, 6, 1)
		f.Must(act("a", "attack", "sword", "b"), face, 3)
		var steps []*eventv1.Factor
		for _, e := range f.Log {
			for _, p := range e.GetDamage().GetParts() {
				steps = append(steps, p.Factors...)
			}
		}
		if len(steps) != want || want > 0 && (steps[0].Before != 4 || steps[0].Times != 2 || steps[0].After != 8 || steps[0].Source != "critical hit" || steps[0].Rule != cite.DamageNormalWeapon) {
			t.Errorf("a natural %d: %v", face, steps)
		}
		if got := rulestest.Told(f.Attack()); got != "distance 5 feet measured" || f.Attack().Roll.GetLabel() != f.Roll("to-hit").Label {
			t.Errorf("it went by %q and %v", got, f.Attack().Roll)
		}
		if left := rulestest.Unexplained(f.Log, 0); len(left) > 0 {
			t.Errorf("nothing explains %v", left)
		}
	}
}
