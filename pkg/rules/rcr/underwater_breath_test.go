package rcr

import (
	"slices"
	"strconv"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/underwater"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// alone begins a fight of one creature, whose turn follows its turn.
func alone(t *testing.T, settings []string, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	f := newTable(t, settings...).add(fighter("a", "party", change...))
	f.Start(nil, 10)
	return f
}

func gasping(f *table, id string) bool { return body.Has(f.Creature(id), body.CondSuffocating) }

// Held for the modifier and 1 in minutes; then it suffocates, and saves in the
// turn after.
//
// rcr.underwater.breath-time, rcr.underwater.suffocating-save, rcr.underwater.suffocating-escalation
func TestHoldingBreath(t *testing.T) {
	for score, rounds := range map[int32]int32{14: 30, 10: 10, 8: 0, 9: 0, 1: 0, 20: 60} {
		c := &eventv1.Creature{Sheet: &eventv1.Sheet{Abilities: map[string]int32{"constitution": score}}}
		if got := underwater.BreathRounds(c); got != rounds {
			t.Errorf("Constitution %d: %d rounds, want %d", score, got, rounds)
		}
	}
	for score, rounds := range map[int32]int{14: 30, 10: 10, 8: 0} {
		t.Run("Constitution "+strconv.Itoa(int(score)), func(t *testing.T) {
			f := alone(t, nil, ability("constitution", score))
			f.Must(act("a", "submerge", "", ""))
			f.wantCount("a", body.CBreath, int64(rounds))
			for i := range rounds {
				if gasping(f, "a") {
					t.Fatalf("no air after %d rounds", i)
				}
				f.End("a", 10)
			}
			if !gasping(f, "a") {
				t.Fatal("it has air for longer")
			}
			mod := (score - 10) / 2
			if score == 8 {
				mod = -1
			}
			for _, dc := range []int32{5, 10, 15} { // each a save at the start of a turn
				f.End("a", 10, int(dc-mod))
				if got := f.Roll("suffocation"); got.Target.Value != dc || got.Outcome != "success" {
					t.Fatalf("%v, want a save against %d", got, dc)
				}
			}
			// Down in that turn, and three turns after drowned: nobody else is there to act.
			f.End("a", 10, 1, 10, 10, 10)
			f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
		})
	}
	t.Run("air gives it all back, and the saves begin anew", func(t *testing.T) {
		f := alone(t, nil, ability("constitution", 8))
		f.Must(act("a", "submerge", "", ""))
		f.End("a", 10, 20)
		f.End("a", 10, 20)
		f.wantCount("a", body.CSuffocating, 2)
		f.Must(act("a", "emerge", "", ""))
		if gasping(f, "a") || body.Has(f.Creature("a"), body.CondSubmerged) {
			t.Fatal("it has no air above")
		}
		f.wantCount("a", body.CSuffocating, 0)
		f.Must(act("a", "submerge", "", ""))
		f.End("a", 10, 20)
		if got := f.Roll("suffocation").Target.Value; got != 5 {
			t.Fatalf("against %d, want 5", got)
		}
	})
	t.Run("a breath half spent is whole again", func(t *testing.T) {
		f := alone(t, nil)
		f.Must(act("a", "submerge", "", ""))
		f.End("a", 10)
		f.wantCount("a", body.CBreath, 9)
		f.Must(act("a", "emerge", "", ""))
		f.wantCount("a", body.CBreath, 0)
		f.Must(act("a", "submerge", "", ""))
		f.wantCount("a", body.CBreath, 10)
	})
	t.Run("taken unawares", func(t *testing.T) {
		f := alone(t, nil)
		f.Must(act("a", "submerge", "", "", withParameters("breathless", true)))
		if !gasping(f, "a") {
			t.Fatal("it holds its breath")
		}
		f.End("a", 10, 5)
	})
	for name, change := range map[string]func(*eventv1.Sheet){
		"amphibious":    rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitAmphibious} }),
		"breathe water": rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitWaterBreathing} }),
		"breathe not":   rcrSheet(func(s *eventv1.RcrSheet) { s.Breathless = true }),
	} {
		t.Run("those who "+name, func(t *testing.T) {
			f := alone(t, nil, change, ability("constitution", 8))
			f.Must(act("a", "submerge", "", ""))
			f.End("a", 10)
			if gasping(f, "a") {
				t.Fatal("it has no air")
			}
		})
	}
	t.Run("made to breathe water, and no longer", func(t *testing.T) {
		f := alone(t, nil)
		f.Must(act("a", "submerge", "", ""))
		f.Afflict("a", body.CondWaterBreathing)
		f.wantCount("a", body.CBreath, 0)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", RemoveConditions: []string{body.CondWaterBreathing}}}})
		f.wantCount("a", body.CBreath, 10)
	})
	for _, off := range []string{cite.UnderwaterIntro, cite.UnderwaterBreathTime} {
		t.Run(off+" off", func(t *testing.T) {
			f := alone(t, []string{off + "=off"}, ability("constitution", 8))
			f.Afflict("a", body.CondSubmerged)
			f.End("a", 10)
			if gasping(f, "a") {
				t.Fatal("it has no air")
			}
		})
	}
	t.Run("strangled is not drowned: water ends without it", func(t *testing.T) {
		f := alone(t, nil)
		f.Must(act("a", "submerge", "", "", withParameters("breathless", true)))
		f.Afflict("a", body.CondSuffocating)
		f.Must(act("a", "emerge", "", ""))
		if !gasping(f, "a") {
			t.Fatal("the strangled breathes")
		}
	})
}

