package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// about says of what is stated whom it is about.
func about(id string) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) {
		for _, c := range t.Circumstances {
			c.Target = id
		}
	}
}

// What is stated of a fall weighs on the check that goes with it.
//
// rcr.damage.fall-roll-distance, rcr.underwater.dive-into-water
func TestFallStated(t *testing.T) {
	cases := []struct {
		name   string
		change []func(*eventv1.TakeAction)
		faces  []int
		total  int32
	}{
		{"advantage", []func(*eventv1.TakeAction){stated("advantage:awning")}, []int{4, 18, 1}, 18},
		{"a number", []func(*eventv1.TakeAction){rulestest.Plus(5)}, []int{9, 1}, 14},
		{"about the faller", []func(*eventv1.TakeAction){stated("disadvantage:blown"), about("a")}, []int{18, 10, 1}, 10},
		{"about somebody else", []func(*eventv1.TakeAction){stated("disadvantage:blown"), about("b")}, []int{18, 1}, 18},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
			f.Must(act("a", "fall", "", "", append(c.change, withParameters("feet", 20))...))
			f.Answer(movement.DecFallRoll, "acrobatics", c.faces...)
			if got := f.Roll("fall/check/a").Total; got != c.total {
				t.Errorf("total %d, want %d", got, c.total)
			}
		})
	}
	t.Run("the dive into water", func(t *testing.T) {
		f := newTable(t, cite.UnderwaterIntro+"=on", cite.UnderwaterDiveIntoWater+"=on").add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 5, 20)
		f.Must(act("a", "fall", "", "", rulestest.Plus(3), withParameters("feet", 10), withFacts("into_water", true)))
		f.Answer("dive", "yes", 13)
		f.WantHP("a", 40) // 13 and 3 against 16
	})
}

// What is stated when a delayed check is called for stands beside what was recorded.
//
// rcr.dice.delayed-roll
func TestDelayedStated(t *testing.T) {
	delay := func(change ...func(*eventv1.TakeAction)) *table {
		f := duel(t)
		f.Must(act("a", "delay-check", "", "", append(change, withParameters("task", "knot", "skill", "sleight of hand"))...))
		return f
	}
	call := func(f *table, faces []int, change ...func(*eventv1.TakeAction)) int32 {
		f.Must(act("a", "call-delayed", "knot/a/delayed-roll", "", append(change, withParameters("dc", 12))...), faces...)
		return f.Roll("delayed/sleight of hand").Total
	}
	if got := call(delay(), []int{4, 15}, stated("advantage:wet rope")); got != 15 {
		t.Errorf("advantage when it is called for: %d", got)
	}
	if got := call(delay(rulestest.Plus(2)), []int{10}, rulestest.Plus(3)); got != 15 {
		t.Errorf("both numbers: %d", got)
	}
	if got := call(delay(stated("disadvantage:haste")), []int{10}, stated("advantage:wet rope")); got != 10 {
		t.Errorf("they cancel: %d", got)
	}
	if got := call(delay(), []int{10}, rulestest.Plus(3), about("b")); got != 10 {
		t.Errorf("about somebody else: %d", got)
	}
}

// A deafened caster's check takes what is stated of it, or of nobody.
//
// rcr.condition.deafened-verbal
func TestDeafenedCasterStated(t *testing.T) {
	mage := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Spells = []*eventv1.RcrSpell{{Name: "word", Level: 1, Verbal: true, RangeFeet: 60}}
		s.SpellSlots = []int32{2}
	})
	cases := []struct {
		name   string
		change []func(*eventv1.TakeAction)
		faces  []int
		total  int32
	}{
		{"of nobody", []func(*eventv1.TakeAction){stated("advantage:calm")}, []int{3, 12}, 12},
		{"of the caster", []func(*eventv1.TakeAction){rulestest.Plus(4), about("a")}, []int{8}, 12},
		{"of the target", []func(*eventv1.TakeAction){rulestest.Plus(4), about("b")}, []int{8}, 8},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", mage), fighter("b", "monsters")).start(nil, 20, 5)
			f.Afflict("a", body.CondDeafened)
			f.Must(act("a", "cast", "word", "b", c.change...), c.faces...)
			if got := f.Roll("cast/deafened").Total; got != c.total {
				t.Errorf("total %d, want %d", got, c.total)
			}
		})
	}
}
