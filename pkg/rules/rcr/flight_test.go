package rcr

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// flyer makes a fighter with a fly speed that no falling roll asks about.
func flyer(id, side string, speed int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return fighter(id, side, append([]func(*eventv1.Sheet){func(s *eventv1.Sheet) {
		s.Speeds["fly"], s.HitPoints = speed, 400
		s.GetRcr().Level = 3
	}}, change...)...)
}

func skill(name string, bonus int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = append(s.Skills, &eventv1.RcrSkill{Name: name, Bonus: bonus}) })
}

func save(ability string, bonus int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		if s.Saves == nil {
			s.Saves = map[string]int32{}
		}
		s.Saves[ability] = bonus
	})
}

func feats(names ...string) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = names })
}

func size(size string) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Size = size } }

// sky is a fight in which it is the turn of a, in a state of the air (empty: on the
// ground) at an altitude; b stands below.
func sky(t *testing.T, state string, altitude int, a *eventv1.Sheet, settings ...string) *table {
	t.Helper()
	f := newTable(t, append([]string{"rcr.damage.fall-compounding=on"}, settings...)...).add(a, fighter("b", "monsters")).start(nil, 20, 5)
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: a.Id, Decision: "fall-roll", Order: "no"}}})
	f.aloft(a.Id, state, altitude)
	return f
}

// aloft puts a creature in the air.
func (f *table) aloft(id, state string, altitude int) {
	f.T.Helper()
	if state == "" {
		return
	}
	f.Put(id, &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: int64(altitude)},
		Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: state}}})
}

// fly is a flight of so many feet, with further parameters.
func fly(feet int, more ...any) *eventv1.Command {
	return act("a", "move", "", "", withParameters(append([]any{"mode", "fly", "feet", feet}, more...)...))
}

func stating(cmd *eventv1.Command, facts ...any) *eventv1.Command {
	cmd.GetTake().Facts = object(facts...)
	return cmd
}

func (f *table) wantAir(id, state string, altitude int32) {
	f.T.Helper()
	if c := f.Creature(id); body.AirState(c) != state || body.Altitude(c) != altitude {
		f.T.Fatalf("%s is %q at %d feet, want %q at %d", id, body.AirState(c), body.Altitude(c), state, altitude)
	}
}

// wantLeft holds the movement left of flight, in half feet.
func (f *table) wantLeft(half int64) {
	f.T.Helper()
	c := f.Creature("a")
	speed := int64(body.SpeedIn(f.State, "a", "fly")) * (1 + c.Counters[body.CDashes])
	if got := 2*(speed-c.Counters[body.CMoved]) + c.Counters[body.CHalf]; got != half {
		f.T.Fatalf("%d half feet left, want %d", got, half)
	}
}

