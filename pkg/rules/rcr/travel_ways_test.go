package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.jumping, rcr.base.movement-cost-additive, rcr.base.squeezing: the run-up pays for
// the ground that it leads over, the leap does not; by places as by feet.
func TestGroundUnderALeap(t *testing.T) {
	for _, c := range []struct {
		name       string
		walk, leap int32
		facts      []any
		cost       int64
		refused    bool
	}{
		{"open ground", 20, 6, nil, 20, false},
		{"the run-up half difficult", 20, 6, []any{"difficult", 10}, 30, false},
		{"all difficult: 14 of it run, at 2 for 1", 20, 6, []any{"difficult", 20}, 34, true},
		{"10 of 16 run, all difficult", 16, 6, []any{"difficult", 16}, 26, false},
		{"11 of 20 run, all difficult", 20, 9, []any{"difficult", 20}, 31, true},
		{"10 of 20 run, all difficult", 20, 10, []any{"difficult", 20}, 30, false},
		{"standing, and nothing to pay", 5, 5, []any{"difficult", 5}, 5, false},
		{"squeezed all the way, in the air too", 15, 5, []any{"squeezing", 15}, 30, false},
	} {
		for _, mapped := range []bool{true, false} {
			t.Run(c.name+pick(mapped, ", by places", ", by feet"), func(t *testing.T) {
				f := newTable(t)
				words := []any{"jump", "long", "leap", int(c.leap)}
				if mapped {
					f.place(fighter("a", "party"), 0, 0)
				} else {
					f.add(fighter("a", "party"))
					words = append(words, "feet", int(c.walk))
				}
				f.add(fighter("b", "monsters"))
				f.start(nil, 20, 5)
				cmd := act("a", "move", "", "", withParameters(words...), withFacts(c.facts...))
				if mapped {
					cmd.GetTake().Path = []*eventv1.Position{spot(c.walk, 0, 0)}
				}
				if c.refused {
					wantRefused(t, f.Try(cmd), cite.BaseMovementCostAdditive)
					f.wantCount("a", body.CMoved, 0)
					f.Count("a", body.CMovement, int(c.cost))
				}
				f.Must(cmd)
				f.wantCount("a", body.CMoved, c.cost)
			})
		}
	}
}

// armedRider has a second weapon to draw, which leaves it no hand for the reins.
func armedRider() *eventv1.Sheet {
	return human(rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "shield-spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	}))
}

// rcr.mount.reins-dropped, rcr.flight.climb-cost, rcr.flight.descent-rate,
// rcr.flight.headwind-cost: with the reins dropped a mount goes on the same way to the limit
// of its movement, by what that way costs; by places as by feet.
func TestOnwardWithoutReins(t *testing.T) {
	for _, c := range []struct {
		name            string
		words           []any
		to              *eventv1.Position
		wind            string
		x, height       int32
		travelled, left int64
	}{
		{"level", []any{"feet", 40}, spot(40, 0, 100), "", 120, 100, 80, 0},
		{"climbing", []any{"feet", 40, "climb", 40}, spot(40, 0, 140), "", 80, 180, 40, 0},
		{"coming down", []any{"feet", 40, "descend", 40}, spot(40, 0, 60), "", 100, 0, 60, 50},
		{"against the wind", []any{"feet", 40}, spot(40, 0, 100), "west", 80, 100, 40, 0},
		{"with it", []any{"feet", 40}, spot(40, 0, 100), "east", 120, 100, 0, 0},
	} {
		t.Run(c.name+", by places", func(t *testing.T) {
			settings := []string{}
			if c.wind != "" {
				settings = append(settings, "rcr.setting.wind=12", "rcr.setting.wind-toward="+c.wind)
			}
			f := newTable(t, settings...)
			f.at(armedRider(), -5, 0, 100)
			f.at(orc(), 400, 400, 0)
			f.at(griffon(body.SaddleNormal), 0, 0, 100)
			f.Must(act("a", "mount", "", "h"))
			f.start(nil, 20, 5)
			f.Put("h", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}})
			cmd := act("h", "move", "", "", withParameters("mode", "fly"))
			cmd.GetTake().Path = []*eventv1.Position{c.to}
			f.Must(cmd)
			f.Must(act("a", "draw", "shield-spike", ""))
			f.End("a", 12)
			f.End("b", 3)
			f.End("a", 12)
			if p := f.Creature("h").Position; p.X != c.x && c.wind != "east" || p.Z != c.height {
				t.Errorf("it is at %v", p)
			}
		})
		if c.wind != "" {
			continue
		}
		t.Run(c.name+", by feet", func(t *testing.T) {
			f := rides(t, armedRider(), griffon(body.SaddleNormal), orc())
			f.aloft("h", body.AirFlying, 100)
			f.Must(act("h", "move", "", "", withParameters(append([]any{"mode", "fly"}, c.words...)...)))
			f.Must(act("a", "draw", "shield-spike", ""))
			f.End("a", 12)
			f.End("b", 3)
			f.Must(act("h", "carry-on", "", ""))
			if got := body.Altitude(f.Creature("h")); got != c.height {
				t.Errorf("at %d feet, want %d", got, c.height)
			}
			f.wantCount("h", body.CTravelled, c.travelled)
			if got := 80 - f.Creature("h").Counters[body.CMoved]; got != c.left {
				t.Errorf("%d feet left, want %d", got, c.left)
			}
		})
	}
	t.Run("a blinded mount goes half as far", func(t *testing.T) {
		f := rides(t, armedRider(), beast(), orc())
		f.Must(act("h", "move", "", "", feet(20)))
		f.Must(act("a", "draw", "shield-spike", ""))
		f.End("a", 12)
		f.End("b", 3)
		f.Afflict("h", body.CondBlinded)
		f.Must(act("h", "carry-on", "", ""))
		f.wantCount("h", body.CMoved, 60)
		f.wantCited(cite.MountReinsDropped)
	})
}

