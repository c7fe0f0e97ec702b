package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.underwater.dive-into-water
func TestDives(t *testing.T) {
	athlete := func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "athletics", Bonus: 6}} }
	for _, c := range []struct {
		name   string
		off    string
		feet   int
		answer string
		faces  []int
		dc     int32
		damage int32
	}{
		{"40 feet, 19", "", 40, "yes", []int{13}, 19, 0},
		{"40 feet, 18: half of 31", "", 40, "yes", []int{12, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1}, 19, 15},
		{"40 feet, no try", "", 40, "no", []int{6, 5, 4, 4, 3, 3, 2, 2, 1, 1}, 0, 31},
		{"25 feet: two full tens", "", 25, "yes", []int{10, 3, 4, 4}, 17, 5},
		{"10 feet", "", 10, "yes", []int{9, 5}, 16, 2},
		{"9 feet is no fall", "", 9, "", nil, 0, 0},
		{"off: as on the ground without a roll", cite.UnderwaterDiveIntoWater, 20, "", []int{3, 4, 4}, 0, 11},
	} {
		for _, how := range []string{"said", "by places"} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				settings := []string{cite.DamageFallCompounding + "=on", cite.DiceInspirationFudge + "=off"}
				if c.off != "" {
					settings = append(settings, c.off+"=off")
				}
				f := newTable(t, settings...)
				cmd := act("a", "fall", "", "", withParameters("feet", c.feet), withFacts("into_water", true))
				if how == "said" {
					f.add(fighter("a", "party", rcrSheet(athlete)))
					f.Start(nil, 10)
				} else {
					f.at(fighter("a", "party", rcrSheet(athlete)), 0, 0, 100)
					f.Start(object("surface", 0), 10)
					cmd = act("a", "fall", "", "", withParameters("feet", c.feet), along3(0, 0, -5))
				}
				if c.answer == "" {
					f.Must(cmd, c.faces...)
				} else {
					f.Must(cmd)
					f.Answer(underwater.DecDive, c.answer, c.faces...)
				}
				if got := 40 - f.Creature("a").GetHp(); got != c.damage {
					t.Errorf("%d damage, want %d", got, c.damage)
				}
				if c.dc > 0 && f.Roll("dive/check/a").Target.Value != c.dc {
					t.Errorf("against %d, want %d", f.Roll("dive/check/a").Target.Value, c.dc)
				}
				if body.Has(f.Creature("a"), body.CondProne) {
					t.Error("it lies on water")
				}
				if !body.Has(f.Creature("a"), body.CondSubmerged) || f.Creature("a").Counters[body.CBreath] != 10 {
					t.Error("it is not under water, or holds no breath")
				}
			})
		}
	}
	t.Run("who cannot act takes it all", func(t *testing.T) {
		f := newTable(t, cite.DamageFallCompounding+"=on").add(fighter("a", "party")).start(nil, 10)
		f.Afflict("a", body.CondStunned)
		f.Must(act("a", "fall", "", "", withParameters("feet", 20), withFacts("into_water", true)), 3, 4, 4)
		f.WantHP("a", 29)
	})
	t.Run("halved before resistance", func(t *testing.T) {
		tough := rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "bludgeoning"}} })
		f := newTable(t, cite.DamageFallCompounding+"=on").add(fighter("a", "party", tough)).start(nil, 10)
		f.Must(act("a", "fall", "", "", withParameters("feet", 20), withFacts("into_water", true)))
		f.Choose("yes", 2, 5, 5, 5)
		f.WantHP("a", 37) // 15, 7, 3
	})
	t.Run("to the surface, no deeper, by the map", func(t *testing.T) {
		f := newTable(t)
		f.at(fighter("a", "party"), 0, 0, 100)
		f.Start(object("surface", 0), 10)
		f.Must(act("a", "fall", "", "", withParameters("feet", 100), along3(0, 0, 0)))
		f.wantAsked("a")
		if f.Decisions[0].Name == underwater.DecDive {
			t.Fatal("what comes down on the height of the surface may stand beside the water")
		}
		f.Choose("no", faces(10, 1)...)
		g := newTable(t)
		g.at(fighter("a", "party"), 0, 0, 100)
		g.Start(object("surface", 0), 10)
		g.Must(act("a", "fall", "", "", withParameters("feet", 100), along3(0, 0, 0), withFacts("into_water", true)))
		g.Choose("yes", append([]int{20}, faces(10, 1)...)...)
		g.WantHP("a", 35) // 20 against 25: 10 halved
		if body.Has(g.Creature("a"), body.CondSubmerged) {
			t.Fatal("the map says that it floats")
		}
	})
	t.Run("the ground by the command's word", func(t *testing.T) {
		f := newTable(t)
		f.at(fighter("a", "party"), 0, 0, 100)
		f.Start(object("surface", 0), 10)
		f.Must(act("a", "fall", "", "", withParameters("feet", 10), along3(0, 0, -5), withFacts("into_water", false)))
		if f.Decisions[0].Name == underwater.DecDive {
			t.Fatal("there is no water")
		}
		f.Choose("no", 1)
	})
}

// faces are n dice that show the same.
func faces(n, face int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = face
	}
	return out
}

