package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// How far water lets one see, worked out from eyes, clarity and depth.
//
// rcr.underwater.clarity, rcr.underwater.turbid-obscured, rcr.underwater.sight-unaided,
// rcr.underwater.sight-combination, rcr.underwater.depth-light
func TestSightUnderWater(t *testing.T) {
	trait := func(name string) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{name} })
	}
	surface := func(is bool) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.SurfaceCreature = &is })
	}
	sense := func(name string, feet int32) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{name: feet} })
	}
	for _, c := range []struct {
		name string
		off  string
		of   []func(*eventv1.Sheet)
		say  []any
		feet int32
		sees bool
	}{
		{"rcr.underwater.clarity: murky at 30", "", []func(*eventv1.Sheet){goggles}, []any{"clarity", "murky"}, 30, true},
		{"rcr.underwater.clarity: murky at 35", "", []func(*eventv1.Sheet){goggles}, []any{"clarity", "murky"}, 35, false},
		{"rcr.underwater.clarity: off", cite.UnderwaterClarity, []func(*eventv1.Sheet){goggles}, []any{"clarity", "murky"}, 35, true},
		{"rcr.underwater.clarity: clear", "", []func(*eventv1.Sheet){goggles}, []any{"clarity", "clear"}, 300, true},
		{"rcr.underwater.sight-unaided: at 60", "", nil, nil, 60, true},
		{"rcr.underwater.sight-unaided: at 65", "", nil, nil, 65, false},
		{"rcr.underwater.sight-unaided: off", cite.UnderwaterSightUnaided, nil, nil, 65, true},
		{"rcr.underwater.sight-unaided: goggles on a creature of the surface", "", []func(*eventv1.Sheet){goggles, surface(true)}, nil, 65, true},
		{"rcr.underwater.sight-unaided: goggles", "", []func(*eventv1.Sheet){goggles}, nil, 65, true},
		{"rcr.underwater.sight-unaided: a swimmer by nature", "", []func(*eventv1.Sheet){swimmer}, nil, 65, true},
		{"rcr.underwater.sight-unaided: the amphibious", "", []func(*eventv1.Sheet){trait(body.TraitAmphibious)}, nil, 65, true},
		{"rcr.underwater.sight-unaided: who breathes water", "", []func(*eventv1.Sheet){trait(body.TraitWaterBreathing)}, nil, 65, true},
		{"rcr.underwater.sight-unaided: a swimmer of the surface", "", []func(*eventv1.Sheet){swimmer, surface(true)}, nil, 65, false},
		{"rcr.underwater.sight-unaided: no creature of the surface", "", []func(*eventv1.Sheet){surface(false)}, nil, 65, true},
		{"rcr.underwater.sight-combination: murky", "", nil, []any{"clarity", "murky"}, 30, true},
		{"rcr.underwater.sight-combination: the smaller limit", "", nil, []any{"clarity", "murky"}, 35, false},
		{"rcr.underwater.sight-combination: dim, to 60 feet", "", nil, []any{"depth", 400}, 60, true},
		{"rcr.underwater.sight-combination: dim, no further", "", nil, []any{"depth", 400}, 65, false},
		{"rcr.underwater.sight-combination: off", cite.UnderwaterSightCombination, nil, []any{"depth", 400}, 65, true},
		{"rcr.underwater.sight-combination: goggles in turbid water", "", []func(*eventv1.Sheet){goggles}, []any{"clarity", "turbid"}, 5, false},
		{"rcr.underwater.turbid-obscured: off leaves no sight either", cite.UnderwaterTurbidObscured, []func(*eventv1.Sheet){goggles}, []any{"clarity", "turbid"}, 5, false},
		{"rcr.underwater.turbid-obscured: blindsight works", "", []func(*eventv1.Sheet){sense("blindsight", 30)}, []any{"clarity", "turbid"}, 30, true},
		{"rcr.underwater.turbid-obscured: as far as it reaches", "", []func(*eventv1.Sheet){sense("blindsight", 30)}, []any{"clarity", "turbid"}, 35, false},
		{"rcr.underwater.turbid-obscured: tremorsense works", "", []func(*eventv1.Sheet){sense("tremorsense", 30)}, []any{"clarity", "turbid"}, 30, true},
		{"rcr.underwater.turbid-obscured: darkvision does not", "", []func(*eventv1.Sheet){sense("darkvision", 60)}, []any{"clarity", "turbid"}, 5, false},
		{"rcr.underwater.depth-light: dark at 600", "", []func(*eventv1.Sheet){goggles}, []any{"depth", 600}, 5, false},
		{"rcr.underwater.depth-light: off", cite.UnderwaterDepthLight, []func(*eventv1.Sheet){goggles}, []any{"depth", 600}, 5, true},
		{"rcr.underwater.depth-light: darkvision in the dark", "", []func(*eventv1.Sheet){goggles, sense("darkvision", 60)}, []any{"depth", 600}, 60, true},
		{"rcr.underwater.depth-light: beyond darkvision", "", []func(*eventv1.Sheet){goggles, sense("darkvision", 60)}, []any{"depth", 600}, 65, false},
	} {
		for _, how := range []string{bySaid, byFacts} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				settings := []string{cite.UnderwaterRangedBeyondNormal + "=off"}
				if c.off != "" {
					settings = append(settings, c.off+"=off")
				}
				bow := rcrSheet(func(s *eventv1.RcrSheet) {
					s.Attacks = []*eventv1.RcrAttack{{Name: "bow", RangeFeet: 1000, Natural: true, Properties: []string{body.PropUnderwater}, Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "piercing"}}}}
				})
				// The other sees nothing but sees it all the same, so that one source is left.
				f, facts := wet(t, how, c.feet, fighter("a", "party", append(c.of, bow)...), fighter("b", "monsters", sense("blindsight", 1000)), settings, c.say...)
				dice, faces := "1d20", []int{5}
				if !c.sees {
					dice, faces = "2d20kl1", []int{5, 5}
				}
				f.Must(act("a", "attack", "bow", "b", withFacts(append(facts, "close_enemy", false)...)), faces...)
				if got := f.Roll("to-hit").Expression; got != dice {
					t.Fatalf("%s, want %s", got, dice)
				}
			})
		}
	}
}

