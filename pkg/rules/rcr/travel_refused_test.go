package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a flight is told that it cannot be flown by: the field that is wrong, or the rule
// that is in the way. Nothing is spent and nobody moves.
func TestFlightsThatAreRefused(t *testing.T) {
	mapped := func(state string, z int32) func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
		return func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
			return over(t, state, spot(0, 0, z), spot(30, 0, z), flyer("a", "party", 60, change...), fighter("b", "monsters"))
		}
	}
	nowhere := func(state string, z int) func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
		return func(t *testing.T, change ...func(*eventv1.Sheet)) *table {
			return sky(t, state, z, flyer("a", "party", 60, change...))
		}
	}
	words := func(action string, more ...any) *eventv1.Command {
		return act("a", action, "", "", withParameters(more...))
	}
	going := func(action string, path *eventv1.Position, more ...any) *eventv1.Command {
		cmd := words(action, more...)
		cmd.GetTake().Path = []*eventv1.Position{path}
		return cmd
	}
	facing := func(heading int) func(f *table) { return func(f *table) { f.Count("a", body.CFacing, heading) } }
	blasted := func(f *table) { f.Must(act("a", "wind-blast", "", "")) }
	wings := feats("mighty wings")
	const p = "take.parameters."
	for _, c := range []struct {
		name   string
		begin  func(t *testing.T, change ...func(*eventv1.Sheet)) *table
		change func(*eventv1.Sheet)
		before func(f *table)
		cmd    *eventv1.Command
		field  string // or
		rule   string
	}{
		{"the path says how it climbs", mapped("flying", 20), nil, nil, going("move", spot(10, 0, 30), "mode", "fly", "climb", 10), p + "climb", ""},
		{"the path says the heading", mapped("flying", 20), nil, nil, going("move", spot(10, 0, 30), "mode", "fly", "heading", "north"), p + "heading", ""},
		{"more straight up than up at all", nowhere("flying", 20), nil, nil, fly(30, "climb", 10, "vertical", 15), p + "vertical", ""},
		{"up and down more than it flies", nowhere("flying", 60), nil, nil, fly(20, "climb", 11, "descend", 10), "", cite.FlightClimbAngle},
		{"down and up more than it flies", nowhere("flying", 60), nil, nil, fly(20, "climb", 10, "descend", 11), "", cite.FlightDescentAngle},
		{"words of flight on foot", nowhere("", 0), nil, nil, words("move", "feet", 10, "climb", 5), p + "climb", ""},
		{"to stay aloft on foot", nowhere("", 0), nil, nil, words("move", "feet", 10, "aloft", true), p + "aloft", ""},
		{"a dive along a path without a map", nowhere("flying", 60), nil, nil, going("dive", spot(0, 0, 10)), "take.path", ""},
		{"a dive by both", mapped("flying", 60), nil, nil, going("dive", spot(0, 0, 10), "feet", 50), p + "feet", ""},
		{"a dive with feet forward of a path", mapped("flying", 60), nil, nil, going("dive", spot(0, 0, 10), "forward", 5), p + "feet", ""},
		{"a dive by feet on a map", mapped("flying", 60), nil, nil, words("dive", "feet", 50), p + "feet", ""},
		{"a dive that leads up", mapped("flying", 60), nil, nil, &eventv1.Command{What: &eventv1.Command_Take{Take: &eventv1.TakeAction{Creature: "a", Action: "dive", Path: []*eventv1.Position{spot(0, 0, 65), spot(0, 0, 10)}}}}, "take.path", ""},
		{"a dive as far forward as down", nowhere("flying", 60), nil, nil, words("dive", "feet", 20, "forward", 20), "", cite.FlightDescentAngle},
		{"a dive deeper than it flies", nowhere("flying", 60), nil, nil, words("dive", "feet", 61), "", cite.FlightDescentRate},
		{"a dive from the ground", nowhere("flying", 0), nil, nil, words("dive", "feet", 1), "", cite.FlightDiveEnter},
		{"a dive out of an arrested fall", nowhere("arresting", 60), nil, nil, words("dive", "feet", 20), "", cite.FlightArrestRecover},
		{"a dive on foot", nowhere("", 0), nil, nil, words("dive", "feet", 20), "", cite.FlightDiveEnter},
		{"the second dive of a turn past 580", nowhere("flying", 900), nil, func(f *table) { f.Count("a", body.CDived, 300) }, words("dive", "feet", 281), "", cite.FlightDiveEnter},
		{"to hover twice", nowhere("flying", 60), skill("athletics", 9), func(f *table) { f.Must(words("hover")) }, words("hover"), "", cite.FlightHoverCheck},
		{"to hover in a dive", nowhere("flying", 60), nil, func(f *table) { f.Must(words("dive", "feet", 20)) }, words("hover"), "", cite.FlightDivePullOut},
		{"to hover on foot", nowhere("", 0), nil, nil, words("hover"), "", cite.FlightHoverCheck},
		{"to turn without hovering", nowhere("flying", 60), nil, nil, words("hover-turn", "degrees", 45), "", cite.FlightHoverTurn},
		{"to turn by heading and degrees", nowhere("hovering", 60), nil, facing(90), words("hover-turn", "heading", "north", "degrees", 45), p + "heading", ""},
		{"to turn by neither", nowhere("hovering", 60), nil, facing(90), words("hover-turn"), p + "heading", ""},
		{"to turn by 50 degrees", nowhere("hovering", 60), nil, facing(90), words("hover-turn", "degrees", 50), p + "degrees", ""},
		{"to turn to a heading from nobody knows where", nowhere("hovering", 60), nil, nil, words("hover-turn", "heading", "north"), p + "heading", ""},
		{"to turn to where it faces", nowhere("hovering", 60), nil, facing(90), words("hover-turn", "heading", "east"), p + "heading", ""},
		{"to recover without a fall", nowhere("flying", 60), nil, nil, words("recover"), "", cite.FlightArrestRecover},
		{"to pull out without a dive", nowhere("flying", 60), nil, nil, words("pull-out"), "", cite.FlightDivePullOut},
		{"to launch without a blast", nowhere("", 0), wings, nil, words("launch", "feet", 10), "", cite.FeatMightyWingsLaunch},
		{"to launch farther than half", nowhere("", 0), wings, blasted, words("launch", "feet", 31), "", cite.FeatMightyWingsLaunch},
		{"to launch along a path without a map", nowhere("", 0), wings, blasted, going("launch", spot(0, 0, 10)), "take.path", ""},
		{"to launch by both", mapped("", 0), wings, blasted, going("launch", spot(0, 0, 10), "feet", 10), p + "feet", ""},
		{"to launch by feet on a map", mapped("", 0), wings, blasted, words("launch", "feet", 10), p + "feet", ""},
		{"to launch higher than it flies", nowhere("", 0), wings, blasted, words("launch", "feet", 10, "climb", 11), p + "climb", ""},
		{"to launch into another's space", mapped("", 0), wings, blasted, going("launch", spot(30, 0, 0)), "", cite.BaseFifthEditionFallback},
		{"to launch underground", mapped("", 10), wings, func(f *table) { f.Count("a", body.CGround, 10); blasted(f) }, going("launch", spot(0, 10, 5)), "", cite.FlightDescentRate},
		{"to launch through a gap of 9 feet", mapped("", 0), wings, blasted, stating(going("launch", spot(0, 10, 10)), "narrowest", 9), "", cite.FlightNoSqueeze},
		{"to launch with a speed of 0", nowhere("", 0), wings, func(f *table) { blasted(f); f.Afflict("a", body.CondRestrained) }, words("launch", "feet", 10), "", cite.FeatMightyWingsLaunch},
		{"to reverse without the feat", nowhere("flying", 60), nil, nil, words("reverse"), "", cite.FeatAerialAceReverse},
		{"to reverse on foot", nowhere("", 0), feats("aerial ace"), nil, words("reverse"), "", cite.FeatAerialAceReverse},
		{"to reverse with 29 feet left", nowhere("flying", 60), feats("aerial ace"), func(f *table) { f.Must(fly(31)) }, words("reverse"), "", cite.FeatAerialAceReverse},
		{"a blast of wind in the air", nowhere("flying", 60), wings, nil, words("wind-blast"), "", cite.FeatMightyWingsBlast},
		{"a blast of wind without the feat", nowhere("", 0), nil, nil, words("wind-blast"), "", cite.FeatMightyWingsBlast},
	} {
		t.Run(c.name, func(t *testing.T) {
			var changes []func(*eventv1.Sheet)
			if c.change != nil {
				changes = append(changes, c.change)
			}
			f := c.begin(t, changes...)
			f.falls(15)
			if c.before != nil {
				c.before(f)
			}
			was := f.Creature("a")
			err := f.Try(c.cmd)
			if c.field != "" {
				wantFault(t, err, c.field)
			} else {
				wantRefused(t, err, c.rule)
			}
			now := f.Creature("a")
			if body.Altitude(now) != body.Altitude(was) || now.Counters[body.CMoved] != was.Counters[body.CMoved] || now.Counters[body.CAction] != was.Counters[body.CAction] {
				t.Error("something has come of it")
			}
		})
	}
}

