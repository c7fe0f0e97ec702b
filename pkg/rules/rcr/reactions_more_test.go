package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/strike"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.fifth-edition-fallback: uncanny dodge halves the damage of the attack, all of
// it, and halves round down once.
func TestHalvedAsAWhole(t *testing.T) {
	flaming := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks[0].Damage = append(s.Attacks[0].Damage, &eventv1.RcrDamage{Dice: "1d6", Type: "fire"})
	})
	for _, c := range []struct {
		name   string
		change []func(*eventv1.Sheet)
		item   string
		faces  []int
		taken  int32
	}{
		{"one part of 5", nil, "rapier", []int{2}, 2},
		{"5 and 3 of a sneak attack", []func(*eventv1.Sheet){trait(body.TraitSneakAttack), level(1)}, "rapier", []int{2, 3}, 4},
		{"5 and 4", []func(*eventv1.Sheet){trait(body.TraitSneakAttack), level(1)}, "rapier", []int{2, 4}, 4},
		{"6 and 3", []func(*eventv1.Sheet){trait(body.TraitSneakAttack), level(1)}, "rapier", []int{3, 3}, 4},
		{"5 piercing and 3 fire", []func(*eventv1.Sheet){flaming}, "rapier", []int{2, 3}, 4},
		{"5 piercing, 1 fire and 1 of a sneak attack", []func(*eventv1.Sheet){flaming, trait(body.TraitSneakAttack), level(1)}, "rapier", []int{2, 1, 1}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", append([]func(*eventv1.Sheet){manyArmed}, c.change...)...), fighter("b", "monsters", trait(body.TraitUncannyDodge))).start(nil, 20, 5)
			f.Must(act("a", "attack", c.item, "b", stated("advantage:high ground")), 15, 14)
			f.Answer(strike.DecDefend, body.TraitUncannyDodge, c.faces...)
			if got := f.DamageTo("b"); got != c.taken {
				t.Errorf("%d taken, want %d", got, c.taken)
			}
			if left := rulestest.Unexplained(f.Log, 0); len(left) > 0 {
				t.Errorf("nothing explains %v", left)
			}
			for _, e := range f.Events { // what was rolled, and each step from there, is told
				for _, p := range e.GetDamage().GetParts() {
					if len(p.Factors) == 0 || p.Factors[len(p.Factors)-1].After != p.Rolled {
						t.Errorf("%v does not tell how it came to %d", p.Factors, p.Rolled)
					}
				}
			}
		})
	}
}

// rcr.feat.athlete-stand, rcr.condition.prone-rise: an athlete stands up for 5 feet; to get
// from the ground to a crouch is not to stand up, and takes half the speed.
func TestAthletesRiseToACrouch(t *testing.T) {
	for _, c := range []struct {
		feats    []string
		action   string
		cost     int32
		movement int // what is left before
		left     int64
		rule     string
	}{
		{[]string{"athlete"}, "stand", 5, 30, 25, ""},
		{[]string{"athlete"}, "stand", 5, 5, 0, ""},
		{[]string{"athlete"}, "stand", 5, 4, 4, cite.ConditionProneRise},
		{[]string{"athlete"}, "crouch", 15, 30, 0, ""}, // and 15 for the halved speed
		{[]string{"athlete"}, "crouch", 15, 15, 0, ""},
		{[]string{"athlete"}, "crouch", 15, 14, 14, cite.ConditionProneRise},
		{nil, "stand", 15, 30, 15, ""},
		{nil, "crouch", 15, 30, 0, ""},
	} {
		f := newTable(t).add(fighter("a", "party", feat(c.feats...)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("a", body.CondProne)
		f.Count("a", body.CMovement, c.movement)
		o := optionOf(f, "a", c.action, "")
		if o == nil || o.Legal != (c.rule == "") || o.Costs[body.CMovement] != c.cost {
			t.Errorf("%v %s with %d: offered %v, want a cost of %d", c.feats, c.action, c.movement, o, c.cost)
		}
		err := f.Try(act("a", c.action, "", ""))
		if c.rule != "" {
			wantRefused(t, err, c.rule)
		} else if err != nil {
			t.Fatal(err)
		}
		f.wantCount("a", body.CMovement, c.left)
		f.wantHas("a", body.CondProne, c.rule != "")
	}
}

// rcr.feat.mage-slayer-interrupt: each attack that hits asks for a check by its own damage;
// the first that fails ends it, and the slot is kept.
func TestTwoMageSlayers(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings []string
		m, n     []int // faces of the attack of each
		saves    []int
		cast     bool
		dcs      []int32
	}{
		{"11 and 11: twice against 10", nil, []int{15, 8}, []int{15, 8}, []int{10, 10}, true, []int32{10, 10}},
		{"the second fails", nil, []int{15, 8}, []int{15, 8}, []int{10, 9}, false, []int32{10, 10}},
		{"the first fails", nil, []int{15, 8}, []int{15, 8}, []int{9}, false, []int32{10}},
		{"one misses", nil, []int{2}, []int{15, 8}, []int{10}, true, []int32{10}},
		{"both miss", nil, []int{2}, []int{2}, nil, true, nil},
		{"no interruption at this table", off(cite.FeatMageSlayerInterrupt), []int{15, 8}, []int{15, 8}, nil, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("c", "party", caster), fighter("m", "monsters", feat("mage slayer")), fighter("n", "monsters", feat("mage slayer")))
			f.Place("c", 0, 0)
			f.Place("m", 5, 0)
			f.Place("n", 0, 5)
			f.start(nil, 20, 10, 5)
			f.Must(act("c", "cast", "healing word", "c"))
			f.Answer(movement.DecSlay+"/m", "sword")
			faces := append(append(append([]int{}, c.m...), c.n...), c.saves...)
			if c.cast {
				faces = append(faces, 1)
			}
			f.Answer(movement.DecSlay+"/n", "sword", faces...)
			if slots := f.Creature("c").Counters[body.CSlot+"1"]; (slots == 3) != c.cast {
				t.Errorf("%d slots left", slots)
			}
			var dcs []int32
			for _, e := range f.Published {
				if x := e.GetRoll(); x != nil && len(x.Label) > 9 && x.Label[:9] == "interrupt" {
					dcs = append(dcs, x.Target.GetValue())
				}
			}
			if len(dcs) != len(c.dcs) || len(dcs) > 0 && dcs[len(dcs)-1] != c.dcs[len(c.dcs)-1] {
				t.Errorf("against %v, want %v", dcs, c.dcs)
			}
		})
	}
}
