package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	"github.com/skaldrpg/skald/pkg/rules/rulestest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.adv-bank-radius, rcr.flight.adv-bank-path
func TestFlightBanking(t *testing.T) {
	spell := func(s *eventv1.Sheet) { delete(s.Speeds, "fly") }
	for _, c := range []struct {
		size  string
		magic bool
		half  int32
	}{{"tiny", false, 10}, {"small", false, 10}, {"medium", false, 20}, {"large", false, 30}, {"huge", false, 40}, {"gargantuan", false, 40},
		{"tiny", true, 5}, {"small", true, 10}, {"medium", true, 10}, {"large", true, 20}, {"huge", true, 30}, {"gargantuan", true, 40}} {
		change := []func(*eventv1.Sheet){size(c.size)}
		if c.magic {
			change = append(change, spell)
		}
		f := sky(t, "", 0, flyer("a", "party", 60, change...))
		if c.magic {
			f.lift("a", "spell", 60)
		}
		if got := flight.SpaceHalf(f.Creature("a")); got != c.half {
			t.Errorf("rcr.flight.adv-bank-radius: %s, magic %v: %d half feet", c.size, c.magic, got)
		}
	}
	on := cite.FlightAdvToggle + "=on"
	for _, c := range []struct {
		name     string
		size     string
		settings []string
		degrees  int
		feet     int
		ok       bool
	}{
		{"rcr.flight.adv-bank-path: 15.7 feet for 90 degrees, less a square", "medium", []string{on}, 90, 11, true},
		{"rcr.flight.adv-bank-path: and no tighter", "medium", []string{on}, 90, 10, false},
		{"rcr.flight.adv-bank-path: 47.1 feet for 180 degrees", "large", []string{on}, 180, 43, true},
		{"rcr.flight.adv-bank-path: and no tighter, large", "large", []string{on}, 180, 42, false},
		{"rcr.flight.adv-bank-path: off", "large", []string{on, cite.FlightAdvBankPath + "=off"}, 180, 5, true},
		{"rcr.flight.adv-bank-radius: off", "large", []string{on, cite.FlightAdvBankRadius + "=off"}, 180, 5, true},
		{"rcr.flight.adv-toggle: off", "large", nil, 180, 5, true},
	} {
		f := sky(t, "flying", 30, flyer("a", "party", 60, size(c.size)), c.settings...)
		if err := f.Try(fly(c.feet, "turns", c.degrees)); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		} else if err != nil {
			wantRefused(t, err, cite.FlightAdvBankPath)
		}
	}
	f := sky(t, "flying", 30, flyer("a", "party", 60), on)
	f.Count("a", body.CFacing, 360)
	wantRefused(t, f.Try(fly(10, "heading", "east")), cite.FlightAdvBankPath)
	f.Must(fly(10, "heading", "north-east")) // 7.9 feet
}

// lift lays flight by magic on a creature.
func (f *table) lift(id, by string, speed int32) {
	f.T.Helper()
	f.Put(id, &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondLifted, Variant: by, Source: "b", Cause: "Fly",
		Values: map[string]int32{body.ChFlySpeed: speed}}}})
}