// rcr.flight.minimum-move, rcr.flight.hover-check, rcr.flight.dc-plus-two, rcr.flight.dc-plus-four
func TestFlightHovering(t *testing.T) {
	type turn struct {
		name     string
		sheet    *eventv1.Sheet
		settings []string
		before   []*eventv1.Command
		hover    int // face; 0 for no roll
		state    string
		left     int64
	}
	fl := func(speed, athletics int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", speed, append(change, skill("athletics", athletics))...)
	}
	drizzle, gale := "rcr.setting.precipitation=any", "rcr.setting.wind=25"
	wind := func(n int) string { return fmt.Sprint("rcr.setting.wind=", n) }
	for _, c := range []turn{
		{"rcr.flight.minimum-move: half is enough", fl(60, 0), nil, []*eventv1.Command{fly(30)}, 0, "flying", 60},
		{"rcr.flight.minimum-move: 25 of 60 pays 30 and rolls 15", fl(60, 3), nil, []*eventv1.Command{fly(25)}, 12, "hovering", 10},
		{"rcr.flight.minimum-move: and 14 falls", fl(60, 3), nil, []*eventv1.Command{fly(25)}, 11, "falls", 10},
		{"rcr.flight.minimum-move: a dash does not raise it", fl(50, 0), nil, []*eventv1.Command{act("a", "dash", "", ""), fly(25)}, 0, "flying", 150},
		{"rcr.flight.minimum-move: 12 of 25", fl(25, 0), nil, []*eventv1.Command{fly(12)}, 0, "flying", 26},
		{"rcr.flight.minimum-move: 11 of 25", fl(25, 0), nil, []*eventv1.Command{fly(11)}, 15, "hovering", 4},
		{"rcr.flight.hover-check: the whole turn", fl(40, 5), nil, nil, 10, "hovering", 40},
		{"rcr.flight.hover-check: light rain", fl(40, 5), []string{drizzle}, nil, 10, "falls", 40},
		{"rcr.flight.hover-check: it cannot be paid", fl(60, 9), nil, []*eventv1.Command{fly(25, "climb", 25)}, 0, "falls", 20},
		{"rcr.flight.hover-check: on purpose, no second at the end", fl(40, 5), nil, []*eventv1.Command{act("a", "hover", "", "")}, 10, "hovering", 40},
		{"rcr.flight.dc-plus-two: three causes, one raise", fl(60, 6), []string{drizzle, wind(12), "lightly"}, nil, 11, "hovering", 60},
		{"rcr.flight.dc-plus-two: and not less", fl(60, 6), []string{drizzle, wind(12), "lightly"}, nil, 10, "falls", 60},
		{"rcr.flight.dc-plus-four: a blizzard and wind and load", fl(60, 7), []string{"rcr.setting.precipitation=heavy", gale, "lightly"}, nil, 12, "hovering", 60},
		{"rcr.flight.dc-plus-four: and not less", fl(60, 7), []string{"rcr.setting.precipitation=heavy", gale, "lightly"}, nil, 11, "falls", 60},
		{"rcr.flight.wind-tiers: 19 is moderate", fl(40, 5), []string{wind(19)}, nil, 12, "hovering", 40},
		{"rcr.flight.wind-tiers: 20 is strong", fl(40, 5), []string{wind(20)}, nil, 13, "falls", 40},
		{"rcr.flight.wind-tiers: 9 is none", fl(40, 5), []string{wind(9)}, nil, 10, "hovering", 40},
		{"rcr.flight.storm-winds: the huge fly in it, at 19", fl(60, 9, size("huge")), []string{wind(60)}, nil, 10, "hovering", 60},
		{"rcr.feat.mighty-wings-advantage: of two the better", fl(40, 2, feats("mighty wings")), nil, nil, 1305, "hovering", 40},
		{"rcr.feat.mighty-wings-advantage: switched off", fl(40, 2, feats("mighty wings")), []string{cite.FeatMightyWingsAdvantage + "=off"}, nil, 12, "falls", 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			var settings []string
			load := ""
			for _, s := range c.settings {
				if s == "lightly" {
					load = s
				} else {
					settings = append(settings, s)
				}
			}
			f := sky(t, "flying", 20, c.sheet, settings...)
			if load != "" {
				f.Afflict("a", body.CondEncumbered+"="+load)
			}
			faces := func() (out []int) {
				if c.hover > 100 {
					out = []int{c.hover % 100, c.hover / 100}
				} else if c.hover > 0 {
					out = []int{c.hover}
				}
				c.hover = 0
				return out
			}
			for _, cmd := range c.before {
				if cmd.GetTake().Action == "hover" {
					f.Must(cmd, faces()...)
				} else {
					f.Must(cmd)
				}
			}
			f.Count("a", body.CReaction, 0) // a fall cannot be arrested
			if c.state == "falls" {
				altitude := body.Altitude(f.Creature("a"))
				dice := slices.Repeat([]int{1}, int(altitude/10*(altitude/10+1)/2))
				f.End("a", append(append(faces(), dice...), 20)...)
				f.wantAir("a", "", 0)
				if !body.Has(f.Creature("a"), body.CondProne) {
					t.Fatal("it stands")
				}
			} else {
				f.End("a", append(faces(), 20)...)
				if got := body.AirState(f.Creature("a")); got != c.state {
					t.Fatalf("it is %q", got)
				}
			}
			f.wantLeft(c.left)
		})
	}
}