// Under water by its place: wholly below the surface. The one who swims says
// nothing, nor does anybody else.
//
// rcr.underwater.breath-time
func TestUnderTheSurface(t *testing.T) {
	f := newTable(t)
	f.at(fighter("a", "party", swimmer), 0, 0, 0)
	f.Start(object("surface", 0), 10)
	for _, c := range []struct {
		z     int32
		under bool
	}{{-3, false}, {-5, true}, {-6, true}, {-4, false}, {-10, true}} {
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{Z: c.z}}}})
		if got := body.Has(f.Creature("a"), body.CondSubmerged); got != c.under || f.Creature("a").Counters[body.CBreath] > 0 != c.under {
			t.Errorf("at %d: under %v, want %v", c.z, got, c.under)
		}
	}
	f.Must(act("a", "move", "", "", along3(0, 0, 0))) // swimming is its usual mode there
	f.wantCount("a", body.CMoved, 10)
	if body.Has(f.Creature("a"), body.CondSubmerged) {
		t.Error("it has swum up and is under water")
	}
	wantRefused(t, f.Peek(act("a", "submerge", "", "")), cite.UnderwaterIntro)
	f.Must(act("a", "move", "", "", withParameters("mode", "swim"), along3(0, 0, -10), withFacts("underwater", false)))
	if !body.Has(f.Creature("a"), body.CondSubmerged) {
		t.Error("a word beats the map")
	}
	f.Must(act("a", "water", "", "", withParameters("surface", -20)))
	if body.Has(f.Creature("a"), body.CondSubmerged) {
		t.Error("the water has fallen and it is under it")
	}
}

// Under water one swims unless another mode is said: at twice the cost without a
// speed for it.
//
// rcr.base.movement-cost-additive
func TestUsualModeUnderWater(t *testing.T) {
	for _, c := range []struct {
		name      string
		change    func(*eventv1.Sheet)
		submerged bool
		mode      string
		left      int64
		swam      bool
	}{
		{"no swimmer", func(*eventv1.Sheet) {}, true, "", 20, true},
		{"no swimmer walks on the bottom", func(*eventv1.Sheet) {}, true, "walk", 25, false},
		{"a swimmer", swimmer, true, "", 25, false},
		{"on land", func(*eventv1.Sheet) {}, false, "", 25, false},
	} {
		f := alone(t, nil, c.change)
		if c.submerged {
			f.Must(act("a", "submerge", "", ""))
		}
		parameters := []any{"feet", 5}
		if c.mode != "" {
			parameters = append(parameters, "mode", c.mode)
		}
		f.Must(act("a", "move", "", "", withParameters(parameters...)))
		if got := f.Creature("a"); got.Counters[body.CMovement] != c.left || (got.Marks[body.MSwam] != "") != c.swam {
			t.Errorf("%s: %d feet left, %v", c.name, got.Counters[body.CMovement], got.Marks)
		}
	}
}

