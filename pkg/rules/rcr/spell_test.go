package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/magic"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// caster gives a creature spells: V,S and V and S ones of every casting time.
func caster(s *eventv1.Sheet) {
	r := s.GetRcr()
	r.SpellDc, r.SpellAttackBonus, r.SpellSlots = 15, 7, []int32{4, 3, 2}
	r.Skills = append(r.Skills, &eventv1.RcrSkill{Name: "arcana", Bonus: 7}, &eventv1.RcrSkill{Name: "medicine", Bonus: 5})
	r.HealersKitUses = 3
	vs := func(sp *eventv1.RcrSpell) *eventv1.RcrSpell { sp.Verbal, sp.Somatic = true, true; return sp }
	r.Spells = []*eventv1.RcrSpell{
		vs(&eventv1.RcrSpell{Name: "bolt", CastingTime: "action", RangeFeet: 120, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "2d10", Type: "fire"}}}),
		vs(&eventv1.RcrSpell{Name: "grasp", CastingTime: "action", Attack: "melee", Damage: []*eventv1.RcrDamage{{Dice: "2d8", Type: "lightning"}}}),
		vs(&eventv1.RcrSpell{Name: "blade", CastingTime: "action", WeaponAttack: true, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "thunder"}}}),
		vs(&eventv1.RcrSpell{Name: "ball", Level: 3, CastingTime: "action", RangeFeet: 150, Targets: 10, Save: &eventv1.RcrSave{Ability: "dexterity", HalfOnSuccess: true},
			Damage: []*eventv1.RcrDamage{{Dice: "8d6", Type: "fire"}}, UpcastDice: "1d6"}),
		vs(&eventv1.RcrSpell{Name: "missile", Level: 1, CastingTime: "action", RangeFeet: 120, Targets: 3, Damage: []*eventv1.RcrDamage{{Dice: "1d4+1", Type: "force"}}}),
		vs(&eventv1.RcrSpell{Name: "hold", Level: 2, CastingTime: "action", RangeFeet: 60, Concentration: true, Save: &eventv1.RcrSave{Ability: "wisdom"},
			Effects: []*eventv1.RcrEffect{{Condition: "paralyzed", SaveEnds: true}}}),
		vs(&eventv1.RcrSpell{Name: "bless", Level: 1, CastingTime: "action", RangeFeet: 30, Targets: 3, Concentration: true}),
		vs(&eventv1.RcrSpell{Name: "cure wounds", Level: 1, CastingTime: "action", Healing: "1d8+3", UpcastDice: "1d8"}),
		{Name: "healing word", Level: 1, CastingTime: "bonus", Verbal: true, RangeFeet: 60, Healing: "1d4+3"},
		{Name: "quick hand", Level: 1, CastingTime: "bonus", Somatic: true, RangeFeet: 60, Healing: "1d4"},
		{Name: "command", Level: 1, CastingTime: "action", Verbal: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}},
		{Name: "gesture", CastingTime: "action", Somatic: true, RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom"}},
		{Name: "shield", Level: 1, CastingTime: "reaction", Verbal: true, Somatic: true},
		{Name: "ritual", Level: 1, CastingTime: "longer", Verbal: true},
		vs(&eventv1.RcrSpell{Name: "lesser restoration", Level: 2, CastingTime: "action"}),
	}
}

func casters(t *testing.T, settings ...string) *table {
	t.Helper()
	return newTable(t, settings...).add(fighter("a", "party", caster), fighter("b", "monsters"), fighter("z", "monsters")).start(nil, 20, 5, 4)
}

func slotsLeft(f *table, level string) int64 { return f.Creature("a").Counters[body.CSlot+level] }