// rcr.flight.adv-descent-advantage, rcr.flight.adv-upward-ranged, rcr.flight.adv-dive-double-dice,
// rcr.feat.aerial-ace-upward-ranged
func TestFlightAttacks(t *testing.T) {
	on := cite.FlightAdvToggle + "=on"
	longsword := rcrSheet(func(s *eventv1.RcrSheet) { s.AttacksPerAction = 3 })
	strike := func(facts ...any) *eventv1.Command { return act("a", "attack", "sword", "b", withFacts(facts...)) }
	shoot := func(higher int) *eventv1.Command {
		return act("a", "attack", "bow", "b", withFacts("elevation", higher, "distance", 50))
	}
	t.Run("rcr.flight.adv-descent-advantage", func(t *testing.T) {
		f := sky(t, "flying", 50, flyer("a", "party", 60, longsword), on)
		f.Must(fly(15, "descend", 15))
		f.Must(strike(), 8)
		f.Must(fly(10, "climb", 5, "descend", 5)) // climbs do not count against it
		f.Must(strike(), 8, 13, 4)
		f.Must(act("a", "attack", "bow", "b", withFacts("distance", 40, "elevation", 0)), 3, 4)
	})
	t.Run("rcr.flight.adv-descent-advantage: off", func(t *testing.T) {
		f := sky(t, "flying", 50, flyer("a", "party", 60, longsword))
		f.Must(fly(20, "descend", 20))
		f.Must(strike(), 8)
	})
	t.Run("rcr.flight.adv-upward-ranged", func(t *testing.T) {
		f := sky(t, "", 0, fighter("a", "party", longsword), on)
		f.Must(shoot(20), 14, 8)
		f.Must(shoot(15), 9)
		f.lift("b", "spell", 60)
		f.aloft("b", "flying", 20)
		f.Must(act("a", "attack", "bow", "b", withFacts("distance", 50)), 3, 2) // by their altitudes
	})
	for _, c := range []struct {
		name  string
		state string
		off   string
		faces []int
	}{
		{"rcr.feat.aerial-ace-upward-ranged: flying", "flying", "", []int{10, 4}},
		{"rcr.feat.aerial-ace-upward-ranged: on the ground", "", "", []int{10, 4}},
		{"rcr.feat.aerial-ace-upward-ranged: switched off", "flying", cite.FeatAerialAceUpwardRanged + "=off", []int{10, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := []string{on}
			if c.off != "" {
				settings = append(settings, c.off)
			}
			f := sky(t, c.state, 10, flyer("a", "party", 60, feats("aerial ace")), settings...)
			f.Must(shoot(40), c.faces...)
			outcome := f.Attack().Outcome
			if hits := c.state == "flying" && c.off == ""; hits != (outcome == "hit") {
				t.Fatal(outcome)
			}
		})
	}
	t.Run("rcr.flight.adv-dive-double-dice", func(t *testing.T) {
		dived := func(feet int, more ...string) *table {
			f := sky(t, "flying", 100, flyer("a", "party", 60, longsword), append([]string{on, cite.FlightAdvDescentAdvantage + "=off"}, more...)...)
			f.Must(act("a", "dive", "", "", withParameters("feet", feet)))
			return f
		}
		f := dived(20)
		f.Must(strike("below", true), 15, 6, 2)
		if got := f.DamageTo("b"); got != 11 {
			t.Fatal(got)
		}
		f.Must(strike("below", true), 15, 5)
		if got := f.DamageTo("b"); got != 8 {
			t.Fatal("the second", got)
		}
		f = dived(20)
		f.Must(strike("below", true), 2)
		f.Must(strike("below", true), 15, 7)
		if got := f.DamageTo("b"); got != 10 {
			t.Fatal("the first missed", got)
		}
		f = dived(20)
		f.Must(strike("below", true), 20, 1, 8, 3, 4)
		if got := f.DamageTo("b"); got != 19 {
			t.Fatal("critical", got)
		}
		f = dived(19)
		f.Must(strike("below", true), 15, 6)
		f = dived(20)
		f.Must(strike("below", false), 15, 6)
		f = dived(20)
		f.Must(strike(), 15, 6) // nobody says that it is below
		f = dived(20, cite.FlightAdvDiveDoubleDice+"=off")
		f.Must(strike("below", true), 15, 6)
		f = sky(t, "flying", 100, flyer("a", "party", 60, longsword), on, cite.FlightAdvDescentAdvantage+"=off")
		f.Must(strike(), 2) // an attack before the dive is the first of the turn
		f.Must(act("a", "dive", "", "", withParameters("feet", 20)))
		f.Must(strike("below", true), 15, 6)
		f = dived(20)
		f.Must(act("a", "attack", "sword", "b", withFacts("below", true), withParametersToo("extra_damage", "1d6")), 15, 6, 2, 5)
		if got := f.DamageTo("b"); got != 16 {
			t.Fatal("what a feature adds is not doubled", got)
		}
	})
}

// withParametersToo adds parameters to those of a command.
func withParametersToo(pairs ...any) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Parameters = rulestest.Object(pairs...) }
}