// By places, depth is what is above each of them.
//
// rcr.underwater.depth-light
func TestLightByDepth(t *testing.T) {
	for _, c := range []struct {
		name  string
		depth int32
		say   []any
		want  string
	}{
		{"at 250", 250, nil, body.LightBright},
		{"at 300, still unaffected", 300, nil, body.LightBright},
		{"at 305", 305, nil, body.LightDim},
		{"at 450", 450, nil, body.LightDim},
		{"at 595", 595, nil, body.LightDim},
		{"at 600", 600, nil, body.LightDark},
		{"at 5000", 5000, nil, body.LightDark},
		{"lamps at 600", 600, []any{"lit", true}, body.LightBright},
		{"lamps put out", 600, []any{"lit", false}, body.LightDark},
		{"night at 100", 100, []any{"sunlight", "dark"}, body.LightDark},
		{"dusk at 100", 100, []any{"sunlight", "dim"}, body.LightDim},
		{"dusk at 450", 450, []any{"sunlight", "dim"}, body.LightDim},
		{"night at 450", 450, []any{"sunlight", "dark"}, body.LightDark},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.at(fighter("a", "party"), 0, 0, -c.depth)
			f.Start(object(append([]any{"surface", 0}, c.say...)...), 5)
			if got := body.LightAt(f.State, f.Creature("a"), body.WaterSaid{}); got != c.want {
				t.Errorf("by its place: %s, want %s", got, c.want)
			}
			g := newTable(t).add(fighter("a", "party"))
			g.Start(object(append([]any{"underwater", []string{"a"}, "depth", int(c.depth)}, c.say...)...), 5)
			if got := body.LightAt(g.State, g.Creature("a"), body.WaterSaid{}); got != c.want {
				t.Errorf("as stated for the fight: %s, want %s", got, c.want)
			}
			h := newTable(t).add(fighter("a", "party")).start(nil, 5)
			h.Must(act("a", "water", "", "", withParameters(append([]any{"depth", 1}, c.say...)...)))
			h.Must(act("a", "submerge", "", "", withParameters("depth", int(c.depth))))
			if got := body.LightAt(h.State, h.Creature("a"), body.WaterSaid{}); got != c.want {
				t.Errorf("as stated for it: %s, want %s", got, c.want)
			}
		})
	}
	f := newTable(t).add(fighter("a", "party"))
	f.Start(object("depth", 900), 5)
	if got := body.LightAt(f.State, f.Creature("a"), body.WaterSaid{}); got != body.LightBright {
		t.Errorf("out of the water: %s", got)
	}
}