func TestCasting(t *testing.T) {
	t.Run("an attack", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "bolt", "b"), 8, 4, 5) // 15 against 15
		if f.Attack().Outcome != "hit" || f.Creature("b").GetHp() != 31 {
			t.Fatalf("%v, %d hit points", f.Attack(), f.Creature("b").GetHp())
		}
		f.wantCount("a", body.CAction, 0)
	})
	t.Run("a critical hit doubles the dice", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "bolt", "b"), 20, 1, 2, 3, 4)
		if f.Creature("b").GetHp() != 30 {
			t.Fatal(f.Creature("b").GetHp())
		}
	})
	t.Run("a saving throw for half, damage rolled once", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "ball", "b,z"), 1, 2, 3, 4, 5, 6, 1, 1, 15, 14) // 23; b saves, z does not
		if f.Creature("b").GetHp() != 29 || f.Creature("z").GetHp() != 17 {
			t.Fatalf("%d and %d hit points", f.Creature("b").GetHp(), f.Creature("z").GetHp())
		}
		if slotsLeft(f, "3") != 1 {
			t.Fatal("the slot was not spent")
		}
	})
	t.Run("darts at one target and another", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "missile", "b,b,z"), 1, 2, 3)
		if f.Creature("b").GetHp() != 35 || f.Creature("z").GetHp() != 36 {
			t.Fatalf("%d and %d hit points", f.Creature("b").GetHp(), f.Creature("z").GetHp())
		}
	})
	t.Run("a higher slot", func(t *testing.T) {
		f := casters(t)
		f.Hurt("a", 10)
		f.Must(act("a", "cast", "cure wounds", "a", withParameters("slot", 2)), 5, 6)
		if f.Creature("a").GetHp() != 24 || slotsLeft(f, "2") != 2 || slotsLeft(f, "1") != 4 {
			t.Fatalf("%d hit points, %d slots", f.Creature("a").GetHp(), slotsLeft(f, "2"))
		}
	})
	t.Run("no slot left", func(t *testing.T) {
		f := casters(t)
		f.Count("a", "slot.3", 0)
		wantRefused(t, f.Try(act("a", "cast", "ball", "b")), cite.BaseFifthEditionFallback)
	})
	t.Run("beside a bonus action spell only a cantrip", func(t *testing.T) {
		f := casters(t)
		f.Hurt("a", 10)
		f.Must(act("a", "cast", "healing word", "a"), 1)
		wantRefused(t, f.Try(act("a", "cast", "missile", "b")), cite.BaseFifthEditionFallback)
		f.Must(act("a", "cast", "bolt", "b"), 1)
	})
	t.Run("the weapon attack of a spell", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "blade", "b", withParameters("weapon", "sword")), 10, 4, 5)
		if f.Creature("b").GetHp() != 28 {
			t.Fatal(f.Creature("b").GetHp())
		}
	})
	t.Run(cite.ConditionExhaustionDc, func(t *testing.T) {
		f := casters(t)
		f.Count("a", body.CExhaustion, 4)
		f.Must(act("a", "cast", "hold", "b"), 11) // DC 11
		if body.Has(f.Creature("b"), body.CondParalyzed) {
			t.Fatal("it held")
		}
	})
	t.Run("a reaction outside one's turn", func(t *testing.T) {
		f := casters(t)
		f.End("a", 20)
		f.Must(act("a", "cast-reaction", "shield", ""))
		f.wantCount("a", body.CReaction, 0)
		wantRefused(t, f.Try(act("a", "cast-reaction", "shield", "")), cite.BaseOpportunityFrame)
		wantRefused(t, f.Try(act("a", "cast", "bolt", "b")), cite.InitiativeEveryRound)
	})
	t.Run("a longer casting keeps its slot until it is done", func(t *testing.T) {
		f := casters(t)
		f.Must(act("a", "cast", "ritual", ""))
		if slotsLeft(f, "1") != 4 {
			t.Fatal("spent too early")
		}
		f.Count("a", body.CAction, 1)
		f.Must(act("a", "cast", "ritual", "", withParameters("finish", true)))
		if slotsLeft(f, "1") != 3 {
			t.Fatal("not spent")
		}
	})
}

