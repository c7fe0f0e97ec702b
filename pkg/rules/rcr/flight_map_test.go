package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spot is a place on the map.
func spot(x, y, z int32) *eventv1.Position { return &eventv1.Position{X: x, Y: y, Z: z} }

// over is a fight on a map in which it is the turn of a, in a state of the air at a
// place; b stands at another.
func over(t *testing.T, state string, place, foe *eventv1.Position, a, b *eventv1.Sheet, settings ...string) *table {
	t.Helper()
	f := newTable(t, append([]string{"rcr.damage.fall-compounding=on"}, settings...)...)
	for s, p := range map[*eventv1.Sheet]*eventv1.Position{a: place, b: foe} {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: p}}})
	}
	f.start(nil, 20, 5)
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
	if state != "" {
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: state}}})
	}
	return f
}

// way is a movement in the air along places.
func way(action string, places ...*eventv1.Position) *eventv1.Command {
	cmd := act("a", action, "", "")
	if action == "move" {
		cmd = act("a", action, "", "", withParameters("mode", "fly"))
	}
	cmd.GetTake().Path = places
	return cmd
}

func (f *table) wantSpot(id string, p *eventv1.Position) {
	f.T.Helper()
	if got := f.Creature(id).Position; got.X != p.X || got.Y != p.Y || got.Z != p.Z {
		f.T.Fatalf("%s is at %v, want %v", id, got, p)
	}
}

