package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// mortal is a creature that is dead at no hit points.
func mortal(s *eventv1.Sheet) {
	no := false
	s.Controllers, s.GetRcr().WoundsEnabled = nil, &no
}

// rcr.flight.dc-plus-two, rcr.flight.dc-plus-four: of the rolls about a seat in the air
// the weather and the load of the one who rolls raise the difficulty, the worst alone; the
// load of the mount does not, and on the ground nothing does.
func TestSeatInRoughConditions(t *testing.T) {
	for _, c := range []struct {
		name     string
		on, load string
		rain     string
		dc       int32
		behind   string
	}{
		{"nothing", "a", "", "none", 10, ""},
		{"the rider lightly", "a", "lightly", "none", 12, cite.FlightDcPlusTwo},
		{"the rider heavily", "a", "heavily", "none", 14, cite.FlightDcPlusFour},
		{"the mount heavily", "h", "heavily", "none", 10, ""},
		{"drizzle and the rider lightly: once", "a", "lightly", "any", 12, cite.FlightDcPlusTwo},
		{"drizzle and the rider heavily: the worst", "a", "heavily", "any", 14, cite.FlightDcPlusFour},
		{"a storm of rain, and the mount lightly", "h", "lightly", "heavy", 14, cite.FlightDcPlusFour},
	} {
		begin := func(t *testing.T, kind string) *table {
			f := newTable(t, "rcr.setting.precipitation="+c.rain, "rcr.damage.fall-compounding=on").add(human(), orc(), griffon(kind))
			f.Must(act("a", "mount", "", "h"))
			f.start(nil, 5, 20)
			f.aloft("h", body.AirFlying, 60)
			if c.load != "" {
				f.Afflict(c.on, body.CondEncumbered+"="+c.load)
			}
			return f
		}
		held := func(t *testing.T, f *table, roll string, dc int32) {
			t.Helper()
			if got := f.Roll(roll).Target.Value; got != dc {
				t.Errorf("%s against %d, want %d", roll, got, dc)
			}
			if c.behind != "" {
				f.wantCited(c.behind)
			}
			f.wantRides("a", "h", body.VariantRider)
		}
		t.Run(c.name+": pushed in a saddle", func(t *testing.T) {
			f := begin(t, body.SaddleNormal)
			f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), int(c.dc))
			held(t, f, "keep-seat/a", c.dc)
		})
		t.Run(c.name+": hurt without one", func(t *testing.T) {
			f := begin(t, "")
			f.Must(act("b", "attack", "sword", "a"), 15, 1, int(c.dc), 19)
			held(t, f, "stay-mounted/a", c.dc)
		})
		t.Run(c.name+": caught again", func(t *testing.T) {
			f := begin(t, body.SaddleNormal)
			f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 1, 4)
			f.Answer(mounts.DecCatch+"/h", "yes", int(c.dc))
			held(t, f, "seize/a", c.dc)
		})
	}
	t.Run("rcr.mount.flight-bareback-damage: half of 33 and the load, a face less falls", func(t *testing.T) {
		heavy := orc(rcrSheet(func(x *eventv1.RcrSheet) { x.Attacks[0].Damage[0].Dice = "1d4+32" }))
		f := newTable(t, "rcr.damage.fall-compounding=on").add(human(func(s *eventv1.Sheet) { s.HitPoints = 90 }), heavy, griffon(""))
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 5, 20)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.aloft("h", body.AirFlying, 10)
		f.Afflict("a", body.CondEncumbered+"=heavily")
		f.Must(act("b", "attack", "sword", "a"), 15, 1, 20, 19, 4, 3)
		if got := f.Roll("stay-mounted/a"); got.Target.Value != 20 || got.Total != 19 {
			t.Errorf("%d against %d", got.Total, got.Target.Value)
		}
		f.wantRides("a", "", "")
		f.WantHP("a", 90-33-3)
	})
	t.Run("rcr.mount.forced-move-save: on the ground neither load nor rain", func(t *testing.T) {
		f := newTable(t, "rcr.setting.precipitation=heavy").add(human(), orc(), beast())
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, 20, 5)
		f.Afflict("a", body.CondEncumbered+"=heavily")
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 10)
		f.wantRides("a", "h", body.VariantRider)
	})
}