// One who suffocated for want of air under water and comes to another fight has
// air; one who is down there stays down.
//
// rcr.underwater.breath-time, rcr.underwater.suffocating-no-stabilize
func TestNoWaterInTheNextFight(t *testing.T) {
	for _, hp := range []int32{40, 0} {
		f := newTable(t)
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party"), Vitals: &eventv1.Vitals{Hp: &hp,
			Conditions: []*eventv1.Condition{{Name: body.CondSuffocating, Cause: "no air under water"}}}}}})
		if gasping(f, "a") || body.Down(f.Creature("a")) != (hp == 0) {
			t.Errorf("%d hit points: %v", hp, f.Creature("a"))
		}
	}
	fleeting := body.OfTheFight()
	if !slices.Contains(fleeting.Conditions, body.CondSubmerged) || !slices.Contains(fleeting.Counters, body.CBreath) || slices.Contains(fleeting.Counters, body.CSwum) {
		t.Error("water ends with the fight, weariness does not")
	}
}

// Without a map what is stated of the end of a way says it.
//
// rcr.underwater.breath-time
func TestDivingByWord(t *testing.T) {
	f := alone(t, nil)
	swim := func(under bool) *eventv1.Command {
		return act("a", "move", "", "", withParameters("mode", "swim", "feet", 5), withFacts("underwater", under))
	}
	f.Must(swim(true))
	f.wantCount("a", body.CBreath, 10)
	f.Must(act("a", "move", "", "", withParameters("mode", "swim", "feet", 5)))
	f.wantCount("a", body.CBreath, 10)
	f.Must(swim(false))
	f.wantCount("a", body.CBreath, 0)
	wantRefused(t, f.Peek(act("a", "emerge", "", "")), cite.UnderwaterIntro)
	f.Must(act("a", "submerge", "", ""))
	wantRefused(t, f.Peek(act("a", "submerge", "", "")), cite.UnderwaterIntro)
	g := newTable(t)
	g.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: fighter("a", "party"), Facts: object("underwater", true)}}})
	g.wantCount("a", body.CBreath, 10)
}