// rcr.base.fifth-edition-fallback, rcr.condition.deafened-concentration
func TestConcentration(t *testing.T) {
	held := func() *table {
		f := casters(t)
		f.Must(act("a", "cast", "hold", "b"), 2)
		if !body.Has(f.Creature("b"), body.CondParalyzed) || body.Concentration(f.Creature("a")) != "hold" {
			t.Fatal("it does not hold")
		}
		return f
	}
	t.Run("another spell ends it", func(t *testing.T) {
		f := held()
		f.Count("a", body.CAction, 1)
		f.Creature("a").Marks[magic.MCast] = ""
		f.Must(act("a", "cast", "bless", "a"))
		if body.Has(f.Creature("b"), body.CondParalyzed) || body.Concentration(f.Creature("a")) != "bless" {
			t.Fatal("still held")
		}
	})
	t.Run("let go", func(t *testing.T) {
		f := held()
		f.Must(act("a", "end-concentration", "", ""))
		if body.Has(f.Creature("b"), body.CondParalyzed) {
			t.Fatal("still held")
		}
	})
	for _, c := range []struct {
		name  string
		deaf  bool
		faces []int
		lost  bool
	}{
		{"damage: kept", false, []int{10}, false},
		{"damage: lost", false, []int{9}, true},
		{"rcr.condition.deafened-concentration: lost by the lower die", true, []int{15, 9}, true},
		{"rcr.condition.deafened-concentration: kept", true, []int{15, 10}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := held()
			if c.deaf {
				f.Afflict("a", body.CondDeafened)
			}
			f.Resolve(func(r *resolution) error {
				movement.DamageDeed(r, "harm", r.Creature("a"), r.Creature("b"), "sword", []*eventv1.DamagePart{{Type: "slashing", Rolled: 14}}, false, nil)
				return nil
			}, c.faces...)
			if (body.Concentration(f.Creature("a")) == "") != c.lost || body.Has(f.Creature("b"), body.CondParalyzed) == c.lost {
				t.Fatalf("concentration on %q", body.Concentration(f.Creature("a")))
			}
		})
	}
}