// rcr.mount.flight-saddle-damage, rcr.flight.fall-uncontrolled: a mount that is killed in
// the air bears nobody any more; whoever was on it falls from where it flew.
func TestKilledInTheAir(t *testing.T) {
	for _, kind := range []string{"", body.SaddleNormal, body.SaddleMilitary} {
		t.Run("without positions, saddle "+kind, func(t *testing.T) {
			f := inTheAir(t, human(), griffon(kind, mortal), 30, true)
			f.Hurt("h", 1)
			f.Must(act("b", "attack", "sword", "h"), 15, 8, 1, 2, 3, 4, 5, 6)
			f.wantRides("a", "", "")
			f.wantAir("a", "", 0)
			f.WantHP("a", 40-21)
			f.wantHas("a", body.CondProne, true)
			f.wantAir("h", "", 0)
		})
	}
	t.Run("on the map", func(t *testing.T) {
		f := onMap(t, human(), griffon(body.SaddleNormal, mortal), orc(), 100, 100, "rcr.damage.fall-compounding=on")
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.Must(act("h", "move", "", "", func(take *eventv1.TakeAction) {
			take.Parameters, take.Path = object("mode", "fly"), []*eventv1.Position{spot(20, 0, 20), spot(40, 0, 20)}
		}))
		f.End("a", 12)
		f.Hurt("h", 1)
		f.Must(act("b", "attack", "bow", "h", withFacts("distance", 60)), 15, 6, 6, 5, 4)
		f.wantRides("a", "", "")
		f.WantHP("a", 40-15)
		f.wantHas("a", body.CondProne, true)
		if p := f.Creature("a").Position; p.Z != 0 {
			t.Fatalf("a at %v", p)
		}
		if p := f.Creature("h").Position; p.Z != 0 {
			t.Fatalf("h at %v", p)
		}
	})
	t.Run("higher than one falls at once: the rider falls on in its own turn", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal, mortal), 600, true)
		f.Hurt("h", 1)
		f.Must(act("b", "attack", "sword", "h"), 15, 8)
		f.wantAir("a", body.AirFalling, 20)
	})
	t.Run("a mount that is only struck down keeps a rider in the saddle, who comes down as hard", func(t *testing.T) {
		f := inTheAir(t, human(), griffon(body.SaddleNormal), 30, true)
		f.Hurt("h", 1)
		f.falls(15)
		f.Must(act("b", "attack", "sword", "h"))
		f.Answer(mounts.DecLanding, "prone")
		f.wantRides("a", "", "")
		f.WantHP("a", 40-6*3)
		f.wantHas("a", body.CondProne, true)
	})
}

// plunges has creatures fall that have fallen as far as one falls at once.
func (f *table) plunges(altitude int, ids ...string) {
	f.T.Helper()
	for _, id := range ids {
		f.Put(id, &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: int64(altitude)}, Marks: map[string]string{body.MDropped: rules.Yes},
			Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFalling}}})
	}
}

