package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// borne makes one without wings that items bear.
func borne(list ...*eventv1.RcrItem) *eventv1.Sheet {
	return flyer("a", "party", 60, func(s *eventv1.Sheet) {
		delete(s.Speeds, "fly")
		s.GetRcr().Items = list
	})
}

// rcr.flight.magic-held-item-damage: of several things that bear it the one that is named is
// struck, and flight by it ends alone; what goes by such a word and bears nobody is none.
func TestWhichThingIsStruck(t *testing.T) {
	thing := func(name string) *eventv1.RcrItem {
		return &eventv1.RcrItem{Name: name, FlySpeed: 50, Flight: body.LiftHeld, Rarity: "rare"}
	}
	left := func(f *table) (names []string) {
		for _, x := range f.Creature("a").Conditions {
			if x.Variant == body.LiftHeld || x.Cause == "carpet" {
				names = append(names, x.Name+" by "+x.Cause)
			}
		}
		return names
	}
	f := sky(t, "flying", 10, borne(thing("carpet"), thing("broom")))
	f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.dazed", Variant: body.LiftHeld, Cause: "rope"}, {Name: "effect.glad", Source: "a", Cause: "carpet"}}})
	if o := offered(f.State, "a", "strike-item", "rope"); o != nil {
		t.Errorf("a rope can be struck: %v", o)
	}
	wantFault(t, f.Try(act("a", "strike-item", "rope", "", withParameters("amount", 26))), "take.item")
	f.Must(act("a", "strike-item", "carpet", "", withParameters("amount", 26)), 12)
	if got := left(f); len(got) != 3 || got[0] != "lifted by broom" {
		t.Errorf("left: %v", got)
	}
	f.wantAir("a", "flying", 10)
}

// rcr.flight.magic-worn-deactivate: what must be activated is switched off where its wearer
// is held fast as well as where it lies, and nothing else is that goes by such words.
func TestWhatSwitchesACloakOff(t *testing.T) {
	cloak := &eventv1.RcrItem{Name: "cloak", FlySpeed: 60, FlightActivated: true, Activation: "action"}
	for _, c := range []struct {
		name string
		x    *eventv1.Condition
		off  bool
	}{
		{"held fast", &eventv1.Condition{Name: body.CondGrappled, Source: "b"}, true},
		{"prone", &eventv1.Condition{Name: body.CondProne}, true},
		{"slower", &eventv1.Condition{Name: "effect.slow", Values: map[string]int32{"speed": -25}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "", 0, borne(cloak))
			f.Must(act("a", "use-item", "cloak", ""))
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.glowing", Variant: body.LiftWorn, Source: "a", Cause: "cloak"}}})
			f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{c.x}})
			f.wantHas("a", body.CondLifted, !c.off)
			f.wantHas("a", "effect.glowing", true)
		})
	}
}

// rcr.flight.fall-triggers, rcr.flight.magic-spell-end, rcr.flight.magic-worn-deactivate: a
// winged creature that magic bears faster falls by the rule of that magic.
func TestWhatAFallGoesBy(t *testing.T) {
	for by, rule := range map[string]string{"": cite.FlightFallTriggers, body.LiftSpell: cite.FlightMagicSpellEnd, body.LiftWorn: cite.FlightMagicWornDeactivate} {
		f := sky(t, "flying", 20, flyer("a", "party", 30))
		if by != "" {
			f.lift("a", by, 60)
		}
		f.Count("a", body.CReaction, 0)
		f.Must(afflicting("a", body.CondProne, ""), 1, 1, 1)
		f.wantCited(rule)
		f.wantAir("a", "", 0)
	}
}

// rcr.feat.aerial-ace-reverse: who hovers reverses as who travels does.
func TestReversesHovering(t *testing.T) {
	f := sky(t, "hovering", 40, flyer("a", "party", 60, feats("aerial ace")))
	f.Count("a", body.CFacing, 360)
	f.Must(act("a", "reverse", "", ""))
	f.wantCount("a", body.CFacing, 180)
	f.wantLeft(60)
	f.wantAir("a", "hovering", 40)
}

