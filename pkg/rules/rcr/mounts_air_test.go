package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.mount.flight-bareback-damage, rcr.mount.flight-bareback-tumble,
// rcr.mount.flight-saddle-damage, rcr.mount.flight-saddle-forced-move,
// rcr.mount.flight-military-advantage, rcr.mount.flight-catch,
// rcr.mount.flight-catch-both-falling
func TestRidersInTheAir(t *testing.T) {
	// air has creatures be in the air, as the rules of flight would say.
	air := func(f *table, how string, ids ...string) {
		for _, id := range ids {
			c := f.State.Creatures[id]
			c.Conditions = append(c.Conditions, &eventv1.Condition{Id: "airborne", Name: "airborne", Variant: how})
		}
	}
	griffon := func(name string) *eventv1.Sheet {
		return beast(allTraits, func(s *eventv1.Sheet) { s.Speeds["fly"] = 80 }, rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = name, name != "" }))
	}
	set := func(t *testing.T, a *eventv1.Sheet, name string) *table {
		f := rides(t, a, griffon(name), orc())
		air(f, "flying", "h")
		f.End("a", 12)
		return f
	}
	hit := act("b", "attack", "sword", "a")
	t.Run("rcr.mount.flight-bareback-damage: 9 and 6 with +3", func(t *testing.T) {
		f := set(t, human(saves("constitution", 3)), "")
		f.Must(hit, 15, 5, 6, 6, 4)
		f.wantRides("a", "", "")
		f = set(t, human(saves("constitution", 3)), "")
		f.Must(hit, 15, 5, 7, 16)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.flight-saddle-damage", func(t *testing.T) {
		f := set(t, human(), body.SaddleNormal)
		f.Must(hit, 15, 8)
		f.wantRides("a", "h", body.VariantRider)
	})
	push := act("h", "forced-move", "", "", withParameters("feet", 10))
	t.Run("rcr.mount.flight-bareback-tumble: pushed", func(t *testing.T) {
		f := set(t, human(), "")
		f.Must(push, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-saddle-forced-move: 9 + 1, in place of the Dexterity save", func(t *testing.T) {
		f := set(t, human(skilled("athletics", 1)), body.SaddleNormal)
		f.Must(push, 9)
		f.wantRides("a", "h", body.VariantRider)
		f.Must(push, 8, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-saddle-forced-move: the weather of flight", func(t *testing.T) {
		was := body.AirDC
		body.AirDC = func(*eventv1.State, *eventv1.Creature) int32 { return 4 }
		defer func() { body.AirDC = was }()
		f := set(t, human(skilled("athletics", 1)), body.SaddleNormal)
		f.Must(push, 12, 4)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-military-advantage: 4 and 11", func(t *testing.T) {
		f := set(t, human(), body.SaddleMilitary)
		f.Must(push, 4, 11)
		f.wantRides("a", "h", body.VariantRider)
	})
	seize := act("a", "seize-mount", "", "h")
	falling := func(t *testing.T, name, how string, bonus int32) *table {
		f := newTable(t).add(human(skilled("athletics", bonus)), orc(), griffon(name)).start(nil, 20, 5, 4)
		air(f, "falling", "a")
		air(f, how, "h")
		return f
	}
	t.Run("rcr.mount.flight-catch: 8 + 2", func(t *testing.T) {
		f := falling(t, body.SaddleNormal, "flying", 2)
		f.Must(seize, 8)
		f.wantRides("a", "h", body.VariantRider)
		f.wantHas("a", "airborne", false)
	})
	t.Run("rcr.mount.flight-catch: 7 + 2", func(t *testing.T) {
		f := falling(t, body.SaddleNormal, "flying", 2)
		f.Must(seize, 7)
		f.wantRides("a", "", "")
		f.wantHas("a", "airborne", true)
	})
	t.Run("rcr.mount.flight-catch: no saddle to seize", func(t *testing.T) {
		wantRefused(t, falling(t, "", "flying", 2).Try(seize), cite.MountFlightCatch)
	})
	t.Run("rcr.mount.flight-catch: only who falls", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), griffon("")).start(nil, 20, 5, 4)
		wantRefused(t, f.Try(seize), cite.MountFlightCatch)
	})
	t.Run("rcr.mount.flight-catch-both-falling: bareback too, 7 + 3", func(t *testing.T) {
		f := falling(t, "", "falling", 3)
		f.Must(seize, 7)
		f.wantRides("a", "h", body.VariantRider)
		f = falling(t, "", "falling", 3)
		f.Must(seize, 5)
		f.wantRides("a", "", "")
	})
	t.Run("rcr.mount.flight-bareback-tumble, rcr.mount.flight-saddle-damage: a mount that begins to fall", func(t *testing.T) {
		for _, c := range []struct {
			saddle, part string
			faces        []int
		}{{"", "", []int{4}}, {body.SaddleNormal, body.VariantRider, nil}} {
			f := set(t, human(), c.saddle)
			f.Resolve(func(r *rules.Resolution) error { body.Befall(r, body.OnDrop, "h", "its hover failed", 0); return nil }, c.faces...)
			if got := body.Seat(f.Creature("a")).GetVariant(); got != c.part {
				t.Errorf("saddle %q: %q", c.saddle, got)
			}
		}
	})
	t.Run("rcr.mount.reach: a large mount in flight takes the space of a huge one", func(t *testing.T) {
		lance := rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].ReachFeet = 10 })
		f := set(t, human(lance), body.SaddleNormal)
		f.End("b", 3)
		f.Must(act("a", "attack", "sword", "b", withFacts("beside_mount", true)), 2)
		f = set(t, human(), body.SaddleNormal)
		f.End("b", 3)
		wantRefused(t, f.Try(act("a", "attack", "sword", "b", withFacts("beside_mount", true))), cite.BaseFifthEditionFallback)
	})
}
