package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rcr/mounts"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.underwater.dive-into-water, rcr.flight.fall-uncontrolled, rcr.flight.dive-fall-height: a
// fall out of the air onto the water that a map has is dived by the height that it is
// reckoned from.
func TestFallsOnTheSea(t *testing.T) {
	sea := func(t *testing.T, z int32, a *eventv1.Sheet, settings ...string) *table {
		f := newTable(t, append(settings, cite.DamageFallCompounding+"=on", cite.DiceInspirationFudge+"=off")...)
		f.at(a, 0, 0, z)
		f.at(fighter("b", "monsters"), 100, 0, 0)
		f.Start(object("surface", 0), 20, 5)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}})
		f.Count("a", body.CReaction, 0)
		return f
	}
	for _, c := range []struct {
		face int
		dice []int
		hp   int32
	}{{20, nil, 400}, {19, slices.Repeat([]int{3}, 21), 400 - 31}} {
		f := sea(t, 60, flyer("a", "party", 60, skill("athletics", 1)))
		f.Must(way("dive", spot(0, 0, 20)))
		f.Must(act("a", "pull-out", "", ""), 8) // the dive began at 60
		f.Answer(underwater.DecDive, "yes", append([]int{c.face}, c.dice...)...)
		if got := f.Roll("dive/check/a").Target.Value; got != 21 {
			t.Fatalf("against %d", got)
		}
		f.WantHP("a", c.hp)
		f.wantHas("a", body.CondProne, false)
		f.wantAir("a", "", 0)
	}
	t.Run("off, the water is as hard as the ground", func(t *testing.T) {
		f := sea(t, 20, flyer("a", "party", 60), cite.UnderwaterDiveIntoWater+"=off")
		f.End("a", 14, 2, 3, 4, 20)
		f.WantHP("a", 391)
		f.wantHas("a", body.CondProne, false)
	})
	t.Run("the chapter off, it is ground", func(t *testing.T) {
		f := sea(t, 20, flyer("a", "party", 60), cite.UnderwaterIntro+"=off")
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.End("a", 14, 2, 3, 4, 20)
		f.WantHP("a", 391)
		f.wantHas("a", body.CondProne, true)
	})
	t.Run("onto a rock that is stated it does not dive", func(t *testing.T) {
		f := sea(t, 30, flyer("a", "party", 60))
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.Must(stating(way("move", spot(30, 0, 30)), "ground", 10))
		f.falls(15)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}})
		f.wantAsked()
		f.WantHP("a", 400-9) // 20 feet down to it
	})
}

// rcr.mount.flight-bareback-tumble, rcr.underwater.dive-into-water: a rider that is shaken
// off over the sea dives for itself.
func TestRidersOverTheSea(t *testing.T) {
	f := newTable(t, cite.DamageFallCompounding+"=on", cite.DiceInspirationFudge+"=off")
	f.at(human(skilled("athletics", 3)), -5, 0, 30)
	f.at(orc(), 200, 0, 0)
	f.at(griffon(""), 0, 0, 30)
	f.Must(act("a", "mount", "", "h"))
	f.Start(object("surface", 0), 5, 20)
	f.Put("h", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: body.AirFlying}}})
	cmd := act("h", "forced-move", "", "")
	cmd.GetTake().Path = []*eventv1.Position{spot(10, 0, 30)}
	f.Must(cmd, 4)
	f.Answer(underwater.DecDive, "yes", 15) // 15 + 3 against 15 + 3
	if got := f.Roll("dive/check/a").Target.Value; got != 18 {
		t.Fatalf("against %d", got)
	}
	f.WantHP("a", 40)
	f.wantHas("a", body.CondProne, false)
	f.wantRides("a", "", "")
	f.wantAir("h", body.AirFlying, 30)
	if p := f.Creature("a").Position; p.Z != 0 {
		t.Fatalf("a at %v", p)
	}
}

