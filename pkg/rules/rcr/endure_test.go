package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	"github.com/skaldrpg/skald/pkg/rules/rcr/rest"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func trait(names ...string) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = append(s.Traits, names...) })
}

// rcr.base.fifth-edition-fallback: hit points regained at the start of turns.
func TestRegeneration(t *testing.T) {
	troll := func(zero bool) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.Regeneration = &eventv1.RcrRegeneration{Amount: 10, StoppedBy: []string{"fire"}, AtZero: zero}
		})
	}
	begin := func(t *testing.T, zero bool, hp int32) *table {
		f := newTable(t).add(fighter("a", "party"), fighter("m", "monsters", troll(zero))).start(nil, 20, 5)
		f.Resolve(func(r *resolution) error {
			movement.DamageDeed(r, "harm", r.Creature("m"), r.Creature("a"), "sword", []*eventv1.DamagePart{{Type: "slashing", Rolled: 40 - hp}}, false, nil)
			return nil
		})
		return f
	}
	t.Run("at the start of the turn, up to the maximum", func(t *testing.T) {
		f := begin(t, false, 35)
		f.End("a", 1)
		if f.Creature("m").GetHp() != 40 {
			t.Fatal(f.Creature("m").GetHp())
		}
	})
	t.Run("stopped once by the damage that stops it", func(t *testing.T) {
		f := begin(t, false, 15)
		f.Resolve(func(r *resolution) error {
			movement.DamageDeed(r, "burn", r.Creature("m"), nil, "torch", []*eventv1.DamagePart{{Type: "fire", Rolled: 1}}, false, nil)
			return nil
		})
		f.End("a", 20)
		f.WantActive("m")
		if f.Creature("m").GetHp() != 14 {
			t.Fatal(f.Creature("m").GetHp())
		}
		f.End("m", 1)
		f.End("a", 1)
		if f.Creature("m").GetHp() != 24 {
			t.Fatal(f.Creature("m").GetHp())
		}
	})
	t.Run("at 0 the others are dead", func(t *testing.T) {
		if f := begin(t, false, 0); !body.Dead(f.Creature("m")) {
			t.Fatal("alive")
		}
	})
	t.Run("from 0 it rises again, with no initiative anew", func(t *testing.T) {
		f := begin(t, true, 0)
		if !body.Down(f.Creature("m")) {
			t.Fatalf("%v", f.Creature("m").Life)
		}
		f.Resolve(func(r *resolution) error { // a blow at 0 marks no failures
			movement.DamageDeed(r, "again", r.Creature("m"), nil, "sword", []*eventv1.DamagePart{{Type: "slashing", Rolled: 50}}, true, nil)
			return nil
		})
		f.End("a", 1)
		f.WantActive("m")
		if m := f.Creature("m"); m.GetHp() != 10 || m.Counters[body.CDeathFailures] != 0 {
			t.Fatalf("%d hit points", m.GetHp())
		}
	})
	t.Run("from 0 not, if it was burnt", func(t *testing.T) {
		f := begin(t, true, 0)
		f.Resolve(func(r *resolution) error {
			movement.DamageDeed(r, "burn", r.Creature("m"), nil, "torch", []*eventv1.DamagePart{{Type: "fire", Rolled: 1}}, false, nil)
			return nil
		})
		f.End("a", 1)
		if !body.Dead(f.Creature("m")) {
			t.Fatalf("%v", f.Creature("m").Life)
		}
	})
}