// rcr.feat.aerial-ace-no-provoke, rcr.feat.aerial-ace-reverse, rcr.feat.aerial-ace-reverse-recharge, rcr.feat.aerial-ace-advantage
func TestAerialAce(t *testing.T) {
	ace := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 60, append(change, feats("aerial ace"))...)
	}
	past := func() *eventv1.Command {
		return stating(fly(30), "enters_space_of", []string{"b"}, "enters_reach_of", []string{"b"}, "leaves_reach_of", []string{"b"})
	}
	f := sky(t, "flying", 10, ace())
	f.Must(past(), 15) // the collision remains
	if len(f.Decisions) > 0 {
		t.Fatalf("rcr.feat.aerial-ace-no-provoke: asked %v", f.Decisions)
	}
	f = sky(t, "flying", 10, ace(), cite.FeatAerialAceNoProvoke+"=off")
	f.Must(past())
	f.wantAsked("b")
	f = sky(t, "", 0, ace())
	f.Must(act("a", "interact", "", "", withFacts("threatened_by", []string{"b"})))
	f.wantAsked("b")
	f = sky(t, "flying", 10, ace())
	f.Must(act("a", "interact", "", "", withFacts("threatened_by", []string{"b"})))
	f.wantAsked("b") // other triggers remain

	reverse := act("a", "reverse", "", "")
	f = sky(t, "flying", 100, ace())
	f.Count("a", body.CFacing, 360)
	f.Must(fly(30))
	f.Must(reverse)
	f.wantLeft(0)
	f.wantCount("a", body.CFacing, 180)
	f.End("a", 20)
	f.wantAir("a", "flying", 100)
	f.End("b", 5)
	f.Must(reverse) // rcr.feat.aerial-ace-reverse-recharge: all was spent in the turn of use

	f = sky(t, "flying", 100, ace())
	f.Must(fly(40))
	wantRefused(t, f.Try(reverse), cite.FeatAerialAceReverse)

	for _, off := range []string{"on", "off"} {
		f = sky(t, "flying", 100, ace(), cite.FeatAerialAceReverseRecharge+"="+off)
		f.Must(fly(40, "descend", 40))
		f.Must(reverse)
		f.wantLeft(20)
		f.End("a", 20)
		f.End("b", 5)
		if off == "off" {
			f.Must(reverse)
			continue
		}
		wantRefused(t, f.Try(reverse), cite.FeatAerialAceReverseRecharge)
		f.Must(fly(60))
		f.End("a", 20)
		f.End("b", 5)
		f.Must(reverse)
	}
	f = sky(t, "", 0, flyer("a", "party", 60))
	wantRefused(t, f.Try(reverse), cite.FeatAerialAceReverse)

	dexterity := func(state string) *table {
		return sky(t, state, 20, ace(save("dexterity", 3)))
	}
	f = dexterity("")
	f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 14)), 10)
	f = dexterity("flying")
	f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 14)), 10, 11)
	f.Must(act("a", "called-save", "", "", withParameters("ability", "strength", "dc", 14)), 10)
}

// rcr.feat.mighty-wings-blast, rcr.feat.mighty-wings-launch
func TestMightyWings(t *testing.T) {
	mighty := flyer("a", "party", 50, feats("mighty wings"), ability("strength", 16), rcrSheet(func(s *eventv1.RcrSheet) { s.ProficiencyBonus = 2 }))
	field := func(settings ...string) *table {
		f := newTable(t, settings...).add(mighty, fighter("goblin", "monsters", size("small"), save("strength", -1)), fighter("ogre", "monsters", size("large")),
			fighter("friend", "party", save("strength", 5))).start(nil, 20, 5, 4, 3)
		return f
	}
	blast := act("a", "wind-blast", "", "goblin,ogre,friend")
	f := field()
	f.Must(blast, 13, 8)
	for id, lies := range map[string]bool{"goblin": true, "ogre": false, "friend": false} {
		if body.Has(f.Creature(id), body.CondProne) != lies {
			t.Errorf("rcr.feat.mighty-wings-blast: %s, prone %v", id, !lies)
		}
	}
	f.Must(act("a", "launch", "", "", withParameters("feet", 25, "climb", 25, "vertical", 25)))
	f.wantAir("a", "flying", 25)
	f.wantCount("a", body.CMoved, 0)
	f.wantCount("a", body.CTravelled, 25)
	wantRefused(t, f.Try(blast), cite.FeatMightyWingsBlast)
	wantRefused(t, f.Try(act("a", "launch", "", "", withParameters("feet", 5))), cite.FeatMightyWingsLaunch)

	f = field()
	f.Must(blast, 13, 8)
	wantRefused(t, f.Try(act("a", "launch", "", "", withParameters("feet", 26))), cite.FeatMightyWingsLaunch)
	f.Must(act("a", "move", "", "", feet(5)))
	wantRefused(t, f.Try(act("a", "launch", "", "", withParameters("feet", 5))), cite.FeatMightyWingsLaunch)
	f = field(cite.FeatMightyWingsLaunch + "=off")
	f.Must(blast, 13, 8)
	wantRefused(t, f.Try(act("a", "launch", "", "", withParameters("feet", 5))), cite.FeatMightyWingsLaunch)
	f = field(cite.FeatMightyWingsBlast + "=off")
	wantRefused(t, f.Try(blast), cite.FeatMightyWingsBlast)
	f = field()
	f.aloft("a", "hovering", 20)
	wantRefused(t, f.Try(blast), cite.FeatMightyWingsBlast)
}