// rcr.feat.aerial-ace-reverse-recharge: a turn in which it spent all its fly speed gives the
// reversal back; one in which it had none to spend, or left some, does not.
func TestWhatGivesAReversalBack(t *testing.T) {
	for name, c := range map[string]struct {
		turn func(f *table)
		back bool
	}{
		"held fast":   {func(f *table) { f.Afflict("a", body.CondGrappled+"@b") }, false},
		"all spent":   {func(f *table) { f.Must(fly(40, "climb", 20)) }, true},
		"5 feet less": {func(f *table) { f.Must(fly(35, "climb", 20)) }, false},
	} {
		f := sky(t, "flying", 15, flyer("a", "party", 60, feats("aerial ace")))
		f.Must(fly(10))
		f.Must(act("a", "reverse", "", ""))
		f.Must(fly(15, "descend", 15))
		f.wantAir("a", "", 0)
		f.End("a", 12)
		f.End("b", 5)
		f.WantActive("a")
		c.turn(f)
		f.End("a", 12)
		if got := f.Creature("a").Marks[body.MReversed] == ""; got != c.back {
			t.Errorf("%s: given back %v", name, got)
		}
	}
}

// rcr.feat.mighty-wings-launch: half of the least speed that has a half is a foot.
func TestTheShortestLaunch(t *testing.T) {
	for speed, reason := range map[int32]string{1: "NO_FLIGHT", 2: "", 3: ""} {
		f := sky(t, "", 0, flyer("a", "party", speed, feats("mighty wings")))
		f.Must(act("a", "wind-blast", "", ""))
		wantReasonOf(t, body.Itoa(speed), f.Try(act("a", "launch", "", "", withParameters("feet", 1, "climb", 1))), reason)
	}
}

// rcr.flight.hover-damage-save: only damage that is taken shakes who hovers.
func TestNoDamageShakesNobody(t *testing.T) {
	for name, c := range map[string]struct {
		immune bool
		faces  []int
	}{"taken": {false, []int{15, 1, 15}}, "none of it taken": {true, []int{15, 1}}} {
		t.Run(name, func(t *testing.T) {
			f := sky(t, "hovering", 40, flyer("a", "party", 60, rcrSheet(func(s *eventv1.RcrSheet) {
				if c.immune {
					s.Immunities = []*eventv1.RcrDefense{{Type: "slashing"}}
				}
			})))
			f.Count("a", body.CMoved, 30, body.CTravelled, 30)
			f.End("a", 12)
			f.Must(act("b", "attack", "sword", "a"), c.faces...)
			f.wantAir("a", "hovering", 40)
		})
	}
}

// rcr.flight.over-encumbered: a load that is given as it joins stands in place of that of its sheet.
func TestTheLoadItJoinsWith(t *testing.T) {
	laden := flyer("a", "party", 60, rcrSheet(func(s *eventv1.RcrSheet) { s.CarryingCapacity, s.Load = 100, 101 }))
	for load, want := range map[int64]int64{0: 101, 50: 50} {
		f := newTable(t)
		add := &eventv1.AddCreature{Sheet: laden}
		if load > 0 {
			add.Vitals = &eventv1.Vitals{Counters: map[string]int64{body.CLoad: load}}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: add}})
		f.wantCount("a", body.CLoad, want)
	}
}