// rcr.injury.wounds-on-zero-hp: whoever stays at 1 hit point never reached 0; the
// massive-damage trigger still counts.
func TestStayingAtOne(t *testing.T) {
	relentless := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Traits = []string{body.TraitRelentless}
		s.Resources = []*eventv1.RcrResource{{Name: body.TraitRelentless, Current: 1, Max: 1, Recharge: "long rest"}}
	})
	yes := []*eventv1.EarlyAnswer{{Decision: body.DecRelentless, Answer: &eventv1.Answer{Option: "yes"}}}
	blow := func(t *testing.T, hp, amount int32, answers []*eventv1.EarlyAnswer) *table {
		f := medTable(t, bodied("a", 10, 40, relentless), hp, 0)
		if _, err := f.tryMedicine(func(r *resolution) error { return rest.Medicine{}.Deed(r, hit("a", amount)) }, answers, nil); err != nil {
			t.Fatal(err)
		}
		return f
	}
	blow(t, 9, 9, yes).wantBody("a", want{1, 40, 0, 0, false, true})
	blow(t, 9, 21, yes).wantBody("a", want{1, 40, 3, 3, false, true})
	no := []*eventv1.EarlyAnswer{{Decision: body.DecRelentless, Answer: &eventv1.Answer{Option: "no"}}}
	blow(t, 9, 9, no).wantBody("a", want{0, 40, 2, 2, false, false})
	blow(t, 9, 49, nil).wantBody("a", want{0, 40, 3, 3, true, false}) // killed outright: not asked
	f := blow(t, 9, 9, yes)
	f.deed(hit("a", 9))
	f.wantBody("a", want{0, 40, 2, 2, false, false}) // once
	for _, c := range []struct {
		name  string
		blow  *eventv1.Harm
		faces []int
		dead  bool
	}{
		{"saved", hit("z", 10), []int{15}, false},
		{"not saved", hit("z", 10), []int{14}, true},
		{"critical", hit("z", 10, critical), nil, true},
		{"radiant", hit("z", 10, func(h *eventv1.Harm) { h.Parts[0].Type = "radiant" }), nil, true},
		{"not to 0", hit("z", 9), nil, false},
	} {
		t.Run("undead fortitude: "+c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("z", "monsters", trait(body.TraitUndeadFortitude), func(s *eventv1.Sheet) { s.HitPoints = 10 }))
			f.deed(c.blow, c.faces...)
			if body.Dead(f.Creature("z")) != c.dead {
				t.Fatalf("%v at %d", f.Creature("z").Life, f.Creature("z").GetHp())
			}
		})
	}
}

// rcr.base.fifth-edition-fallback: legendary actions at the end of others' turns.
func TestLegendaryActions(t *testing.T) {
	dragon := func(s *eventv1.Sheet) {
		s.Speeds["fly"] = 80
		r := s.GetRcr()
		r.LegendaryActions, r.AttacksPerAction = 3, 3
		r.Skills = []*eventv1.RcrSkill{{Name: "perception", Bonus: 9}}
		r.Powers = []*eventv1.RcrPower{{Name: "wings", Cost: "legendary", RangeFeet: 15, Targets: 20, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15},
			Damage: []*eventv1.RcrDamage{{Dice: "2d6", Type: "bludgeoning"}}, Effects: []*eventv1.RcrEffect{{Condition: body.CondProne}}}}
		r.Legendary = []*eventv1.RcrLegendary{{Name: "detect", Skill: "perception"}, {Name: "tail", Attack: "sword"}, {Name: "wing attack", Cost: 2, Power: "wings"},
			{Name: "move", MovePercent: 50, Unprovoking: true}, {Name: "rush", MovePercent: 50}}
	}
	fight := func(t *testing.T) *table {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("b", "party"), 0, 50)
		f.place(fighter("d", "monsters", dragon), 5, 0)
		return f.start(nil, 20, 10, 5)
	}
	t.Run("at the end of another's turn, one at a time", func(t *testing.T) {
		f := fight(t)
		wantRefused(t, f.Try(act("d", "legendary", "tail", "a")), cite.BaseFifthEditionFallback)
		f.End("a", 19)
		f.Must(act("d", "legendary", "tail", "a"), 15, 4)
		f.wantCount("d", body.CLegendary, 2)
		wantRefused(t, f.Try(act("d", "legendary", "tail", "a")), cite.BaseFifthEditionFallback)
		f.End("b", 18)
		f.WantActive("d")
		f.wantCount("d", body.CLegendary, 3) // its turn gives them back
		wantRefused(t, f.Try(act("d", "legendary", "tail", "a")), cite.BaseFifthEditionFallback)
	})
	t.Run("not once the next has done something", func(t *testing.T) {
		f := fight(t)
		f.End("a", 19)
		f.Must(act("b", "dodge", "", ""))
		wantRefused(t, f.Try(act("d", "legendary", "detect", "")), cite.BaseFifthEditionFallback)
	})
	t.Run("what it costs, and a power of its own", func(t *testing.T) {
		f := fight(t)
		wantRefused(t, f.Try(act("d", "use-power", "wings", "a")), cite.InitiativeEveryRound)
		f.End("a", 19)
		f.Must(act("d", "legendary", "wing attack", "a"), 3, 4, 14)
		f.wantCount("d", body.CLegendary, 1)
		if a := f.Creature("a"); a.GetHp() != 33 || !body.Has(a, body.CondProne) {
			t.Fatalf("%d hit points", a.GetHp())
		}
		f.End("b", 3)
		f.Must(act("d", "dodge", "", ""))
		wantRefused(t, f.Try(act("d", "use-power", "wings", "a")), cite.BaseFifthEditionFallback)
	})
	t.Run("a move of half the speed that provokes nothing", func(t *testing.T) {
		f := fight(t)
		f.End("a", 19)
		wantRefused(t, f.Try(act("d", "legendary", "move", "", along(50, 0), withParameters("mode", "fly"))), cite.BaseMovementCostAdditive)
		f.Must(act("d", "legendary", "move", "", along(45, 0), withParameters("mode", "fly")))
		if f.Creature("d").Position.X != 45 || len(f.Decisions) > 0 || body.Has(f.Creature("d"), body.CondDisengaged) {
			t.Fatalf("at %v", f.Creature("d").Position)
		}
	})
	t.Run("a check", func(t *testing.T) {
		f := fight(t)
		f.End("a", 19)
		f.Must(act("d", "legendary", "detect", "", withParameters("dc", 15)), 6)
		if f.Roll("check/perception").Outcome != "success" {
			t.Fatal("9 + 6 against 15")
		}
	})
	t.Run("not while incapacitated", func(t *testing.T) {
		f := fight(t)
		f.Afflict("d", body.CondStunned)
		f.End("a", 19)
		wantRefused(t, f.Try(act("d", "legendary", "detect", "")), cite.BaseFifthEditionFallback)
	})
	t.Run("legendary resistance", func(t *testing.T) {
		resist := func(s *eventv1.Sheet) {
			trait(body.TraitLegendaryResistance)(s)
			s.GetRcr().Resources = []*eventv1.RcrResource{{Name: body.TraitLegendaryResistance, Current: 1, Max: 1, Recharge: "long rest"}}
		}
		f := newTable(t).add(fighter("a", "party", caster), fighter("d", "monsters", resist)).start(nil, 20, 5)
		f.Must(act("a", "cast", "hold", "d"), 2)
		f.Answer(body.DecLegendaryResistance, "yes")
		if body.Has(f.Creature("d"), body.CondParalyzed) || f.Creature("d").Counters[body.CLeft+body.TraitLegendaryResistance] != 0 {
			t.Fatal("held")
		}
	})
}

