package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// feature is a trait with numbers of the sheet.
func feature(x *eventv1.RcrFeature) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Features = append(s.Features, x) })
}

func level(n int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.Level = n })
}

// manyArmed is a fighter with an attack of each sort, all +5: a rapier (finesse, 1d8), an axe
// (1d12), a bow (1d6), a ray and a touch, which are spells, and three attacks in an action.
func manyArmed(s *eventv1.Sheet) {
	of := func(name, dice string, reach, far int32, properties ...string) *eventv1.RcrAttack {
		return &eventv1.RcrAttack{Name: name, Bonus: 5, ReachFeet: reach, RangeFeet: far, LongRangeFeet: 2 * far, Natural: true, Properties: properties, Damage: []*eventv1.RcrDamage{{Dice: dice, Type: "piercing"}}}
	}
	ray := of("ray", "1d10", 0, 60)
	ray.Spell = true
	touch := of("touch", "1d10", 5, 0)
	touch.Spell = true
	s.GetRcr().Attacks = []*eventv1.RcrAttack{of("rapier", "1d8+3", 5, 0, "finesse"), of("axe", "1d12+3", 5, 0), of("bow", "1d6+3", 0, 80), ray, touch}
	s.GetRcr().AttacksPerAction = 3
}

// byRule are the dice that were rolled by a rule in the last action.
func (f *table) byRule(rule string) (out []string) {
	for _, e := range f.Published {
		if roll := e.GetRoll(); roll != nil && slices.Contains(e.Rules, rule) {
			out = append(out, roll.Expression)
		}
	}
	return out
}

// falls has every d20 show a face and every other die its middle.
func (f *table) falls(face int) {
	f.Roller = func(sides int) int {
		if sides == 20 {
			return face
		}
		return (sides + 1) / 2
	}
}