// rcr.underwater.verbal-check, rcr.underwater.verbal-breath-lost
func TestSpellsUnderWater(t *testing.T) {
	arcana := func(bonus int32) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Skills = []*eventv1.RcrSkill{{Name: "arcana", Bonus: bonus}} })
	}
	say := func(level int32, verbal bool) func(*eventv1.Sheet) {
		return spell(5, &eventv1.RcrSpell{Name: "word", Level: level, Verbal: verbal, Somatic: !verbal, RangeFeet: 60, Healing: "1"})
	}
	amphibious := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitAmphibious} })
	for _, c := range []struct {
		name       string
		off        string
		of         []func(*eventv1.Sheet)
		parameters []any
		faces      []int
		dc         int32
		cast, lost bool
	}{
		{"third level, 13", "", []func(*eventv1.Sheet){arcana(5), say(3, true)}, nil, []int{8}, 13, true, true},
		{"third level, 12", "", []func(*eventv1.Sheet){arcana(5), say(3, true)}, nil, []int{7}, 13, false, true},
		{"a cantrip, 9", "", []func(*eventv1.Sheet){arcana(-1), say(0, true)}, nil, []int{10}, 10, false, true},
		{"first level by a slot of the third", "", []func(*eventv1.Sheet){arcana(5), say(1, true)}, []any{"slot", 3}, []int{8}, 13, true, true},
		{"nothing said", "", []func(*eventv1.Sheet){arcana(5), say(2, false)}, nil, nil, 0, true, false},
		{"the amphibious speak", "", []func(*eventv1.Sheet){arcana(5), say(3, true), amphibious}, nil, nil, 0, true, false},
		{"the check is off", cite.UnderwaterVerbalCheck, []func(*eventv1.Sheet){arcana(5), say(3, true)}, nil, nil, 0, true, true},
		{"the breath is kept", cite.UnderwaterVerbalBreathLost, []func(*eventv1.Sheet){arcana(5), say(3, true)}, nil, []int{8}, 13, true, false},
	} {
		for _, how := range []string{bySaid, byFacts, byMap} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				var settings []string
				if c.off != "" {
					settings = append(settings, c.off+"=off")
				}
				free := rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks = nil })
				f, facts := wet(t, how, 30, fighter("a", "party", append(c.of, free)...), fighter("b", "monsters"), settings)
				f.Hurt("b", 20)
				slots := func() (n int64) {
					for _, level := range []string{"1", "2", "3"} {
						n += f.Creature("a").Counters[body.CSlot+level]
					}
					return n
				}
				before := slots()
				f.Must(act("a", "cast", "word", "b", withParameters(c.parameters...), withFacts(facts...)), c.faces...)
				if c.dc > 0 && f.Roll("cast/underwater").Target.Value != c.dc {
					t.Errorf("against %d, want %d", f.Roll("cast/underwater").Target.Value, c.dc)
				}
				if cast := f.Creature("b").GetHp() == 21; cast != c.cast || f.Creature("a").Counters[body.CAction] != 0 {
					t.Errorf("cast %v, want %v", cast, c.cast)
				}
				if !c.cast && slots() != before {
					t.Error("the slot was not kept")
				}
				if gasping(f, "a") != c.lost {
					t.Errorf("without breath %v, want %v", !c.lost, c.lost)
				}
			})
		}
	}
	t.Run("on turn 6 with 25 rounds left", func(t *testing.T) {
		con := rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"constitution": 1} })
		f := alone(t, nil, ability("constitution", 14), con, arcana(5), say(0, true))
		f.Must(act("a", "submerge", "", ""))
		for range 5 {
			f.End("a", 10)
		}
		f.wantCount("a", body.CBreath, 25)
		f.Must(act("a", "cast", "word", "a"), 5)
		f.End("a", 10, 10)
		if got := f.Roll("suffocation"); got.Total != 11 || got.Target.Value != 5 {
			t.Fatalf("%v", got)
		}
		f.End("a", 10, 10)
		if got := f.Roll("suffocation"); got.Target.Value != 10 {
			t.Fatalf("%v", got)
		}
	})
	t.Run("deafened and under water: two checks, the first that fails ends it", func(t *testing.T) {
		f := alone(t, nil, arcana(5), say(0, true))
		f.Must(act("a", "submerge", "", ""))
		f.Afflict("a", body.CondDeafened)
		f.Must(act("a", "cast", "word", "a"), 4)
		if len(f.Rolls("cast/underwater")) != 0 || !gasping(f, "a") {
			t.Fatal("it has said nothing, or has breath left")
		}
	})
}

