package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.hover-facing, rcr.flight.adv-bank-path: who hovers begins where it faces; who
// flies banks by the angle between where it faces and where it goes, or by what is said;
// who takes off, whatever it faced before, has nothing to bank.
func TestWhereFlightsBegin(t *testing.T) {
	on := cite.FlightAdvToggle + "=on"
	for _, c := range []struct {
		name, state string
		facing      int
		cmd         *eventv1.Command
		reason      string
	}{
		{"hovering, another way", "hovering", 360, fly(30, "heading", "east"), "FACING"},
		{"hovering, where it faces", "hovering", 360, fly(30, "heading", "north"), ""},
		{"hovering, nobody knows where it faces", "hovering", 0, fly(30, "heading", "east"), ""},
		{"flying, a right angle in 10 feet", "flying", 360, fly(10, "heading", "east"), "TOO_TIGHT"},
		{"flying, a right angle in 11", "flying", 360, fly(11, "heading", "east"), ""},
		{"flying, said to turn by half of it alone", "flying", 360, fly(10, "heading", "east", "turns", 45), ""},
		{"flying, said to turn the long way", "flying", 360, fly(11, "heading", "east", "turns", 270), "TOO_TIGHT"},
		{"taking off", "", 360, fly(10, "heading", "east", "climb", 5), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, c.state, 50, flyer("a", "party", 60), on)
			f.Count("a", body.CFacing, c.facing)
			wantReasonOf(t, c.name, f.Try(c.cmd), c.reason)
		})
	}
	t.Run("a dive goes any way", func(t *testing.T) {
		f := sky(t, "hovering", 50, flyer("a", "party", 60), on)
		f.Count("a", body.CFacing, 360)
		f.Must(act("a", "dive", "", "", withParameters("feet", 20, "heading", "east")))
		f.wantCount("a", body.CFacing, 90)
	})
	t.Run("a speed of 0 leaves not even half a foot", func(t *testing.T) {
		f := sky(t, "hovering", 50, flyer("a", "party", 60))
		f.Count("a", body.CHalf, 1)
		f.Must(fly(1, "descend", 1))
		f.wantLeft(120)
	})
}

// rcr.flight.fall-uncontrolled: ground stated under the end of a way is what altitude is
// counted from then on; where it is as high as the flyer it lands.
func TestGroundUnderAFlight(t *testing.T) {
	for _, c := range []struct {
		name         string
		altitude     int
		ground       int
		reason       string
		state        string
		now          int32
		more         []any
		alightsAloft bool
	}{
		{name: "a hill of 30 under 100", altitude: 100, ground: 30, state: "flying", now: 70},
		{name: "a pit of 30 under 100", altitude: 100, ground: -30, state: "flying", now: 130},
		{name: "a hill as high", altitude: 40, ground: 40, state: "", now: 0},
		{name: "a hill as high, not to land", altitude: 40, ground: 40, more: []any{"aloft", true}, state: "flying", now: 0},
		{name: "a hill that is higher", altitude: 40, ground: 41, reason: "GROUND", state: "flying", now: 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "flying", c.altitude, flyer("a", "party", 60))
			wantReasonOf(t, c.name, f.Try(stating(fly(30, c.more...), "ground", c.ground)), c.reason)
			f.wantAir("a", c.state, c.now)
		})
	}
}

// Who has a place says a dive or a launch by a path, and who has none by feet.
func TestPathsOrFeet(t *testing.T) {
	mighty := flyer("a", "party", 60, feats("mighty wings"))
	placed := func(t *testing.T, state string) *table {
		return over(t, state, spot(0, 0, 60), spot(100, 0, 0), mighty, fighter("b", "monsters"))
	}
	blast := func(f *table) { f.Must(act("a", "wind-blast", "", "")) }
	wantFault(t, placed(t, "flying").Try(act("a", "dive", "", "", withParameters("feet", 20))), "take.parameters.feet")
	wantFault(t, sky(t, "flying", 60, mighty).Try(act("a", "dive", "", "")), "take.parameters.feet")
	wantFault(t, sky(t, "flying", 60, mighty).Try(way("dive", spot(0, 0, 20))), "take.path")
	f := over(t, "", spot(0, 0, 0), spot(100, 0, 0), mighty, fighter("b", "monsters"))
	blast(f)
	wantFault(t, f.Try(act("a", "launch", "", "", withParameters("feet", 20))), "take.parameters.feet")
	wantRefused(t, f.Try(way("launch", spot(0, 0, 35))), cite.FeatMightyWingsLaunch)
	f.Must(way("launch", spot(0, 0, 30)))
	f.wantSpot("a", spot(0, 0, 30))
	f.wantLeft(120)
	f = sky(t, "", 0, mighty)
	blast(f)
	wantFault(t, f.Try(way("launch", spot(0, 0, 20))), "take.path")
	wantFault(t, f.Try(act("a", "launch", "", "")), "take.parameters.feet")
	f.Must(act("a", "launch", "", "", withParameters("feet", 30, "climb", 30)))
	f.wantAir("a", "flying", 30)
	t.Run("rcr.flight.dive-enter: from 1 foot", func(t *testing.T) {
		f := sky(t, "flying", 1, mighty)
		f.Must(act("a", "dive", "", "", withParameters("feet", 1)))
		f.wantAir("a", "diving", 0)
		wantReasonOf(t, "from none", f.Try(act("a", "dive", "", "", withParameters("feet", 1))), "GROUND")
	})
}

