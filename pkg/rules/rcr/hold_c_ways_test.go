package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// A flight that a blow ends: one that loses what bears it goes no further than it stood
// and falls there.
//
// rcr.flight.magic-spell-end, rcr.base.opportunity-frame
func TestFlightsThatABlowEnds(t *testing.T) {
	// hexed flies by its own spell past the orc's reach, which may strike as it leaves it.
	hexed := func(t *testing.T) *table {
		f := over(t, "", spot(0, 0, 10), spot(15, 0, 10), fighter("a", "party", func(s *eventv1.Sheet) { s.HitPoints = 400 }), fighter("b", "monsters"))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "Fly"}, {Name: body.CondAirborne, Variant: "flying"},
			{Name: body.CondLifted, Variant: "spell", Source: "a", Cause: "Fly", Values: map[string]int32{body.ChFlySpeed: 60}}}})
		f.Must(way("move", spot(10, 0, 10), spot(0, 0, 10), spot(-20, 0, 10)))
		return f
	}
	t.Run("concentration is kept: it flies on", func(t *testing.T) {
		f := hexed(t)
		f.Answer(body.DecOpportunity, "sword", 15, 1, 10)
		f.wantSpot("a", spot(-20, 0, 10))
		f.wantAir("a", "flying", 10)
	})
	t.Run("concentration is lost: it falls where it was struck", func(t *testing.T) {
		f := hexed(t)
		f.Answer(body.DecOpportunity, "sword", 15, 1, 9, 3)
		f.wantSpot("a", spot(10, 0, 0))
		f.wantAir("a", "", 0)
		f.WantHP("a", 400-4-3)
	})
}

// What is stated of the end of a way, and where a flyer faces there, holds of who comes
// there: one that is stopped on the way has not turned, and no ground is under it.
//
// rcr.flight.hover-facing, rcr.flight.fall-uncontrolled, rcr.feat.sentinel-stop
func TestStoppedFlights(t *testing.T) {
	for _, c := range []struct {
		name    string
		stated  bool
		hit     bool
		facing  int64
		ground  int64
		x, high int32
	}{
		{"at the first leg it stands where it stood", true, true, 360, 0, 0, 40},
		{"at a later leg it has turned, and is not over the hill", false, true, 270, 0, -20, 40},
		{"not hit it is at the end of its way, over the hill", false, false, 270, 30, -40, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			foe := spot(-15, 5, 40)
			if c.stated {
				foe = spot(5, 5, 40)
			}
			f := over(t, "flying", spot(0, 0, 40), foe, flyer("a", "party", 60), fighter("b", "monsters", feat("sentinel")))
			f.Count("a", body.CFacing, 360)
			cmd := way("move", spot(-40, 0, 40))
			cmd.GetTake().Facts = object("ground", 30)
			if c.stated {
				cmd.GetTake().Facts = object("ground", 30, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})
			}
			f.Must(cmd)
			if c.hit {
				f.Answer(body.DecOpportunity, "sword", 15, 1)
				f.Answer(flight.DecArrest, "yes")
			} else {
				f.Answer(body.DecOpportunity, "sword", 2)
			}
			f.wantCount("a", body.CFacing, c.facing)
			f.wantCount("a", body.CGround, c.ground)
			if p := f.Creature("a").Position; p.X != c.x || body.Altitude(f.Creature("a")) != c.high {
				t.Errorf("at %v, %d feet up", p, body.Altitude(f.Creature("a")))
			}
		})
	}
}