// rcr.underwater.drowning-death-saves, rcr.underwater.unconscious-breath
func TestDrowning(t *testing.T) {
	amphibious := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitAmphibious} })
	breathes := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitWaterBreathing} })
	t.Run("three turns", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Inspiration = true })), fighter("b", "monsters"))
		f.Start(object("underwater", []string{"a"}), 5, 20)
		f.Hurt("a", 0)
		for n := int64(1); n <= 3; n++ {
			faces := []int{20, 5} // no die falls for it, and it is asked nothing
			if n == 3 {
				faces = []int{20} // the dead roll no initiative
			}
			f.End("b", faces...)
			f.wantCount("a", body.CDeathFailures, n)
			f.wantCount("a", body.CExhaustion, n)
			if n < 3 {
				for _, e := range f.SeenBy(player("a-player")) {
					if e.GetNote() != nil || e.GetCounter().GetCounter() == body.CDeathFailures || e.GetCounter().GetCounter() == body.CExhaustion {
						t.Errorf("its player is told %v", e)
					}
				}
			}
		}
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	})
	for _, c := range []struct {
		name     string
		settings []string
		change   func(*eventv1.Sheet)
		drowns   bool
	}{
		{"the amphibious roll", nil, amphibious, false},
		{"who breathes water drowns as written", nil, breathes, true},
		{"who breathes water does not by the table's choice", []string{body.SetDrowning + "=air"}, breathes, false},
		{"who needs air does by either", []string{body.SetDrowning + "=air"}, func(*eventv1.Sheet) {}, true},
		{"off", []string{cite.UnderwaterDrowningDeathSaves + "=off"}, func(*eventv1.Sheet) {}, false},
		{"the chapter off", []string{cite.UnderwaterIntro + "=off"}, func(*eventv1.Sheet) {}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, c.settings...).add(fighter("a", "party", c.change), fighter("b", "monsters"))
			f.Start(nil, 5, 20)
			f.Afflict("a", body.CondSubmerged)
			f.Hurt("a", 0)
			faces := []int{20, 12, 5}
			if c.drowns {
				faces = []int{20, 5}
			}
			f.End("b", faces...)
			if c.drowns {
				f.wantCount("a", body.CDeathFailures, 1)
			} else {
				f.wantCount("a", body.CDeathSuccesses, 1)
			}
		})
	}
	t.Run("on dry land it rolls", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"))
		f.Start(object("underwater", []string{"b"}), 5, 20)
		f.Hurt("a", 0)
		f.End("b", 20, 12, 5)
		f.wantCount("a", body.CDeathSuccesses, 1)
	})
	t.Run("rcr.underwater.unconscious-breath: 20 rounds left are gone", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", ability("constitution", 14)), fighter("b", "monsters"))
		f.Start(object("underwater", []string{"a"}), 5, 20)
		f.Count("a", body.CBreath, 20)
		f.Must(act("b", "attack", "sword", "a"), 20, 8, 8)
		f.Hurt("a", 1)
		f.Must(act("a", "fall", "", "", withParameters("feet", 0))) // nothing: it is still up
		if gasping(f, "a") {
			t.Fatal("a wound takes no breath")
		}
		f.Hurt("a", 0)
		f.wantCount("a", body.CBreath, 0)
		if !gasping(f, "a") {
			t.Fatal("the unconscious holds its breath")
		}
		f.End("b", 20, 5)
		f.wantCount("a", body.CDeathFailures, 1)
	})
	t.Run("one whose body outlasts 0 hit points drowns too", func(t *testing.T) {
		troll := rcrSheet(func(s *eventv1.RcrSheet) { s.Regeneration = &eventv1.RcrRegeneration{Amount: 10, AtZero: true} })
		f := newTable(t).add(fighter("a", "party", troll))
		f.Start(nil, 10)
		f.Must(act("a", "submerge", "", "", withParameters("breathless", true)))
		f.End("a", 10, 1, 10, 10, 10)
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DEAD)
	})
	t.Run("rcr.underwater.unconscious-breath: put to sleep", func(t *testing.T) {
		f := alone(t, nil)
		f.Must(act("a", "submerge", "", ""))
		f.Afflict("a", body.CondUnconscious)
		if !gasping(f, "a") {
			t.Fatal("the sleeper holds its breath")
		}
		f.End("a", 10, 5)
		if f.Roll("suffocation").Target.Value != 5 {
			t.Fatal("no save")
		}
	})
	t.Run("rcr.underwater.unconscious-breath: off", func(t *testing.T) {
		f := alone(t, []string{cite.UnderwaterUnconsciousBreath + "=off"})
		f.Must(act("a", "submerge", "", ""))
		f.Afflict("a", body.CondUnconscious)
		if gasping(f, "a") {
			t.Fatal("it has lost its breath")
		}
	})
}

// rcr.underwater.suffocating-unconscious, rcr.underwater.suffocating-no-stabilize
func TestNoAirNoHelp(t *testing.T) {
	for _, how := range []string{"emerge", "map"} {
		t.Run(how, func(t *testing.T) {
			healer := rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 2 })
			f := newTable(t)
			if how == "map" {
				f.at(fighter("a", "party", ability("constitution", 8)), 0, 0, -10)
				f.at(fighter("b", "party", healer), 5, 0, -10)
				f.Start(object("surface", 0), 5, 20)
			} else {
				f.add(fighter("a", "party", ability("constitution", 8)), fighter("b", "party", healer))
				f.Start(object("underwater", []string{"a", "b"}), 5, 20)
			}
			f.End("b", 20, 3, 5) // 3 and -1 against 5: down, with all its hit points, and no death save
			f.WantHP("a", 40)
			f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_DYING)
			f.wantCount("a", body.CDeathFailures, 0)
			wantRefused(t, f.Peek(act("b", "stabilise", "", "a", withParameters("kit", true))), cite.BaseDeathSaveFrame)
			wantRefused(t, f.Peek(act("b", "stabilise", "", "a")), cite.BaseDeathSaveFrame)
			if how == "map" {
				f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{}}}})
			} else {
				f.Must(act("a", "emerge", "", ""))
			}
			f.Must(act("b", "stabilise", "", "a", withParameters("kit", true), withFacts("distance", 5)))
			f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_STABLE)
		})
	}
}