// rcr.trait.sneak-attack, rcr.trait.martial-advantage, rcr.trait.savage-attacks,
// rcr.trait.brutal-critical, rcr.trait.colossus-slayer, rcr.trait.improved-divine-smite,
// rcr.trait.charge: what a trait adds to a hit, and what it does not go with.
func TestDamageOfTraits(t *testing.T) {
	const advantage, disadvantage = "advantage", "disadvantage"
	near := func(f *table) { f.Place("c", 10, 5) } // an ally beside the target
	far := func(f *table) { f.Place("b", 30, 0); f.Place("c", 35, 0) }
	both := func(a, b func(*table)) func(*table) { return func(f *table) { a(f); b(f) } }
	sneaks := trait(body.TraitSneakAttack)
	charges := feature(&eventv1.RcrFeature{Name: "charge", Feet: 20, Dice: "2d6", Attack: "axe"})
	for _, c := range []struct {
		name  string
		sheet []func(*eventv1.Sheet)
		item  string
		edges []string
		face  int
		do    func(f *table)
		rule  string
		want  string
	}{
		{"sneak: with advantage", []func(*eventv1.Sheet){sneaks}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "3d6"},
		{"sneak: a level 1", []func(*eventv1.Sheet){sneaks, level(1)}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "1d6"},
		{"sneak: a level 2", []func(*eventv1.Sheet){sneaks, level(2)}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "1d6"},
		{"sneak: a level 4", []func(*eventv1.Sheet){sneaks, level(4)}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "2d6"},
		{"sneak: a level 20", []func(*eventv1.Sheet){sneaks, level(20)}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "10d6"},
		{"sneak: alone", []func(*eventv1.Sheet){sneaks}, "rapier", nil, 15, nil, cite.TraitSneakAttack, ""},
		{"sneak: an ally beside the target", []func(*eventv1.Sheet){sneaks}, "rapier", nil, 15, near, cite.TraitSneakAttack, "3d6"},
		{"sneak: an ally who cannot act", []func(*eventv1.Sheet){sneaks}, "rapier", nil, 15, both(near, func(f *table) { f.Afflict("c", body.CondStunned) }), cite.TraitSneakAttack, ""},
		{"sneak: an ally who hides", []func(*eventv1.Sheet){sneaks}, "rapier", nil, 15, both(near, func(f *table) { f.Afflict("c", body.CondHidden) }), cite.TraitSneakAttack, ""},
		{"sneak: an ally 10 feet from it", []func(*eventv1.Sheet){sneaks}, "rapier", nil, 15, func(f *table) { f.Place("c", 15, 0) }, cite.TraitSneakAttack, ""},
		{"sneak: an ally and disadvantage", []func(*eventv1.Sheet){sneaks}, "rapier", []string{disadvantage}, 15, near, cite.TraitSneakAttack, ""},
		{"sneak: an ally, advantage and disadvantage", []func(*eventv1.Sheet){sneaks}, "rapier", []string{advantage, disadvantage}, 15, near, cite.TraitSneakAttack, "3d6"},
		{"sneak: alone, advantage and disadvantage", []func(*eventv1.Sheet){sneaks}, "rapier", []string{advantage, disadvantage}, 15, nil, cite.TraitSneakAttack, ""},
		{"sneak: an axe", []func(*eventv1.Sheet){sneaks}, "axe", []string{advantage}, 15, nil, cite.TraitSneakAttack, ""},
		{"sneak: a bow", []func(*eventv1.Sheet){sneaks}, "bow", []string{advantage}, 15, far, cite.TraitSneakAttack, "3d6"},
		{"sneak: a ray", []func(*eventv1.Sheet){sneaks}, "ray", []string{advantage}, 15, far, cite.TraitSneakAttack, ""},
		{"sneak: dice of the sheet, with an axe", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: body.TraitSneakAttack, Dice: "4d6"})}, "axe", []string{advantage}, 15, nil, cite.TraitSneakAttack, "4d6"},
		{"sneak: dice of the sheet, with a fist", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: body.TraitSneakAttack, Dice: "4d6"})}, body.UnarmedStrike, []string{advantage}, 15, nil, cite.TraitSneakAttack, ""},
		{"sneak: by its other name", []func(*eventv1.Sheet){trait("sneak attack (1/turn)")}, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, "3d6"},
		{"no sneak", nil, "rapier", []string{advantage}, 15, nil, cite.TraitSneakAttack, ""},

		{"martial advantage: an ally beside the target", []func(*eventv1.Sheet){trait(body.TraitMartial)}, "axe", nil, 15, near, cite.TraitMartialAdvantage, "2d6"},
		{"martial advantage: alone", []func(*eventv1.Sheet){trait(body.TraitMartial)}, "axe", nil, 15, nil, cite.TraitMartialAdvantage, ""},
		{"martial advantage: a fist", []func(*eventv1.Sheet){trait(body.TraitMartial)}, body.UnarmedStrike, nil, 15, near, cite.TraitMartialAdvantage, ""},
		{"martial advantage: dice of the sheet", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: body.TraitMartial, Dice: "3d6"})}, "axe", nil, 15, near, cite.TraitMartialAdvantage, "3d6"},
		{"no martial advantage", nil, "axe", nil, 15, near, cite.TraitMartialAdvantage, ""},

		{"savage: a critical hit", []func(*eventv1.Sheet){trait(body.TraitSavageAttacks)}, "axe", nil, 20, nil, cite.TraitSavageAttacks, "1d12"},
		{"savage: a plain hit", []func(*eventv1.Sheet){trait(body.TraitSavageAttacks)}, "axe", nil, 15, nil, cite.TraitSavageAttacks, ""},
		{"savage: a bow", []func(*eventv1.Sheet){trait(body.TraitSavageAttacks)}, "bow", nil, 20, far, cite.TraitSavageAttacks, ""},
		{"savage: a fist", []func(*eventv1.Sheet){trait(body.TraitSavageAttacks)}, body.UnarmedStrike, nil, 20, nil, cite.TraitSavageAttacks, ""},
		{"no savage", nil, "axe", nil, 20, nil, cite.TraitSavageAttacks, ""},

		{"brutal: level 9", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(9)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "1d12"},
		{"brutal: level 12", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(12)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "1d12"},
		{"brutal: level 13", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(13)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "2d12"},
		{"brutal: level 16", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(16)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "2d12"},
		{"brutal: level 17", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(17)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "3d12"},
		{"brutal: the number of the sheet", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: body.TraitBrutalCritical, Number: 1}), level(17)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, "1d12"},
		{"brutal: a plain hit", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(9)}, "axe", nil, 15, nil, cite.TraitBrutalCritical, ""},
		{"brutal: a bow", []func(*eventv1.Sheet){trait(body.TraitBrutalCritical), level(9)}, "bow", nil, 20, far, cite.TraitBrutalCritical, ""},
		{"no brutal", []func(*eventv1.Sheet){level(17)}, "axe", nil, 20, nil, cite.TraitBrutalCritical, ""},

		{"colossus: the wounded", []func(*eventv1.Sheet){trait(body.TraitColossus)}, "axe", nil, 15, func(f *table) { f.Hurt("b", 39) }, cite.TraitColossusSlayer, "1d8"},
		{"colossus: the hale", []func(*eventv1.Sheet){trait(body.TraitColossus)}, "axe", nil, 15, nil, cite.TraitColossusSlayer, ""},
		{"colossus: a bow", []func(*eventv1.Sheet){trait(body.TraitColossus)}, "bow", nil, 15, both(far, func(f *table) { f.Hurt("b", 39) }), cite.TraitColossusSlayer, "1d8"},
		{"colossus: a fist", []func(*eventv1.Sheet){trait(body.TraitColossus)}, body.UnarmedStrike, nil, 15, func(f *table) { f.Hurt("b", 39) }, cite.TraitColossusSlayer, ""},

		{"improved smite", []func(*eventv1.Sheet){trait(body.TraitImprovedSmite)}, "axe", nil, 15, nil, cite.TraitImprovedDivineSmite, "1d8"},
		{"improved smite: a critical hit doubles it", []func(*eventv1.Sheet){trait(body.TraitImprovedSmite)}, "axe", nil, 20, nil, cite.TraitImprovedDivineSmite, "2d8"},
		{"improved smite: a bow", []func(*eventv1.Sheet){trait(body.TraitImprovedSmite)}, "bow", nil, 15, far, cite.TraitImprovedDivineSmite, ""},

		{"charge: 20 feet", []func(*eventv1.Sheet){charges}, "axe", nil, 15, func(f *table) { f.Count("a", body.CStraight, 20) }, cite.TraitCharge, "2d6"},
		{"charge: 15 feet", []func(*eventv1.Sheet){charges}, "axe", nil, 15, func(f *table) { f.Count("a", body.CStraight, 15) }, cite.TraitCharge, ""},
		{"charge: another weapon", []func(*eventv1.Sheet){charges}, "rapier", nil, 15, func(f *table) { f.Count("a", body.CStraight, 20) }, cite.TraitCharge, ""},
		{"charge: 5 feet at least", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: "charge", Dice: "2d6"})}, "rapier", nil, 15, func(f *table) { f.Count("a", body.CStraight, 5) }, cite.TraitCharge, "2d6"},
		{"charge: standing", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: "charge", Dice: "2d6"})}, "rapier", nil, 15, nil, cite.TraitCharge, ""},
		{"charge: a bow", []func(*eventv1.Sheet){feature(&eventv1.RcrFeature{Name: "charge", Dice: "2d6"})}, "bow", nil, 15, both(far, func(f *table) { f.Count("a", body.CStraight, 20) }), cite.TraitCharge, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", append([]func(*eventv1.Sheet){manyArmed}, c.sheet...)...), 0, 0)
			f.place(fighter("b", "monsters"), 5, 0)
			f.place(fighter("c", "party"), 60, 60)
			f.start(nil, 20, 10, 5)
			if c.do != nil {
				c.do(f)
			}
			f.falls(c.face)
			cmd := act("a", "attack", c.item, "b")
			for _, e := range c.edges {
				cmd.GetTake().Circumstances = append(cmd.GetTake().Circumstances, &eventv1.Circumstance{Direction: e, Cause: "test"})
			}
			f.Must(cmd)
			got := f.byRule(c.rule)
			switch {
			case c.want == "" && len(got) > 0, c.want != "" && (len(got) != 1 || got[0] != c.want):
				t.Fatalf("rolled %v, want %q", got, c.want)
			case c.want == "" || !slices.Contains([]string{cite.TraitSneakAttack, cite.TraitMartialAdvantage, cite.TraitColossusSlayer, cite.TraitCharge}, c.rule):
				return
			}
			f.Must(cmd) // in the same turn once more
			if got := f.byRule(c.rule); len(got) > 0 {
				t.Errorf("in the same turn again: %v", got)
			}
		})
	}
}

