package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func patientDeed(deed, item string, patients []string, user string, parameters ...any) *eventv1.PatientCommand {
	return &eventv1.PatientCommand{Deed: deed, Item: item, Patients: patients, User: user, Parameters: object(parameters...)}
}

func dieList(n ...any) []any { return n }

// dicePool gives a sheet a level and as many hit dice of a size, some spent.
func dicePool(level, size, spent int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		s.Level, s.HitDice = level, []*eventv1.RcrHitDice{{Size: size, Total: level, Spent: spent}}
	})
}

// Rests: hit dice, wounds, hit points and what recharges.
func TestRests(t *testing.T) {
	cases := []struct {
		name       string
		con        int32
		level      int32
		spent      int32
		hp, max    int32
		wounds     int
		settings   []string
		deed       string
		parameters []any
		faces      []int
		hpAfter    int32
		left       int64 // wounds
		dice       int64 // hit dice
	}{
		{cite.RestShortRestWounds, 14, 5, 2, 12, 38, 4, nil, "short-rest", []any{"dice", dieList(8, 8), "kit_available", false}, []int{5, 3}, 24, 2, 1},
		{"rcr.rest.short-rest-wounds by number", 14, 5, 2, 12, 38, 4, nil, "rest", []any{"kind", "short", "dice", 2}, []int{5, 3}, 24, 2, 1},
		{"rcr.rest.short-rest-wounds by patient", 14, 5, 2, 12, 38, 4, nil, "short-rest", []any{"dice", map[string]any{"a": dieList(8)}}, []int{5}, 19, 3, 2},
		{"rcr.rest.short-rest-wounds kit at hand", 14, 5, 2, 12, 38, 4, nil, "short-rest", []any{"dice", dieList(8, 8), "kit_available", true}, []int{5, 3}, 24, 4, 1},
		{"rcr.rest.short-rest-wounds under 5 points", 14, 5, 0, 12, 38, 4, nil, "short-rest", []any{"dice", 1, "kit_available", false}, []int{1}, 15, 3, 4},
		{"rcr.rest.short-rest-wounds at full hit points", 14, 5, 0, 38, 38, 4, nil, "short-rest", []any{"dice", 1}, []int{1}, 38, 3, 4},
		{"rcr.rest.short-rest-wounds broken off", 14, 5, 0, 12, 38, 4, nil, "short-rest", []any{"dice", 1, "completed", false}, nil, 12, 4, 5},
		{cite.RestLongRestWounds, 10, 5, 3, 20, 52, 5, nil, "long-rest", []any{"kit_available", true}, nil, 52, 0, 4},
		{"rcr.rest.long-rest-wounds broken off", 10, 5, 3, 20, 52, 5, nil, "long-rest", []any{"completed", false}, nil, 20, 5, 2},
		{"rcr.rest.mod-no-free-hp on", 10, 5, 0, 20, 52, 2, []string{"rcr.rest.mod-no-free-hp=on"}, "long-rest", nil, nil, 20, 0, 5},
		{"rcr.rest.mod-no-free-hp off", 10, 5, 0, 20, 52, 2, nil, "rest", []any{"kind", "long"}, nil, 52, 0, 5},
		{cite.RestModHitDiceAnyRest, 14, 7, 2, 20, 52, 0, []string{"rcr.rest.mod-no-free-hp=on", "rcr.rest.mod-hit-dice-any-rest=on", "rcr.rest.mod-regain-half=on"},
			"long-rest", []any{"dice", dieList(8, 8, 8)}, []int{3, 8, 5}, 42, 0, 5},
		{"rcr.rest.mod-regain-half level 7", 10, 7, 5, 52, 52, 0, []string{"rcr.rest.mod-regain-half=on"}, "long-rest", nil, nil, 52, 0, 5},
		{"rcr.rest.mod-regain-half level 8", 10, 8, 2, 52, 52, 0, []string{"rcr.rest.mod-regain-half=on"}, "long-rest", nil, nil, 52, 0, 8},
		{"rcr.rest.mod-regain-half level 1", 10, 1, 1, 52, 52, 0, []string{"rcr.rest.mod-regain-half=on"}, "long-rest", nil, nil, 52, 0, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", c.con, c.max, dicePool(c.level, 8, c.spent)), c.hp, c.wounds, c.settings...)
			f.tend(patientDeed(c.deed, "", []string{"a"}, "", c.parameters...), c.faces...)
			a := f.Creature("a")
			if a.GetHp() != c.hpAfter || a.Counters[body.CWounds] != c.left || a.Counters[body.CHitDice+"8"] != c.dice {
				t.Fatalf("hp %d wounds %d dice %d, want %d, %d, %d", a.GetHp(), a.Counters[body.CWounds], a.Counters[body.CHitDice+"8"], c.hpAfter, c.left, c.dice)
			}
		})
	}
}