// The other side of each border: what is just allowed, with what it comes to.
func TestFlightsAtTheirBorders(t *testing.T) {
	wings := feats("mighty wings")
	for _, c := range []struct {
		name   string
		a      *eventv1.Sheet
		state  string
		height int
		before []*eventv1.Command
		cmd    *eventv1.Command
		want   string
		at     int32
		moved  int64
	}{
		{"up and down as much as it flies", flyer("a", "party", 60), "flying", 60, nil, fly(20, "climb", 10, "descend", 10), "flying", 60, 25},
		{"a dive of a foot more than forward", flyer("a", "party", 60), "flying", 60, nil, act("a", "dive", "", "", withParameters("feet", 21, "forward", 20)), "diving", 39, 0},
		{"a dive of all that it flies", flyer("a", "party", 60), "flying", 60, nil, act("a", "dive", "", "", withParameters("feet", 60)), "diving", 0, 0},
		{"reversing with 30 feet left", flyer("a", "party", 60, feats("aerial ace")), "flying", 60, []*eventv1.Command{fly(30)}, act("a", "reverse", "", ""), "flying", 60, 60},
		{"launched as far as half, straight up", flyer("a", "party", 50, wings), "", 0, []*eventv1.Command{act("a", "wind-blast", "", "")}, act("a", "launch", "", "", withParameters("feet", 25, "climb", 25, "vertical", 25)), "flying", 25, 0},
		{"launched level and aloft", flyer("a", "party", 50, wings), "", 0, []*eventv1.Command{act("a", "wind-blast", "", "")}, act("a", "launch", "", "", withParameters("feet", 25, "aloft", true)), "flying", 0, 0},
		{"launched level it lands", flyer("a", "party", 50, wings), "", 0, []*eventv1.Command{act("a", "wind-blast", "", "")}, act("a", "launch", "", "", withParameters("feet", 25)), "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, c.state, c.height, c.a)
			for _, cmd := range c.before {
				f.Must(cmd)
			}
			f.Must(c.cmd)
			f.wantAir("a", c.want, c.at)
			f.wantCount("a", body.CMoved, c.moved)
		})
	}
	t.Run("rcr.feat.mighty-wings-launch: it counts as travelled, and the whole movement is left", func(t *testing.T) {
		f := sky(t, "", 0, flyer("a", "party", 50, wings))
		f.Must(act("a", "wind-blast", "", ""))
		f.Must(act("a", "launch", "", "", withParameters("feet", 25, "climb", 25)))
		f.End("a", 20) // 25 of 50 are enough: no check
		f.wantAir("a", "flying", 25)
	})
	t.Run("rcr.feat.mighty-wings-launch: it follows the blast at once or not at all", func(t *testing.T) {
		f := sky(t, "", 0, flyer("a", "party", 50, wings))
		f.Must(act("a", "wind-blast", "", ""))
		f.Must(act("a", "move", "", "", withParameters("mode", "walk", "feet", 5)))
		wantRefused(t, f.Try(act("a", "launch", "", "", withParameters("feet", 10))), cite.FeatMightyWingsLaunch)
	})
	t.Run("rcr.flight.hover-turn: 315 degrees go the shorter way, 5 feet", func(t *testing.T) {
		f := sky(t, "hovering", 60, flyer("a", "party", 60))
		f.Count("a", body.CFacing, 45)
		f.Must(act("a", "hover-turn", "", "", withParameters("degrees", 315)))
		f.wantCount("a", body.CMoved, 5)
		f.wantCount("a", body.CFacing, 360)
		f.Must(act("a", "hover-turn", "", "", withParameters("heading", "south-west")))
		f.wantCount("a", body.CMoved, 5+15)
		f.wantCount("a", body.CFacing, 225)
	})
	t.Run("rcr.flight.hover-turn: without a known facing only the degrees cost", func(t *testing.T) {
		f := sky(t, "hovering", 60, flyer("a", "party", 60))
		f.Must(act("a", "hover-turn", "", "", withParameters("degrees", 180)))
		f.wantCount("a", body.CMoved, 20)
		f.wantCount("a", body.CFacing, 0)
	})
	t.Run("rcr.flight.arrest-recover: Athletics unless said otherwise", func(t *testing.T) {
		f := sky(t, body.AirArresting, 60, flyer("a", "party", 60, skill("athletics", 5), skill("acrobatics", -5)))
		f.Must(act("a", "recover", "", ""), 10)
		f.wantAir("a", "flying", 60)
		f.wantCount("a", body.CAction, 0)
		f.wantCited(cite.FlightArrestRecover)
	})
	t.Run("rcr.flight.dc-plus-four: the weather may be stated for one roll", func(t *testing.T) {
		for _, c := range []struct {
			facts []any
			dc    int32
		}{{nil, 15}, {[]any{"precipitation", "any"}, 17}, {[]any{"precipitation", "heavy"}, 19}, {[]any{"wind", 9}, 15}, {[]any{"wind", 10}, 17}, {[]any{"wind", 20, "precipitation", "any"}, 19}} {
			f := sky(t, "flying", 60, flyer("a", "party", 60))
			f.Must(act("a", "hover", "", "", withFacts(c.facts...)), 20)
			if got := f.Roll("hover/a").Target.Value; got != c.dc {
				t.Errorf("%v: against %d, want %d", c.facts, got, c.dc)
			}
		}
		f := sky(t, "flying", 60, flyer("a", "party", 60), "rcr.setting.precipitation=heavy")
		f.Must(act("a", "hover", "", "", withFacts("precipitation", "none")), 20)
		if got := f.Roll("hover/a").Target.Value; got != 15 {
			t.Errorf("under a roof against %d", got)
		}
	})
	t.Run("rcr.flight.hover-encumbered: an overload brings a hovering creature down by its own rule", func(t *testing.T) {
		for state, rule := range map[string]string{"hovering": cite.FlightHoverEncumbered, "flying": cite.FlightOverEncumbered} {
			f := sky(t, state, 10, flyer("a", "party", 60))
			f.falls(15)
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondEncumbered, Variant: body.LoadOver}}})
			f.wantCited(rule)
			f.wantAir("a", "", 0)
		}
	})
}