// rcr.flight.arrest-reaction, rcr.surprise.one-action: in the round of an ambush nobody has
// a reaction to arrest a fall with.
func TestNoReactionInAnAmbush(t *testing.T) {
	f := newTable(t, "rcr.damage.fall-compounding=on").add(flyer("a", "party", 60), fighter("b", "monsters"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
	f.start([]string{"b"}, 15)
	f.aloft("a", "flying", 20)
	f.Count("a", body.CReaction, 1)
	f.Must(afflicting("a", body.CondProne, ""), 1, 1, 1)
	f.wantAir("a", "", 0)
	f.WantHP("a", 397)
}

// rcr.flight.fall-uncontrolled: 580 feet are fallen at once, to the ground.
func TestAFallOf580Feet(t *testing.T) {
	for height, lands := range map[int]bool{580: true, 581: false} {
		f := sky(t, "flying", height, flyer("a", "party", 60), "rcr.damage.fall-compounding=off")
		f.Count("a", body.CReaction, 0)
		prone := afflicting("a", body.CondProne, "")
		if !lands {
			f.Must(prone)
			f.wantAir("a", "falling", 1)
			continue
		}
		f.Must(prone, faces(20, 1)...)
		f.wantAir("a", "", 0)
		f.WantHP("a", 380)
	}
}

// rcr.flight.fall-uncontrolled: who is let go at no height stands; who flies by itself by
// then flies on.
func TestLetGoWhere(t *testing.T) {
	held := func(t *testing.T, b *eventv1.Sheet) *table {
		f := newTable(t, "rcr.damage.fall-compounding=on").add(flyer("a", "party", 80, size("huge")), b).start(nil, 20, 5)
		f.aloft("a", "flying", 0)
		f.Afflict("b", body.CondGrappled+"@a")
		f.Must(fly(10, "climb", 10, "drag", []string{"b"}))
		return f
	}
	t.Run("above nothing", func(t *testing.T) {
		f := held(t, fighter("b", "monsters"))
		f.Must(fly(10, "descend", 10, "drag", []string{"b"}, "aloft", true))
		f.wantAir("a", "flying", 0)
		f.Must(act("a", "release", "", "b"))
		f.wantAir("b", "", 0)
		f.WantHP("b", 40)
		f.wantHas("b", body.CondProne, false)
	})
	t.Run("on wings of its own", func(t *testing.T) {
		f := held(t, flyer("b", "monsters", 30))
		var grip string
		for _, x := range f.Creature("b").Conditions {
			if x.Name == body.CondGrappled {
				grip = x.Id
			}
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "b", RemoveConditions: []string{grip},
			Vitals: &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 10}, Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: "flying"}}}}}})
		f.wantAir("b", "flying", 10)
		if rules.RelationTo(f.Creature("b"), body.RelAloft, "") != nil {
			t.Error("it is still held")
		}
	})
}

// rcr.flight.collision-save: who is moved on its mount stays there or comes off it, and meets
// nobody on the way; one on foot meets the flyer.
func TestRidersThrustIntoFlyers(t *testing.T) {
	for _, mounted := range []bool{true, false} {
		f := newTable(t)
		f.place(human(), -5, 0)
		f.place(flyer("b", "monsters", 60), 30, 0)
		f.place(beast(saddle(body.SaddleMilitary)), 0, 0)
		faces := []int{20, 5, 4}
		if mounted {
			f.Must(act("a", "mount", "", "h"))
			faces = faces[:2]
		}
		f.start(nil, faces...)
		f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondAirborne, Variant: "flying"}}})
		cmd := act("a", "forced-move", "", "")
		cmd.GetTake().Path = []*eventv1.Position{spot(30, 0, 0)}
		if !mounted {
			f.Must(cmd, 15)
			if n := len(f.Rolls("collision/b")); n != 1 {
				t.Errorf("%d saves", n)
			}
			continue
		}
		f.Must(cmd, 15, 2)
		f.wantRides("a", "h", body.VariantRider)
		f.wantAt("a", 0, 0)
		if n := len(f.Rolls("collision/b")); n != 0 {
			t.Errorf("%d saves", n)
		}
	}
}

// Without positions ground stated under the end of a way is no water, whatever the flight
// led over before.
//
// rcr.underwater.dive-into-water
func TestGroundAfterWater(t *testing.T) {
	for _, landed := range []bool{false, true} {
		f := sky(t, "flying", 20, flyer("a", "party", 60))
		f.Must(fly(30, "over_water", true))
		f.Count("a", body.CReaction, 0)
		if landed {
			f.Must(stating(fly(10), "ground", 0))
			f.Must(afflicting("a", body.CondProne, ""), 1, 1, 1)
			f.WantHP("a", 397)
			continue
		}
		f.Must(fly(10))
		f.Must(afflicting("a", body.CondProne, ""))
		f.Answer(underwater.DecDive, "no", 1, 1, 1)
	}
}