// Of one who is under water and one who is not: clarity counts for both, eyes for
// the one in it, light where what is looked at is.
//
// rcr.underwater.clarity, rcr.underwater.sight-unaided, rcr.underwater.depth-light,
// rcr.underwater.turbid-obscured
func TestSightIntoWater(t *testing.T) {
	senses := rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"blindsight": 1000} })
	bow := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Attacks = []*eventv1.RcrAttack{{Name: "bow", RangeFeet: 1000, Natural: true, Properties: []string{body.PropUnderwater}, Damage: []*eventv1.RcrDamage{{Dice: "1", Type: "piercing"}}}}
	})
	for _, c := range []struct {
		name, under string
		say         []any
		feet        int
		sees        bool
	}{
		{"from above, clear", "b", nil, 65, true},
		{"from below, bare eyes", "a", nil, 65, false},
		{"from above, murky at 30", "b", []any{"clarity", "murky"}, 30, true},
		{"from above, murky at 35", "b", []any{"clarity", "murky"}, 35, false},
		{"from below, murky at 35", "a", []any{"clarity", "murky"}, 35, false},
		{"from above, turbid", "b", []any{"clarity", "turbid"}, 5, false},
		{"from below, turbid", "a", []any{"clarity", "turbid"}, 5, false},
		{"from above into the dark", "b", []any{"depth", 600}, 5, false},
		{"from the dark into the light", "a", []any{"depth", 600}, 5, true},
		{"neither in it", "", []any{"clarity", "turbid", "depth", 600}, 300, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", bow), fighter("b", "monsters", senses))
			say := c.say
			if c.under != "" {
				say = append([]any{"underwater", []string{c.under}}, c.say...)
			}
			f.Start(object(say...), 20, 5)
			faces := []int{5}
			if !c.sees {
				faces = []int{5, 5}
			}
			f.Must(act("a", "attack", "bow", "b", withFacts("distance", c.feet, "close_enemy", false)), faces...)
		})
	}
}

// Two that do not see each other: for and against cancel.
//
// rcr.underwater.turbid-obscured
func TestTurbidWater(t *testing.T) {
	for _, how := range []string{bySaid, byFacts, byMap} {
		f, facts := wet(t, how, 5, fighter("a", "party", wielding("w", 5, forWater)), fighter("b", "monsters", armor(14)), nil, "clarity", "turbid")
		f.Must(act("a", "attack", "w", "b", withFacts(facts...)), 9, 1)
		if got := f.Roll("to-hit"); got.Expression != "1d20" || len(got.Edges) != 2 || f.Attack().Outcome != "hit" {
			t.Errorf("%s: %s with %v, %s", how, got.Expression, got.Edges, f.Attack().Outcome)
		}
	}
	t.Run("a check of sight fails", func(t *testing.T) {
		f, _ := wet(t, bySaid, 5, fighter("a", "party"), fighter("b", "monsters"), nil, "clarity", "turbid")
		f.Must(act("a", "called-check", "", "", withParameters("skill", "investigation", "dc", 5, "sense", "sight")))
		f.Must(act("a", "called-check", "", "", withParameters("skill", "investigation", "dc", 5, "sense", "hearing")), 10)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "investigation", "dc", 5, "sense", "sight"), withFacts("clarity", "clear")), 10)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "investigation", "dc", 5, "sense", "sight"), withFacts("underwater", false)), 10)
	})
	t.Run("off, a check of sight is rolled", func(t *testing.T) {
		f, _ := wet(t, bySaid, 5, fighter("a", "party"), fighter("b", "monsters"), []string{cite.UnderwaterTurbidObscured + "=off"}, "clarity", "turbid")
		f.Must(act("a", "called-check", "", "", withParameters("skill", "investigation", "dc", 5, "sense", "sight")), 10)
	})
	t.Run("nobody fears what it does not see", func(t *testing.T) {
		f, _ := wet(t, bySaid, 5, fighter("a", "party"), fighter("b", "monsters"), nil)
		f.Afflict("a", body.CondFrightened+"@b")
		f.Must(act("a", "called-check", "", "", withParameters("skill", "arcana", "dc", 5)), 10, 10)
		f.Must(act("a", "water", "", "", withParameters("clarity", "turbid")))
		f.Must(act("a", "called-check", "", "", withParameters("skill", "arcana", "dc", 5)), 10)
	})
	t.Run("no opportunity for one that does not see", func(t *testing.T) {
		for clarity, asked := range map[string]int{"clear": 1, "turbid": 0} {
			f, _ := wet(t, byMap, 5, fighter("a", "party", swimmer), fighter("b", "monsters"), nil, "clarity", clarity)
			f.Afflict("a", body.CondProne) // leaving with no more than this would provoke nothing
			f.Must(act("a", "crawl", "", "", along3(-10, 0, -100)))
			if len(f.Decisions) != asked {
				t.Errorf("%s: asked %v", clarity, f.Decisions)
			}
		}
	})
}