// rcr.trait.divine-smite: 2d8, 1d8 more for each level of the slot above the first, at most
// 5d8; 1d8 more to undead and fiends. With melee weapons, while there is a slot.
func TestSmites(t *testing.T) {
	for _, c := range []struct {
		name, kind, answer, item, want string
		slots                          []int32
		spent                          string
	}{
		{"no", "humanoid", "no", "axe", "", []int32{2, 0, 1}, ""},
		{"the lowest", "humanoid", movement.SmiteLowest, "axe", "2d8", []int32{2, 0, 1}, "1"},
		{"the highest", "humanoid", movement.SmiteHighest, "axe", "4d8", []int32{2, 0, 1}, "3"},
		{"of level 2", "humanoid", "slot:2", "axe", "3d8", []int32{2, 1, 1}, "2"},
		{"of level 4", "humanoid", movement.SmiteHighest, "axe", "5d8", []int32{1, 0, 0, 1}, "4"},
		{"of level 5", "humanoid", movement.SmiteHighest, "axe", "5d8", []int32{1, 0, 0, 0, 1}, "5"},
		{"to the undead", "Undead", movement.SmiteLowest, "axe", "3d8", []int32{1}, "1"},
		{"to a fiend", "fiend (devil)", movement.SmiteHighest, "axe", "6d8", []int32{1, 0, 0, 0, 1}, "5"},
		{"with a fist", "humanoid", "", body.UnarmedStrike, "", []int32{1}, ""},
		{"with a bow", "humanoid", "", "bow", "", []int32{1}, ""},
		{"with no slot", "humanoid", "", "axe", "", []int32{0, 0}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", manyArmed, trait(body.TraitSmite), rcrSheet(func(s *eventv1.RcrSheet) { s.SpellSlots = c.slots })), 0, 0)
			f.place(fighter("b", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.CreatureType = c.kind })), 5, 0)
			f.start(nil, 20, 5)
			if c.item == "bow" {
				f.Place("b", 30, 0)
			}
			f.falls(15)
			f.Must(act("a", "attack", c.item, "b"))
			if asked := len(f.Decisions) > 0; asked != (c.answer != "") {
				t.Fatalf("asked %v", f.Decisions)
			}
			if c.answer != "" {
				answer := c.answer
				if answer == "slot:2" {
					answer = f.Decisions[0].Options[4].Id // no, lowest, highest, then each
				}
				f.Answer(movement.DecSmite, answer)
			}
			if got := f.byRule(cite.TraitDivineSmite); c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
				t.Errorf("rolled %v, want %s", got, c.want)
			}
			for i, n := range c.slots {
				want := int64(n)
				if body.Itoa(int32(i+1)) == c.spent {
					want--
				}
				if got := f.Creature("a").Counters[body.CSlot+body.Itoa(int32(i+1))]; got != want {
					t.Errorf("%d slots of level %d left, want %d", got, i+1, want)
				}
			}
		})
	}
}