// rcr.flight.climb-cost, rcr.flight.descent-rate, rcr.flight.headwind-cost, rcr.flight.tailwind-rate,
// rcr.flight.movement-budget, rcr.flight.climb-angle, rcr.flight.descent-angle,
// rcr.feat.mighty-wings-climb, rcr.feat.mighty-wings-vertical, rcr.flight.magic-worn-vertical
func TestFlightBudget(t *testing.T) {
	winged := func(speed int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", speed, change...)
	}
	mighty := feats("mighty wings")
	cloak := func(speed int32) *eventv1.Sheet {
		return fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "cloak", FlySpeed: speed}} }))
	}
	for _, c := range []struct {
		name     string
		sheet    *eventv1.Sheet
		altitude int
		flights  []*eventv1.Command
		wind     int
		way      string
		left     int64
		height   int32
		refused  string
	}{
		{"rcr.flight.climb-cost: 15 up for 30", winged(30), 10, []*eventv1.Command{fly(15, "climb", 15)}, 0, "", 0, 25, ""},
		{"rcr.flight.climb-cost: 20 up, 20 level", winged(60), 10, []*eventv1.Command{fly(20, "climb", 20), fly(20)}, 0, "", 0, 30, ""},
		{"rcr.flight.climb-cost: 20 up of 30", winged(30), 10, []*eventv1.Command{fly(20, "climb", 20)}, 0, "", 60, 10, cite.FlightMovementBudget},
		{"rcr.flight.headwind-cost: half as far", winged(60), 10, []*eventv1.Command{fly(30)}, 15, "against", 0, 10, ""},
		{"rcr.flight.headwind-cost: and no farther", winged(60), 10, []*eventv1.Command{fly(31)}, 15, "against", 120, 10, cite.BaseMovementCostAdditive},
		{"rcr.flight.headwind-cost: 9 miles are nothing", winged(60), 10, []*eventv1.Command{fly(60)}, 9, "against", 0, 10, ""},
		{"rcr.flight.headwind-cost: one doubling with a climb", winged(60), 10, []*eventv1.Command{fly(30, "climb", 30)}, 15, "against", 0, 40, ""},
		{"rcr.flight.headwind-cost: 10 miles are moderate", winged(60), 10, []*eventv1.Command{fly(30)}, 10, "against", 0, 10, ""},
		{"rcr.flight.headwind-cost: a crosswind costs nothing", winged(60), 10, []*eventv1.Command{fly(60)}, 30, "across", 0, 10, ""},
		{"rcr.flight.tailwind-rate: twice as far", winged(40), 10, []*eventv1.Command{fly(80)}, 12, "with", 0, 10, ""},
		{"rcr.flight.tailwind-rate: cancels a climb", winged(40), 10, []*eventv1.Command{fly(40, "climb", 40)}, 12, "with", 0, 50, ""},
		{"rcr.flight.tailwind-rate: one halving with a descent", winged(40), 200, []*eventv1.Command{fly(80, "descend", 80)}, 12, "with", 0, 120, ""},
		{"rcr.flight.headwind-cost: cancels a descent", winged(40), 200, []*eventv1.Command{fly(40, "descend", 40)}, 12, "against", 0, 160, ""},
		{"rcr.flight.descent-rate: 60 down for 30", winged(30), 80, []*eventv1.Command{fly(60, "descend", 60)}, 0, "", 0, 20, ""},
		{"rcr.flight.descent-rate: down, then level", winged(60), 50, []*eventv1.Command{fly(30, "descend", 30), fly(45)}, 0, "", 0, 20, ""},
		{"rcr.flight.descent-rate: halves are kept", winged(30), 50, []*eventv1.Command{fly(5, "descend", 5), fly(5, "descend", 5)}, 0, "", 50, 40, ""},
		{"rcr.flight.descent-rate: half a foot left", winged(30), 50, []*eventv1.Command{fly(5, "descend", 5)}, 0, "", 55, 45, ""},
		{"rcr.flight.descent-rate: below the ground", winged(60), 20, []*eventv1.Command{fly(25, "descend", 25)}, 0, "", 120, 20, cite.FlightDescentRate},
		{"rcr.flight.movement-budget: three legs", winged(60), 40, []*eventv1.Command{fly(20, "descend", 20), fly(20), fly(15, "climb", 15)}, 0, "", 0, 35, ""},
		{"rcr.flight.movement-budget: gains and losses apart", winged(30), 21, []*eventv1.Command{fly(30, "descend", 20, "climb", 10)}, 0, "", 0, 11, ""},
		{"rcr.flight.climb-angle: steeper than 45 degrees", winged(60), 10, []*eventv1.Command{fly(10, "climb", 20)}, 0, "", 120, 10, cite.FlightClimbAngle},
		{"rcr.flight.climb-angle: 30 forward and 10 up", winged(60), 10, []*eventv1.Command{fly(30, "climb", 10)}, 0, "", 40, 20, ""},
		{"rcr.flight.climb-angle: straight up", winged(60), 10, []*eventv1.Command{fly(10, "climb", 10, "vertical", 10)}, 0, "", 120, 10, cite.FlightClimbAngle},
		{"rcr.flight.descent-angle: 40 down over 40", winged(60), 60, []*eventv1.Command{fly(40, "descend", 40)}, 0, "", 80, 20, ""},
		{"rcr.flight.descent-angle: 50 down over 40", winged(60), 60, []*eventv1.Command{fly(40, "descend", 50)}, 0, "", 120, 60, cite.FlightDescentAngle},
		{"rcr.feat.mighty-wings-climb: a foot a foot", winged(60, mighty), 10, []*eventv1.Command{fly(60, "climb", 25)}, 0, "", 0, 35, ""},
		{"rcr.feat.mighty-wings-climb: the headwind remains", winged(60, mighty), 10, []*eventv1.Command{fly(30, "climb", 30)}, 12, "against", 0, 40, ""},
		{"rcr.feat.mighty-wings-vertical: two feet a foot", winged(60, mighty), 10, []*eventv1.Command{fly(30, "climb", 30, "vertical", 30)}, 0, "", 0, 40, ""},
		{"rcr.flight.magic-worn-vertical: straight up", cloak(60), 10, []*eventv1.Command{fly(30, "climb", 30, "vertical", 30)}, 0, "", 0, 40, ""},
		{"rcr.flight.magic-worn-vertical: 40 take 80", cloak(60), 10, []*eventv1.Command{fly(40, "climb", 40, "vertical", 40)}, 0, "", 120, 10, cite.FlightMovementBudget},
		{"rcr.flight.no-squeeze: a medium flyer in 5 feet", winged(60), 10, []*eventv1.Command{stating(fly(10), "narrowest", 5)}, 0, "", 120, 10, cite.FlightNoSqueeze},
		{"rcr.flight.no-squeeze: in 10 feet", winged(60), 10, []*eventv1.Command{stating(fly(10), "narrowest", 10)}, 0, "", 100, 10, ""},
		{"rcr.flight.magic-worn-space: in 5 feet", cloak(60), 10, []*eventv1.Command{stating(fly(10), "narrowest", 5)}, 0, "", 100, 10, ""},
		{"rcr.flight.enlarged-space: the small need 5", winged(60, size("small")), 10, []*eventv1.Command{stating(fly(10), "narrowest", 5)}, 0, "", 100, 10, ""},
		{"rcr.flight.enlarged-space: the large need 15", winged(60, size("large")), 10, []*eventv1.Command{stating(fly(10), "narrowest", 14)}, 0, "", 120, 10, cite.FlightNoSqueeze},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "flying", c.altitude, c.sheet)
			for i, cmd := range c.flights {
				if c.way != "" {
					stating(cmd, "wind", c.wind, "wind_way", c.way)
				}
				if c.refused != "" && i == len(c.flights)-1 {
					wantRefused(t, f.Try(cmd), c.refused)
				} else {
					f.Must(cmd)
				}
			}
			f.wantLeft(c.left)
			f.wantAir("a", "flying", c.height)
		})
	}
}