// rcr.flight.climb-cost, rcr.flight.descent-rate, rcr.flight.climb-angle, rcr.flight.descent-angle,
// rcr.flight.movement-budget, rcr.flight.overflight-clearance, rcr.flight.headwind-cost
func TestFlightOnTheMap(t *testing.T) {
	far := spot(500, 500, 0)
	for _, c := range []struct {
		name     string
		state    string
		from     *eventv1.Position
		path     []*eventv1.Position
		settings []string
		mighty   bool
		left     int64
		refused  string
	}{
		{"rcr.flight.climb-angle: 30 forward and 10 up", "flying", spot(0, 0, 20), []*eventv1.Position{spot(30, 0, 30)}, nil, false, 40, ""},
		{"rcr.flight.climb-angle: 10 forward and 20 up", "flying", spot(0, 0, 20), []*eventv1.Position{spot(10, 0, 40)}, nil, false, 120, cite.FlightClimbAngle},
		{"rcr.flight.climb-cost: along y", "flying", spot(0, 0, 20), []*eventv1.Position{spot(0, -30, 50)}, nil, false, 0, ""},
		{"rcr.flight.descent-angle: 40 down over 40", "flying", spot(0, 0, 60), []*eventv1.Position{spot(0, 40, 20)}, nil, false, 80, ""},
		{"rcr.flight.descent-angle: 50 down over 40", "flying", spot(0, 0, 60), []*eventv1.Position{spot(0, 40, 10)}, nil, false, 120, cite.FlightDescentAngle},
		{"rcr.flight.movement-budget: three legs", "flying", spot(0, 0, 40), []*eventv1.Position{spot(20, 0, 20), spot(40, 0, 20), spot(55, 0, 35)}, nil, false, 0, ""},
		{"rcr.feat.mighty-wings-vertical: straight up", "flying", spot(0, 0, 20), []*eventv1.Position{spot(0, 0, 50)}, nil, true, 0, ""},
		{"rcr.feat.mighty-wings-climb: a foot a foot", "flying", spot(0, 0, 20), []*eventv1.Position{spot(25, 0, 45), spot(60, 0, 45)}, nil, true, 0, ""},
		{"rcr.flight.headwind-cost: the wind blows north", "flying", spot(0, 0, 20), []*eventv1.Position{spot(0, -30, 20)}, []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=north"}, false, 0, ""},
		{"rcr.flight.headwind-cost: half across is against", "flying", spot(0, 0, 20), []*eventv1.Position{spot(30, -30, 20)}, []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=north"}, false, 0, ""},
		{"rcr.flight.tailwind-rate: with it", "flying", spot(0, 0, 20), []*eventv1.Position{spot(0, 60, 20)}, []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=north"}, false, 60, ""},
		{"rcr.flight.headwind-cost: across", "flying", spot(0, 0, 20), []*eventv1.Position{spot(60, 0, 20)}, []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=north"}, false, 0, ""},
		{"rcr.flight.descent-rate: not below the ground", "flying", spot(0, 0, 10), []*eventv1.Position{spot(20, 0, -5)}, nil, false, 120, cite.FlightDescentRate},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := flyer("a", "party", 60)
			if c.mighty {
				a = flyer("a", "party", 60, feats("mighty wings"))
			}
			f := over(t, c.state, c.from, far, a, fighter("b", "monsters"), c.settings...)
			cmd := way("move", c.path...)
			end := c.path[len(c.path)-1]
			if c.refused != "" {
				wantRefused(t, f.Try(cmd), c.refused)
				end = c.from
			} else {
				f.Must(cmd)
			}
			f.wantSpot("a", end)
			f.wantLeft(c.left)
		})
	}
}

// rcr.flight.overflight-clearance, rcr.flight.collision-save, rcr.flight.space-not-controlled, rcr.flight.hover-facing,
// rcr.flight.fall-uncontrolled, rcr.flight.minimum-move
func TestFlightMeetsOthers(t *testing.T) {
	quiet := func(f *table) *table { f.Count("b", body.CReaction, 0); return f }
	t.Run("rcr.flight.overflight-clearance: 5 feet up nothing is met", func(t *testing.T) {
		f := quiet(over(t, "flying", spot(0, 0, 5), spot(15, 0, 0), flyer("a", "party", 60), fighter("b", "monsters")))
		f.Must(way("move", spot(30, 0, 5)))
		f.wantSpot("a", spot(30, 0, 5))
	})
	t.Run("rcr.flight.overflight-clearance: at the ground they collide", func(t *testing.T) {
		f := quiet(over(t, "flying", spot(0, 0, 0), spot(15, 0, 0), flyer("a", "party", 60), fighter("b", "monsters")))
		f.Must(way("move", spot(30, 0, 0)), 15)
		f.wantSpot("a", spot(30, 0, 0))
		f.wantAir("a", "", 0) // and it lands
	})
	t.Run("rcr.flight.collision-save: a failure ends the flight there", func(t *testing.T) {
		f := quiet(over(t, "flying", spot(0, 0, 40), spot(15, 0, 35), flyer("a", "party", 60), flyer("b", "monsters", 60, size("huge"))))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}})
		f.Must(way("move", spot(40, 0, 40)), 14, 6) // b is two sizes larger
		f.wantSpot("a", spot(15, 0, 40))
		f.Answer(flight.DecArrest, "yes")
		f.wantAir("a", "arresting", 40)
		f.wantAir("b", "flying", 35)
		f.WantHP("a", 394)
	})
	t.Run("rcr.flight.space-not-controlled: beside it nothing is met", func(t *testing.T) {
		f := quiet(over(t, "flying", spot(0, 0, 40), spot(15, 5, 40), flyer("a", "party", 60), flyer("b", "monsters", 60)))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}})
		f.Must(way("move", spot(60, 0, 40)))
		f.wantSpot("a", spot(60, 0, 40))
	})
	t.Run("rcr.flight.collision-save: a friend walks into a flyer", func(t *testing.T) {
		f := over(t, "", spot(0, 0, 0), spot(15, 0, 0), fighter("a", "party"), flyer("b", "party", 60))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}})
		cmd := act("a", "move", "", "")
		cmd.GetTake().Path = []*eventv1.Position{spot(25, 0, 0)}
		f.Must(cmd, 15)
		f.wantSpot("a", spot(25, 0, 0))
		f.wantAir("b", "flying", 0)
	})
	t.Run("rcr.flight.fall-uncontrolled: down to the ground", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 20), spot(50, 0, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		f.Count("a", body.CReaction, 0)
		f.End("a", 14, 2, 6, 4, 20)
		f.wantSpot("a", spot(0, 0, 0))
		f.WantHP("a", 388)
	})
	t.Run("rcr.flight.fall-uncontrolled: to a roof", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 30), spot(50, 0, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		f.Must(stating(way("move", spot(10, 0, 25)), "ground", 20))
		f.wantAir("a", "flying", 5)
		f.Must(way("move", spot(15, 0, 20)))
		f.wantAir("a", "", 0)
		f.wantSpot("a", spot(15, 0, 20))
	})
	t.Run("rcr.flight.arrest-reaction: sinking on the map", func(t *testing.T) {
		f := over(t, "arresting", spot(0, 0, 70), spot(50, 0, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		f.End("a", 20)
		f.wantSpot("a", spot(0, 0, 10))
		f.wantAir("a", "arresting", 10)
	})
	t.Run("rcr.flight.hover-facing: by the path", func(t *testing.T) {
		f := over(t, "hovering", spot(0, 0, 20), spot(50, 50, 0), flyer("a", "party", 60), fighter("b", "monsters"))
		f.Count("a", body.CFacing, 360)
		wantRefused(t, f.Try(way("move", spot(30, 0, 20))), cite.FlightHoverFacing)
		f.Must(way("move", spot(0, 10, 20), spot(20, 10, 20)))
		f.wantCount("a", body.CFacing, 90)
		f.wantCount("a", body.CTravelled, 30)
	})
	t.Run("rcr.flight.adv-bank-path: along the path", func(t *testing.T) {
		on := cite.FlightAdvToggle + "=on"
		f := over(t, "flying", spot(0, 0, 20), spot(90, 90, 0), flyer("a", "party", 60), fighter("b", "monsters"), on)
		f.Count("a", body.CFacing, 360)
		wantRefused(t, f.Try(way("move", spot(0, 10, 20), spot(10, 10, 20))), cite.FlightAdvBankPath)
		f.Must(way("move", spot(0, 10, 20), spot(5, 15, 20), spot(15, 15, 20)))
		f.wantCount("a", body.CFacing, 90)
	})
}

// rcr.flight.dive-enter, rcr.flight.adv-dive-impact-risk, rcr.flight.adv-dive-no-end-inside, rcr.flight.adv-dive-provokes,
// rcr.flight.adv-dive-double-dice
func TestDivesOnTheMap(t *testing.T) {
	on := cite.FlightAdvToggle + "=on"
	sheet := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 60, append(change, rcrSheet(func(s *eventv1.RcrSheet) { s.Level = 5 }), save("strength", 1))...)
	}
	ogre := func() *eventv1.Sheet { return fighter("b", "monsters", size("large")) }
	t.Run("rcr.flight.dive-enter: down and forward", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 90), spot(90, 0, 0), sheet(), ogre())
		wantRefused(t, f.Try(way("dive", spot(40, 0, 50))), cite.FlightDescentAngle)
		f.Must(way("dive", spot(30, 0, 50)))
		f.wantSpot("a", spot(30, 0, 50))
		f.wantCount("a", body.CTravelled, 40)
		f.wantCount("a", body.CMoved, 0)
		f.wantCount("a", body.CDiveFrom, 90)
		f.Must(act("a", "pull-out", "", ""), 10)
		f.wantAir("a", "flying", 50)
		f.End("a", 20) // it has travelled far enough
		f.wantAir("a", "flying", 50)
	})
	t.Run("rcr.flight.adv-dive-impact-risk: off, it does not end there", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 60), spot(0, 0, 0), sheet(), ogre())
		wantRefused(t, f.Try(way("dive", spot(0, 0, 5))), cite.FlightAdvDiveImpactRisk)
	})
	t.Run("rcr.flight.adv-dive-double-dice: from directly above, with its reach", func(t *testing.T) {
		f := over(t, "flying", spot(5, 5, 60), spot(0, 0, 0), sheet(), ogre(), on, cite.FlightAdvDescentAdvantage+"=off")
		f.Must(way("dive", spot(5, 5, 10)))
		f.Must(act("a", "attack", "sword", "b"), 15, 6, 2)
		if got := f.DamageTo("b"); got != 11 {
			t.Fatal(got)
		}
	})
	t.Run("rcr.flight.adv-dive-double-dice: not from beside", func(t *testing.T) {
		f := over(t, "flying", spot(10, 5, 60), spot(0, 0, 0), sheet(), ogre(), on, cite.FlightAdvDescentAdvantage+"=off")
		f.Must(way("dive", spot(10, 5, 10)))
		f.Must(act("a", "attack", "sword", "b"), 15, 6)
	})
	t.Run("rcr.flight.adv-dive-provokes, rcr.flight.adv-dive-impact-risk", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 60), spot(0, 0, 0), sheet(), ogre(), on)
		f.Must(way("dive", spot(0, 0, 5)))
		f.wantAsked("b")
		f.Answer(body.DecOpportunity, "sword", 11, 4, 10, 4, 9) // the damage is dealt before the collision
		f.WantHP("a", 400-7-13)
		f.Answer(flight.DecArrest, "yes")
		f.wantAir("a", "arresting", 5)
	})
	t.Run("rcr.flight.adv-dive-provokes: Aerial Ace", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 60), spot(0, 0, 0), sheet(feats("aerial ace")), ogre(), on)
		f.Must(way("dive", spot(0, 0, 5)), 14)
		f.wantSpot("a", spot(0, 0, 5))
	})
	t.Run("rcr.flight.adv-dive-provokes: off", func(t *testing.T) {
		f := over(t, "flying", spot(0, 0, 60), spot(0, 0, 0), sheet(), ogre(), on, cite.FlightAdvDiveProvokes+"=off")
		f.Must(way("dive", spot(0, 0, 5)), 14)
		if len(f.Decisions) > 0 {
			t.Fatal("asked")
		}
	})
	inside := func(settings ...string) *table {
		f := over(t, "flying", spot(0, 0, 60), spot(0, 0, 0), sheet(), ogre(), append(settings, on)...)
		f.Count("b", body.CReaction, 0)
		f.Must(way("dive", spot(0, 0, 5)), 14)
		f.Must(act("a", "pull-out", "", ""), 10)
		return f
	}
	t.Run("rcr.flight.adv-dive-no-end-inside", func(t *testing.T) {
		f := inside()
		end := &eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}
		wantRefused(t, f.Try(end), cite.FlightAdvDiveNoEndInside)
		f.Must(way("move", spot(-10, 0, 5)))
		f.End("a", 20)
		f.wantSpot("a", spot(-10, 0, 5))
	})
	t.Run("rcr.flight.adv-dive-no-end-inside: it cannot leave", func(t *testing.T) {
		f := inside()
		f.Count("a", body.CMovement, 0, body.CMoved, 60)
		f.End("a", 20)
		f.wantAir("a", "", 0)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("it stands")
		}
		f.wantSpot("a", spot(-5, -5, 0))
	})
	t.Run("rcr.flight.adv-dive-no-end-inside: off", func(t *testing.T) {
		f := inside(cite.FlightAdvDiveNoEndInside + "=off")
		f.End("a", 20)
		f.wantSpot("a", spot(0, 0, 5))
	})
	t.Run("rcr.feat.mighty-wings-launch: straight up, rcr.feat.mighty-wings-blast: within 10 feet", func(t *testing.T) {
		f := over(t, "", spot(0, 0, 0), spot(10, 0, 0), sheet(feats("mighty wings")), fighter("b", "monsters"))
		f.Must(act("a", "wind-blast", "", ""), 3) // b is at 10 feet
		if !body.Has(f.Creature("b"), body.CondProne) {
			t.Fatal("b stands")
		}
		f.Must(way("launch", spot(0, 0, 30)))
		f.wantAir("a", "flying", 30)
		f.wantCount("a", body.CMoved, 0)
	})
}
