package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The triggers of wounds: the larger counts, and each event for itself.
func TestWoundTriggers(t *testing.T) {
	type blow struct {
		amount   int32
		critical bool
	}
	cases := []struct {
		name     string
		con      int32
		hp, max  int32
		wounds   int
		settings []string
		blows    []blow
		faces    []int
		want     want
	}{
		{cite.InjuryWoundOnCritical, 10, 40, 40, 0, nil, []blow{{12, true}}, nil, want{28, 40, 1, 1, false, true}},
		{"rcr.injury.wound-on-critical within the allowance", 14, 40, 40, 0, nil, []blow{{9, true}}, nil, want{31, 40, 1, 0, false, true}},
		{"rcr.injury.wound-on-critical twice", 10, 40, 40, 0, nil, []blow{{8, true}, {8, true}}, nil, want{24, 40, 2, 2, false, true}},
		{cite.InjuryWoundsOnZeroHp, 10, 9, 40, 0, nil, []blow{{9, false}}, nil, want{0, 40, 2, 2, false, false}},
		{"rcr.injury.wounds-on-zero-hp not again at 0", 10, 9, 40, 0, nil, []blow{{9, false}, {5, false}}, nil, want{0, 40, 2, 2, false, false}},
		{"rcr.injury.wounds-on-massive-damage exactly half", 10, 30, 30, 0, nil, []blow{{15, false}}, nil, want{15, 30, 0, 0, false, true}},
		{"rcr.injury.wounds-on-massive-damage over half", 10, 31, 31, 0, nil, []blow{{16, false}}, nil, want{15, 31, 3, 3, false, true}},
		{"rcr.injury.wounds-on-massive-damage and to 0", 10, 5, 40, 0, nil, []blow{{21, false}}, nil, want{0, 40, 3, 3, false, false}},
		{"rcr.injury.wounds-on-massive-damage two blows", 10, 30, 30, 0, nil, []blow{{12, false}, {12, false}}, nil, want{6, 30, 0, 0, false, true}},
		{"rcr.injury.massive-damage-party-level 2", 10, 12, 12, 0, []string{body.SetPartyLevel + "=2"}, []blow{{9, false}}, nil, want{3, 12, 0, 0, false, true}},
		{"rcr.injury.massive-damage-party-level 3", 10, 12, 12, 0, []string{body.SetPartyLevel + "=3"}, []blow{{9, false}}, nil, want{3, 12, 3, 3, false, true}},
		{"rcr.injury.massive-damage-party-level 2 to 0", 10, 12, 12, 0, []string{body.SetPartyLevel + "=2"}, []blow{{12, false}}, nil, want{0, 12, 2, 2, false, false}},
		{"rcr.injury.massive-damage-party-level off", 10, 12, 12, 0, []string{body.SetPartyLevel + "=1", "rcr.injury.massive-damage-party-level=off"},
			[]blow{{9, false}}, nil, want{3, 12, 3, 3, false, true}},
		{"rcr.injury.highest-trigger-only critical to 0", 10, 6, 40, 0, nil, []blow{{14, true}}, nil, want{0, 40, 2, 2, false, false}},
		{"rcr.injury.highest-trigger-only all three", 10, 18, 30, 0, nil, []blow{{20, true}}, nil, want{0, 30, 3, 3, false, false}},
		{"rcr.injury.highest-trigger-only two events", 10, 14, 40, 0, nil, []blow{{8, true}, {7, false}}, nil, want{0, 40, 3, 3, false, false}},
		{"rcr.injury.con-negative three at once", 8, 20, 20, 0, nil, []blow{{20, false}}, []int{3}, want{0, 16, 3, 4, false, false}},
		{"rcr.injury.con-negative first wound", 8, 40, 40, 0, nil, []blow{{2, true}}, nil, want{38, 40, 1, 2, false, true}},
		{"rcr.injury.con-negative outright", 1, 40, 40, 0, nil, []blow{{2, true}}, nil, want{38, 40, 1, 6, true, false}},
		{"rcr.injury.con-negative skips the scar", 3, 40, 40, 0, nil, []blow{{2, true}}, []int{1}, want{38, 40, 1, 5, false, true}},
		{"rcr.injury.con-negative skipped rows count", 3, 40, 40, 0, []string{body.SetSkippedRows + "=on"}, []blow{{2, true}}, []int{1, 1}, want{35, 35, 1, 5, false, true}},
		{cite.InjuryRowsCumulative, 10, 40, 40, 2, nil, []blow{{21, false}}, []int{5, 2}, want{19, 35, 5, 5, false, true}},
		{cite.InjuryRow4Scar, 14, 38, 38, 5, nil, []blow{{2, true}}, []int{6}, want{34, 34, 6, 4, false, true}},
		{"rcr.injury.row4-scar never raises", 16, 60, 60, 6, nil, []blow{{2, true}}, []int{2}, want{58, 60, 7, 4, false, true}},
		{cite.InjuryRow5SeveredLimb, 10, 40, 40, 4, nil, []blow{{2, true}}, []int{4}, want{38, 40, 5, 5, false, true}},
		{cite.InjuryRow6Death, 10, 25, 40, 5, nil, []blow{{6, true}}, nil, want{19, 40, 6, 6, true, false}},
		{"rcr.injury.row6-death after scar and limb", 10, 40, 40, 3, nil, []blow{{21, false}}, []int{5, 2}, want{19, 35, 6, 6, true, false}},
		{"rcr.injury.con-allowance dead at +3 and 9", 16, 40, 40, 8, nil, []blow{{2, true}}, nil, want{38, 40, 9, 6, true, false}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", c.con, c.max), c.hp, c.wounds, c.settings...)
			for i, b := range c.blows {
				h := hit("a", b.amount)
				h.Critical = b.critical
				var faces []int
				if i == len(c.blows)-1 {
					faces = c.faces
				}
				f.deed(h, faces...)
			}
			f.wantBody("a", c.want)
		})
	}
}