// rcr.flight.adv-dive-no-end-inside: where nobody has positions a diver has left the space
// of another as soon as it has moved on, and in its next turn nothing is left of it.
func TestInsideWithoutAMap(t *testing.T) {
	end := &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}
	inside := func(t *testing.T) *table {
		f := sky(t, "flying", 60, flyer("a", "party", 60, skill("athletics", 9), save("strength", 9)), cite.FlightAdvToggle+"=on")
		f.Count("b", body.CReaction, 0)
		f.Must(act("a", "dive", "", "", withParameters("feet", 50), withFacts("enters_space_of", []string{"b"})), 6)
		f.Must(act("a", "pull-out", "", ""), 10)
		wantRefused(t, f.Try(end), cite.FlightAdvDiveNoEndInside)
		return f
	}
	t.Run("it moves on", func(t *testing.T) {
		f := inside(t)
		f.Must(fly(5))
		f.End("a", 20)
		f.wantAir("a", "flying", 10)
		f.wantHas("a", body.CondProne, false)
	})
	t.Run("it cannot: prone beside the other", func(t *testing.T) {
		f := inside(t)
		f.Count("a", body.CMovement, 0, body.CMoved, 60)
		f.End("a", 20)
		f.wantAir("a", "", 0)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("a second dive of the turn has left it too", func(t *testing.T) {
		f := inside(t)
		f.Must(act("a", "dive", "", "", withParameters("feet", 5)))
		f.Must(act("a", "pull-out", "", ""), 10)
		f.End("a", 20)
		f.wantAir("a", "flying", 5)
	})
	t.Run("off, it may end there", func(t *testing.T) {
		f := sky(t, "flying", 60, flyer("a", "party", 60, skill("athletics", 9), save("strength", 9)), cite.FlightAdvToggle+"=on", cite.FlightAdvDiveNoEndInside+"=off")
		f.Count("b", body.CReaction, 0)
		f.Must(act("a", "dive", "", "", withParameters("feet", 50), withFacts("enters_space_of", []string{"b"})), 6)
		f.Must(act("a", "pull-out", "", ""), 10)
		f.End("a", 20)
		f.wantAir("a", "flying", 10)
	})
}

// rcr.base.opportunity-frame, rcr.injury.row2-crippled-speed, rcr.condition.grappled-speed: an
// opportunity attack on the way is dealt with where the flyer is; what it leaves of the
// movement is all that it goes on with.
func TestStruckInFlight(t *testing.T) {
	bird := func() *eventv1.Sheet {
		s := bodied("a", 10, 40)
		s.Speeds = map[string]int32{"walk": 30, "fly": 60}
		return s
	}
	begin := func(t *testing.T, x int32, b *eventv1.Sheet) *table {
		f := newTable(t)
		f.at(bird(), 0, 0, 20)
		f.at(b, x, 5, 20)
		f.start(nil, 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}})
		f.Count("a", body.CWounds, 1)
		return f
	}
	noted := func(t *testing.T, f *table, text string) {
		t.Helper()
		for _, e := range f.Published {
			if e.GetNote().GetText() == text {
				return
			}
		}
		t.Errorf("nobody says %q", text)
	}
	t.Run("crippled after 25 of 60 feet, 5 are left", func(t *testing.T) {
		f := begin(t, 20, fighter("b", "monsters"))
		f.Must(way("move", spot(60, 0, 20)))
		f.Answer(body.DecOpportunity, "sword", 20, 1, 1)
		f.wantSpot("a", spot(30, 0, 20))
		f.wantCount("a", body.CWounds, 2)
		f.wantCount("a", body.CTravelled, 30)
		f.wantCount("a", body.CMoved, 30)
		noted(t, f, "a has no movement left to go on")
	})
	t.Run("crippled after 35, nothing is left and nothing is owed", func(t *testing.T) {
		f := begin(t, 30, fighter("b", "monsters"))
		f.Must(way("move", spot(60, 0, 20)))
		f.Answer(body.DecOpportunity, "sword", 20, 1, 1)
		f.wantSpot("a", spot(35, 0, 20))
		f.wantCount("a", body.CTravelled, 35)
		f.End("a", 20, 20) // 15 of 30 and more; the crippled roll twice
		f.wantAir("a", "flying", 20)
	})
	t.Run("let pass it goes all the way", func(t *testing.T) {
		f := begin(t, 20, fighter("b", "monsters"))
		f.Must(way("move", spot(60, 0, 20)))
		f.Answer(body.DecOpportunity, "no")
		f.wantSpot("a", spot(60, 0, 20))
	})
	t.Run("rcr.feat.sentinel-stop: stopped in the air it falls there", func(t *testing.T) {
		f := begin(t, 20, fighter("b", "monsters", feats("sentinel")))
		f.Count("a", body.CWounds, 0)
		f.Must(way("move", spot(60, 0, 20)))
		f.Answer(body.DecOpportunity, "sword", 15, 1)
		f.Answer(flight.DecArrest, "yes")
		f.wantSpot("a", spot(25, 0, 20))
		f.wantAir("a", body.AirArresting, 20)
		noted(t, f, "a goes no further")
	})
	t.Run("climbing, the legs that are left cost 2 for 1", func(t *testing.T) {
		f := begin(t, 10, fighter("b", "monsters"))
		f.Must(way("move", spot(5, 0, 20), spot(25, 0, 40)))
		f.Answer(body.DecOpportunity, "sword", 20, 1, 1) // from (10, 0, 25), 15 feet spent
		f.wantSpot("a", spot(15, 0, 30))
		f.wantCount("a", body.CMoved, 25)
	})
}

// rcr.mount.mounting-cost, rcr.condition.prone-crawl, rcr.mount.mount-prone: nobody gets on
// lying, nor on what lies.
func TestNobodyMountsLying(t *testing.T) {
	begin := func(t *testing.T) *table { return newTable(t).add(human(), orc(), beast()).start(nil, 20, 5, 3) }
	f := begin(t)
	f.Must(act("a", "drop-prone", "", ""))
	wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.ConditionProneCrawl)
	f.Must(act("a", "stand", "", ""))
	f.Must(act("a", "mount", "", "h"))
	f.wantCount("a", body.CMovement, 0)
	f.wantRides("a", "h", body.VariantRider)
	f = begin(t)
	f.Afflict("h", body.CondProne)
	wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.MountMountProne)
	f.wantCount("a", body.CMovement, 30)
}
