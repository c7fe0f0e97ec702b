package rcr

import (
	"strings"
	"testing"

	content "github.com/skaldrpg/skald/pkg/content/rcr"
	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// medic makes "b": Medicine +5, proficiency +3, and what heals.
func medic() *eventv1.Sheet {
	return bodied("b", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
		s.Skills = []*eventv1.RcrSkill{{Name: "medicine", Bonus: 5}}
		s.HealersKitUses = 3
		s.SpellSlots = []int32{2, 0, 1}
		s.Spells = []*eventv1.RcrSpell{{Name: "cure wounds", Level: 1, Healing: "1d8+3", UpcastDice: "1d8"},
			{Name: "lesser restoration", Level: 2}, {Name: "revivify", Level: 3}}
		s.Items = []*eventv1.RcrItem{{Name: "potion", Rarity: "common", Healing: "2d4+2", Charges: 1}}
		s.Powers = []*eventv1.RcrPower{{Name: "lay on hands", Healing: "5", Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "long rest"}}}
	}))
}

// Treatment between fights, by every route.
func TestTreat(t *testing.T) {
	cases := []struct {
		name       string
		wounds     int
		item       string
		parameters []any
		faces      []int
		hp         int32
		left       int64
		counter    string
		value      int64
	}{
		{"rcr.healing.magic-check by a spell", 3, "cure wounds", nil, []int{4, 5}, 17, 2, body.CSlot + "1", 1},
		{"rcr.healing.removed-by-spell-level upcast", 5, "cure wounds", []any{"slot", 3}, []int{4, 2, 1, 5}, 20, 2, body.CSlot + "3", 0},
		{cite.HealingRemovedByProficiency, 4, "lay on hands", nil, []int{5}, 15, 1, body.CLeft + "lay on hands", 0},
		{cite.HealingItemCheck, 3, "potion", nil, []int{2, 2, 9}, 16, 2, body.CLeft + "potion", 0},
		{cite.HealingKitWound, 3, "", nil, []int{5}, 10, 2, body.CKit, 2},
		{"rcr.healing.kit-wound under water", 3, "healer's kit", []any{"underwater", true}, []int{15, 4}, 10, 3, body.CKit, 2},
		{"rcr.healing.magic-eligible hit points as rolled", 3, "healing word", []any{"amount", 6, "slot", 2}, []int{5}, 16, 1, body.CKit, 3},
		{"rcr.healing.magic-eligible dice as stated", 3, "second wind", []any{"via", "ability", "healing", "1d10+1"}, []int{8, 5}, 19, 0, body.CKit, 3},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 20, 40), 10, c.wounds).add(medic())
			f.tend(patientDeed("treat", c.item, []string{"a"}, "b", c.parameters...), c.faces...)
			a, b := f.Creature("a"), f.Creature("b")
			if a.GetHp() != c.hp || a.Counters[body.CWounds] != c.left || b.Counters[c.counter] != c.value {
				t.Fatalf("hp %d wounds %d %s %d, want %d, %d, %d", a.GetHp(), a.Counters[body.CWounds], c.counter, b.Counters[c.counter], c.hp, c.left, c.value)
			}
		})
	}
}

func (f *table) refusedTend(rule string, c *eventv1.PatientCommand) {
	f.T.Helper()
	_, err := f.tryMedicine(rules.Tend(rest.Medicine{}, c), nil, nil)
	wantRefused(f.T, err, rule)
}

