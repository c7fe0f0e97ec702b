package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/flight"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.flight.fall-triggers, rcr.flight.fall-uncontrolled, rcr.flight.arrest-reaction
func TestFlightFalls(t *testing.T) {
	for _, trigger := range []string{body.CondGrappled, body.CondProne, body.CondStunned, body.CondRestrained, body.CondUnconscious} {
		f := sky(t, "flying", 40, flyer("a", "party", 60))
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
			Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: trigger, Source: "b"}}}}}}, pickFaces(trigger == body.CondStunned || trigger == body.CondUnconscious, 10)...)
		if helpless := trigger == body.CondStunned || trigger == body.CondUnconscious; helpless {
			f.wantAir("a", "", 0) // no reaction to arrest it with
			continue
		}
		f.Answer(flight.DecArrest, "yes")
		f.wantAir("a", "arresting", 40)
		f.wantCount("a", body.CReaction, 0)
	}
	t.Run("rcr.flight.fall-triggers: a speed of 10 is not 0", func(t *testing.T) {
		f := sky(t, "flying", 40, flyer("a", "party", 60))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: "effect.slow", Cause: "slow", Values: map[string]int32{"speed": -50}}}})
		f.wantAir("a", "flying", 40)
		f.Must(fly(5))
		f.Count("a", body.CReaction, 0)
		f.End("a", 20)
		f.wantAir("a", "flying", 40)
	})
	t.Run("rcr.flight.fall-uncontrolled: 20 feet", func(t *testing.T) {
		f := sky(t, "flying", 20, flyer("a", "party", 60))
		f.Count("a", body.CReaction, 0)
		f.End("a", 14, 2, 6, 4, 20)
		if got := 400 - f.Creature("a").GetHp(); got != 12 || !body.Has(f.Creature("a"), body.CondProne) {
			t.Fatalf("%d damage", got)
		}
		f.wantAir("a", "", 0)
	})
	t.Run("rcr.flight.fall-uncontrolled: 580 feet at once, the rest with the next turn", func(t *testing.T) {
		f := sky(t, "flying", 600, flyer("a", "party", 60))
		f.Count("a", body.CReaction, 0)
		f.End("a", 14, 20)
		f.wantAir("a", "falling", 20)
		f.End("b", 5)
		wantRefused(t, f.Try(fly(5)), cite.FlightFallTriggers)
		f.Must(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}})
		f.Answer(flight.DecArrest, "yes", 20) // a new window, with a new reaction
		f.wantAir("a", "arresting", 20)
	})
	t.Run("rcr.flight.fall-uncontrolled: reckoned from where it began", func(t *testing.T) {
		f := sky(t, "flying", 590, flyer("a", "party", 60))
		f.Count("a", body.CReaction, 0)
		f.End("a", 14, 20)
		f.End("b", 5)
		f.Count("a", body.CReaction, 0)
		f.End("a", slices.Repeat([]int{1}, 59*60/2)...)
		if !body.Down(f.Creature("a")) && !body.Dead(f.Creature("a")) {
			t.Fatal("1770 damage")
		}
		f.wantAir("a", "", 0)
	})
	t.Run("rcr.flight.arrest-reaction: 90, 30, the ground", func(t *testing.T) {
		f := sky(t, "flying", 150, flyer("a", "party", 60))
		f.Must(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}, 14)
		f.Answer(flight.DecArrest, "yes", 20)
		for _, altitude := range []int32{90, 30, 0} {
			f.End("b", 5)
			f.wantAir("a", pick(altitude == 90, "arresting", "arresting"), altitude+60-max(0, 30-altitude))
			f.End("a", 20)
		}
		f.wantAir("a", "", 0)
		f.WantHP("a", 400)
		if body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("it lies")
		}
	})
	t.Run("rcr.flight.arrest-reaction: begun in its own turn, it sinks from its next on", func(t *testing.T) {
		f := sky(t, "flying", 150, flyer("a", "party", 60))
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondRestrained, Source: "b"}}})
		f.Answer(flight.DecArrest, "yes")
		for _, altitude := range []int32{150, 90} {
			f.End("a", 20)
			f.wantAir("a", "arresting", altitude)
			f.End("b", 5)
		}
	})
	t.Run("rcr.flight.arrest-reaction: begun in another's turn, it sinks with its own", func(t *testing.T) {
		f := sky(t, "flying", 150, flyer("a", "party", 60))
		f.Must(fly(30))
		f.End("a", 20)
		f.Put("a", &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondRestrained, Source: "b"}}})
		f.Answer(flight.DecArrest, "yes")
		f.End("b", 5)
		f.wantAir("a", "arresting", 150)
		f.End("a", 20)
		f.wantAir("a", "arresting", 90)
	})
	t.Run("rcr.flight.arrest-reaction: no reaction", func(t *testing.T) {
		f := sky(t, "flying", 30, flyer("a", "party", 60))
		f.Count("a", body.CReaction, 0)
		f.End("a", 14, 1, 1, 2, 3, 6, 5, 20)
		if got := 400 - f.Creature("a").GetHp(); got != 18 {
			t.Fatalf("%d damage", got)
		}
	})
	t.Run("rcr.flight.arrest-reaction: no wings", func(t *testing.T) {
		f := sky(t, "flying", 10, flyer("a", "party", 60, rcrSheet(func(s *eventv1.RcrSheet) { s.Wingless = true })))
		f.End("a", 14, 6, 20)
		f.WantHP("a", 394)
	})
	t.Run("rcr.flight.arrest-reaction: let pass", func(t *testing.T) {
		f := sky(t, "flying", 10, flyer("a", "party", 60))
		f.Must(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}, 14)
		f.Answer(flight.DecArrest, "no", 6, 20)
		f.WantHP("a", 394)
		f.wantCount("a", body.CReaction, 1)
	})
}

