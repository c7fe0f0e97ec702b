package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.base.half-cover: whoever stands in the line is half cover, if it is at most one size
// smaller than the target and stands: the prone, the fallen and whoever sits on a mount shelter nobody; and a mount or a
// rider shelters neither its own rider nor its own mount.
func TestWhoIsCover(t *testing.T) {
	upright := rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{body.CondProne} })
	for name, c := range map[string]struct {
		size, target string
		change       []func(*eventv1.Sheet)
		do           func(f *table)
		cover        string
	}{
		"as large as the target":              {"medium", "medium", nil, nil, body.CoverHalf},
		"a size smaller":                      {"medium", "large", nil, nil, body.CoverHalf},
		"two sizes smaller":                   {"medium", "huge", nil, nil, ""},
		"prone":                               {"medium", "medium", nil, func(f *table) { f.Afflict("c", body.CondProne) }, ""},
		"dead":                                {"medium", "medium", nil, func(f *table) { dies(f.T.(*testing.T), f, "c") }, ""},
		"dying":                               {"medium", "medium", nil, func(f *table) { f.Hurt("c", 0) }, ""},
		"dying, and nothing lays it down":     {"medium", "medium", []func(*eventv1.Sheet){upright}, func(f *table) { f.Hurt("c", 0) }, ""},
		"one that nothing lays down, upright": {"medium", "medium", []func(*eventv1.Sheet){upright}, nil, body.CoverHalf},
		"off the map":                         {"medium", "medium", nil, func(f *table) { f.Creature("c").Position = nil }, ""},
		"the target is off the map":           {"medium", "medium", nil, func(f *table) { f.Creature("b").Position = nil }, ""},
		"whoever attacks is off the map":      {"medium", "medium", nil, func(f *table) { f.Creature("a").Position = nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party"), 0, 0)
			f.place(fighter("b", "monsters", ofSize(c.target)), 30, 0)
			f.place(fighter("c", "party", append(c.change, ofSize(c.size))...), 15, 0)
			f.start(nil, 20, 5, 4)
			if c.do != nil {
				c.do(f)
			}
			if got, _ := body.CoverBehind(f.State, f.Creature("a"), f.Creature("b"), nil); got != c.cover {
				t.Errorf("%q, want %q", got, c.cover)
			}
		})
	}
}

// rcr.base.half-cover, rcr.mount.passenger-space: riders and their mount are no cover for
// one another, nor is one rider for whom another on the same mount attacks; somebody else
// in the line is.
func TestCoverAboutMounts(t *testing.T) {
	platform := beast(ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, true }))
	build := func(t *testing.T, h *eventv1.Sheet, both bool) *table {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(orc(), 60, 5)
		f.place(fighter("c", "party"), -5, 5)
		f.place(h, 0, 0)
		f.place(fighter("d", "party"), 30, 50)
		f.Must(act("a", "mount", "", "h"))
		if both {
			f.Must(act("c", "mount", "", "h"))
		}
		return f.start(nil, 20, 5, 4, 3)
	}
	cover := func(f *table, from, to, want string) {
		f.T.Helper()
		if got, _ := body.CoverBehind(f.State, f.Creature(from), f.Creature(to), nil); got != want {
			f.T.Errorf("from %s at %s: %q, want %q", from, to, got, want)
		}
	}
	f := build(t, platform, true)
	cover(f, "a", "b", "")
	cover(f, "c", "b", "")
	cover(f, "b", "a", "")
	cover(f, "b", "h", "")
	f.Place("d", 30, 5)
	cover(f, "a", "b", body.CoverHalf)
	cover(f, "b", "a", body.CoverHalf)
	cover(f, "b", "h", "") // two sizes smaller
	f = build(t, beast(), false)
	cover(f, "a", "b", "")
	f.Place("d", 30, 5)
	cover(f, "a", "b", body.CoverHalf)
	cover(f, "h", "b", body.CoverHalf)
	cover(f, "b", "h", body.CoverHalf)
}