// rcr.trait.stench: whoever begins its turn within its feet saves or is poisoned until its
// next turn; who succeeds is immune to that creature's.
func TestStench(t *testing.T) {
	stench := func(feet int32) func(*eventv1.Sheet) {
		return feature(&eventv1.RcrFeature{Name: body.TraitStench, Feet: feet, Save: &eventv1.RcrSave{Ability: "constitution", Dc: 12}})
	}
	build := func(t *testing.T, feet, x int32, b ...func(*eventv1.Sheet)) *table {
		f := newTable(t)
		f.place(fighter("a", "party", stench(feet)), 0, 0)
		f.place(fighter("b", "monsters", b...), x, 0)
		return f.start(nil, 20, 5)
	}
	for name, c := range map[string]struct {
		feet, x int32
		b       []func(*eventv1.Sheet)
		do      func(f *table)
		saves   bool
	}{
		"beside it": {0, 5, nil, nil, true}, "10 feet off": {0, 10, nil, nil, false}, "within its feet": {10, 10, nil, nil, true},
		"immune to poison": {0, 5, []func(*eventv1.Sheet){rcrSheet(func(s *eventv1.RcrSheet) { s.ConditionImmunities = []string{body.CondPoisoned} })}, nil, false},
		"one that stinks":  {0, 5, []func(*eventv1.Sheet){stench(0)}, nil, true}, // its own reaches a, not itself
		"the dead": {0, 5, nil, func(f *table) {
			f.falls(20)
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 200, Type: "slashing"}}})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := build(t, c.feet, c.x, c.b...)
			if c.do != nil {
				c.do(f)
			}
			f.falls(11) // 11 fails against 12
			if len(f.State.Active) > 0 && f.State.Active[0] == "a" {
				f.End("a")
			}
			if name == "one that stinks" {
				c.saves = false
			}
			if got := len(f.Rolls("stench/b/a")) > 0; got != c.saves || body.Has(f.Creature("b"), body.CondPoisoned) != c.saves {
				t.Errorf("saves %v, poisoned %v, want %v", got, body.Has(f.Creature("b"), body.CondPoisoned), c.saves)
			}
		})
	}
	f := build(t, 0, 5)
	f.falls(11)
	f.End("a")
	f.Place("b", 50, 0)
	f.End("b")
	f.End("a")
	f.wantHas("b", body.CondPoisoned, false) // its next turn has begun, out of the smell
	f.Place("b", 5, 0)
	f.End("b")
	f.falls(12)
	f.End("a") // it succeeds
	f.wantHas("b", body.CondPoisoned, false)
	f.End("b")
	f.falls(1)
	f.End("a")
	if len(f.Rolls("stench/b/a")) > 0 {
		t.Error("who has succeeded saves again")
	}
}

