package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Where nobody has positions it is stated whether a fall out of the air ends on water:
// of the fight, or of the flight, which counts for more; who is let go or thrown falls on
// what its bearer flew over.
//
// rcr.underwater.dive-into-water, rcr.flight.fall-uncontrolled
func TestFallOnStatedWater(t *testing.T) {
	wings := flyer("a", "party", 60, skill("athletics", 6))
	// struck has a at 40 feet lose its hold on the air; the answer to the dive is no.
	falls := func(f *table, id string, water bool) {
		f.Count(id, body.CReaction, 0)
		if water {
			f.Afflict(id, "prone")
			return
		}
		f.Must(afflicting(id, body.CondProne, ""), faces(10, 1)...)
	}
	asked := func(f *table, want bool) {
		f.T.Helper()
		names := []string{}
		for _, d := range f.Decisions {
			names = append(names, d.Name)
		}
		if got := len(names) > 0 && names[0] == underwater.DecDive; got != want {
			f.T.Fatalf("asked %v, want a dive %v", names, want)
		}
	}
	for _, c := range []struct {
		name          string
		fight, flight any
		ground        bool
		water         bool
	}{
		{name: "nothing said"},
		{name: "the fight is above water", fight: true, water: true},
		{name: "the flight leads over water", flight: true, water: true},
		{name: "the flight leads over land by the water", fight: true, flight: false},
		{name: "it has ground under it", fight: true, ground: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, body.AirFlying, 40, wings)
			if c.fight != nil {
				f.Must(act("a", "water", "", "", withParameters("over_water", c.fight)))
			}
			move := fly(30)
			if c.flight != nil {
				move = fly(30, "over_water", c.flight)
			}
			if c.ground {
				move = stating(move, "ground", 0)
			}
			f.Must(move)
			falls(f, "a", c.water)
			asked(f, c.water)
		})
	}
	t.Run("rcr.underwater.dive-into-water: 13 + 6 meets 19 (prone: the lower of two), and it is under water", func(t *testing.T) {
		f := sky(t, body.AirFlying, 40, wings)
		f.Must(fly(30, "over_water", true))
		falls(f, "a", true)
		f.Answer(underwater.DecDive, "yes", 13, 20)
		f.WantHP("a", 400)
		f.wantHas("a", body.CondSubmerged, true)
		if m := f.Creature("a").Marks[body.MOverWater]; m != "" {
			t.Errorf("still marked %q", m)
		}
	})
	t.Run("a rider falls on what its mount flew over", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(""), 10, false)
		f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 40, "over_water", true)))
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)))
		asked(f, true)
		f.Answer(underwater.DecDive, "no", 3, 4)
		f.WantHP("a", 37)
		f.wantHas("a", body.CondSubmerged, true)
		f.wantHas("h", body.CondSubmerged, false)
	})
	t.Run("who keeps the saddle comes down on water too", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 10, false)
		f.Count("h", body.CReaction, 0)
		f.Count("a", body.CReaction, 0)
		f.Must(act("h", "move", "", "", withParameters("mode", "fly", "feet", 40, "over_water", true)))
		f.Afflict("h", body.CondRestrained)
		f.Answer(underwater.DecDive+"/h", "no", 3)
		f.Answer(underwater.DecDive+"/a", "no", 2)
		f.WantHP("h", 37)
		f.WantHP("a", 38)
	})
}

// A mount that flees goes no nearer to what it flees from, as its place or the command
// says; whoever is round about it only may not be nearer than the nearest was.
//
// rcr.mount.buck-flee, rcr.mount.fierce-dismounted
func TestFleesFromDanger(t *testing.T) {
	// loose has the rider get off at (0, 0) with the orc at a place: the horse's turn.
	loose := func(t *testing.T, x, y int32, more ...*eventv1.Sheet) *table {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), x, y)
		for i, s := range more {
			f.place(s, -30-int32(i)*5, 0)
		}
		f.place(beast(), 0, 0)
		f.Must(act("a", "mount", "", "h"))
		rolls := []int{20, 5}
		for range more {
			rolls = append(rolls, 2)
		}
		f.start(nil, rolls...)
		f.Must(act("a", "dismount", "", "", along(0, -5)), 19)
		f.End("a", 12)
		f.WantActive("h")
		return f
	}
	t.Run("toward the orc", func(t *testing.T) {
		f := loose(t, 60, 0)
		wantReasonOf(t, "toward it", f.Try(act("h", "move", "", "", along(10, 0))), "BOLTING")
		wantRefused(t, f.Try(act("h", "move", "", "", along(5, 0))), cite.MountFierceDismounted)
		f.Must(act("h", "move", "", "", along(0, 20))) // farther: 50 feet are still between them
		f.Must(act("h", "move", "", "", along(-20, 20)))
	})
	t.Run("round an enemy and away, on its other side", func(t *testing.T) {
		f := loose(t, 20, 20)
		f.Must(act("h", "move", "", "", along(40, 0)))
	})
	t.Run("between two it goes by the nearer", func(t *testing.T) {
		f := loose(t, 20, 0, fighter("far", "monsters"))
		f.Must(act("h", "move", "", "", along(-5, 0)))
	})
	for name, change := range map[string]func(f *table){
		"an enemy that can do nothing": func(f *table) { f.Afflict("b", body.CondParalyzed+"=stricken") },
		"one that hides":               func(f *table) { f.Afflict("b", body.CondHidden) },
		"the dead":                     func(f *table) { dies(f.T.(*testing.T), f, "b") },
	} {
		t.Run("no danger: "+name, func(t *testing.T) {
			f := loose(t, 60, 0)
			change(f)
			f.Must(act("h", "move", "", "", along(10, 0)))
		})
	}
	t.Run("what is said to be a danger", func(t *testing.T) {
		f := loose(t, 300, 300)
		f.Place("a", 0, -60)
		f.Must(act("h", "move", "", "", along(0, -5)))
		f.Must(act("a", "perceived-danger", "", ""))
		wantRefused(t, f.Try(act("h", "move", "", "", along(0, -10))), cite.MountFierceDismounted)
		f.Must(act("h", "move", "", "", along(0, 0)))
	})
	t.Run("stated: whatever the map says", func(t *testing.T) {
		f := loose(t, 60, 0)
		wantRefused(t, f.Try(act("h", "move", "", "", along(-10, 0), withFacts("toward_danger", true))), cite.MountFierceDismounted)
		f.Must(act("h", "move", "", "", along(10, 0), withFacts("toward_danger", false)))
	})
	t.Run("without positions", func(t *testing.T) {
		f := rides(t, human(), beast(), orc())
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "h"), 15, 1, 15)
		f.End("b", 3)
		f.End("a", 18, 12)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "move", "", "", feet(20, "toward_danger", true))), cite.MountBuckFlee)
		f.Must(act("h", "move", "", "", feet(20)))
	})
}