// rcr.feat.mighty-wings-launch: a launch does not end where somebody is seen to stand.
func TestLaunchEndsWhere(t *testing.T) {
	for _, c := range []struct {
		name   string
		b      *eventv1.Position
		change func(f *table)
		reason string
	}{
		{"somebody stands there", spot(20, 0, 0), func(*table) {}, "SPACE_TAKEN"},
		{"the dead lie there", spot(20, 0, 0), func(f *table) { dies(f.T.(*testing.T), f, "b") }, ""},
		{"one hides there", spot(20, 0, 0), func(f *table) { f.Afflict("b", body.CondHidden) }, ""},
		{"beside somebody", spot(25, 0, 0), func(*table) {}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := over(t, "", spot(0, 0, 0), c.b, flyer("a", "party", 60, feats("mighty wings")), fighter("b", "monsters"))
			f.Count("b", body.CReaction, 0)
			c.change(f)
			f.Must(act("a", "wind-blast", "", ""))
			var faces []int
			if c.name == "one hides there" {
				faces = []int{20, 20} // and collides
			}
			wantReasonOf(t, c.name, f.Try(way("launch", spot(20, 0, 0)), faces...), c.reason)
		})
	}
}

// rcr.feat.mighty-wings-blast: all living creatures within 10 feet on the map that are no
// larger, friends too, but not those that stand nowhere.
func TestWhomABlastReaches(t *testing.T) {
	f := newTable(t)
	f.place(flyer("a", "party", 60, feats("mighty wings")), 0, 0)
	f.place(fighter("b", "monsters"), 10, 0)
	f.place(fighter("c", "party"), 15, 0)
	f.place(fighter("dead", "monsters"), 5, 0)
	f.place(fighter("large", "monsters", size("large")), -10, 0)
	f.add(fighter("nowhere", "monsters"))
	f.start(nil, 20, 5, 5, 4, 3, 2)
	dies(t, f, "dead")
	f.Must(act("a", "wind-blast", "", ""), 1)
	for id, want := range map[string]bool{"a": false, "b": true, "c": false, "large": false, "nowhere": false} {
		f.wantHas(id, body.CondProne, want)
	}
	f = sky(t, "", 0, flyer("a", "party", 60, feats("mighty wings")))
	wantReasonOf(t, "stated at 15 feet", f.Try(act("a", "wind-blast", "", "b", withFacts("distance", 15))), "OUT_OF_RANGE")
	f.Must(act("a", "wind-blast", "", "b", withFacts("distance", 10)), 1)
	f.wantHas("b", body.CondProne, true)
}

// rcr.flight.magic-held-item-damage: what is struck is a thing that one stands or sits on,
// by its name; what is worn is none. All whom it bears come down, nobody else.
func TestStruckThings(t *testing.T) {
	thing := func(name, how string) *eventv1.RcrItem {
		return &eventv1.RcrItem{Name: name, Activation: "action", FlySpeed: 50, Flight: how, Rarity: "rare"}
	}
	carried := func(list ...*eventv1.RcrItem) func(*eventv1.Sheet) {
		return func(s *eventv1.Sheet) {
			delete(s.Speeds, "fly")
			s.GetRcr().Items = list
		}
	}
	f := sky(t, "flying", 10, flyer("a", "party", 60, carried(thing("carpet", body.LiftHeld), thing("boots", "worn"))))
	if o := offered(f.State, "a", "strike-item", "boots"); o != nil {
		t.Errorf("boots can be struck: %v", o)
	}
	if o := offered(f.State, "a", "strike-item", "carpet"); !o.GetLegal() {
		t.Errorf("the carpet cannot: %v", o)
	}
	wantFault(t, f.Try(act("a", "strike-item", "boots", "", withParameters("amount", 26))), "take.item")
	f.Must(act("a", "strike-item", "carpet", "", withParameters("amount", 26)), 12)
	var left []string
	for _, x := range f.Creature("a").Conditions {
		if x.Name == body.CondLifted {
			left = append(left, x.Cause)
		}
	}
	if !slices.Equal(left, []string{"boots"}) {
		t.Errorf("borne by %v", left)
	}
	f.wantAir("a", "flying", 10)
	f.Must(act("a", "use-object", "", ""))
}