// Each rule of suffocation by its own switch, in water or out of it.
//
// rcr.underwater.suffocating-save, rcr.underwater.suffocating-escalation,
// rcr.underwater.suffocating-unconscious, rcr.underwater.suffocating-no-stabilize
func TestSuffocationSwitchedOff(t *testing.T) {
	t.Run("no saves", func(t *testing.T) {
		f := alone(t, []string{cite.UnderwaterSuffocatingSave + "=off"})
		f.Afflict("a", body.CondSuffocating)
		f.End("a", 10)
		f.wantCount("a", body.CSuffocating, 0)
	})
	t.Run("no harder", func(t *testing.T) {
		f := alone(t, []string{cite.UnderwaterSuffocatingEscalation + "=off"})
		f.Afflict("a", body.CondSuffocating)
		for range 3 {
			f.End("a", 10, 5)
			if got := f.Roll("suffocation").Target.Value; got != 5 {
				t.Fatalf("against %d", got)
			}
		}
	})
	t.Run("not unconscious", func(t *testing.T) {
		f := alone(t, []string{cite.UnderwaterSuffocatingUnconscious + "=off"})
		f.Afflict("a", body.CondSuffocating)
		f.End("a", 10, 1)
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_ALIVE)
	})
	t.Run("stabilised without air", func(t *testing.T) {
		healer := rcrSheet(func(s *eventv1.RcrSheet) { s.HealersKitUses = 2 })
		f := newTable(t, cite.UnderwaterSuffocatingNoStabilize+"=off").add(fighter("a", "party"), fighter("b", "party", healer))
		f.Start(nil, 5, 20)
		f.Afflict("a", body.CondSuffocating)
		f.Hurt("a", 0)
		f.Must(act("b", "stabilise", "", "a", withParameters("kit", true)))
		f.WantLife("a", eventv1.LifeStatus_LIFE_STATUS_STABLE)
	})
}

// rcr.underwater.healers-kit
func TestKitUnderWater(t *testing.T) {
	healer := rcrSheet(func(s *eventv1.RcrSheet) {
		s.HealersKitUses, s.Skills = 3, []*eventv1.RcrSkill{{Name: "medicine", Bonus: 5}}
	})
	amphibious := rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitAmphibious} })
	for _, c := range []struct {
		name  string
		off   bool
		under []string
		facts []any
		faces []int
		left  int64
	}{
		{"both under water", false, []string{"a", "b"}, nil, []int{11, 4}, 2},
		{"the patient alone", false, []string{"b"}, nil, []int{11, 4}, 2},
		{"said and so: once", false, []string{"a", "b"}, []any{"underwater", true}, []int{11, 4}, 2},
		{"said alone", false, nil, []any{"underwater", true}, []int{11, 4}, 2},
		{"said not to be", false, []string{"a", "b"}, []any{"underwater", false}, []int{6}, 1},
		{"off", true, []string{"a", "b"}, nil, []int{6}, 1},
		{"nobody under water", false, nil, nil, []int{6}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings := []string{body.SetMonstersDie + "=off", cite.DiceInspirationFudge + "=off"}
			if c.off {
				settings = append(settings, cite.UnderwaterHealersKit+"=off")
			}
			f := newTable(t, settings...).add(fighter("a", "party", healer), fighter("b", "party", amphibious))
			f.Start(object("underwater", c.under), 20, 5)
			f.Count("b", body.CWounds, 2)
			f.Must(act("a", "use-kit", "", "b", withFacts(append(c.facts, "override", true)...)), c.faces...)
			f.wantCount("a", body.CKit, 2)
			f.wantCount("b", body.CWounds, c.left)
		})
	}
	t.Run("a check made with it", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", healer))
		f.Start(object("underwater", []string{"a"}), 20)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "medicine", "dc", 10, "kit", true)), 11, 4)
		f.Must(act("a", "called-check", "", "", withParameters("skill", "medicine", "dc", 10)), 11)
	})
}
