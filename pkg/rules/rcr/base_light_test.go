package rcr

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func senses(pairs map[string]int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = pairs })
}

// rcr.base.light: who aims at what is dark to it has disadvantage, who is aimed at from
// the dark gives advantage, by what is stated alone.
func TestLightStated(t *testing.T) {
	dark60, true30, blind10 := map[string]int32{"darkvision": 60}, map[string]int32{"truesight": 30}, map[string]int32{"blindsight": 10}
	for _, c := range []struct {
		name       string
		own, other map[string]int32
		facts      []any
		dice       string
	}{
		{"both in the dark: they cancel", nil, nil, []any{"light", "dark"}, "1d20"},
		{"out of the light into the dark", nil, nil, []any{"light", "dark", "own_light", "bright"}, "2d20kl1"},
		{"out of the dark into the light", nil, nil, []any{"light", "bright", "own_light", "dark"}, "2d20kh1"},
		{"dim light hampers no attack", nil, nil, []any{"light", "dim"}, "1d20"},
		{"darkvision of the attacker", dark60, nil, []any{"light", "dark"}, "2d20kh1"},
		{"darkvision of the target", nil, dark60, []any{"light", "dark"}, "2d20kl1"},
		{"darkvision of both", dark60, dark60, []any{"light", "dark"}, "1d20"},
		{"beyond its darkvision", dark60, dark60, []any{"light", "dark", "distance", 65, "own_light", "bright"}, "2d20kl1"},
		{"truesight", true30, nil, []any{"light", "dark"}, "2d20kh1"},
		{"fog hides both ways", nil, nil, []any{"obscured", "heavy"}, "1d20"},
		{"darkvision does not see through fog", dark60, nil, []any{"obscured", "heavy"}, "1d20"},
		{"blindsight needs neither", blind10, nil, []any{"obscured", "heavy", "distance", 10, "close_enemy", false}, "2d20kh1"},
		{"mist hampers no attack", nil, nil, []any{"obscured", "light"}, "1d20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", senses(c.own)), fighter("b", "monsters", senses(c.other))).start(nil, 20, 5)
			faces := []int{2, 2}
			if c.dice == "1d20" {
				faces = faces[:1]
			}
			facts := c.facts
			if len(facts) < 6 {
				facts = append(facts, "distance", 20)
			}
			f.Must(act("a", "attack", "bow", "b", withFacts(facts...)), faces...)
			if got := f.Roll("to-hit").Expression; got != c.dice {
				t.Errorf("%s, want %s", got, c.dice)
			}
		})
	}
}

// rcr.base.light: the light of the fight and the sources in it, by positions.
func TestLightByPositions(t *testing.T) {
	night := func(x int32, settings ...string) *table {
		f := newTable(t, settings...)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), x, 0)
		f.place(fighter("c", "party", senses(map[string]int32{"darkvision": 60})), 0, 10)
		f.Start(object("light", "dark"), 20, 5, 4)
		return f
	}
	shot := func(f *table, faces ...int) string {
		f.Must(act("a", "attack", "bow", "b"), faces...)
		return f.Roll("to-hit").Expression
	}
	if got := shot(night(20), 2); got != "1d20" {
		t.Errorf("neither sees: %s", got)
	}
	f := night(20)
	f.Must(act("b", "shine", "", "", withParameters("source", "torch"))) // b is lit, a 20 feet off is as well
	if got := shot(f, 2); got != "1d20" {
		t.Errorf("both in bright light: %s", got)
	}
	f = night(40)
	f.Must(act("b", "shine", "", "", withParameters("source", "torch")))
	if got := shot(f, 2); got != "1d20" {
		t.Errorf("a in the dim light of it is seen: %s", got)
	}
	f = night(45)
	f.Must(act("b", "shine", "", "", withParameters("source", "torch")))
	if got := shot(f, 2, 2); got != "2d20kh1" {
		t.Errorf("a in the dark aims at one in the light: %s", got)
	}
	f.Must(act("b", "shine", "", "", withParameters("source", "none")))
	f.wantHas("b", body.CondShining, false)
	f.Count("a", body.CAction, 1)
	if got := shot(f, 2); got != "1d20" {
		t.Errorf("put out: %s", got)
	}
	f = night(45)
	f.Must(act("b", "shine", "", "", withParameters("source", "other", "bright", 5, "dim", 40)))
	if got := shot(f, 2); got != "1d20" {
		t.Errorf("as far as it is said to shine: %s", got)
	}
	f = night(20)
	f.Must(act("a", "lighting", "", "", withParameters("light", "bright")))
	if got := shot(f, 2); got != "1d20" || f.State.Marks[body.MLight] != "bright" {
		t.Errorf("by day: %s", got)
	}
	if err := f.Try(act("a", "shine", "", "")); err == nil {
		t.Error("a source must be said")
	}
	t.Run("nobody strikes at whom it does not see go", func(t *testing.T) {
		for _, c := range []struct {
			light string
			asked bool
		}{{"dark", false}, {"dim", true}} {
			f := newTable(t)
			f.place(fighter("a", "party"), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.Start(object("light", c.light), 20, 5)
			f.Must(act("a", "stow", "sword", ""))
			if got := len(f.Decisions) > 0; got != c.asked {
				t.Errorf("%s: asked %v", c.light, got)
			}
		}
	})
}