// What cannot be paid is refused.
func TestTreatRefused(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic())
	f.refusedTend(body.Fallback, patientDeed("treat", "lesser restoration", []string{"a"}, "b")) // no slot of level 2
	f.Count("b", body.CKit, 0)
	f.refusedTend(cite.HealingKitUseExpended, patientDeed("treat", "", []string{"a"}, "b"))
	f.Count("a", body.CWounds, 0)
	f.Count("b", body.CKit, 1)
	f.refusedTend(cite.HealingKitWound, patientDeed("treat", "", []string{"a"}, "b"))
	for _, bad := range []*eventv1.PatientCommand{
		patientDeed("treat", "unheard of", []string{"a"}, "b"),
		patientDeed("treat", "x", []string{"a"}, "b", "via", "prayer"),
		patientDeed("treat", "cure wounds", []string{"a"}, "b", "slot", 10),
		patientDeed("treat", "", []string{"a", "a"}, "b"),
		patientDeed("treat", "", nil, "b"),
		patientDeed("treat", "", []string{"a"}, "nobody"),
		patientDeed("dance", "", []string{"a"}, ""),
		patientDeed("rest", "", []string{"a"}, "", "kind", "nap"),
		patientDeed("harm", "", []string{"a"}, "", "dice", "many"),
		patientDeed("harm", "", []string{"a"}, "", "amount", -1),
		patientDeed("harm", "", []string{"a"}, "", "grade", "huge"),
		patientDeed("exhaust", "", []string{"a"}, ""),
		patientDeed("pass-time", "", []string{"a"}, ""),
		patientDeed("set-mark", "", []string{"a"}, ""),
		patientDeed("temporary-hit-points", "", []string{"a"}, ""),
		patientDeed("short-rest", "", []string{"a"}, "", "dice", "two"),
		patientDeed("short-rest", "", []string{"a"}, "", "dice", 9),
		patientDeed("short-rest", "", []string{"a"}, "", "dice", dieList(12)),
	} {
		if _, err := f.tryMedicine(rules.Tend(rest.Medicine{}, bad), nil, nil); err == nil {
			t.Errorf("allowed: %v", bad)
		}
	}
}

// rcr.healing.magic-check: one check for all that one use heals.
func TestTreatMany(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 10, 2).add(medic(), bodied("c", 20, 40))
	f.Hurt("c", 36)
	f.Count("c", body.CWounds, 2)
	f.tend(patientDeed("treat", "mass cure wounds", []string{"a", "c"}, "b", "amount", 12, "slot", 2), 5)
	if a, c := f.Creature("a").Counters[body.CWounds], f.Creature("c").Counters[body.CWounds]; a != 0 || c != 2 {
		t.Fatalf("wounds %d and %d: only who regained 5 is relieved", a, c)
	}
}

// rcr.base.death-save-frame: first aid with a kit or with bare hands.
func TestFirstAid(t *testing.T) {
	f := medTable(t, bodied("a", 20, 40), 0, 1).add(medic())
	f.tend(patientDeed("treat", "", []string{"a"}, "b", "via", "stabilise"), 4)
	if f.Creature("a").Life != eventv1.LifeStatus_LIFE_STATUS_DYING {
		t.Fatal("a 9 does not stabilise")
	}
	f.tend(patientDeed("treat", "", []string{"a"}, "b"))
	if a := f.Creature("a"); a.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || a.Counters[body.CWounds] != 1 || f.Creature("b").Counters[body.CKit] != 2 {
		t.Fatalf("%v %v", a.Life, a.Counters)
	}
	f.tend(patientDeed("pass-time", "", []string{"a"}, "", "hours", 1), 3)
	f.wantBody("a", want{0, 40, 1, 0, false, false})
	f.tend(patientDeed("pass-time", "", []string{"a"}, "", "hours", 2))
	f.wantBody("a", want{1, 40, 1, 0, false, true})
}

// Harm, revival and the other deeds of the game master.
func TestTendDeeds(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 40, 0).add(medic())
	f.tend(patientDeed("harm", "trap", []string{"a"}, "", "dice", "2d6", "type", "fire", "magical", true), 3, 4)
	f.wantBody("a", want{33, 40, 0, 0, false, true})
	f.tend(patientDeed("harm", "trap", []string{"a"}, "", "amount", 3, "critical", true))
	f.wantBody("a", want{30, 40, 1, 1, false, true})
	f.tend(patientDeed("harm", "setback", []string{"a"}, "", "grade", "minor"), 1, 2) // rcr.injury.setback-table
	f.wantBody("a", want{27, 40, 1, 1, false, true})
	f.tend(patientDeed("temporary-hit-points", "", []string{"a"}, "", "amount", 5))
	f.tend(patientDeed("temporary-hit-points", "", []string{"a"}, "", "amount", 3))
	if f.Creature("a").GetHpTemp() != 5 {
		t.Fatal("temporary hit points do not add up")
	}
	f.tend(patientDeed("exhaust", "march", []string{"a"}, "", "levels", 11))
	f.wantBody("a", want{27, 40, 1, 1, true, false}) // rcr.condition.exhaustion-scale
	f.tend(patientDeed("treat", "revivify", []string{"a"}, "b"))
	f.wantBody("a", want{1, 40, 0, 0, false, true})
	if a := f.Creature("a"); a.Counters[body.CExhaustion] != 10 {
		t.Fatalf("%v", a.Counters)
	}
}

