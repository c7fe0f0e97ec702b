package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// griffon is a flying mount with every trait, in an exotic saddle of a kind, or none.
func griffon(name string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	return beast(append([]func(*eventv1.Sheet){allTraits, func(s *eventv1.Sheet) { s.Speeds["fly"] = 80 },
		rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = name, name != "" })}, change...)...)
}

// inTheAir has a ride h at an altitude, in a's turn, or in b's.
func inTheAir(t *testing.T, a, h *eventv1.Sheet, altitude int, theirs bool) *table {
	t.Helper()
	f := rides(t, a, h, orc(), "rcr.damage.fall-compounding=on")
	for _, id := range []string{"a", "h"} {
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: id, Decision: "fall-roll", Order: "no"}}})
	}
	if theirs {
		f.End("a", 12)
	}
	f.aloft("h", body.AirFlying, altitude)
	return f
}

// rcr.mount.flight-same-rules, rcr.mount.flight-bareback-damage, rcr.mount.flight-bareback-tumble,
// rcr.mount.flight-saddle-damage, rcr.mount.flight-saddle-forced-move,
// rcr.mount.flight-military-advantage, rcr.mount.flight-catch,
// rcr.mount.flight-catch-both-falling
func TestRidersInTheAir(t *testing.T) {
	hit := act("b", "attack", "sword", "a")
	push := act("h", "forced-move", "", "", withParameters("feet", 10))
	t.Run("rcr.mount.flight-same-rules: the mount makes the hover check, 9 + 6", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal, skilled("athletics", 6)), 60, false)
		f.End("a", 9, 12)
		f.wantAir("h", body.AirHovering, 60)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-same-rules: who falls off to no hit points has no turn any more", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(""), 60, false)
		f.Hurt("a", 1)
		f.Roller = func(int) int { return 3 }
		f.Afflict("a", "prone")
		for len(f.Decisions) > 0 {
			if err := f.Settle(f.Decisions[0], &eventv1.Answer{Option: "no"}); err != nil {
				t.Fatal(err)
			}
		}
		if slices.Contains(f.State.Active, "a") {
			t.Fatal("a has the turn")
		}
	})
	t.Run("rcr.mount.flight-same-rules: and flies in its rider's turn", func(t *testing.T) {
		f := rides(t, human(), griffon(body.SaddleNormal), orc())
		f.Must(act("h", "move", "", "", withParameters("feet", 40, "mode", "fly", "climb", 40)))
		f.wantAir("h", body.AirFlying, 40)
		f.End("a", 12)
		f.wantAir("h", body.AirFlying, 40)
	})
	t.Run("rcr.mount.flight-bareback-damage: 6 with +3 falls from 10 feet", func(t *testing.T) {
		f := inTheAir(t, human(saves("constitution", 3)), griffon(""), 10, true)
		f.Must(hit, 15, 1, 9, 6, 4, 3) // the blow, the save, the mount's initiative, 1d6 of the fall
		f.wantRides("a", "", "")
		f.WantHP("a", 33)
		f.wantHas("a", body.CondProne, true)
		f.wantAir("a", "", 0)
		f.wantAir("h", body.AirFlying, 10)
	})
	t.Run("rcr.mount.flight-bareback-damage: 7 with +3 stays", func(t *testing.T) {
		f := inTheAir(t, human(saves("constitution", 3)), griffon(""), 10, true)
		f.Must(hit, 15, 1, 7, 16)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-saddle-damage: no save in a saddle", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 10, true)
		f.Must(hit, 15, 8)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-bareback-tumble: pushed", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(""), 10, true)
		f.Must(push, 4, 3)
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
	})
	t.Run("rcr.mount.flight-saddle-forced-move: 9 + 1, and no Dexterity save", func(t *testing.T) {
		f := inTheAir(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), 60, true)
		f.Must(push, 9)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-saddle-forced-move: in a thunderstorm 12 + 1 miss 14", func(t *testing.T) {
		f := newTable(t, "rcr.setting.precipitation=heavy").add(human(skilled("athletics", 1)), orc(), griffon(body.SaddleNormal))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 5, 20)
		f.aloft("h", body.AirFlying, 60)
		f.Must(push, 12, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-military-advantage: 4 and 11", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleMilitary), 60, true)
		f.Must(push, 4, 11)
		f.wantRides("a", "h", body.VariantRider)
	})
	// lost has the griffon lose its rider at 10 feet: the catch is asked for.
	lost := func(t *testing.T, answer string, faces ...int) *table {
		f := inTheAir(t, human(skilled("athletics", 1)), griffon(body.SaddleNormal), 10, true)
		f.Must(push, 8, 4)
		f.Answer(mounts.DecCatch+"/h", answer, faces...)
		return f
	}
	t.Run("rcr.mount.flight-catch: 9 + 1 is seated again", func(t *testing.T) {
		f := lost(t, "yes", 9)
		f.wantRides("a", "h", body.VariantRider)
		f.WantHP("a", 40)
		f.wantAir("a", "", 0)
		f.wantAir("h", body.AirFlying, 10)
	})
	t.Run("rcr.mount.flight-catch: 8 + 1 falls on", func(t *testing.T) {
		f := lost(t, "yes", 8, 3)
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
	})
	t.Run("rcr.mount.flight-catch: out of its reach", func(t *testing.T) {
		lost(t, "no", 3).WantHP("a", 37)
	})
	t.Run("rcr.mount.flight-catch-both-falling: 7 + 3 before the wings are spread", func(t *testing.T) {
		f := inTheAir(t, human(skilled("athletics", 3)), griffon(""), 70, false)
		f.End("a", 5, 4) // the hover fails; the mount's initiative
		f.Answer(mounts.DecCatch+"/a", "yes", 7)
		f.Answer(flight.DecArrest, "yes", 12)
		f.wantRides("a", "h", body.VariantRider)
		f.wantAir("h", body.AirArresting, 70)
		f.wantAir("a", "", 0)
	})
	t.Run("rcr.mount.flight-saddle-damage: aboard while the mount falls and arrests", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 90, false)
		f.End("a", 5)
		f.Answer(flight.DecArrest, "yes", 12)
		f.wantRides("a", "h", body.VariantRider)
		f.wantAir("h", body.AirArresting, 90)
		f.End("b", 3)
		f.WantActive("a", "h")
		f.End("a", 11)
		f.wantAir("h", body.AirArresting, 30)
	})
	t.Run("who keeps the saddle comes down as hard", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 10, false)
		f.Count("a", body.CReaction, 0)
		f.End("a", 5)
		f.Answer(flight.DecArrest, "no", 3, 4, 2, 12)
		f.WantHP("h", 37)
		f.WantHP("a", 38)
		f.wantHas("a", body.CondProne, true)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.reach: in the air a large mount takes the space of a huge one", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 10, false)
		if feet := body.BesideFeet(f.Creature("h")); feet != 10 {
			t.Fatalf("%d feet", feet)
		}
	})
	t.Run("on a map: it falls from where the mount flies", func(t *testing.T) {
		f := onMap(t, human(), griffon(""), orc(), 100, 0, "rcr.damage.fall-compounding=on")
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.Must(act("h", "move", "", "", func(take *eventv1.TakeAction) {
			take.Parameters = object("mode", "fly")
			take.Path = []*eventv1.Position{{X: 20, Z: 20}, {X: 40, Z: 20}}
		}))
		f.wantAir("h", body.AirFlying, 20)
		if p := f.Creature("a").Position; p.Z != 20 {
			t.Fatalf("a at %v", p)
		}
		f.Must(act("h", "forced-move", "", "", func(take *eventv1.TakeAction) { take.Path = []*eventv1.Position{{X: 50, Z: 20}} }), 1, 1, 1, 4)
		f.wantRides("a", "", "")
		f.WantHP("a", 37)
		if p := f.Creature("a").Position; p.Z != 0 {
			t.Fatalf("a at %v", p)
		}
	})
}