// rcr.base.light: checks by sight.
func TestLightAndChecks(t *testing.T) {
	dark60 := map[string]int32{"darkvision": 60}
	for _, c := range []struct {
		name   string
		senses map[string]int32
		skill  string
		sense  string
		facts  []any
		dice   string // empty: it fails without a roll
	}{
		{"dim light", nil, "perception", "", []any{"light", "dim"}, "2d20kl1"},
		{"dim light, darkvision", dark60, "perception", "", []any{"light", "dim"}, "1d20"},
		{"the dark, darkvision", dark60, "perception", "sight", []any{"light", "dark"}, "2d20kl1"},
		{"the dark", nil, "perception", "sight", []any{"light", "dark"}, ""},
		{"the dark is no hindrance to hearing", nil, "perception", "hearing", []any{"light", "dark"}, "1d20"},
		{"mist, darkvision", dark60, "perception", "", []any{"obscured", "light"}, "2d20kl1"},
		{"fog", dark60, "perception", "sight", []any{"obscured", "heavy"}, ""},
		{"another skill", nil, "arcana", "", []any{"light", "dim"}, "1d20"},
		{"bright", nil, "perception", "sight", []any{"light", "bright"}, "1d20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", senses(c.senses)), fighter("b", "monsters")).start(nil, 20, 5)
			faces, pairs := []int{10, 10}, []any{"skill", c.skill, "dc", 5}
			switch c.dice {
			case "":
				faces = nil
			case "1d20":
				faces = faces[:1]
			}
			if c.sense != "" {
				pairs = append(pairs, "sense", c.sense)
			}
			f.Must(act("a", "called-check", "", "", withParameters(pairs...), withFacts(c.facts...)), faces...)
			if rolls := f.Rolls("check/" + c.skill); len(rolls) == 0 && c.dice != "" || len(rolls) > 0 && rolls[0].Expression != c.dice {
				t.Errorf("%v, want %s", rolls, c.dice)
			}
		})
	}
	t.Run("passive Perception against one who hides in the dim", func(t *testing.T) {
		for light, dc := range map[string]int32{"bright": 12, "dim": 7} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.PassivePerception = 12 })))
			f.Start(object("light", light), 20, 5)
			f.Must(act("a", "hide", "", ""), int(dc))
			if !body.Has(f.Creature("a"), body.CondHidden) {
				t.Errorf("%s: %d does not hide", light, dc)
			}
		}
	})
}