// With nobody at the reins a mount goes on as far as its movement bears it, by what each
// foot costs: climbing 2 feet for 1, descending 1 for 2, in the shares that were ordered,
// and by the wind on the heading that it keeps.
//
// rcr.mount.reins-dropped, rcr.flight.movement-budget
func TestOnAsFarAsItCan(t *testing.T) {
	arms := rcrSheet(func(x *eventv1.RcrSheet) {
		x.Attacks = append(x.Attacks, &eventv1.RcrAttack{Name: "spike", Hand: "stowed", Bonus: 5, ReachFeet: 5, Properties: []string{"light"}, Damage: []*eventv1.RcrDamage{{Dice: "1d4", Type: "piercing"}}})
	})
	for _, c := range []struct {
		name     string
		ordered  []any
		settings []string
		altitude int
		change   func(f *table)
		feet     int64
		height   int64
	}{
		{name: "on the ground", ordered: []any{"feet", 30}, feet: 60},
		{name: "weary, at 50 feet", ordered: []any{"feet", 30}, change: func(f *table) { f.Count("h", body.CExhaustion, 4) }, feet: 50},
		{name: "level flight: 80", ordered: []any{"feet", 40, "mode", "fly"}, altitude: 100, feet: 80, height: 100},
		{name: "a climb all the way: 40 for 80", ordered: []any{"feet", 40, "mode", "fly", "climb", 40}, altitude: 100, feet: 40, height: 140},
		{name: "a climb of half the way: 53 feet, 26 of them up, cost 79", ordered: []any{"feet", 40, "mode", "fly", "climb", 20}, altitude: 100, feet: 53, height: 126},
		{name: "a descent all the way: 160 for 80", ordered: []any{"feet", 40, "mode", "fly", "descend", 40}, altitude: 300, feet: 160, height: 140},
		{name: "no farther than the ground", ordered: []any{"feet", 40, "mode", "fly", "descend", 40}, altitude: 130, feet: 130, height: 0},
		{name: "against the wind on the heading: 40", ordered: []any{"feet", 40, "mode", "fly", "heading", "north"}, altitude: 100,
			settings: []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=south"}, feet: 40, height: 100},
		{name: "with the wind: 160", ordered: []any{"feet", 40, "mode", "fly", "heading", "south"}, altitude: 100,
			settings: []string{"rcr.setting.wind=15", "rcr.setting.wind-toward=south"}, feet: 160, height: 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(human(arms), orc(), griffon(body.SaddleNormal, skilled("athletics", 20)))
			f.Must(act("a", "mount", "", "h"))
			f.start(nil, 20, 5)
			if c.altitude > 0 {
				f.aloft("h", body.AirFlying, c.altitude)
			}
			f.Must(act("h", "move", "", "", withParameters(c.ordered...)))
			f.Must(act("a", "draw", "spike", ""))
			f.End("a", 12)
			f.End("b", 3)
			if c.change != nil {
				c.change(f)
			}
			if c.altitude > 0 {
				f.aloft("h", body.AirFlying, c.altitude)
			}
			f.Must(act("h", "carry-on", "", ""))
			var gone int64
			for _, e := range f.Events {
				if m := e.GetMoved(); m != nil {
					gone = int64(m.Feet)
				}
			}
			if gone != c.feet {
				t.Errorf("it went %d feet, want %d", gone, c.feet)
			}
			if h := f.Creature("h").Counters[body.CAltitude]; h != c.height {
				t.Errorf("at %d feet, want %d", h, c.height)
			}
		})
	}
}