func pickFaces(yes bool, n int) []int {
	if yes {
		return slices.Repeat([]int{1}, n)
	}
	return nil
}

// rcr.flight.arrest-recover, rcr.flight.arrest-is-hovering, rcr.flight.hover-damage-save
func TestFlightRecovery(t *testing.T) {
	recover := func(skill string) *eventv1.Command {
		return act("a", "recover", "", "", withParameters("skill", skill))
	}
	sheet := func(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
		return flyer("a", "party", 60, append(change, skill("athletics", 2), skill("acrobatics", 6))...)
	}
	for _, c := range []struct {
		name     string
		sheet    *eventv1.Sheet
		altitude int
		skill    string
		load     string
		faces    []int
		state    string
		after    int32
	}{
		{"rcr.flight.arrest-recover: acrobatics 15", sheet(), 150, "acrobatics", "", []int{9}, "flying", 150},
		{"rcr.flight.arrest-recover: athletics 14", sheet(), 150, "athletics", "", []int{12}, "arresting", 90},
		{"rcr.flight.arrest-recover: it lands safely", sheet(), 50, "acrobatics", "", []int{3}, "", 0},
		{"rcr.flight.dc-plus-four: a heavy load", flyer("a", "party", 60, skill("acrobatics", 5)), 150, "acrobatics", "heavily", []int{13}, "arresting", 90},
		{"rcr.feat.aerial-ace-advantage: of two", flyer("a", "party", 60, skill("acrobatics", 4), feats("aerial ace")), 150, "acrobatics", "", []int{6, 12}, "flying", 150},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := sky(t, "arresting", c.altitude, c.sheet)
			if c.load != "" {
				f.Afflict("a", body.CondEncumbered+"="+c.load)
			}
			wantRefused(t, f.Try(fly(5)), cite.FlightArrestRecover)
			f.Must(recover(c.skill), c.faces...)
			f.wantCount("a", body.CAction, 0)
			if c.state == "flying" {
				f.wantAir("a", "flying", c.after)
				f.Must(fly(30))
				return
			}
			f.End("a", 20)
			f.wantAir("a", c.state, c.after)
			f.WantHP("a", 400)
		})
	}
	t.Run("rcr.flight.arrest-recover: prone hampers and ends", func(t *testing.T) {
		f := sky(t, "arresting", 150, sheet())
		f.Afflict("a", body.CondProne)
		f.Must(recover("acrobatics"), 9, 12)
		f.wantAir("a", "flying", 150)
		if body.Has(f.Creature("a"), body.CondProne) {
			t.Fatal("prone in flight")
		}
	})
	t.Run("rcr.flight.arrest-recover: not at a speed of 0", func(t *testing.T) {
		f := sky(t, "arresting", 150, sheet())
		f.Afflict("a", body.CondGrappled+"@b")
		wantRefused(t, f.Try(recover("acrobatics")), cite.FlightArrestRecover)
	})
}

// wallop makes b hit a for so much damage by a natural 15 against its armour class of 15.
func wallop(f *table, damage int, faces ...int) {
	f.T.Helper()
	f.Must(act("b", "attack", "sword", "a"), append([]int{15, damage}, faces...)...)
}