// rcr.base.jumping, rcr.feat.athlete-running-jump
func TestJumping(t *testing.T) {
	for _, c := range []struct {
		name     string
		strength int32
		pairs    []any
		facts    []any
		spent    int64 // -1: refused
	}{
		{"a running long jump", 16, []any{"feet", 26, "jump", "long", "leap", 16}, nil, 26},
		{"a foot too far", 16, []any{"feet", 27, "jump", "long", "leap", 17}, nil, -1},
		{"a run-up of 9 feet is none", 16, []any{"feet", 25, "jump", "long", "leap", 16}, nil, -1},
		{"a standing long jump", 15, []any{"feet", 7, "jump", "long"}, nil, 7},
		{"a foot too far standing", 15, []any{"feet", 8, "jump", "long"}, nil, -1},
		{"a run-up stated", 16, []any{"feet", 16, "jump", "long"}, []any{"running_start", true}, 16},
		{"a run-up denied", 16, []any{"feet", 26, "jump", "long", "leap", 16}, []any{"running_start", false}, -1},
		{"a running high jump", 16, []any{"feet", 16, "jump", "high", "leap", 6}, nil, 16},
		{"too high", 16, []any{"feet", 17, "jump", "high", "leap", 7}, nil, -1},
		{"a standing high jump", 16, []any{"feet", 3, "jump", "high"}, nil, 3},
		{"too high standing", 16, []any{"feet", 4, "jump", "high"}, nil, -1},
		{"the weak do not leap", 3, []any{"feet", 1, "jump", "high"}, nil, -1},
		{"over difficult ground", 10, []any{"feet", 5, "jump", "long"}, []any{"difficult", 5}, 5},
		{"difficult ground before it", 10, []any{"feet", 20, "jump", "long", "leap", 10}, []any{"difficult", 10}, 30},
		{"an athlete runs up 5 feet", 16, []any{"feet", 21, "jump", "long", "leap", 16}, nil, 21},
		{"an athlete runs up 4 feet", 16, []any{"feet", 20, "jump", "long", "leap", 16}, nil, -1},
		{"on foot alone", 16, []any{"feet", 5, "jump", "long", "mode", "climb"}, nil, -1},
		{"more than the way", 16, []any{"feet", 5, "jump", "long", "leap", 6}, nil, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var feats []string
			if strings.HasPrefix(c.name, "an athlete") {
				feats = append(feats, "athlete")
			}
			f := newTable(t).add(fighter("a", "party", ability("strength", c.strength), feat(feats...)), fighter("b", "monsters")).start(nil, 20, 5)
			cmd := act("a", "move", "", "", withParameters(c.pairs...), withFacts(c.facts...))
			if c.spent < 0 {
				if err := f.Try(cmd); err == nil {
					t.Fatal("accepted")
				}
				return
			}
			f.Must(cmd)
			f.wantCount("a", body.CMoved, c.spent)
		})
	}
	t.Run("landing on rough ground", func(t *testing.T) {
		for face, prone := range map[int]bool{10: false, 9: true} {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "move", "", "", withParameters("feet", 5, "jump", "long"), withFacts("rough_landing", true)), face)
			f.wantHas("a", body.CondProne, prone)
		}
	})
	t.Run("by positions", func(t *testing.T) {
		f := field(t, 0, 30)
		f.Must(act("a", "move", "", "", along(20, 0), withParameters("jump", "long", "leap", 10)))
		f.wantAt("a", 20, 0)
		f.Must(act("a", "move", "", "", along(25, 0), withParameters("jump", "high", "leap", 1)))
		f.wantAt("a", 25, 0)
		f.wantCount("a", body.CMoved, 26)
		if err := f.Try(act("a", "move", "", "", along(30, 0), withParameters("jump", "high"))); err == nil {
			t.Error("how high?")
		}
	})
}

// rcr.base.squeezing
func TestSqueezing(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(act("a", "move", "", "", withParameters("feet", 10), withFacts("squeezing", 5, "difficult", 5, "ends_squeezed", true)))
	f.wantCount("a", body.CMoved, 20) // 10, and 5 more for each
	f.wantHas("a", body.CondSqueezing, true)
	f.Must(act("a", "attack", "sword", "b"), 2, 2)
	if got := f.Roll("to-hit").Expression; got != "2d20kl1" {
		t.Errorf("it strikes with %s", got)
	}
	for ability, dice := range map[string]string{"dexterity": "2d20kl1", "strength": "1d20"} {
		faces := []int{5, 5}
		if dice == "1d20" {
			faces = faces[:1]
		}
		if got := f.save("a", ability, 10, faces...).Expression; got != dice {
			t.Errorf("%s: %s", ability, got)
		}
	}
	f.End("a", 20)
	f.Must(act("b", "attack", "sword", "a"), 2, 2)
	if got := f.Roll("to-hit").Expression; got != "2d20kh1" {
		t.Errorf("it is struck at with %s", got)
	}
	f.End("b", 1)
	f.Must(act("a", "move", "", "", withParameters("feet", 5)))
	f.wantHas("a", body.CondSqueezing, false)
	wantRefused(t, newTable(t).add(fighter("a", "party", func(s *eventv1.Sheet) { s.Speeds["fly"] = 60 }), fighter("b", "monsters")).start(nil, 20, 5).
		Try(act("a", "move", "", "", withParameters("feet", 60, "mode", "fly"), withFacts("squeezing", 5))), cite.FlightNoSqueeze)
}