// rcr.flight.dc-plus-two, rcr.flight.dc-plus-four, rcr.flight.over-encumbered: of several
// loads the worst counts, whatever the order; what is over is over.
func TestWorstLoad(t *testing.T) {
	for _, c := range []struct {
		name  string
		loads []string
		carry func(*eventv1.Sheet)
		want  string
	}{
		{"light", []string{body.LoadLight}, nil, body.LoadLight},
		{"light, then heavy", []string{body.LoadLight, body.LoadHeavy}, nil, body.LoadHeavy},
		{"heavy, then light", []string{body.LoadHeavy, body.LoadLight}, nil, body.LoadHeavy},
		{"over, and a capacity that is not reached", []string{body.LoadOver}, rcrSheet(func(s *eventv1.RcrSheet) { s.CarryingCapacity, s.Load = 100, 50 }), body.LoadOver},
		{"a capacity that is not reached", nil, rcrSheet(func(s *eventv1.RcrSheet) { s.CarryingCapacity, s.Load = 100, 100 }), ""},
		{"a capacity that is", nil, rcrSheet(func(s *eventv1.RcrSheet) { s.CarryingCapacity, s.Load = 100, 101 }), body.LoadOver},
		{"no capacity known", nil, rcrSheet(func(s *eventv1.RcrSheet) { s.Load = 101 }), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := flyer("a", "party", 60)
			if c.carry != nil {
				c.carry(a)
			}
			f := sky(t, "", 0, a)
			var list []*eventv1.Condition
			for _, load := range c.loads {
				list = append(list, &eventv1.Condition{Id: load, Name: body.CondEncumbered, Variant: load, Cause: "test"})
			}
			if list != nil {
				f.Put("a", &eventv1.Vitals{Conditions: list})
			}
			if got := flight.Load(f.State, f.Creature("a")); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// rcr.flight.collision-save: with an obstacle at the end of the way, and there alone;
// rcr.flight.adv-dive-no-end-inside: nobody collides with whom it rides, bears or holds.
func TestCollisionsOnTheWay(t *testing.T) {
	t.Run("an obstacle at the end of several legs is met once, there", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 40), spot(200, 0, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		cmd := way("move", spot(20, 0, 40), spot(40, 0, 40))
		cmd.GetTake().Facts = object("obstacle", true)
		f.Must(cmd, 15)
		f.wantSpot("a", spot(40, 0, 40))
		if n := len(f.Rolls("collision/a")); n != 1 {
			t.Errorf("%d saves", n)
		}
	})
	t.Run("two in the air save each", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 40), spot(15, 0, 40), flyer("a", "party", 60), flyer("b", "monsters", 60))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: "flying"}}})
		f.Count("b", body.CReaction, 0)
		f.Must(way("move", spot(40, 0, 40)), 15, 15)
		f.wantSpot("a", spot(40, 0, 40))
	})
}

// rcr.flight.adv-dive-no-end-inside: who has dived into another's space leaves it while it
// can, and is put beside it else, where nobody stands, on the ground.
func TestDivedInside(t *testing.T) {
	on := cite.FlightAdvToggle + "=on"
	dived := func(t *testing.T, more ...*eventv1.Position) *table {
		f := over(t, "flying", spot(0, 0, 40), spot(0, 0, 0), flyer("a", "party", 60, skill("athletics", 20)), fighter("b", "monsters"), on)
		for i, p := range more {
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("c"+string(rune('0'+i)), "monsters"), Position: p}}}, 1)
		}
		f.Count("b", body.CReaction, 0)
		f.Must(way("dive", spot(0, 0, 0)), 20)
		f.wantSpot("a", spot(0, 0, 0))
		return f
	}
	t.Run("it can leave", func(t *testing.T) {
		wantReasonOf(t, "60 feet left", dived(t).Try(endTurn("a")), "INSIDE")
	})
	for _, c := range []struct {
		left   int
		reason string
	}{{5, "INSIDE"}, {4, ""}} {
		f := dived(t)
		f.Count("a", body.CMovement, c.left, body.CMoved, 60-c.left)
		faces := []int{15, 15}
		if c.reason != "" {
			faces = nil
		}
		wantReasonOf(t, "some left", f.Try(endTurn("a"), faces...), c.reason)
		if c.reason == "" {
			f.wantHas("a", body.CondProne, true)
			f.wantSpot("a", spot(-5, -5, 0))
		}
	}
}