// rcr.flight.fall-uncontrolled, rcr.flight.arrest-reaction, rcr.condition.replace-base: one
// whom a flyer has carried up in its grapple falls when nothing holds it any more.
func TestCarriedAloft(t *testing.T) {
	eagle := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 80, append(change, size("huge"))...)
	}
	// carried has a fly 20 feet up with b in its grapple, by places or by feet.
	carried := func(t *testing.T, mapped bool, a, b *eventv1.Sheet) *table {
		var f *table
		if mapped {
			f = over(t, "flying", spot(0, 0, 0), spot(15, 0, 0), a, b)
			f.Afflict("b", body.CondGrappled+"@a")
			cmd := way("move", spot(20, 0, 20))
			cmd.GetTake().Parameters = object("mode", "fly", "drag", []string{"b"})
			f.Must(cmd)
			if z := f.Creature("b").Position.Z; z != 20 {
				t.Fatalf("b at %d feet", z)
			}
		} else {
			f = newTable(t, "rcr.damage.fall-compounding=on").add(a, b).start(nil, 20, 5)
			f.aloft("a", "flying", 0)
			f.Afflict("b", body.CondGrappled+"@a")
			f.Must(fly(20, "climb", 20, "drag", []string{"b"}))
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: "fall-roll", Order: "no"}}})
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		return f
	}
	down := func(t *testing.T, f *table, hp int32) {
		t.Helper()
		f.WantHP("b", hp)
		f.wantHas("b", body.CondProne, true)
		f.wantAir("b", "", 0)
		if p := f.Creature("b").Position; p.GetZ() != 0 {
			t.Fatalf("b at %v", p)
		}
		if rules.RelationTo(f.Creature("b"), body.RelAloft, "") != nil {
			t.Fatal("it is still held")
		}
	}
	for _, mapped := range []bool{true, false} {
		by := pick(mapped, ", by places", ", by feet")
		t.Run("let go"+by, func(t *testing.T) {
			f := carried(t, mapped, eagle(), fighter("b", "monsters"))
			f.WantHP("b", 40)
			f.Must(act("a", "release", "", "b"), 1, 2, 3)
			down(t, f, 34)
			f.wantCited(cite.FlightFallUncontrolled)
		})
		t.Run("it breaks free"+by, func(t *testing.T) {
			f := carried(t, mapped, eagle(), fighter("b", "monsters"))
			f.End("a", 15, 12)
			f.Must(act("b", "escape", "", "", withParameters("skill", "athletics")), 15, 5, 4, 4, 4)
			down(t, f, 28)
		})
		t.Run("its holder falls"+by, func(t *testing.T) {
			f := carried(t, mapped, eagle(), fighter("b", "monsters"))
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondRestrained, Source: "b"}}})
			f.Answer(flight.DecArrest, "no", 1, 1, 1, 2, 2, 2)
			down(t, f, 34)
			f.wantAir("a", "", 0)
			f.WantHP("a", 397)
			f.wantHas("b", body.CondGrappled, false)
		})
		t.Run("with wings of its own it may arrest that"+by, func(t *testing.T) {
			f := carried(t, mapped, eagle(), flyer("b", "monsters", 30))
			f.Must(act("a", "release", "", "b"))
			f.Answer(flight.DecArrest, "yes")
			f.wantAir("b", body.AirArresting, 20)
			f.WantHP("b", 400)
		})
		t.Run("set down, it stands"+by, func(t *testing.T) {
			f := carried(t, mapped, eagle(), fighter("b", "monsters"))
			if mapped {
				cmd := way("move", spot(40, 0, 0))
				cmd.GetTake().Parameters = object("mode", "fly", "drag", []string{"b"})
				f.Must(cmd)
			} else {
				f.Must(fly(20, "descend", 20, "drag", []string{"b"}))
			}
			f.wantAir("a", "", 0)
			f.Must(act("a", "release", "", "b"))
			f.WantHP("b", 40)
			f.wantHas("b", body.CondProne, false)
		})
	}
	t.Run("left behind by one who does not drag it along", func(t *testing.T) {
		f := carried(t, true, eagle(), fighter("b", "monsters"))
		f.Must(way("move", spot(50, 0, 20)), 6, 6, 6)
		down(t, f, 22)
		f.wantHas("b", body.CondGrappled, false)
	})
	t.Run("dragged on the ground nothing hangs from anybody", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("b", body.CondGrappled+"@a")
		f.Must(act("a", "move", "", "", withParameters("feet", 15, "drag", []string{"b"})))
		if rules.RelationTo(f.Creature("b"), body.RelAloft, "") != nil {
			t.Fatal("held aloft")
		}
		f.wantCount("a", body.CMoved, 30)
	})
}