// rcr.rest.long-rest-wounds, rcr.injury.row4-scar-permanence: what is permanent stays.
func TestLongRestKeepsScars(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 20, 0)
	f.scarred("a", &eventv1.Injury{Kind: body.InjuryScar, Amount: 4, Permanent: true}, &eventv1.Injury{Kind: body.InjuryScar, Amount: 3, Permanent: true},
		&eventv1.Injury{Kind: body.InjuryLost, Part: "hand", Permanent: true})
	f.Count("a", body.CWounds, 4, body.CExhaustion, 2)
	f.tend(patientDeed("long-rest", "", []string{"a"}, ""))
	f.wantBody("a", want{33, 33, 0, 0, false, true})
	if a := f.Creature("a"); len(a.Injuries) != 3 || a.Counters[body.CExhaustion] != 1 {
		t.Fatalf("%v %v", a.Injuries, a.Counters)
	}
	f.deed(hit("a", 17)) // more than half of 33
	f.wantBody("a", want{16, 33, 3, 3, false, true})
}

// rcr.rest.short-rest-wounds: the player decides die by die.
func TestHitDiceOneAtATime(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, dicePool(5, 8, 0)), 10, 0)
	cmd := patientDeed("short-rest", "", []string{"a"}, "")
	f.Tend(cmd)
	for _, step := range []struct {
		answer string
		faces  []int
		hp     int32
	}{{"d8", []int{6}, 16}, {"d8", []int{2}, 18}, {"stop", nil, 18}} {
		f.Answer(body.DecHitDie, step.answer, step.faces...)
		f.WantHP("a", step.hp)
	}
}

// Resources and spell slots come back on their rests.
func TestRecharge(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellSlots = []int32{4, 2}
		s.Resources = []*eventv1.RcrResource{{Name: "ki", Current: 0, Max: 5, Recharge: "short rest"}, {Name: "rage", Current: 0, Max: 3, Recharge: "long rest"}}
		s.Powers = []*eventv1.RcrPower{{Name: "second wind", Healing: "1d10+5", Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "short rest"}}}
	})), 40, 0)
	f.Count("a", body.CSlot+"1", 1, body.CSlot+"2", 0, body.CLeft+"second wind", 0)
	f.tend(patientDeed("short-rest", "", []string{"a"}, "", "dice", 0))
	a := f.Creature("a").Counters
	if a[body.CLeft+"ki"] != 5 || a[body.CLeft+"rage"] != 0 || a[body.CLeft+"second wind"] != 1 || a[body.CSlot+"1"] != 1 || a[body.CHours] != 1 {
		t.Fatalf("after a short rest %v", a)
	}
	f.tend(patientDeed("long-rest", "", []string{"a"}, ""))
	a = f.Creature("a").Counters
	if a[body.CLeft+"rage"] != 3 || a[body.CSlot+"1"] != 4 || a[body.CSlot+"2"] != 2 || a[body.CHours] != 9 {
		t.Fatalf("after a long rest %v", a)
	}
}

// Whoever is down has no rest.
func TestNoRestAtZero(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 0, 0)
	_, err := f.tryMedicine(rules.Tend(rest.Medicine{}, patientDeed("long-rest", "", []string{"a"}, "")), nil, nil)
	wantRefused(t, err, body.Fallback)
}