// rcr.trait.death-burst, rcr.trait.fire-aura, rcr.trait.heated-body, rcr.trait.barbed-hide:
// whom a body harms, and how far.
func TestHarmfulBodies(t *testing.T) {
	build := func(t *testing.T, x int32, a ...func(*eventv1.Sheet)) *table {
		f := newTable(t)
		f.place(fighter("a", "party", a...), 0, 0)
		f.place(fighter("b", "monsters", manyArmed), x, 0)
		f.place(fighter("c", "monsters"), 60, 60)
		order := []int{20, 10, 5}
		f.Roller = func(sides int) int {
			if sides != 20 {
				return 1
			}
			n := order[0]
			order = order[1:]
			return n
		}
		f.start(nil)
		f.Hurt("b", 40)
		f.falls(11)
		return f
	}
	harmed := func(f *table, points int32) {
		f.T.Helper()
		f.WantHP("b", 40-points)
		f.WantHP("c", 40)
	}
	t.Run("a fire aura as its turn begins", func(t *testing.T) {
		for x, points := range map[int32]int32{5: 3, 10: 0} {
			f := build(t, x, feature(&eventv1.RcrFeature{Name: body.TraitFireAura, Dice: "1d6", Type: "fire"}))
			f.End("a")
			f.End("b")
			f.End("c")
			harmed(f, points)
		}
	})
	t.Run("fire aura and heated body burn who hits from near", func(t *testing.T) {
		for _, name := range []string{body.TraitFireAura, body.TraitHeatedBody} {
			for _, c := range []struct {
				item   string
				x      int32
				face   int
				points int32
			}{{"axe", 5, 15, 3}, {"axe", 5, 2, 0}, {"bow", 30, 15, 0}, {"touch", 5, 15, 3}} {
				f := build(t, c.x, feature(&eventv1.RcrFeature{Name: name, Dice: "1d6", Type: "fire"}))
				f.End("a")
				f.falls(c.face)
				f.Must(act("b", "attack", c.item, "a"))
				harmed(f, c.points)
			}
		}
	})
	t.Run("barbs hurt who holds it", func(t *testing.T) {
		for holds, points := range map[bool]int32{true: 3, false: 0} {
			f := build(t, 5, feature(&eventv1.RcrFeature{Name: body.TraitBarbedHide, Dice: "1d6", Type: "piercing"}))
			if holds {
				f.Must(afflicting("a", body.CondGrappled, "b"))
			}
			f.End("a")
			f.End("b")
			f.End("c")
			harmed(f, points)
		}
	})
	t.Run("a death bursts once", func(t *testing.T) {
		for _, c := range []struct {
			feet, x int32
			face    int
			half    bool
			points  int32
		}{{0, 5, 11, false, 3}, {0, 10, 11, false, 0}, {10, 10, 11, false, 3}, {0, 5, 12, false, 0}, {0, 5, 12, true, 1}} {
			f := build(t, c.x, feature(&eventv1.RcrFeature{Name: "death burst", Dice: "1d6", Type: "fire", Feet: c.feet, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 12, HalfOnSuccess: c.half}}))
			f.falls(c.face)
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 200, Type: "slashing"}}})
			f.Must(act("c", "called-check", "", "", withParameters("skill", "athletics"))) // the act after which it comes at the latest
			harmed(f, c.points)
			f.Must(act("c", "called-check", "", "", withParameters("skill", "athletics")))
			harmed(f, c.points)
		}
	})
}