// rcr.flight.magic-worn-requirements, rcr.flight.magic-worn-auto-hover, rcr.flight.magic-worn-deactivate,
// rcr.flight.magic-worn-reactivate, rcr.flight.magic-held-as-worn, rcr.flight.magic-held-item-damage,
// rcr.flight.magic-spell, rcr.flight.magic-spell-end
func TestFlightByMagic(t *testing.T) {
	wearer := func(it *eventv1.RcrItem, change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return fighter("a", "party", append(change, func(s *eventv1.Sheet) { s.HitPoints = 400 }, rcrSheet(func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{it} }))...)
	}
	boots := &eventv1.RcrItem{Name: "boots", FlySpeed: 30}
	storm := "rcr.setting.precipitation=heavy"
	t.Run("rcr.flight.magic-worn-requirements, rcr.flight.magic-worn-auto-hover", func(t *testing.T) {
		f := sky(t, "flying", 20, wearer(boots), storm)
		f.Must(fly(10))
		f.End("a", 20)
		f.wantAir("a", "hovering", 20)
		f.wantCount("a", body.CMoved, 25)
	})
	t.Run("rcr.flight.magic-worn-auto-hover: it cannot be paid", func(t *testing.T) {
		f := sky(t, "flying", 20, wearer(boots))
		f.Must(fly(10, "climb", 10))
		f.End("a", append(slices.Repeat([]int{1}, 6), 20)...)
		f.wantAir("a", "", 0)
	})
	t.Run("rcr.flight.magic-held-as-worn", func(t *testing.T) {
		f := sky(t, "flying", 20, wearer(&eventv1.RcrItem{Name: "broom", FlySpeed: 50, Flight: "held"}), storm)
		f.End("a", 20)
		f.wantAir("a", "hovering", 20)
		f.wantCount("a", body.CMoved, 25)
		f = sky(t, "flying", 20, wearer(&eventv1.RcrItem{Name: "carpet", FlySpeed: 60, Flight: "held"}))
		f.Must(fly(30, "climb", 30, "vertical", 30))
		f.wantLeft(0)
	})
	cloak := func(activation string) *eventv1.RcrItem {
		return &eventv1.RcrItem{Name: "cloak", FlySpeed: 60, FlightActivated: true, Activation: activation}
	}
	t.Run("rcr.flight.magic-worn-deactivate, rcr.flight.magic-worn-reactivate", func(t *testing.T) {
		f := sky(t, "", 0, wearer(cloak("action")))
		if body.SpeedIn(f.State, "a", "fly") != 0 {
			t.Fatal("it flies before it is activated")
		}
		f.Must(act("a", "use-item", "cloak", ""))
		f.Must(fly(20, "climb", 20))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
			Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}}}}}, 1, 4, 4)
		f.WantHP("a", 391)
		if body.SpeedIn(f.State, "a", "fly") != 0 {
			t.Fatal("it is still on")
		}
		wantRefused(t, f.Try(act("a", "use-item", "cloak", "")), cite.BaseFifthEditionFallback) // the action is spent

		f = sky(t, "", 0, wearer(cloak("bonus")))
		f.Count("a", body.CBonus, 0)
		wantRefused(t, f.Try(act("a", "use-item", "cloak", "")), cite.BaseFifthEditionFallback)
		f.Count("a", body.CBonus, 1)
		f.Must(act("a", "use-item", "cloak", ""))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slow", Cause: "slow", Values: map[string]int32{"speed": -20}}}})
		if body.SpeedIn(f.State, "a", "fly") != 40 {
			t.Fatal("a lower speed switches it off")
		}
	})
	t.Run("rcr.flight.magic-worn-deactivate: without activation it stays on, and falls", func(t *testing.T) {
		f := sky(t, "flying", 9, wearer(boots))
		f.Afflict("a", body.CondProne)
		f.wantAir("a", "", 0)
		if body.SpeedIn(f.State, "a", "fly") != 30 {
			t.Fatal("it is off")
		}
	})
	for _, c := range []struct {
		amount, face int
		state        string
	}{{26, 12, ""}, {12, 10, "flying"}} {
		f := sky(t, "flying", 9, wearer(&eventv1.RcrItem{Name: "carpet", FlySpeed: 60, Flight: "held"}))
		f.Must(act("a", "strike-item", "carpet", "", withParameters("amount", c.amount)), c.face)
		if got := body.AirState(f.Creature("a")); got != c.state {
			t.Errorf("rcr.flight.magic-held-item-damage: %d damage: %q", c.amount, got)
		}
	}
	t.Run("rcr.flight.magic-spell", func(t *testing.T) {
		f := sky(t, "", 0, fighter("a", "party"), storm)
		f.lift("a", "spell", 60)
		f.aloft("a", "flying", 40)
		f.End("a", 20)
		f.wantAir("a", "hovering", 40)
		f.wantCount("a", body.CMoved, 30)
	})
	t.Run("rcr.flight.magic-spell-end: held fast by another's spell", func(t *testing.T) {
		f := sky(t, "", 0, fighter("a", "party"))
		f.lift("a", "spell", 60)
		f.aloft("a", "flying", 10)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
			Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondGrappled, Source: "b"}}}}}}, 5)
		f.WantHP("a", 35)
	})
	t.Run("rcr.flight.magic-spell-end: lost concentration", func(t *testing.T) {
		f := newTable(t, "rcr.damage.fall-compounding=on").add(fighter("a", "party", func(s *eventv1.Sheet) { s.HitPoints = 400 }, save("constitution", 3)), fighter("b", "monsters", heavyBlow)).start(nil, 5, 20)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 40}, Conditions: []*eventv1.Condition{
			{Name: body.CondConcentrating, Variant: "Fly"}, {Name: body.CondAirborne, Variant: "flying"},
			{Name: body.CondLifted, Variant: "spell", Source: "a", Cause: "Fly", Values: map[string]int32{body.ChFlySpeed: 60}}}})
		wallop(f, 24, 8, 3, 3, 5, 1, 6, 2, 2, 4, 6, 1)
		f.WantHP("a", 400-24-33)
		if !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("it stands")
		}
	})
}