// Defences come before temporary hit points, and those before hit points.
func TestDefences(t *testing.T) {
	type list []*eventv1.RcrDefense
	cases := []struct {
		name                    string
		immune, resist, fragile list
		facts                   map[string]string
		rolled, taken           int32
	}{
		{"plain", nil, nil, nil, nil, 9, 9},
		{"resistance halves down", nil, list{{Type: "slashing"}}, nil, nil, 9, 4},
		{"vulnerability doubles", nil, nil, list{{Type: "slashing"}}, nil, 9, 18},
		{"resistance before vulnerability", nil, list{{Type: "slashing"}}, list{{Type: "slashing"}}, nil, 9, 8},
		{"immunity", list{{Type: "slashing"}}, nil, list{{Type: "slashing"}}, nil, 9, 0},
		{"twice resistant is once", nil, list{{Type: "slashing"}, {Type: "slashing"}}, nil, nil, 9, 4},
		{"other type", list{{Type: "fire"}}, nil, nil, nil, 9, 9},
		{"magic beats nonmagical only", nil, list{{Type: "slashing", NonmagicalOnly: true}}, nil, map[string]string{"magical": "yes"}, 9, 9},
		{"nonmagical", nil, list{{Type: "slashing", NonmagicalOnly: true}}, nil, nil, 9, 4},
		{"silvered", list{{Type: "slashing", ExceptSilvered: true}}, nil, nil, map[string]string{"silvered": "yes"}, 9, 9},
		{"adamantine", list{{Type: "slashing", ExceptAdamantine: true}}, nil, nil, map[string]string{"adamantine": "yes"}, 9, 9},
	}
	for _, c := range cases {
		t.Run("rcr.base.fifth-edition-fallback/"+c.name, func(t *testing.T) {
			f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) {
				s.Immunities, s.Resistances, s.Vulnerabilities = c.immune, c.resist, c.fragile
			})), 40, 0)
			res := f.deed(hit("a", c.rolled, func(h *eventv1.Harm) { h.Facts = c.facts }))
			if res.Taken != c.taken || f.Creature("a").GetHp() != 40-c.taken {
				t.Fatalf("taken %d, hp %d; want %d taken", res.Taken, f.Creature("a").GetHp(), c.taken)
			}
		})
	}
}