// rcr.underwater.swim-exhaustion, rcr.underwater.swim-rest
func TestSwimmingTires(t *testing.T) {
	type leg struct {
		rested, minutes int
		faces           []int
	}
	for _, c := range []struct {
		name       string
		settings   []string
		change     func(*eventv1.Sheet)
		bonus      int32
		legs       []leg
		exhaustion int64
		swum       int64
	}{
		{"30 minutes: each level lowers the next", nil, nil, 1, []leg{{0, 30, []int{9, 8, 9}}}, 2, 0},
		{"a swimmer by nature, 2 hours", nil, swimmer, 0, []leg{{0, 120, nil}}, 0, 0},
		{"9, a minute of rest, 9", nil, nil, 0, []leg{{0, 9, nil}, {60, 9, nil}}, 0, 540},
		{"9, 50 seconds, 1", nil, nil, 0, []leg{{0, 9, nil}, {50, 1, []int{10}}}, 0, 0},
		{"9, 59 seconds, 1, failed", nil, nil, 0, []leg{{0, 9, nil}, {59, 1, []int{9}}}, 1, 0},
		{"15, then 5", nil, nil, 0, []leg{{0, 15, []int{10}}, {0, 5, []int{10}}}, 0, 0},
		{"rest is off", []string{cite.UnderwaterSwimRest + "=off"}, nil, 0, []leg{{0, 9, nil}, {60, 1, []int{10}}}, 0, 0},
	} {
		legs := func(t *testing.T, f *table, swim func(l leg)) {
			for _, l := range c.legs {
				swim(l)
			}
			f.wantCount("a", body.CExhaustion, c.exhaustion)
			f.wantCount("a", body.CSwum, c.swum)
		}
		change := []func(*eventv1.Sheet){rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"constitution": c.bonus} })}
		if c.change != nil {
			change = append(change, c.change)
		}
		t.Run(c.name+", in a fight", func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("a", "party", change...)).start(nil, 10)
			legs(t, f, func(l leg) {
				f.Must(act("a", "swim", "", "", withParameters("minutes", l.minutes, "rested", l.rested)), l.faces...)
			})
		})
		t.Run(c.name+", between fights", func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("a", "party", change...))
			legs(t, f, func(l leg) {
				f.Tend(patientDeed("swim", "", []string{"a"}, "", "minutes", l.minutes, "rested", l.rested), l.faces...)
			})
		})
	}
	t.Run("off", func(t *testing.T) {
		f := newTable(t, cite.UnderwaterSwimExhaustion+"=off").add(fighter("a", "party")).start(nil, 10)
		wantRefused(t, f.Peek(act("a", "swim", "", "", withParameters("minutes", 30))), cite.UnderwaterSwimExhaustion)
		f.Tend(patientDeed("swim", "", []string{"a"}, "", "minutes", 30))
		f.wantCount("a", body.CExhaustion, 0)
	})
	t.Run("the dead swim no further", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"))
		f.Count("a", body.CExhaustion, 10)
		f.Tend(patientDeed("swim", "", []string{"a"}, "", "minutes", 30), 1)
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	})
	t.Run("round by round in a fight", func(t *testing.T) {
		f := alone(t, nil)
		swim := act("a", "move", "", "", withParameters("mode", "swim", "feet", 5))
		for range 2 {
			f.Must(swim)
			f.Must(swim) // twice in a turn is one round
			f.End("a", 10)
		}
		f.wantCount("a", body.CSwum, 12)
		for range 9 {
			f.End("a", 10)
		}
		f.wantCount("a", body.CSwum, 12)
		f.Must(swim)
		f.End("a", 10) // the tenth round was none of rest
		f.wantCount("a", body.CSwum, 18)
		for range 10 {
			f.End("a", 10)
		}
		f.wantCount("a", body.CSwum, 0)
		f.Count("a", body.CSwum, 594)
		f.Must(swim)
		f.End("a", 9, 10) // the save, then initiative
		f.wantCount("a", body.CExhaustion, 1)
		f.wantCount("a", body.CSwum, 0)
	})
	t.Run("a swimmer by nature counts no rounds", func(t *testing.T) {
		f := alone(t, nil, swimmer)
		f.Must(act("a", "move", "", "", withParameters("mode", "swim", "feet", 5)))
		f.End("a", 10)
		f.wantCount("a", body.CSwum, 0)
	})
}

// What is said of the water tells what it leaves to see; the actions are the game
// master's, and none is there where the chapter is off.
//
// rcr.underwater.clarity, rcr.underwater.depth-light
func TestSayingWater(t *testing.T) {
	f := newTable(t).add(fighter("a", "party")).start(nil, 10)
	for _, c := range []struct {
		parameters []any
		want       []string
	}{
		{[]any{"clarity", "murky"}, []string{"murky water: sight of 30 feet"}},
		{[]any{"depth", 450}, []string{"murky water: sight of 30 feet", "at 450 feet: dim light"}},
		{[]any{"clarity", "clear", "depth", 600}, []string{"clear water: no limit of sight", "at 600 feet: darkness"}},
	} {
		f.Must(act("a", "water", "", "", withParameters(c.parameters...)))
		var got []string
		for _, e := range f.Events {
			if a := e.GetAction(); a != nil {
				got = a.Notes
			}
		}
		if len(got) != len(c.want) || got[0] != c.want[0] || got[len(got)-1] != c.want[len(c.want)-1] {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
	g := newTable(t, cite.UnderwaterIntro+"=off").add(fighter("a", "party")).start(nil, 10)
	for _, action := range []string{"water", "submerge", "emerge"} {
		wantRefused(t, g.Peek(act("a", action, "", "")), cite.UnderwaterIntro)
	}
	wantRefused(t, g.Peek(act("a", "swim", "", "", withParameters("minutes", 1))), cite.UnderwaterIntro)
}