// rcr.injury.row4-scar: the game master may name the die; rcr.injury.describe-wound:
// words on the wound go with it.
func TestNamedScarDie(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
		s.HitDice = []*eventv1.RcrHitDice{{Size: 6, Total: 2}, {Size: 10, Total: 3}}
	})), 40, 3)
	f.tend(patientDeed("harm", "claw", []string{"a"}, "", "amount", 2, "critical", true, "scar_die", "d6", "wound", "a torn cheek"), 6)
	if in := f.Creature("a").Injuries[0]; in.Amount != 6 || in.Description != "a torn cheek" || in.Cause != "claw" {
		t.Fatalf("%v", in)
	}
	f.force("a", body.CWounds, 3)
	f.tend(patientDeed("harm", "claw", []string{"a"}, "", "amount", 2, "critical", true), 10) // the largest
	if in := f.Creature("a").Injuries[1]; in.Amount != 10 {
		t.Fatalf("rcr.injury.rows-cumulative: entered again, %v", in)
	}
}

// rcr.healing.magic-is-natural-healing
func TestMagicIsNaturalHealing(t *testing.T) {
	for _, on := range []string{"on", "off"} {
		f := medTable(t, bodied("a", 20, 40), 10, 2, "rcr.healing.magic-is-natural-healing="+on)
		f.scarred("a", &eventv1.Injury{Kind: body.InjuryLost, Part: "leg", Permanent: true})
		f.tend(patientDeed("set-mark", "", []string{"a"}, "", "mark", injuries.Ailment+"infection", "value", "left arm"))
		f.deed(healing("a", "a", 40, "via", "spell", "spell_level", "3"), 12)
		a := f.Creature("a")
		if a.Counters[body.CWounds] != 0 || len(a.Injuries) != 1 || (a.Marks[injuries.Ailment+"infection"] != "") != (on == "on") {
			t.Fatalf("%s: %v %v %v", on, a.Counters, a.Injuries, a.Marks)
		}
	}
}

// The tables as shipped, and what is refused of others.
func TestTables(t *testing.T) {
	if body.BookError != nil {
		t.Fatal(body.BookError)
	}
	for _, c := range []struct {
		level        int32
		minor, major string
	}{{1, "1d10", "2d10"}, {4, "1d10", "2d10"}, {5, "2d10", "4d10"}, {10, "2d10", "4d10"}, {11, "4d10", "10d10"}, {16, "4d10", "10d10"}, {17, "10d10", "18d10"}, {20, "10d10", "18d10"}} {
		if a, b := checks.SetbackDice(body.Book, c.level, checks.GradeMinor), checks.SetbackDice(body.Book, c.level, checks.GradeMajor); a != c.minor || b != c.major {
			t.Errorf("rcr.injury.setback-table: level %d: %s and %s", c.level, a, b)
		}
	}
	if len(body.Book.Wounds) != 6 || body.Book.Wounds[0].Name != "Shock" || body.Book.Wounds[5].Name != "Death" { // rcr.injury.wounds-table
		t.Errorf("%v", body.Book.Wounds)
	}
	shipped := content.Book().Table
	for _, c := range []struct{ table, from, to string }{
		{"wounds", "3,Bleeding", "4,Bleeding"},
		{"wounds", "6,Death,dies outright,death\n", ""},
		{"limbs", "2,hand", "3,hand"},
		{"limbs", "d4,lost", "d4,part"},
		{"setback", "5,10", "6,10"},
		{"setback", "17,20", "17,19"},
		{"setback", "1,4", "1,x"},
		{"rarity", "rare,5,3", "rare,x,3"},
		{"rarity", "very rare", "rare"},
		{"spells", "lesser restoration,3", "lesser restoration,some"},
		{"spells", "mass heal", "heal"},
		{"spells", "regenerate,all,no", "regenerate,all,maybe"},
	} {
		if _, err := body.LoadTables(func(name string) (string, error) {
			text, err := shipped(name)
			if name == c.table {
				text = strings.Replace(text, c.from, c.to, 1)
			}
			return text, err
		}); err == nil {
			t.Errorf("%s with %q for %q is accepted", c.table, c.to, c.from)
		}
	}
}