// rcr.base.fifth-edition-fallback: traits that weigh on rolls.
func TestTraitsOfMonsters(t *testing.T) {
	t.Run("pack tactics", func(t *testing.T) {
		f := newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("w", "monsters", trait("pack tactics")), 5, 0)
		f.place(fighter("x", "monsters"), -5, 0)
		f.start(nil, 5, 20, 1)
		f.Must(act("w", "attack", "sword", "a"), 3, 4)
		f = newTable(t)
		f.place(fighter("a", "party"), 0, 0)
		f.place(fighter("w", "monsters", trait("pack tactics")), 5, 0)
		f.place(fighter("x", "monsters"), -5, 0)
		f.start(nil, 5, 20, 1)
		f.Afflict("x", body.CondIncapacitated)
		f.Must(act("w", "attack", "sword", "a"), 3)
	})
	t.Run("magic resistance", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", caster), fighter("d", "monsters", trait("magic resistance"))).start(nil, 20, 5)
		f.Must(act("a", "cast", "hold", "d"), 2, 18)
		if body.Has(f.Creature("d"), body.CondParalyzed) {
			t.Fatal("held")
		}
	})
}

// rcr.base.fifth-edition-fallback: spells of one's own, and uses that are shared.
func TestInnateAndShared(t *testing.T) {
	t.Run("so many a day, no slot", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellDc = 15
			s.Spells = []*eventv1.RcrSpell{{Name: "hold", Level: 2, CastingTime: "action", RangeFeet: 60, Innate: true, Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "day"},
				Save: &eventv1.RcrSave{Ability: "wisdom"}, Effects: []*eventv1.RcrEffect{{Condition: body.CondParalyzed}}}}
		})), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "cast", "hold", "b"), 16)
		f.wantCount("a", body.CLeft+"hold", 0)
		f.Count("a", body.CAction, 1)
		f.Put("a", &eventv1.Vitals{Marks: map[string]string{magic.MCast: ""}})
		wantRefused(t, f.Try(act("a", "cast", "hold", "b")), cite.BaseFifthEditionFallback)
	})
	t.Run("one breath or the other", func(t *testing.T) {
		breath := func(name string) *eventv1.RcrPower {
			return &eventv1.RcrPower{Name: name, Cost: "action", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "constitution", Dc: 15},
				Usage: &eventv1.RcrUsage{Uses: 1, Recharge: "recharge", RechargeFrom: 5, Shared: "breath"}}
		}
		f := newTable(t).add(fighter("a", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Powers = []*eventv1.RcrPower{breath("fire"), breath("sleep")} })),
			fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "use-power", "fire", "b"), 16)
		f.Count("a", body.CAction, 1)
		wantRefused(t, f.Try(act("a", "use-power", "sleep", "b")), cite.BaseFifthEditionFallback)
		f.End("a", 20)
		f.End("b", 1, 5) // one roll for both
		f.Must(act("a", "use-power", "sleep", "b"), 16)
	})
}