// rcr.trait.evasion: of a Dexterity save for half, nothing on a success and half on a
// failure; not while incapacitated, and of no other save.
func TestEvasion(t *testing.T) {
	bolt := func(ability string, half bool) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) {
			s.SpellSlots, s.SpellDc = []int32{4}, 12
			s.Spells = []*eventv1.RcrSpell{{Name: "bolt", Level: 1, CastingTime: "action", RangeFeet: 60, Targets: 1, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "fire"}},
				Save: &eventv1.RcrSave{Ability: ability, Dc: 12, HalfOnSuccess: half}}}
		})
	}
	for name, c := range map[string]struct {
		ability string
		half    bool
		face    int
		do      func(f *table)
		points  int32
	}{
		"a failure":                {"dexterity", true, 11, nil, 1},
		"a success":                {"dexterity", true, 12, nil, 0},
		"a failure of Wisdom":      {"wisdom", true, 11, nil, 3},
		"a success of Wisdom":      {"wisdom", true, 12, nil, 1},
		"where nothing is halved":  {"dexterity", false, 11, nil, 3},
		"a failure, incapacitated": {"dexterity", true, 1, func(f *table) { f.Afflict("b", body.CondIncapacitated) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t)
			f.place(fighter("a", "party", bolt(c.ability, c.half)), 0, 0)
			f.place(fighter("b", "monsters", trait(body.TraitEvasion)), 30, 0)
			f.start(nil, 20, 5)
			if c.do != nil {
				c.do(f)
			}
			f.falls(c.face)
			f.Must(act("a", "cast", "bolt", "b"))
			f.WantHP("b", 40-c.points)
		})
	}
}

// rcr.trait.relentless: so much or less that would bring it to 0 leaves it at 1; once.
func TestRelentless(t *testing.T) {
	for name, c := range map[string]struct{ damage, left int32 }{"no more than its number": {7, 1}, "one more": {8, 0}} {
		t.Run(name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters", feature(&eventv1.RcrFeature{Name: body.TraitBoarRelentless, Number: 7}),
				rcrSheet(func(s *eventv1.RcrSheet) {
					s.Resources = []*eventv1.RcrResource{{Name: body.TraitBoarRelentless, Current: 1, Max: 1, Recharge: "short rest"}}
				}))).start(nil, 20, 5)
			f.Hurt("b", 5)
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "b", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: c.damage, Type: "slashing"}}})
			f.WantHP("b", c.left)
			if c.left == 0 {
				return
			}
			f.Medicine(&eventv1.Harm{Deed: body.DeedDamage, Target: "b", Cause: "test", Parts: []*eventv1.DamagePart{{Rolled: 1, Type: "slashing"}}})
			f.WantHP("b", 0)
		})
	}
}