// rcr.mount.flight-catch, rcr.mount.flight-catch-both-falling, rcr.mount.eligibility: who
// falls seizes a mount that would bear it, and once in each round of the fall.
func TestSeizingAMount(t *testing.T) {
	begin := func(t *testing.T, m *eventv1.Sheet) *table {
		f := newTable(t).add(human(), orc(), m).start(nil, 20, 5, 1)
		f.plunges(700, "a")
		f.aloft("h", body.AirFlying, 700)
		return f
	}
	seize := func(more ...func(*eventv1.TakeAction)) *eventv1.Command {
		return act("a", "seize-mount", "", "h", more...)
	}
	for _, c := range []struct {
		name    string
		change  func(*eventv1.Sheet)
		more    []func(*eventv1.TakeAction)
		refused string
	}{
		{name: "a trained mount in a saddle", change: ofSize("large")},
		{name: "a comrade as large as it", change: ofSize("medium"), refused: cite.MountEligibility},
		{name: "one smaller", change: ofSize("small"), refused: cite.MountEligibility},
		{name: "an enemy's", change: func(s *eventv1.Sheet) { s.Side = "monsters" }, refused: cite.MountEligibility},
		{name: "an enemy's that lets it", change: func(s *eventv1.Sheet) { s.Side = "monsters" }, more: []func(*eventv1.TakeAction){withFacts("willing", true)}},
		{name: "its own that does not let it", change: ofSize("large"), more: []func(*eventv1.TakeAction){withFacts("willing", false)}, refused: cite.MountEligibility},
		{name: "one without a saddle", change: rcrSheet(func(x *eventv1.RcrSheet) { x.Saddle, x.SaddleExotic = "", false }), refused: cite.MountFlightCatch},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := begin(t, griffon(body.SaddleNormal, c.change))
			if c.refused != "" {
				wantRefused(t, f.Try(seize(c.more...), 10), c.refused)
				return
			}
			f.Must(seize(c.more...), 10)
			f.wantRides("a", "h", body.VariantRider)
			f.wantAir("a", "", 0)
			f.wantCount("a", body.CAction, 1)
		})
	}
	t.Run("one that falls too needs no saddle, but a comrade is no mount", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), griffon(""), fighter("c", "party", ofSize("small"))).start(nil, 20, 5, 1, 1)
		f.plunges(700, "a", "h", "c")
		wantRefused(t, f.Try(act("a", "seize-mount", "", "c"), 10), cite.MountEligibility)
		f.Must(seize(), 10)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("nobody on the ground is seized", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), griffon(body.SaddleNormal)).start(nil, 20, 5, 1)
		f.plunges(700, "a")
		wantRefused(t, f.Try(seize(), 10), cite.MountFlightCatch)
	})
	t.Run("who does not fall seizes nothing", func(t *testing.T) {
		f := newTable(t).add(human(), orc(), griffon(body.SaddleNormal)).start(nil, 20, 5, 1)
		f.aloft("h", body.AirFlying, 30)
		wantRefused(t, f.Try(seize(), 10), cite.MountFlightCatch)
	})
	t.Run("nor who cannot act", func(t *testing.T) {
		f := begin(t, griffon(body.SaddleNormal))
		f.Afflict("a", body.CondStunned)
		wantRefused(t, f.Try(seize(), 10), cite.MountFlightCatch)
	})
	t.Run("once; again when it falls on", func(t *testing.T) {
		f := begin(t, griffon(body.SaddleNormal))
		f.Must(seize(), 9)
		f.wantAir("a", body.AirFalling, 700)
		wantRefused(t, f.Try(seize(), 20), cite.MountFlightCatch)
		f.End("a", 12)
		f.wantAir("a", body.AirFalling, 120)
		f.Must(seize(), 10)
		f.wantRides("a", "h", body.VariantRider)
	})
	t.Run("rcr.mount.mounting-cost: who falls does not simply get on", func(t *testing.T) {
		f := begin(t, griffon(body.SaddleNormal))
		wantRefused(t, f.Try(act("a", "mount", "", "h")), cite.MountFlightCatch)
	})
}

// rcr.mount.flight-catch: each mount that a rider has lost may catch it, and a try is over
// with the fall: who has come down has lost nothing any more.
func TestTwoMountsLost(t *testing.T) {
	f := newTable(t, "rcr.damage.fall-compounding=on").add(human(), orc(), griffon(body.SaddleNormal), griffon(body.SaddleNormal, func(s *eventv1.Sheet) { s.Id, s.Name = "i", "i" }))
	f.Must(act("a", "mount", "", "h"))
	f.start(nil, 5, 20, 1)
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
	f.aloft("h", body.AirFlying, 10)
	push := func(id string) *eventv1.Command { return act(id, "forced-move", "", "", withParameters("feet", 10)) }
	f.Must(push("h"), 2, 2)
	f.Answer(mounts.DecCatch+"/h", "no", 3)
	f.WantHP("a", 37)
	if lost := f.Creature("a").Relations; len(lost) > 0 {
		t.Fatalf("it has come down, and still %v", lost)
	}
	f.End("b", 20)
	f.WantActive("a")
	f.Must(act("a", "stand", "", ""))
	f.Must(act("a", "mount", "", "i"))
	f.aloft("i", body.AirFlying, 10)
	f.End("a", 15, 1) // i hovers
	f.Must(push("i"), 2, 2)
	f.Answer(mounts.DecCatch+"/i", "yes", 10)
	f.wantRides("a", "i", body.VariantRider)
	f.WantHP("a", 37)
}