// rcr.flight.collision-save: who is moved into a flyer, and a flyer that is moved into
// another, collide in anybody's turn.
func TestThrustIntoAFlyer(t *testing.T) {
	thrust := func(id string, to *eventv1.Position) *eventv1.Command {
		cmd := act(id, "forced-move", "", "")
		cmd.GetTake().Path = []*eventv1.Position{to}
		return cmd
	}
	begin := func(t *testing.T, a, b *eventv1.Sheet, foe *eventv1.Position) *table {
		return over(t, "flying", spot(0, 0, 30), foe, a, b)
	}
	t.Run("two flyers: both save", func(t *testing.T) {
		f := begin(t, flyer("a", "party", 60), flyer("b", "monsters", 60), spot(15, 0, 30))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}})
		f.Must(thrust("b", spot(0, 0, 30)), 14, 4, 15) // b falls by 14, a holds by 15
		f.wantCited(cite.FlightCollisionSave)
		f.Answer(flight.DecArrest+"/b", "yes")
		f.wantAir("b", body.AirArresting, 30)
		f.wantAir("a", body.AirFlying, 30)
		f.WantHP("b", 396)
	})
	t.Run("beside it nothing is met", func(t *testing.T) {
		f := begin(t, flyer("a", "party", 60), flyer("b", "monsters", 60), spot(15, 0, 30))
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne}}})
		f.Must(thrust("b", spot(5, 0, 30)))
		f.wantAir("b", body.AirFlying, 30)
	})
	t.Run("rcr.flight.collision-auto-success: into one two sizes smaller", func(t *testing.T) {
		f := begin(t, flyer("a", "party", 60, size("huge")), fighter("b", "monsters"), spot(50, 0, 30))
		f.Must(thrust("b", spot(10, 10, 30)))
		f.wantAir("a", body.AirFlying, 30)
		f.wantCited(cite.FlightCollisionAutoSuccess)
	})
	t.Run("on the ground nobody saves", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "monsters"), 15, 0)
		f.start(nil, 20, 5)
		f.Must(thrust("b", spot(0, 0, 0)))
		f.wantAt("b", 0, 0)
	})
}

// rcr.damage.fall-roll-distance, rcr.damage.fall-roll-landing: ties and the tens of a roll
// with the fall.
func TestRollingWithTheFallAtTheBorder(t *testing.T) {
	for _, c := range []struct {
		name  string
		feet  int
		face  int // of Acrobatics with no bonus
		dice  []int
		taken int32
		prone bool
	}{
		{"9 takes nothing off", 20, 9, []int{1, 1, 1}, 3, false},
		{"10 takes 10 off", 20, 10, []int{6}, 6, false},
		{"19 takes 10 off", 30, 19, []int{6, 6, 6}, 18, false},
		{"20 takes 20 off", 30, 20, []int{6}, 6, false},
		{"9 against 9 is not higher", 20, 9, []int{3, 3, 3}, 9, true},
		{"all taken off: no damage, on its feet", 19, 10, nil, 0, false},
		{"the check equals the damage: prone", 20, 3, []int{1, 1, 1}, 3, true},
		{"one above it stands", 20, 4, []int{1, 1, 1}, 3, false},
		{"one below lies", 20, 3, []int{1, 1, 2}, 4, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, "rcr.damage.fall-compounding=on").add(fighter("a", "party"), fighter("b", "monsters")).start(nil, 20, 5)
			f.Must(act("a", "fall", "", "", withParameters("feet", c.feet)))
			f.Answer(movement.DecFallRoll, "acrobatics", append([]int{c.face}, c.dice...)...)
			f.WantHP("a", 40-c.taken)
			f.wantHas("a", body.CondProne, c.prone)
		})
	}
}
