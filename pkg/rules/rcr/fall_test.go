package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.damage.fall-roll-distance, rcr.damage.fall-roll-landing, rcr.damage.fall-compounding, rcr.damage.fall-type
func TestFalls(t *testing.T) {
	skill := func(name string, bonus int32) func(*eventv1.RcrSheet) {
		return func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: name, Bonus: bonus}} }
	}
	tough := func(name string, bonus int32) func(*eventv1.RcrSheet) {
		return func(s *eventv1.RcrSheet) {
			skill(name, bonus)(s)
			s.Resistances = []*eventv1.RcrDefense{{Type: "bludgeoning"}}
		}
	}
	cases := []struct {
		name   string
		feet   int
		change func(*eventv1.RcrSheet)
		answer string
		faces  []int
		damage int32
		prone  bool
	}{
		{"rcr.damage.fall-roll-distance: 23 takes 20 feet off", 40, skill("acrobatics", 5), "acrobatics", []int{18, 4, 2, 5}, 11, false},
		{"rcr.damage.fall-roll-distance: 9 takes nothing off", 30, skill("athletics", 3), "athletics", []int{6, 1, 2, 3, 4, 5, 6}, 21, true},
		{"rcr.damage.fall-roll-distance: nothing left", 10, skill("acrobatics", 0), "acrobatics", []int{10}, 0, false},
		{"rcr.damage.fall-roll-distance: full tens only", 35, skill("acrobatics", 1), "acrobatics", []int{10, 6, 6, 1}, 13, true},
		{"rcr.damage.fall-roll-landing: after resistance", 30, tough("acrobatics", 2), "acrobatics", []int{10, 6, 5, 4}, 7, false},
		{"rcr.damage.fall-roll-landing: equal is not higher", 20, skill("acrobatics", 2), "acrobatics", []int{7, 4, 3, 2}, 9, true},
		{"rcr.damage.fall-compounding: 20 feet", 20, nil, "no", []int{2, 4, 6}, 12, true},
		{"rcr.damage.fall-compounding: 49 feet", 49, nil, "no", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 10, true},
		{"rcr.damage.fall-compounding: 9 feet", 9, nil, "", nil, 0, false},
		{"rcr.damage.fall-type: resistant", 30, tough("acrobatics", 0), "no", []int{5, 5, 4, 3, 2, 2}, 10, true},
		{"rcr.damage.fall-type: immune", 30, func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "bludgeoning"}} }, "no", []int{5, 5, 4, 3, 2, 2}, 0, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			change := c.change
			if change == nil {
				change = func(*eventv1.RcrSheet) {}
			}
			f := newTable(t, "rcr.damage.fall-compounding=on").add(fighter("a", "party", rcrSheet(change)), fighter("b", "monsters")).start(nil, 5, 20)
			cmd := act("a", "fall", "", "", withParameters("feet", c.feet))
			if c.answer == "" {
				f.Must(cmd, c.faces...)
			} else {
				f.Must(cmd)
				f.Answer(movement.DecFallRoll, c.answer, c.faces...)
			}
			if got := 40 - f.Creature("a").GetHp(); got != c.damage || body.Has(f.Creature("a"), body.CondProne) != c.prone {
				t.Fatalf("%d damage, prone %v; want %d, %v", got, body.Has(f.Creature("a"), body.CondProne), c.damage, c.prone)
			}
		})
	}
	t.Run("rcr.damage.fall-roll-distance: the incapacitated do not roll", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
		f.Afflict("a", body.CondStunned)
		f.Must(act("a", "fall", "", "", withParameters("feet", 20)), 3, 3)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("it stands")
		}
	})
	t.Run("rcr.damage.fall-roll-landing: which way", func(t *testing.T) {
		f := field(t, 0, 5)
		f.Must(act("a", "fall", "", "", withParameters("feet", 10)))
		f.Answer(movement.DecFallRoll, "acrobatics", 10)
		if len(f.Decisions) != 1 {
			t.Fatal("not asked")
		}
		for _, o := range f.Decisions[0].Options {
			if o.Id == "north" {
				t.Fatal("b stands there")
			}
		}
		f.Answer(movement.DecFallTo, "west")
		if at := f.Creature("a").Position; at.X != -5 || at.Y != 0 {
			t.Fatalf("at %v", at)
		}
	})
	for feet, want := range map[int32]int32{9: 0, 10: 1, 20: 3, 30: 6, 40: 10, 50: 15, 60: 21, 70: 28, 80: 36, 90: 45, 100: 55, 110: 66, 120: 78, 580: 1711} {
		if got := movement.FallDice(feet, true); got != want {
			t.Errorf("rcr.damage.fall-compounding: %d feet: %d dice, want %d", feet, got, want)
		}
	}
	for feet, want := range map[int32]int32{35: 3, 200: 20, 500: 20} {
		if got := movement.FallDice(feet, false); got != want {
			t.Errorf("%d feet: %d dice, want %d", feet, got, want)
		}
	}
}