// rcr.flight.dive-enter: a dive may lead level for a while, where it is steeper than a
// descent as a whole; no part of it leads up.
func TestPathsOfADive(t *testing.T) {
	for name, c := range map[string]struct {
		path   []*eventv1.Position
		faulty bool
	}{
		"a level leg": {[]*eventv1.Position{spot(5, 0, 60), spot(5, 0, 40)}, false},
		"5 feet up":   {[]*eventv1.Position{spot(0, 0, 65), spot(0, 0, 40)}, true},
		"1 foot up":   {[]*eventv1.Position{spot(0, 0, 61), spot(0, 0, 40)}, true},
	} {
		f := over(t, "flying", spot(0, 0, 60), spot(100, 0, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		err := f.Try(way("dive", c.path...))
		if c.faulty {
			wantFault(t, err, "take.path")
			continue
		}
		wantReasonOf(t, name, err, "")
		f.wantSpot("a", spot(5, 0, 40))
		f.wantCount("a", body.CDived, 20)
	}
}

// rcr.flight.descent-rate, rcr.feat.mighty-wings-climb, rcr.flight.tailwind-rate: half a foot
// of movement is kept: with wings that climb for nothing more and with the wind it buys a
// foot, and is offered for that.
func TestHalfAFootLeft(t *testing.T) {
	for down, offers := range map[int]bool{39: true, 40: false} {
		f := sky(t, "flying", down, flyer("a", "party", 20, feats("mighty wings"), func(s *eventv1.Sheet) { s.Speeds["walk"] = 40 }))
		f.Must(fly(down, "descend", down))
		f.wantAir("a", "", 0)
		var climbs int32
		for _, p := range offered(f.State, "a", "move", "").GetParameters() {
			if p.Name == "climb" {
				climbs = p.Maximum
			}
		}
		if want := map[bool]int32{true: 1}[offers]; climbs != want {
			t.Errorf("%d feet down: offered %d, want %d", down, climbs, want)
		}
		reason := ""
		if !offers {
			reason = "NO_MOVEMENT"
		}
		wantReasonOf(t, "a foot up", f.Try(stating(fly(1, "climb", 1), "wind", 10, "wind_way", "with")), reason)
	}
}

// rcr.flight.over-encumbered: what is loaded beyond its capacity and can only fly is told
// of no place to go to.
func TestPlacesOfTheOverloaded(t *testing.T) {
	for load, want := range map[int32]bool{100: true, 101: false} {
		bird := flyer("a", "party", 60, func(s *eventv1.Sheet) {
			delete(s.Speeds, "walk")
			s.GetRcr().CarryingCapacity, s.GetRcr().Load = 100, load
		})
		f := over(t, "", spot(0, 0, 0), spot(100, 0, 0), bird, fighter("b", "monsters"))
		squares, _ := flight.Squares(f.State, f.Creature("a"), false)
		if got := len(squares) > 0; got != want {
			t.Errorf("%d pounds: %d places", load, len(squares))
		}
	}
}

// rcr.flight.adv-dive-no-end-inside: a diver may end its turn in the space of the dead, of
// one that it does not see, of one that it holds; and where it can do nothing about it.
func TestWhoseSpaceADiverLeaves(t *testing.T) {
	on := cite.FlightAdvToggle + "=on"
	for _, c := range []struct {
		name   string
		change func(f *table)
		reason string
	}{
		{"another's", func(*table) {}, "INSIDE"},
		{"the dead", func(f *table) { dies(f.T.(*testing.T), f, "b") }, ""},
		{"one that hides", func(f *table) { f.Afflict("b", body.CondHidden) }, ""},
		{"one that it holds", func(f *table) { f.Afflict("b", body.CondGrappled+"@a") }, ""},
		{"it can do nothing", func(f *table) { f.Afflict("a", body.CondIncapacitated) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := over(t, "flying", spot(0, 0, 40), spot(0, 0, 0), flyer("a", "party", 60, skill("athletics", 20)), fighter("b", "monsters"), on)
			f.Count("b", body.CReaction, 0)
			f.Must(way("dive", spot(0, 0, 0)), 20)
			f.Must(act("a", "pull-out", "", ""), 10)
			f.Count("a", body.CTravelled, 40)
			c.change(f)
			if o := offered(f.State, "a", rules.EndTurnAction, ""); o.GetLegal() != (c.reason == "") {
				t.Errorf("listed as legal: %v, want %q", o.GetLegal(), c.reason)
			}
			err := flight.RefuseEndTurn(f.State, f.Creature("a"))
			wantReasonOf(t, c.name, err, c.reason)
			if err != nil {
				wantRefused(t, err, cite.FlightAdvDiveNoEndInside)
			}
		})
	}
}

// rcr.flight.adv-dive-impact-risk, rcr.flight.dive-fall-height: who does not pull out in
// another's space falls there, from where the dive began, and is not set down beside it.
func TestADiveThatFailsInside(t *testing.T) {
	f := over(t, "flying", spot(0, 0, 40), spot(0, 0, 0), flyer("a", "party", 60, skill("athletics", 1)), fighter("b", "monsters"), cite.FlightAdvToggle+"=on")
	f.Count("b", body.CReaction, 0)
	f.Count("a", body.CReaction, 0)
	f.Must(way("dive", spot(0, 0, 0)), 20)
	f.Count("a", body.CMovement, 0, body.CMoved, 60)
	f.Must(endTurn("a"), append([]int{8}, append(faces(10, 1), 12)...)...)
	f.wantSpot("a", spot(0, 0, 0))
	f.wantHas("a", body.CondProne, true)
	f.WantHP("a", 390)
}

// rcr.underwater.dive-into-water: ground that is said to be as high as the surface is no
// water, wherever the surface is.
func TestGroundAsHighAsTheWater(t *testing.T) {
	for ground, water := range map[int]bool{20: false, 0: true} {
		f := over(t, "flying", spot(0, 0, 40), spot(200, 0, 100), flyer("a", "party", 60), fighter("b", "monsters"))
		f.Must(act("a", "water", "", "", withParameters("surface", 20)))
		cmd := way("move", spot(30, 0, 40))
		cmd.GetTake().Facts = object("ground", ground)
		f.Must(cmd)
		f.Count("a", body.CReaction, 0)
		prone := afflicting("a", body.CondProne, "")
		if !water {
			f.Must(prone, 1, 1, 1)
			f.wantSpot("a", spot(30, 0, 20))
			continue
		}
		f.Must(prone)
		if len(f.Decisions) != 1 || f.Decisions[0].Name != underwater.DecDive {
			t.Errorf("asked %v", f.Decisions)
		}
	}
}