// rcr.injury.wounds-on-zero-hp: temporary hit points soak first.
func TestTemporaryHitPoints(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40), 3, 0)
	f.deed(&eventv1.Harm{Deed: body.DeedTempHP, Target: "a", Amount: 6})
	f.deed(hit("a", 8))
	f.wantBody("a", want{1, 40, 0, 0, false, true})
	if f.Creature("a").GetHpTemp() != 0 {
		t.Fatal("temporary hit points left")
	}
}

// rcr.injury.wound-on-critical: an immune creature is wounded all the same.
func TestCriticalOnTheImmune(t *testing.T) {
	f := medTable(t, bodied("a", 10, 40, rcrSheet(func(s *eventv1.RcrSheet) { s.Immunities = []*eventv1.RcrDefense{{Type: "slashing"}} })), 40, 0)
	f.deed(hit("a", 8, critical))
	f.wantBody("a", want{40, 40, 1, 1, false, true})
}

// The fifth edition's instant death and the death of monsters at 0.
func TestOutrightDeath(t *testing.T) {
	t.Run("rcr.base.fifth-edition-fallback as much as the maximum left over", func(t *testing.T) {
		f := medTable(t, bodied("a", 20, 12), 6, 0)
		f.deed(hit("a", 18))
		f.wantBody("a", want{0, 12, 3, 0, true, false})
	})
	t.Run("rcr.base.fifth-edition-fallback one less", func(t *testing.T) {
		f := medTable(t, bodied("a", 20, 12), 6, 0)
		f.deed(hit("a", 17))
		f.wantBody("a", want{0, 12, 3, 0, false, false})
	})
	t.Run("monster", func(t *testing.T) {
		f := newTable(t).add(fighter("m", "monsters"))
		if res := f.deed(hit("m", 40)); !res.Dead || !res.Down {
			t.Fatalf("%v", res)
		}
		f.wantBody("m", want{0, 40, 0, 0, true, false})
	})
	t.Run("monsters make death saves", func(t *testing.T) {
		f := newTable(t, body.SetMonstersDie+"=off").add(fighter("m", "monsters"))
		f.deed(hit("m", 40))
		f.wantBody("m", want{0, 40, 0, 0, false, false})
	})
}

// rcr.injury.enemies-optional
func TestEnemies(t *testing.T) {
	for _, c := range []struct {
		name, kind, setting, word string
		wounds                    int64
	}{
		{"bandit", "humanoid", "on", "", 1},
		{"wolf", "beast", "on", "", 1},
		{"zombie", "undead", "on", "", 0},
		{"bandit, rule off", "humanoid", "off", "", 0},
		{"fire elemental by the game master's word", "elemental", "on", "on", 1},
		{"bandit kept out", "humanoid", "on", "off", 0},
	} {
		t.Run("rcr.injury.enemies-optional/"+c.name, func(t *testing.T) {
			f := newTable(t, "rcr.injury.enemies-optional="+c.setting).
				add(fighter("m", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.CreatureType = c.kind })))
			if c.word != "" {
				f.Put("m", &eventv1.Vitals{Marks: map[string]string{body.MWoundsEnabled: c.word}})
			}
			f.deed(hit("m", 5, critical))
			if n := f.Creature("m").Counters[body.CWounds]; n != c.wounds {
				t.Fatalf("%d wounds, want %d", n, c.wounds)
			}
		})
	}
}