// heavyBlow gives b a sword whose face is the damage.
func heavyBlow(s *eventv1.Sheet) {
	s.GetRcr().Attacks[0].Damage = []*eventv1.RcrDamage{{Dice: "1d100", Type: "slashing"}}
	s.GetRcr().AttacksPerAction = 4
}

// rcr.flight.hover-damage-save, rcr.flight.arrest-is-hovering, rcr.flight.magic-held-damage, rcr.flight.magic-spell
func TestFlightDamageSaves(t *testing.T) {
	broom := func(bonus int32) *eventv1.Sheet {
		return fighter("a", "party", save("constitution", bonus), func(s *eventv1.Sheet) { s.HitPoints = 400 },
			rcrSheet(func(s *eventv1.RcrSheet) { s.Items = []*eventv1.RcrItem{{Name: "broom", FlySpeed: 50, Flight: "held"}} }))
	}
	winged := func(bonus int32) *eventv1.Sheet { return flyer("a", "party", 60, save("constitution", bonus)) }
	boots := func() *eventv1.Sheet {
		s := broom(0)
		s.GetRcr().Items[0].Flight = "worn"
		return s
	}
	for _, c := range []struct {
		name    string
		sheet   *eventv1.Sheet
		state   string
		rain    string
		damages []int
		saves   []int // 0: none
		after   string
	}{
		{"rcr.flight.hover-damage-save: 19 damage, DC 10", winged(1), "hovering", "none", []int{19}, []int{9}, "hovering"},
		{"rcr.flight.hover-damage-save: 23 damage, DC 11", winged(1), "hovering", "none", []int{23}, []int{9}, "falling"},
		{"rcr.flight.hover-damage-save: twice", winged(2), "hovering", "none", []int{8, 26}, []int{8, 11}, "hovering"},
		{"rcr.flight.hover-damage-save: who travels makes none", winged(1), "flying", "none", []int{40}, []int{0}, "flying"},
		{"rcr.flight.dc-plus-two: 30 damage in drizzle", winged(4), "hovering", "any", []int{30}, []int{12}, "falling"},
		{"rcr.flight.arrest-is-hovering: 9 fails", winged(3), "arresting", "none", []int{14}, []int{6}, "falling"},
		{"rcr.flight.arrest-is-hovering: 10 holds", winged(3), "arresting", "none", []int{14}, []int{7}, "arresting"},
		{"rcr.flight.magic-held-damage: 9 falls off", broom(2), "flying", "none", []int{9}, []int{7}, ""},
		{"rcr.flight.magic-held-damage: 17 in rain", broom(2), "flying", "any", []int{30}, []int{15}, "flying"},
		{"rcr.flight.magic-worn-auto-hover: no save with boots", boots(), "hovering", "none", []int{40}, []int{0}, "hovering"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, "rcr.setting.precipitation="+c.rain, "rcr.damage.fall-compounding=on").add(c.sheet, fighter("b", "monsters", heavyBlow)).start(nil, 5, 20)
			f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
			f.aloft("a", c.state, 9)
			for i, damage := range c.damages {
				if c.saves[i] == 0 {
					wallop(f, damage)
				} else {
					wallop(f, damage, c.saves[i])
				}
			}
			if got := body.AirState(f.Creature("a")); got != c.after {
				t.Fatalf("it is %q", got)
			}
		})
	}
	t.Run("rcr.flight.arrest-is-hovering: the second fall is from where it was lost", func(t *testing.T) {
		f := newTable(t, "rcr.damage.fall-compounding=on").add(winged(3), fighter("b", "monsters", heavyBlow)).start(nil, 5, 20)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "a", Decision: "fall-roll", Order: "no"}}})
		f.aloft("a", "arresting", 90)
		f.Count("a", body.CReaction, 0)
		wallop(f, 14, append([]int{6}, slices.Repeat([]int{1}, 45)...)...)
		f.WantHP("a", 400-14-45)
	})
}