// rcr.flight.collision-save, rcr.flight.collision-auto-success, rcr.flight.space-not-controlled
func TestFlightCollisions(t *testing.T) {
	strong := func(bonus int32, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 60, append(change, save("strength", bonus))...)
	}
	level := func(n int32) func(*eventv1.Sheet) { return rcrSheet(func(s *eventv1.RcrSheet) { s.Level = n }) }
	for _, c := range []struct {
		name   string
		sheet  *eventv1.Sheet
		other  string // size of the other; empty: an obstacle
		rain   string
		faces  []int
		damage int32
		state  string
	}{
		{"rcr.flight.collision-save: 14 fails", strong(2), "", "none", []int{12, 7}, 7, "falling"},
		{"rcr.flight.collision-save: 15 holds", strong(2), "", "none", []int{13}, 0, "flying"},
		{"rcr.flight.collision-save: level 12 in a thunderstorm", strong(4, level(12)), "medium", "heavy", []int{14, 3, 8, 10, 1}, 22, "falling"},
		{"rcr.flight.collision-auto-success: two sizes", strong(0, size("large")), "small", "none", nil, 0, "flying"},
		{"rcr.flight.collision-auto-success: more than two", strong(0, size("huge")), "small", "none", nil, 0, "flying"},
		{"rcr.flight.collision-auto-success: one size", strong(5, size("large")), "medium", "none", []int{10}, 0, "flying"},
		{"rcr.flight.collision-auto-success: two larger", strong(5), "huge", "none", []int{9, 1}, 1, "falling"},
		{"rcr.flight.collision-auto-success: no obstacle is small", strong(5, size("gargantuan")), "", "none", []int{9, 1}, 1, "falling"},
		{"rcr.feat.mighty-wings-advantage: 14 of two", strong(1, feats("mighty wings")), "", "none", []int{13, 4, 2}, 2, "falling"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, "rcr.setting.precipitation="+c.rain).add(c.sheet, fighter("b", "monsters", size(pick(c.other == "", "medium", c.other)))).start(nil, 20, 5)
			f.aloft("a", "flying", 29)
			targets := pick(c.other == "", "", "b")
			f.Must(act("a", "collide", "", targets), c.faces...)
			if got := 400 - f.Creature("a").GetHp(); got != c.damage || c.state != body.AirState(f.Creature("a")) {
				t.Fatalf("%d damage, %s", got, body.AirState(f.Creature("a")))
			}
			if c.state == "falling" && (len(f.Decisions) != 1 || f.Decisions[0].Name != flight.DecArrest) {
				t.Fatalf("asked %v", f.Decisions)
			}
		})
	}
	t.Run("rcr.flight.collision-save: both flyers save", func(t *testing.T) {
		f := newTable(t).add(strong(2), flyer("b", "monsters", 60)).start(nil, 20, 5)
		f.aloft("a", "flying", 30)
		f.aloft("b", "flying", 30)
		f.Count("b", body.CReaction, 0)
		f.Must(stating(fly(30), "enters_space_of", []string{"b"}), 13, 15)
		f.wantAir("a", "flying", 30)
		f.wantAir("b", "flying", 30)
	})
	t.Run("rcr.flight.collision-save: a fall of 29 feet is two tens", func(t *testing.T) {
		f := sky(t, "flying", 29, strong(2))
		f.Count("a", body.CReaction, 0)
		f.Must(stating(fly(30), "obstacle", true), 12, 7, 5, 5, 1)
		if got := 400 - f.Creature("a").GetHp(); got != 18 {
			t.Fatalf("%d damage", got)
		}
		f.wantAir("a", "", 0)
	})
	t.Run("rcr.flight.over-encumbered, rcr.flight.mount-overload: who rides weighs", func(t *testing.T) {
		griffon := flyer("a", "party", 80, size("large"), rcrSheet(func(s *eventv1.RcrSheet) {
			s.CarryingCapacity, s.Saddle, s.SaddleExotic = 480, body.SaddleNormal, true // whoever rides stays on
		}))
		rider := func(id string, pounds int32) *eventv1.Sheet {
			return fighter(id, "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Weight, s.Load = pounds, 10 }))
		}
		for _, c := range []struct {
			second int32
			state  string
		}{{290, ""}, {271, ""}, {270, "flying"}} {
			f := newTable(t).add(griffon, rider("r", 190), rider("s", c.second)).start(nil, 20, 5, 4)
			f.aloft("a", "flying", 9)
			for _, id := range []string{"r", "s"} {
				f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id,
					Vitals: &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelRides, To: "a"}}}}}})
			}
			if got := body.AirState(f.Creature("a")); got != c.state {
				t.Errorf("%d pounds: it is %q", c.second, got)
			}
		}
	})
}

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