// rcr.character.int-extra-proficiencies, rcr.character.int-creation-only,
// rcr.character.int-negative
func TestCreation(t *testing.T) {
	const made = "sheet.rcr.creation"
	cases := []struct {
		name      string
		made, now int32
		extra     []string
		back      []string
		givenUp   []string
		field     string
	}{
		{"rcr.character.int-extra-proficiencies: 14 brings two of any sort", 14, 14, []string{"arcana", "thieves' tools"}, nil, nil, ""},
		{"rcr.character.int-extra-proficiencies: a language too", 14, 14, []string{"arcana", "Elvish"}, nil, nil, ""},
		{"rcr.character.int-extra-proficiencies: not three", 14, 14, []string{"arcana", "Elvish", "medicine"}, nil, nil, made + ".extra"},
		{"rcr.character.int-extra-proficiencies: 11 brings none", 11, 11, nil, nil, nil, ""},
		{"rcr.character.int-extra-proficiencies: nor one", 11, 11, []string{"arcana"}, nil, nil, made + ".extra"},
		{"rcr.character.int-extra-proficiencies: not what the sheet lacks", 12, 12, []string{"stealth"}, nil, nil, made},
		{"rcr.character.int-extra-proficiencies: not twice the same", 14, 14, []string{"arcana", "Arcana"}, nil, nil, made + ".extra[1]"},
		{"rcr.character.int-creation-only: raised to 16 later", 14, 16, []string{"arcana", "medicine"}, nil, nil, ""},
		{"rcr.character.int-creation-only: no third for it", 14, 16, []string{"arcana", "medicine", "Elvish"}, nil, nil, made + ".extra"},
		{"rcr.character.int-negative: 8 takes one of three", 8, 8, nil, []string{"arcana", "medicine", "smith's tools"}, []string{"smith's tools"}, ""},
		{"rcr.character.int-negative: 8 takes it", 8, 8, nil, []string{"arcana", "medicine", "thieves' tools"}, nil, made + ".given_up"},
		{"rcr.character.int-negative: 6 takes two of four", 6, 6, nil, []string{"arcana", "medicine", "Elvish", "Orc"}, []string{"Orc", "Elvish"}, ""},
		{"rcr.character.int-negative: never more than there are", 1, 1, nil, []string{"history", "Orc"}, []string{"Orc", "history"}, ""},
		{"rcr.character.int-negative: of the background only", 8, 8, nil, []string{"arcana"}, []string{"medicine"}, made + ".given_up[0]"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := fighter("a", "party", ability("intelligence", c.now), rcrSheet(func(s *eventv1.RcrSheet) {
				s.Skills = []*eventv1.RcrSkill{{Name: "arcana", Proficient: true}, {Name: "medicine", Proficient: true}}
				s.Tools = []*eventv1.RcrSkill{{Name: "thieves' tools", Proficient: true}}
				s.Languages = []string{"Common", "Elvish"}
				s.Creation = &eventv1.RcrCreation{Intelligence: c.made, Extra: c.extra, Background: c.back, GivenUp: c.givenUp}
			}))
			v := (System{}).CheckSheet(s)
			if c.field == "" && len(v) > 0 {
				t.Fatal(v)
			}
			if c.field != "" && !slices.ContainsFunc(v, func(v fault.Violation) bool { return v.Field == c.field }) {
				t.Fatalf("%v, want %s", v, c.field)
			}
		})
	}
}