// rcr.opportunity.cast-spell
func TestCastingProvokes(t *testing.T) {
	cases := []struct {
		name, spell, target string
		change              func(*eventv1.Sheet)
		asked               bool
	}{
		{"a ranged cantrip", "bolt", "b", nil, true},
		{"a melee spell attack", "grasp", "b", nil, false},
		{"a melee weapon attack", "blade", "b", nil, true},
		{"a bonus action", "healing word", "a", nil, false},
		{"War Caster", "ball", "b", rcrSheet(func(s *eventv1.RcrSheet) { s.Feats = []string{"war caster"} }), false},
		{"an area", "ball", "b", nil, true},
		{"longer than an action", "ritual", "", nil, true},
	}
	for _, c := range cases {
		t.Run("rcr.opportunity.cast-spell: "+c.name, func(t *testing.T) {
			f := newTable(t)
			changes := []func(*eventv1.Sheet){caster}
			if c.change != nil {
				changes = append(changes, c.change)
			}
			f.place(fighter("a", "party", changes...), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.start(nil, 20, 5)
			f.Roller = func(int) int { return 1 }
			f.Must(act("a", "cast", c.spell, c.target, withParameters("weapon", "sword")))
			if (len(f.Decisions) == 1) != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
		})
	}
	t.Run("rcr.base.opportunity-frame: struck down, the slot is kept", func(t *testing.T) {
		f := casters(t)
		f.Hurt("a", 1)
		f.Must(act("a", "cast", "ball", "b", withFacts("threatened_by", []string{"b"})))
		f.Roller = func(sides int) int { return sides }
		f.Answer(body.DecOpportunity, "sword")
		if slotsLeft(f, "3") != 2 || f.Creature("b").GetHp() != 40 {
			t.Fatal("it was cast")
		}
	})
}

// Conditions that hinder casting.
func TestHinderedCasting(t *testing.T) {
	wrestler := rcrSheet(func(s *eventv1.RcrSheet) {
		s.EscapeDc, s.Skills = 13, []*eventv1.RcrSkill{{Name: "athletics", Bonus: 6}}
	})
	cases := []struct {
		name, condition, spell string
		faces                  []int
		cast                   bool
		refused                string
	}{
		{"rcr.condition.restrained-somatic: V,S", "restrained", "ball", nil, false, cite.ConditionRestrainedSomatic},
		{"rcr.condition.restrained-somatic: V", "restrained", "command", []int{20}, true, ""},
		{"rcr.condition.shackled-casting: V,S", "shackled", "ball", nil, false, cite.ConditionShackledCasting},
		{"rcr.condition.shackled-casting: V", "shackled", "command", []int{20}, true, ""},
		{"rcr.condition.grappled-somatic: fails", "grappled@b", "ball", []int{8}, false, ""},
		{"rcr.condition.grappled-somatic: meets passive Athletics", "grappled@b", "ball", []int{9, 1, 1, 1, 1, 1, 1, 1, 1, 20}, true, ""},
		{"rcr.condition.grappled-somatic: a bonus action needs no check", "grappled@b", "quick hand", []int{1}, true, ""},
		{"rcr.condition.grappled-somatic: V alone needs no check", "grappled@b", "command", []int{20}, true, ""},
		{"rcr.condition.deafened-verbal: DC 10 + level met", "deafened", "ball", []int{6, 1, 1, 1, 1, 1, 1, 1, 1, 20}, true, ""},
		{"rcr.condition.deafened-verbal: missed", "deafened", "ball", []int{5}, false, ""},
		{"rcr.condition.deafened-verbal: a cantrip", "deafened", "bolt", []int{2}, false, ""},
		{"rcr.condition.deafened-verbal: any casting time", "deafened", "healing word", []int{3}, false, ""},
		{"rcr.condition.deafened-verbal: no verbal component", "deafened", "gesture", []int{20}, true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", caster), fighter("b", "monsters", wrestler)).start(nil, 20, 5)
			f.Afflict("a", c.condition)
			before := f.Creature("a")
			sp := answers.SpellOf(before, c.spell)
			level := body.Itoa(sp.Level)
			slots := before.Counters[body.CSlot+level]
			target := "b"
			if sp.Healing != "" {
				target = "a"
			}
			err := f.Try(act("a", "cast", c.spell, target), c.faces...)
			if c.refused != "" {
				wantRefused(t, err, c.refused)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			left := f.Creature("a").Counters[body.CSlot+level]
			if sp.Level > 0 && (left < slots) != c.cast {
				t.Fatalf("%d slots of %d left", left, slots)
			}
			f.wantCount("a", magic.CastingCost(sp), 0)
		})
	}
}

// rcr.opportunity.magic-item, rcr.healing.kit-after-combat
func TestItems(t *testing.T) {
	items := rcrSheet(func(s *eventv1.RcrSheet) {
		s.Items = []*eventv1.RcrItem{
			{Name: "potion", Activation: "action", Rarity: "common", Healing: "2d4+2", Charges: 1},
			{Name: "staff", Activation: "action", CommandWordOnly: true, Charges: 3},
			{Name: "ring", Activation: "bonus", Charges: 3},
			{Name: "empty", Activation: "action"},
		}
		s.HealersKitUses = 2
	})
	for _, c := range []struct {
		item  string
		asked bool
	}{{"potion", true}, {"staff", false}, {"ring", false}} {
		t.Run("rcr.opportunity.magic-item: "+c.item, func(t *testing.T) {
			f := field(t, 5, 0, func(a, _ *eventv1.Sheet) { items(a) })
			f.Hurt("a", 10)
			f.Roller = func(int) int { return 1 }
			f.Must(act("a", "use-item", c.item, ""))
			if (len(f.Decisions) == 1) != c.asked {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.asked {
				if f.Creature("a").GetHp() != 10 {
					t.Fatal("it healed before the attack")
				}
				f.Answer(body.DecOpportunity, "no")
				if f.Creature("a").GetHp() != 14 || f.Creature("a").Counters[body.CLeft+"potion"] != 0 {
					t.Fatalf("%d hit points", f.Creature("a").GetHp())
				}
			}
		})
	}
	t.Run("struck down, it keeps its charge", func(t *testing.T) {
		f := field(t, 5, 0, func(a, _ *eventv1.Sheet) { items(a) })
		f.Hurt("a", 1)
		f.Must(act("a", "use-item", "potion", ""))
		f.Roller = func(sides int) int { return sides }
		f.Answer(body.DecOpportunity, "sword")
		if f.Creature("a").Counters[body.CLeft+"potion"] != 1 || !body.Down(f.Creature("a")) {
			t.Fatal("it was drunk")
		}
	})
	t.Run("spent", func(t *testing.T) {
		f := field(t, 50, 0, func(a, _ *eventv1.Sheet) { items(a) })
		wantRefused(t, f.Try(act("a", "use-item", "empty", "")), cite.BaseFifthEditionFallback)
	})
	t.Run(cite.HealingKitAfterCombat, func(t *testing.T) {
		f := field(t, 50, 0, func(a, _ *eventv1.Sheet) { items(a) })
		f.Count("a", body.CWounds, 1)
		wantRefused(t, f.Try(act("a", "use-kit", "", "")), cite.HealingKitAfterCombat)
		f.Must(act("a", "use-kit", "", "", withFacts("override", true)), 10, 10)
		f.wantCount("a", body.CKit, 1)
	})
}