// rcr.equipment.barding-untrained with the rolls of flight: those of Strength and Dexterity
// are hampered, others are not; feats and saddles meet it one for one.
func TestFlyingInBarding(t *testing.T) {
	in := func(trained string, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 60, append(change, rcrSheet(func(s *eventv1.RcrSheet) {
			s.Barding, s.BardingTraining = &eventv1.RcrBarding{Type: "chain shirt"}, trained
		}))...)
	}
	for _, c := range []struct {
		name  string
		sheet *eventv1.Sheet
		dice  []int
		total int32
	}{
		{"untrained it hovers with the worse of two", in("", skill("athletics", 5)), []int{15, 10}, 15},
		{"trained for light it is untrained for this", in("light", skill("athletics", 5)), []int{15, 10}, 15},
		{"trained for medium with one", in("medium", skill("athletics", 5)), []int{10}, 15},
		{"Mighty Wings meet it", in("", skill("athletics", 5), feats("mighty wings")), []int{10}, 15},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "flying", 60, c.sheet)
			f.Must(act("a", "hover", "", ""), c.dice...)
			if got := f.Roll("hover/a"); got.Total != c.total || got.Outcome != "success" {
				t.Errorf("%d, %s", got.Total, got.Outcome)
			}
			f.wantAir("a", body.AirHovering, 60)
		})
	}
	t.Run("a collision is saved with the worse of two", func(t *testing.T) {
		f := sky(t, "flying", 60, in(""))
		f.Must(act("a", "collide", "", ""), 20, 14, 5)
		f.Answer(flight.DecArrest, "yes")
		f.WantHP("a", 395)
	})
	t.Run("a blow while hovering with one", func(t *testing.T) {
		f := sky(t, "hovering", 60, in("", rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = 5 })))
		f.Must(act("a", "hover", "", ""), 20, 19)
		f.End("a", 12)
		f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), 15, 1, 10)
		f.wantAir("a", body.AirHovering, 60)
	})
}

// rcr.flight.hover-damage-save: each blow by itself, rounded down, and with the weather on top.
func TestBlowsWhileHovering(t *testing.T) {
	for _, c := range []struct {
		taken int
		rain  string
		dc    int32
	}{{1, "none", 10}, {21, "none", 10}, {22, "none", 11}, {23, "none", 11}, {24, "none", 12}, {20, "any", 12}, {40, "any", 22}, {41, "heavy", 24}} {
		f := newTable(t, "rcr.setting.precipitation="+c.rain).add(flyer("a", "party", 60),
			fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].Damage[0].Dice = "1d100" }))).start(nil, 5, 20)
		f.aloft("a", body.AirHovering, 60)
		f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), 15, c.taken, 20)
		if got := f.Roll("stay-aloft/a").Target.Value; got != c.dc {
			t.Errorf("%d damage, %s: against %d, want %d", c.taken, c.rain, got, c.dc)
		}
	}
	t.Run("rcr.hp.secret-totals: the roll tells the damage, and its owner alone sees it", func(t *testing.T) {
		f := newTable(t).add(flyer("a", "party", 60), fighter("b", "monsters")).start(nil, 5, 20)
		f.aloft("a", body.AirHovering, 60)
		f.Must(act("b", "attack", "sword", "a", withFacts("distance", 5)), 15, 1, 20)
		saved := func(events []*eventv1.Event) bool {
			return slices.ContainsFunc(events, func(e *eventv1.Event) bool { return e.GetRoll().GetLabel() == "stay-aloft/a" })
		}
		if !saved(f.SeenBy(player("a-player"))) || saved(f.SeenBy(player("c-player"))) {
			t.Error("others see the save")
		}
	})
}

// rcr.mount.military-advantage, rcr.mount.bareback-disadvantage, rcr.mount.passenger-space:
// what meets on the save of one who is shaken.
func TestSavesToStay(t *testing.T) {
	for _, c := range []struct {
		name   string
		saddle string
		two    bool
		dice   []int
		stays  bool
	}{
		{"plain, alone: one die", body.SaddleNormal, false, []int{10}, true},
		{"plain, alone, a face less", body.SaddleNormal, false, []int{9, 4}, false},
		{"military, alone: the better", body.SaddleMilitary, false, []int{3, 10}, true},
		{"bareback, alone: the worse", "", false, []int{19, 9, 4}, false},
		{"plain, two on it: the worse", body.SaddleNormal, true, []int{19, 10, 15, 15}, true},
		{"military, two on it: one die", body.SaddleMilitary, true, []int{10, 15}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(human(), orc(), beast(saddle(c.saddle)), fighter("c", "party"))
			f.Must(act("a", "mount", "", "h"))
			faces := []int{20, 5, 1}
			if c.two {
				f.Must(act("c", "mount", "", "h"))
			}
			f.start(nil, faces...)
			f.Must(act("h", "forced-move", "", "", withParameters("feet", 5)), c.dice...)
			if got := body.Seat(f.Creature("a")) != nil; got != c.stays {
				t.Errorf("it rides: %v", got)
			}
			f.wantCited(cite.MountForcedMoveSave)
		})
	}
	t.Run("on the ground neither wings nor weather matter, in the air no Dexterity", func(t *testing.T) {
		f := inTheAir(t, human(saves("dexterity", 9)), griffon(body.SaddleNormal), 30, true)
		f.Must(act("h", "forced-move", "", "", withParameters("feet", 10)), 9, 4)
		f.Answer(mounts.DecCatch+"/h", "no", 1, 1, 1, 1, 1, 1)
		f.WantHP("a", 34)
	})
}