// along3 is a path to one point of three numbers.
func along3(x, y, z int32) func(*eventv1.TakeAction) {
	return func(take *eventv1.TakeAction) {
		take.Path = append(take.Path, &eventv1.Position{X: x, Y: y, Z: z})
	}
}

// rcr.underwater.sight-unaided, rcr.underwater.depth-light
func TestPerceptionUnderWater(t *testing.T) {
	keen := rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "perception", Bonus: 4}} })
	dark := rcrSheet(func(s *eventv1.RcrSheet) { s.Senses = map[string]int32{"darkvision": 60} })
	for _, c := range []struct {
		name  string
		of    []func(*eventv1.Sheet)
		say   []any
		sense string
		faces []int
		dice  string
		total int32
	}{
		{"bare eyes", []func(*eventv1.Sheet){keen}, nil, "", []int{12, 8}, "2d20kl1", 12},
		{"bare eyes, listening", []func(*eventv1.Sheet){keen}, nil, "hearing", []int{12, 8}, "2d20kl1", 12},
		{"goggles", []func(*eventv1.Sheet){keen, goggles}, nil, "", []int{12}, "1d20", 16},
		{"goggles in dim light", []func(*eventv1.Sheet){keen, goggles}, []any{"depth", 400}, "sight", []int{12, 8}, "2d20kl1", 12},
		{"goggles in dim light, listening", []func(*eventv1.Sheet){keen, goggles}, []any{"depth", 400}, "hearing", []int{12}, "1d20", 16},
		{"darkvision in dim light", []func(*eventv1.Sheet){keen, goggles, dark}, []any{"depth", 400}, "sight", []int{12}, "1d20", 16},
		{"darkvision in the dark", []func(*eventv1.Sheet){keen, goggles, dark}, []any{"depth", 700}, "sight", []int{12, 8}, "2d20kl1", 12},
		{"bare eyes in dim light are one kind", []func(*eventv1.Sheet){keen}, []any{"depth", 400}, "", []int{12, 8}, "2d20kl1", 12},
		{"in the dark, by whatever sense", []func(*eventv1.Sheet){keen, goggles}, []any{"depth", 700}, "", []int{12, 8}, "2d20kl1", 12},
		{"bare eyes in turbid water", []func(*eventv1.Sheet){keen}, []any{"clarity", "turbid"}, "", []int{12, 8}, "2d20kl1", 12},
		{"in the dark, by sight", []func(*eventv1.Sheet){keen, goggles}, []any{"depth", 700}, "sight", nil, "", 0},
	} {
		for _, how := range []string{bySaid, byFacts} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				f, _ := wet(t, how, 5, fighter("a", "party", c.of...), fighter("b", "monsters"), nil, c.say...)
				var facts []any
				if how == byFacts {
					facts = append([]any{"underwater", true}, c.say...)
				}
				parameters := []any{"skill", "perception", "dc", 13}
				if c.sense != "" {
					parameters = append(parameters, "sense", c.sense)
				}
				f.Must(act("a", "called-check", "", "", withParameters(parameters...), withFacts(facts...)), c.faces...)
				if c.dice == "" {
					return // it fails without a roll
				}
				if got := f.Roll("perception"); got.Expression != c.dice || got.Total != c.total {
					t.Fatalf("%s %d, want %s %d", got.Expression, got.Total, c.dice, c.total)
				}
			})
		}
	}
	t.Run("off", func(t *testing.T) {
		f, _ := wet(t, bySaid, 5, fighter("a", "party", keen), fighter("b", "monsters"), []string{cite.UnderwaterSightUnaided + "=off"})
		f.Must(act("a", "called-check", "", "", withParameters("skill", "perception", "dc", 13)), 12)
	})
	for _, say := range [][]any{{"clarity", "murky"}, {"depth", 400, "lit", false}} {
		t.Run("off, bare eyes hamper in clear and bright water alone", func(t *testing.T) {
			f, _ := wet(t, bySaid, 5, fighter("a", "party", keen, dark), fighter("b", "monsters"), []string{cite.UnderwaterSightCombination + "=off"}, say...)
			f.Must(act("a", "called-check", "", "", withParameters("skill", "perception", "dc", 13)), 12)
			f.Must(act("a", "called-check", "", "", withParameters("skill", "perception", "dc", 13), withFacts("clarity", "clear", "light", "bright")), 12, 8)
		})
	}
	t.Run("passive perception is 5 less", func(t *testing.T) {
		f, _ := wet(t, bySaid, 5, fighter("a", "party"), fighter("b", "monsters", keen), nil)
		f.Must(act("a", "hide", "", ""), 9) // against 14 less 5
		if !body.Has(f.Creature("a"), body.CondHidden) {
			t.Fatal("seen")
		}
	})
}