// rcr.flight.over-encumbered, rcr.flight.hover-encumbered, rcr.flight.storm-winds
func TestFlightBans(t *testing.T) {
	capacity := rcrSheet(func(s *eventv1.RcrSheet) { s.CarryingCapacity, s.Load = 200, 201 })
	f := sky(t, "", 0, flyer("a", "party", 60, capacity))
	wantRefused(t, f.Try(fly(10, "climb", 10)), cite.FlightOverEncumbered)
	f.Count("a", body.CLoad, 200)
	f.Must(fly(10, "climb", 10))
	f.Must(act("a", "hover", "", ""), 15)
	f.aloft("a", "hovering", 30)
	f.Count("a", body.CLoad, 201) // no arrest: it falls at once
	if len(f.Decisions) > 0 {
		t.Fatalf("asked %v", f.Decisions)
	}
}

// rcr.flight.over-encumbered: 6d6 from 30 feet, no arrest
func TestFlightOverloadedFalls(t *testing.T) {
	f := sky(t, "hovering", 30, flyer("a", "party", 60))
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondEncumbered, Variant: "over"}}}}}}, 4, 4, 1, 6, 2, 3)
	if got := 400 - f.Creature("a").GetHp(); got != 20 || !body.Has(f.Creature("a"), body.CondProne) {
		t.Fatalf("%d damage", got)
	}
}