// rcr.mount.rider-square: who gets on a mount out of the air is borne by it, and by
// nothing of its own.
func TestWingedRiders(t *testing.T) {
	for _, state := range []string{body.AirFlying, body.AirHovering, body.AirArresting} {
		f := newTable(t).add(flyer("a", "party", 60), orc(), griffon(body.SaddleNormal, skilled("athletics", 6))).start(nil, 20, 5, 1)
		f.aloft("a", state, 30)
		f.aloft("h", body.AirFlying, 30)
		f.Must(act("a", "mount", "", "h"))
		f.wantRides("a", "h", body.VariantRider)
		f.wantAir("a", "", 0)
		f.End("a", 9, 12) // the mount hovers; its rider need not
		f.wantAir("h", body.AirHovering, 30)
		f.wantRides("a", "h", body.VariantRider)
	}
	t.Run("rcr.flight.arrest-reaction: thrown off, it has its own wings", func(t *testing.T) {
		f := inTheAir(t, flyer("a", "party", 60), griffon(body.SaddleNormal), 30, true)
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 9, 4)
		f.Answer(mounts.DecCatch+"/h", "no")
		f.Answer(flight.DecArrest, "yes")
		f.wantAir("a", body.AirArresting, 30)
		f.WantHP("a", 400)
	})
}

// rcr.mount.buck-landing: from a mount that flies at the very ground there is nowhere to
// fall.
func TestThrownAtTheGround(t *testing.T) {
	f := inTheAir(t, human(), griffon(body.SaddleNormal), 30, true)
	f.Put("h", &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 0}})
	f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 9, 4)
	f.wantRides("a", "", "")
	f.wantAir("a", "", 0)
	f.wantHas("a", body.CondProne, true)
	f.WantHP("a", 40)
}

// rcr.mount.buck-flee: whoever has been thrown may calm the mount as well as whoever has
// kept the seat; another may not.
func TestThrownRidersCalm(t *testing.T) {
	thrown := func(t *testing.T, more ...*eventv1.Sheet) *table {
		f := newTable(t).add(append([]*eventv1.Sheet{human(skilled("animal handling", 6)), orc(), beast()}, more...)...)
		f.Must(act("a", "mount", "", "h"))
		f.start(nil, []int{20, 5, 2}[:2+len(more)]...)
		f.Must(act("h", "move", "", "", feet(10, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})))
		f.Answer(body.DecOpportunity, "sword")
		f.Answer("opportunity-target", "h", 15, 1, 5)
		f.Answer(mounts.DecLanding, "feet", 3)
		f.wantRides("a", "", "")
		f.wantHas("h", "bolting", true)
		return f
	}
	t.Run("9 + 6 calms it: its turn is its own", func(t *testing.T) {
		f := thrown(t)
		f.Must(act("a", "calm-mount", "", "h"), 9)
		f.wantHas("h", "bolting", false)
		f.wantCount("a", body.CBonus, 0)
		f.wantCited(cite.MountBuckFlee)
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("h")
		f.Must(act("h", "attack", "hooves", "b"), 2)
	})
	t.Run("8 + 6 does not: it flees", func(t *testing.T) {
		f := thrown(t)
		f.Must(act("a", "calm-mount", "", "h"), 8)
		f.wantHas("h", "bolting", true)
		wantRefused(t, f.Try(act("a", "calm-mount", "", "h"), 20), cite.BaseFifthEditionFallback)
		f.End("a", 12)
		f.End("b", 3)
		f.WantActive("h")
		wantRefused(t, f.Try(act("h", "attack", "hooves", "b"), 2), cite.MountBuckFlee)
	})
	t.Run("a comrade on foot cannot", func(t *testing.T) {
		f := thrown(t, fighter("c", "party"))
		f.Count("c", body.CBonus, 1)
		f.End("a", 12)
		f.End("b", 4)
		f.WantActive("h")
		f.End("h", 1)
		f.WantActive("c")
	})
}