// rcr.flight.hover-turn, rcr.flight.hover-facing
func TestFlightFacing(t *testing.T) {
	turnTo := func(heading string) *eventv1.Command {
		return act("a", "hover-turn", "", "", withParameters("heading", heading))
	}
	f := sky(t, "hovering", 30, flyer("a", "party", 40))
	f.Count("a", body.CFacing, 360)
	wantRefused(t, f.Try(fly(10, "heading", "east")), cite.FlightHoverFacing)
	f.Must(turnTo("east"))
	f.wantLeft(60)
	f.wantCount("a", body.CFacing, 90)
	f.Must(fly(30, "heading", "east"))
	f.wantLeft(0)
	f.wantAir("a", "flying", 30)

	f = sky(t, "hovering", 30, flyer("a", "party", 40))
	f.Count("a", body.CFacing, 360)
	f.Must(act("a", "hover-turn", "", "", withParameters("degrees", 90)))
	f.wantLeft(60)

	f = sky(t, "hovering", 30, flyer("a", "party", 15))
	f.Count("a", body.CFacing, 45)
	wantRefused(t, f.Try(turnTo("south-west")), cite.FlightHoverTurn)
	f.Must(turnTo("west")) // 135 degrees the short way
	f.wantLeft(0)
	f.wantCount("a", body.CFacing, 270)
	f = sky(t, "flying", 30, flyer("a", "party", 15))
	wantRefused(t, f.Try(turnTo("west")), cite.FlightHoverTurn)

	f = sky(t, "hovering", 30, flyer("a", "party", 40))
	f.Must(fly(10, "heading", "east")) // nobody knows where it faces
}

// rcr.flight.magic-spell-end: a fall that breaks a caster's concentration brings down whom the spell bears.
func TestFlightFallsChain(t *testing.T) {
	f := sky(t, "flying", 20, flyer("a", "party", 60))
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: "fall-roll", Order: "no"}}})
	f.Put("b", &eventv1.Vitals{Counters: map[string]int64{body.CAltitude: 10}, Conditions: []*eventv1.Condition{{Name: body.CondAirborne},
		{Name: body.CondLifted, Variant: "spell", Source: "a", Cause: "Fly", Values: map[string]int32{body.ChFlySpeed: 60}}}})
	f.Put("a", &eventv1.Vitals{Counters: map[string]int64{body.CReaction: 0}, Conditions: []*eventv1.Condition{{Name: body.CondConcentrating, Variant: "Fly"}}})
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a",
		Vitals: &eventv1.Vitals{Conditions: []*eventv1.Condition{{Name: body.CondProne}}}}}}, 1, 2, 3, 9, 4)
	f.WantHP("a", 394)
	f.WantHP("b", 36)
	f.wantAir("b", "", 0)
}

// rcr.flight.minimum-move: what is flown on a reaction is no part of the turn; who has one action and no
// movement need not keep up.
func TestFlightOutOfTurn(t *testing.T) {
	f := sky(t, "flying", 30, flyer("a", "party", 60))
	f.Must(act("a", "ready", "", "", withParameters("action", "move", "trigger", "it comes near")))
	f.Must(fly(30))
	f.End("a", 20)
	f.Must(act("a", "use-ready", "", "", withParameters("mode", "fly", "feet", 60)))
	f.wantAir("a", "flying", 30)
	f.wantCount("a", body.CTravelled, 30)

	f = newTable(t).add(flyer("a", "party", 60), fighter("b", "monsters"))
	f.aloft("a", "flying", 30)
	f.start([]string{"b"}, 20)
	f.Must(&eventv1.Command{What: &eventv1.Command_EndTurn{EndTurn: &eventv1.EndTurn{Creature: "a"}}}, 20, 5)
	f.wantAir("a", "flying", 30)
}

// rcr.flight.hover-facing: the places listed are those that it can fly to.
func TestFlightSquares(t *testing.T) {
	squares := func(f *table) []*eventv1.Square {
		for _, o := range (System{}).Options(queryOf(f, "a")) {
			if o.Action == "move" {
				return o.Squares
			}
		}
		t.Fatal("no move")
		return nil
	}
	f := over(t, "hovering", spot(0, 0, 20), spot(200, 0, 0), flyer("a", "party", 20), fighter("b", "monsters"))
	f.Count("a", body.CFacing, 90)
	got := squares(f)
	if len(got) == 0 {
		t.Fatal("nothing is listed")
	}
	for _, q := range got {
		if q.At.X <= 0 || q.At.Z != 20 {
			t.Errorf("%v", q)
		}
		if err := f.Peek(way("move", q.At)); err != nil {
			t.Errorf("%v: %v", q.At, err)
		}
	}
	for _, setting := range []string{"rcr.setting.wind=15", cite.FlightAdvToggle + "=on"} {
		f = over(t, "flying", spot(0, 0, 20), spot(200, 0, 0), flyer("a", "party", 20), fighter("b", "monsters"), setting)
		f.Count("a", body.CFacing, 90)
		if len(squares(f)) > 0 {
			t.Errorf("%s: listed", setting)
		}
	}
	f = over(t, "arresting", spot(0, 0, 20), spot(200, 0, 0), flyer("a", "party", 20), fighter("b", "monsters"))
	if len(squares(f)) > 0 {
		t.Error("listed in an arrested fall")
	}
}