// rcr.flight.storm-winds
func TestFlightStorm(t *testing.T) {
	for _, c := range []struct {
		size string
		mph  int
		rule string
	}{{"large", 50, cite.FlightStormWinds}, {"large", 49, ""}, {"huge", 50, ""}} {
		f := sky(t, "", 0, flyer("a", "party", 60, size(c.size)), fmt.Sprint("rcr.setting.wind=", c.mph))
		cmd := fly(10, "climb", 10)
		if c.rule != "" {
			wantRefused(t, f.Try(cmd), c.rule)
			continue
		}
		f.Must(cmd)
	}
	f := sky(t, "flying", 30, flyer("a", "party", 60, size("large")))
	f.Must(&eventv1.Command{What: &eventv1.Command_Set{Set: &eventv1.SetSetting{Setting: "rcr.setting.wind", Value: "50"}}})
	f.Count("b", body.CBonus, 0) // whatever comes next brings it down
	f.Answer(flight.DecArrest, "yes")
	f.wantAir("a", "arresting", 30)
	wantRefused(t, f.Try(act("a", "recover", "", "")), cite.FlightStormWinds)
}

// rcr.flight.storm-winds: in a wind that keeps it down a creature is offered no flight, and where it
// has no other way to move no way at all.
func TestNoFlightIsOfferedInAStorm(t *testing.T) {
	walks := func(feet int32) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) { s.Speeds["walk"] = feet }
	}
	for _, c := range []struct {
		mph, walk int
		want      []string
	}{{49, 30, []string{"walk", "fly"}}, {50, 30, []string{"walk"}}, {49, 0, []string{"fly"}}, {50, 0, nil}} {
		f := sky(t, "", 0, flyer("a", "party", 60, size("large"), walks(int32(c.walk))), fmt.Sprint("rcr.setting.wind=", c.mph))
		var modes []string
		far := false
		for _, o := range (System{}).Options(rules.Query{State: f.State, Creature: "a", Actions: []string{"move"}}) {
			for _, p := range o.Parameters {
				far = far || p.Name == "feet"
				for _, v := range p.Values {
					if mode := v.GetStringValue(); p.Name == "mode" && (mode == "walk" || mode == "fly") {
						modes = append(modes, mode)
					}
				}
			}
		}
		if !slices.Equal(modes, c.want) || !far && c.want != nil {
			t.Errorf("%d miles an hour, %d feet on foot: %v, so many feet %v", c.mph, c.walk, modes, far)
		}
	}
}