// rcr.mount.passenger-space, rcr.mount.passenger-bigger-mount: two on one mount are
// hampered in their attacks, on a huge or gargantuan one only where its saddle is no
// platform; a platform makes no room on anything smaller; who rides alone is not hampered.
func TestRoomOnMounts(t *testing.T) {
	for name, c := range map[string]struct {
		size     string
		platform bool
		alone    bool
		dice     int
	}{
		"large":                  {"large", false, false, 2},
		"large, a platform":      {"large", true, false, 2},
		"huge":                   {"huge", false, false, 2},
		"huge, a platform":       {"huge", true, false, 1},
		"gargantuan":             {"gargantuan", false, false, 2},
		"gargantuan, a platform": {"gargantuan", true, false, 1},
		"large, alone":           {"large", false, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := beast(ofSize(c.size), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, c.platform }))
			f := rides(t, human(), h, orc())
			if !c.alone {
				f = double(t, h)
				f.End("b", 3)
			}
			f.falls(15)
			f.Must(act("a", "attack", "bow", "b", withFacts("distance", 30)))
			if got := len(f.Roll("to-hit").Dice); got != c.dice {
				t.Errorf("%d dice, want %d", got, c.dice)
			}
		})
	}
}

// rcr.mount.rider-square: whoever rides is where its mount is, wherever that is put, and
// gets there too when nobody knew where it was.
func TestRidersGoWithTheirMount(t *testing.T) {
	f := rides(t, human(), beast(), orc())
	if f.Creature("a").Position != nil {
		t.Fatal("on the map")
	}
	f.Place("h", 20, 30)
	f.wantAt("a", 20, 30)
	for _, to := range []*eventv1.Position{spot(40, 30, 0), spot(40, 50, 0), spot(40, 50, 10), spot(45, 55, 15), spot(45, 55, 15)} {
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "h", Position: to}}})
		f.wantSpot("a", to)
	}
}

// rcr.mount.rider-square, rcr.mount.reach: in the air a mount takes the space of the next
// larger size, its riders sit in the middle of that and who stands beside it is farther;
// one that magic bears does not spread wings.
func TestSeatsInTheAir(t *testing.T) {
	for name, c := range map[string]struct {
		fly, lift int32
		airborne  bool
		beside    int32
		seat      int32
	}{
		"a large one on the ground":      {80, 0, false, 5, 0},
		"on its wings":                   {80, 0, true, 10, 5},
		"borne by magic":                 {0, 60, true, 5, 0},
		"winged, and magic is faster":    {80, 90, true, 5, 0},
		"winged, and magic is no faster": {80, 80, true, 10, 5},
		"winged, and magic is slower":    {80, 60, true, 10, 5},
	} {
		t.Run(name, func(t *testing.T) {
			h := creatureOf(beast(func(s *eventv1.Sheet) { s.Speeds["fly"] = c.fly }), 0, 0)
			if c.airborne {
				h.Conditions = append(h.Conditions, &eventv1.Condition{Name: body.CondAirborne, Variant: body.AirFlying})
			}
			if c.lift > 0 {
				h.Conditions = append(h.Conditions, &eventv1.Condition{Name: "effect.fly", Values: map[string]int32{body.ChFlySpeed: c.lift}})
			}
			if got := body.BesideFeet(h); got != c.beside {
				t.Errorf("beside it %d feet, want %d", got, c.beside)
			}
			if got := body.SeatOn(h)[body.ValSeatX]; got != c.seat {
				t.Errorf("the seat is %d feet in, want %d", got, c.seat)
			}
		})
	}
}

// rcr.mount.reach: a distance stated as beside the mount is that to the rider; two on one
// mount are beside each other whatever is stated, and a number stated goes before.
func TestBesideTheMount(t *testing.T) {
	f := double(t, beast(ofSize("huge"), rcrSheet(func(x *eventv1.RcrSheet) { x.SaddleExotic, x.SaddlePlatform = true, true })))
	for name, c := range map[string]struct {
		from, to string
		facts    []any
		feet     int32
		said     bool
	}{
		"beside the mount":             {"b", "a", []any{"beside_mount", true}, 10, true},
		"from the mount":               {"a", "b", []any{"beside_mount", true}, 10, true},
		"not beside it":                {"b", "a", []any{"beside_mount", false}, 0, false},
		"nothing is said":              {"b", "a", nil, 0, false},
		"both on it":                   {"a", "c", []any{"beside_mount", true}, 0, false},
		"the mount itself and a rider": {"h", "a", []any{"beside_mount", true}, 0, false},
		"a number":                     {"b", "a", []any{"beside_mount", true, "distance", 30}, 30, true},
		"a number, both on it":         {"a", "c", []any{"distance", 5}, 5, true},
	} {
		take := rulestest.Act("a", "attack", "", "", withFacts(c.facts...)).GetTake()
		if feet, said := body.StatedFeet(f.State, f.Creature(c.from), f.Creature(c.to), take); feet != c.feet || said != c.said {
			t.Errorf("%s: %d, %v", name, feet, said)
		}
	}
}