// The switches of the feats: off, they give nothing.
func TestFlightFeatsOff(t *testing.T) {
	off := func(rule string) string { return rule + "=off" }
	f := sky(t, "flying", 10, flyer("a", "party", 60, feats("mighty wings")), off(cite.FeatMightyWingsClimb))
	f.Must(fly(30, "climb", 30))
	f.wantLeft(0)
	f = sky(t, "flying", 10, flyer("a", "party", 60, feats("mighty wings")), off(cite.FeatMightyWingsVertical))
	wantRefused(t, f.Try(fly(10, "climb", 10, "vertical", 10)), cite.FlightClimbAngle)
	f = sky(t, "flying", 10, flyer("a", "party", 60, feats("aerial ace")), off(cite.FeatAerialAceReverse))
	wantRefused(t, f.Try(act("a", "reverse", "", "")), cite.FeatAerialAceReverse)
	f = sky(t, "flying", 10, flyer("a", "party", 60, feats("aerial ace")), off(cite.FeatAerialAceAdvantage))
	f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 14)), 10)
}

// rcr.flight.magic-held-item-damage: all whom a carpet bears come down with it.
func TestFlightOnOneCarpet(t *testing.T) {
	f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Items = []*eventv1.RcrItem{{Name: "carpet", FlySpeed: 60, Flight: "held"}}
	})), fighter("b", "party"), fighter("c", "monsters")).start(nil, 20, 5, 4)
	f.Put("b", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondLifted, Variant: "held", Source: "a", Cause: "carpet", Values: map[string]int32{body.ChFlySpeed: 60}}}})
	f.Put("c", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondLifted, Variant: "held", Source: "c", Cause: "carpet", Values: map[string]int32{body.ChFlySpeed: 60}}}})
	for _, id := range []string{"a", "b", "c"} {
		f.aloft(id, "flying", 9)
	}
	f.Must(act("a", "strike-item", "carpet", "", withParameters("amount", 4, "bonus", 2)), 7)
	f.wantAir("a", "", 0)
	f.wantAir("b", "", 0)
	f.wantAir("c", "flying", 9)
	wantRefused(t, f.Try(act("b", "strike-item", "carpet", "", withParameters("amount", 4))), cite.FlightMagicHeldItemDamage)
}