// rcr.flight.dive-enter, rcr.flight.dive-pull-out, rcr.flight.dive-fall-height
func TestFlightDives(t *testing.T) {
	dive := func(feet int) *eventv1.Command { return act("a", "dive", "", "", withParameters("feet", feet)) }
	pull := func(facts ...any) *eventv1.Command { return act("a", "pull-out", "", "", withFacts(facts...)) }
	f := sky(t, "flying", 600, flyer("a", "party", 60))
	wantRefused(t, f.Try(act("a", "dive", "", "", withParameters("feet", 100, "forward", 100))), cite.FlightDescentAngle)
	if why, ok := fault.As(f.Try(dive(590))); !ok || why.Code != fault.Invalid {
		t.Fatal(why)
	}
	f.Must(dive(580))
	f.wantAir("a", "diving", 20)
	f.wantCount("a", body.CDiveFrom, 600)
	wantRefused(t, f.Try(dive(1)), cite.FlightDiveEnter)
	wantRefused(t, f.Try(fly(5)), cite.FlightDivePullOut)

	for _, c := range []struct {
		name  string
		facts []any
		face  int
		state string
	}{
		{"rcr.flight.dive-pull-out: 10 holds", nil, 7, "flying"},
		{"rcr.flight.dive-pull-out: 9 does not", nil, 6, "falling"},
		{"rcr.flight.dive-pull-out: wind of 22 miles", []any{"wind", 22}, 10, "falling"},
		{"rcr.flight.dive-pull-out: wind of 22 miles, 14", []any{"wind", 22}, 11, "flying"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "flying", 90, flyer("a", "party", 60, skill("athletics", 3)))
			f.Must(dive(50))
			f.Must(pull(c.facts...), c.face)
			f.wantAir("a", c.state, 40)
			if c.state == "falling" {
				f.wantCount("a", body.CFallFrom, 90)
			}
		})
	}
	t.Run("rcr.flight.dive-pull-out: snow, 11 of 12", func(t *testing.T) {
		f := sky(t, "flying", 90, flyer("a", "party", 60, skill("athletics", 1)), "rcr.setting.precipitation=any")
		f.Must(dive(50))
		f.Must(pull(), 10)
		f.wantAir("a", "falling", 40)
	})
	t.Run("rcr.flight.dive-fall-height: 30 feet and not 10", func(t *testing.T) {
		f := sky(t, "flying", 30, flyer("a", "party", 60))
		f.Count("a", body.CReaction, 0)
		f.Must(dive(20))
		f.Must(pull(), 9, 3, 5, 2, 6, 1, 4)
		if got := 400 - f.Creature("a").GetHp(); got != 21 {
			t.Fatalf("%d damage", got)
		}
	})
	t.Run("rcr.flight.dive-fall-height: arrested, nothing", func(t *testing.T) {
		f := sky(t, "flying", 100, flyer("a", "party", 60))
		f.Must(dive(80))
		f.Must(pull(), 9)
		f.Answer(flight.DecArrest, "yes")
		f.wantAir("a", "arresting", 20)
		f.WantHP("a", 400)
	})
	t.Run("rcr.flight.dive-enter: the end of the turn pulls out", func(t *testing.T) {
		f := sky(t, "flying", 100, flyer("a", "party", 60))
		f.Must(dive(80))
		f.End("a", 10, 20)
		f.wantAir("a", "flying", 20)
	})
	t.Run("rcr.flight.dive-enter: to the ground", func(t *testing.T) {
		f := sky(t, "flying", 40, flyer("a", "party", 60))
		f.Must(dive(40))
		f.Must(pull(), 10)
		f.wantAir("a", "", 0)
	})
}

// What a sheet says of flight by a word that is none is refused, with the near ones.
func TestFlightOnSheets(t *testing.T) {
	for _, c := range []struct {
		field  string
		change func(*eventv1.RcrSheet)
	}{
		{"sheet.rcr.items[0].flight", func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "broom", Flight: "hold"}} }},
		{"sheet.rcr.items[0].fly_speed", func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "broom", FlySpeed: -5}} }},
		{"sheet.rcr.weight", func(s *eventv1.RcrSheet) { s.Weight = -1 }},
		{"sheet.rcr.carrying_capacity", func(s *eventv1.RcrSheet) { s.CarryingCapacity = body.MaxPounds + 1 }},
		{"sheet.rcr.load", func(s *eventv1.RcrSheet) { s.Load = -1 }},
		{"sheet.rcr.feats[0]", func(s *eventv1.RcrSheet) { s.Feats = []string{"aerial aces"} }},
		{"", func(s *eventv1.RcrSheet) { s.Feats, s.Load = []string{"Aerial Ace", "mighty wings"}, body.MaxPounds }},
	} {
		wrong := System{}.CheckSheet(flyer("a", "party", 60, rcrSheet(c.change)))
		if c.field == "" {
			if len(wrong) > 0 {
				t.Errorf("%v", wrong)
			}
			continue
		}
		if len(wrong) != 1 || wrong[0].Field != c.field {
			t.Errorf("%s: %v", c.field, wrong)
		}
	}
}
