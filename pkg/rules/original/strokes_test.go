package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What an attack adds and what its damage is, by each arm of the rules by itself.

func mods(f *table, suffix string) map[string]int32 {
	out := map[string]int32{}
	for _, m := range f.Roll(suffix).Modifiers {
		out[m.Rule] += m.Value
	}
	return out
}

// original.attack.melee-swashbuckler-dex, original.damage.melee-swashbuckler-dex: who may
// fight by DEX takes the better, may say STR though DEX is better, and goes by STR where
// both are the same. original.attack.ranged-dex: the ability that a weapon names is for its
// throws. Units, of whatever class, and monsters add none, but bows and great bows know no
// class: there a bonus of a monster's own sheet counts, that of the ability the weapon names.
func TestWhatAbilityAdds(t *testing.T) {
	fencer := sheets{class("fighter", 1), light, str(1), dex(2)}
	equal := sheets{class("fighter", 1), light, str(2), dex(2)}
	javelin := &eventv1.OriginalWeapon{Name: "javelin", Kind: "javelin", Damage: "1d6", ShortFeet: 20, MediumFeet: 40, LongFeet: 60, RangedAbilityToHit: "str", RangedAbilityDamage: "none"}
	longbow := &eventv1.OriginalWeapon{Name: "great bow", Kind: "great-bow", Hands: 2, Damage: "1d6", ShortFeet: 70, MediumFeet: 140, LongFeet: 210, RangedAbilityToHit: "dex", RangedAbilityDamage: "dex"}
	monster := func(o ...func(*eventv1.Sheet)) sheets {
		return append(sheets{class("", 0), with(func(o *eventv1.OriginalSheet) { o.IsPc, o.HitDice = false, 2 })}, o...)
	}
	for _, c := range []struct {
		name     string
		a        sheets
		weapon   *eventv1.OriginalWeapon
		feet     int32
		say      []any
		toHit    int32
		byHit    string
		damage   int32
		byDamage string
	}{
		{"the better", fencer, blade, 5, nil, 2, cite.AttackMeleeSwashbucklerDex, 2, cite.DamageMeleeSwashbucklerDex},
		{"STR to hit as said", fencer, blade, 5, []any{"to_hit", "str"}, 1, cite.AttackMeleeFighterStr, 2, cite.DamageMeleeSwashbucklerDex},
		{"STR for damage as said", fencer, blade, 5, []any{"damage", "str"}, 2, cite.AttackMeleeSwashbucklerDex, 1, cite.DamageMeleeFighterStr},
		{"both the same", equal, blade, 5, nil, 2, cite.AttackMeleeFighterStr, 2, cite.DamageMeleeFighterStr},
		{"both the same, DEX as said", equal, blade, 5, []any{"to_hit", "dex", "damage", "dex"}, 2, cite.AttackMeleeSwashbucklerDex, 2, cite.DamageMeleeSwashbucklerDex},
		{"a javelin that names STR, from near", sheets{class("thief", 1), str(1), dex(3)}, javelin, 5, nil, 3, cite.AttackMeleeThiefDex, 3, cite.DamageMeleeThiefDex},
		{"a javelin that names STR, thrown", sheets{class("thief", 1), str(1), dex(3)}, javelin, 30, nil, 1, cite.AttackRangedDex, 0, ""},
		{"a great bow that names DEX", sheets{class("thief", 1), str(1), dex(3)}, longbow, 100, nil, 3, cite.AttackRangedDex, 3, cite.AttackRangedDex},
		{"a monster's great bow that names DEX, its DEX given", monster(dex(3)), longbow, 100, nil, 3, cite.AttackRangedDex, 3, cite.AttackRangedDex},
		{"a monster's great bow that names DEX, its STR given", monster(str(3), ability("dexterity", 18)), longbow, 100, nil, 0, "", 0, ""},
		{"a monster's great bow, its STR given", monster(str(3), ability("dexterity", 18)), great, 100, nil, 3, cite.AttackGreatBowStr, 3, cite.DamageGreatBowStr},
		{"a monster's great bow, its DEX given", monster(dex(3), ability("strength", 18)), great, 100, nil, 0, "", 0, ""},
		{"a monster's bow, its DEX given", monster(dex(3)), bow, 100, nil, 3, cite.AttackRangedDex, 3, cite.DamageBowDex},
		{"a unit's bow, its DEX given", monster(dex(3), unit(5)), bow, 100, nil, 0, "", 0, ""},
		{"a unit of fighters", sheets{class("fighter", 1), with(func(o *eventv1.OriginalSheet) { o.IsPc = false }), str(3), unit(5)}, blade, 5, nil, 0, "", 0, ""},
		{"one such fighter", sheets{class("fighter", 1), with(func(o *eventv1.OriginalSheet) { o.IsPc = false }), str(3)}, blade, 5, nil, 3, cite.AttackMeleeFighterStr, 3, cite.DamageMeleeFighterStr},
		{"a monster's punch", monster(str(3)), blade, 5, nil, 0, "", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetMassPoints+"=off", body.SetMassDamage+"=off").at(0, one("a", "party", append(sheets{arms(c.weapon), ac0(15)}, c.a...)...)).at(c.feet, strongFoe()).start(nil, 6, 1)
			f.Must(act("a", "attack", c.weapon.Name, "b", withParameters(c.say...)), 19, 2)
			hit, damage := mods(f, "/to-hit"), mods(f, "/damage")
			for _, rule := range []string{cite.AttackRangeBands} {
				delete(hit, rule)
			}
			if len(hit) > 1 || hit[c.byHit] != c.toHit || c.toHit == 0 && len(hit) > 0 {
				t.Errorf("to hit %v, want %+d by %s", hit, c.toHit, c.byHit)
			}
			if len(damage) > 1 || damage[c.byDamage] != c.damage || c.damage == 0 && len(damage) > 0 {
				t.Errorf("damage %v, want %+d by %s", damage, c.damage, c.byDamage)
			}
		})
	}
}

// original.critical.weapon-immunity: who is harmed by silver or magic alone is harmed by a
// weapon of one of these that it names, and by no other; who holds one such of two
// strikes with it; disarming harms nobody.
func TestWhatHarmsWhom(t *testing.T) {
	w := func(magic, silver bool) *eventv1.OriginalWeapon {
		return &eventv1.OriginalWeapon{Name: "w", Magic: magic, Silver: silver}
	}
	for _, c := range []struct {
		only          []string
		magic, silver bool
		immune        bool
	}{
		{nil, false, false, false}, {nil, true, true, false},
		{[]string{"magic"}, false, false, true}, {[]string{"magic"}, true, false, false}, {[]string{"magic"}, false, true, true}, {[]string{"magic"}, true, true, false},
		{[]string{"silver"}, false, false, true}, {[]string{"silver"}, true, false, true}, {[]string{"silver"}, false, true, false},
		{[]string{"magic", "silver"}, false, false, true}, {[]string{"magic", "silver"}, true, false, false}, {[]string{"magic", "silver"}, false, true, false},
	} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), need(10), arms(w(c.magic, c.silver)))).at(5, strongFoe(with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = c.only }))).start(nil, 6, 1)
		faces := []int{15, 3}
		if c.immune {
			faces = faces[:1]
		}
		f.Must(act("a", "attack", "w", "b"), faces...)
		if a := f.Attack(); (a.Outcome == "miss") != c.immune || (a.Note != "") != c.immune || (f.DamageTo("b") == 0) != c.immune {
			t.Errorf("%v: %s %q, %d points", c, a.Outcome, a.Note, f.DamageTo("b"))
		}
	}
	were := with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver"} })
	edge := &eventv1.OriginalWeapon{Name: "edge", Damage: "1d6"}
	point := &eventv1.OriginalWeapon{Name: "point", Damage: "1d6", Silver: true}
	for _, c := range []struct {
		name        string
		main, other *eventv1.OriginalWeapon
		action      string
		faces       []int
		outcome     string
	}{
		{"both of steel", edge, second, "attack", []int{15, 16}, "miss"},
		{"the first of silver", point, second, "attack", []int{15, 16, 3}, "hit"},
		{"the other of silver", edge, point, "attack", []int{15, 16, 3}, "hit"},
		{"both of steel, disarming", edge, second, "disarm", []int{15, 16, 19}, "hit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), need(10), arms(c.main, c.other))).at(5, strongFoe(were, save(14))).start(nil, 6, 1)
			f.Must(act("a", "florentine", c.main.Name, "", withParameters("other", c.other.Name)))
			with := c.main
			if c.other.Silver {
				with = c.other
			}
			f.Must(act("a", c.action, with.Name, "b"), c.faces...)
			if got := f.Attack().Outcome; got != c.outcome {
				t.Errorf("%s", got)
			}
		})
	}
}

// original.attack.florentine-advantage: a shield leaves no hand for a second weapon, whatever a
// record says; original.defense.florentine-ac: whoever struggles wards nothing off with two.
func TestTwoWeaponsOfNoUse(t *testing.T) {
	two := func(f *table, id string) {
		f.Put(id, &eventv1.Vitals{Marks: map[string]string{body.MMain: "left sword", body.MOff: "right sword"}})
	}
	for bonus, dice := range map[int32]int{0: 2, 1: 1} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), arms(first, second), shield(bonus))).at(5, strongFoe()).start(nil, 6, 1)
		two(f, "a")
		f.Roller = func(int) int { return 2 }
		f.Must(act("a", "attack", "left sword", "b"))
		if got := len(f.Roll("/to-hit").Dice); got != dice {
			t.Errorf("with a shield of %d: %d dice", bonus, got)
		}
	}
	for _, struggles := range []bool{false, true} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac0(15))).at(5, strongFoe(arms(first, second), ac(5))).start(nil, 6, 1)
		two(f, "b")
		want := int32(15 - 4)
		if struggles {
			f.Afflict("b", body.CondStruggling)
			want = 15 - 5
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		if got := f.Roll("/to-hit").Target.Value; got != want {
			t.Errorf("struggles %v: %d is needed, want %d", struggles, got, want)
		}
	}
}

// original.action.parry, original.movement.fighting-withdrawal: who is knocked out wards
// nothing off. original.defense.dex-denied-when-stationary: who runs does not stand still,
// whatever was said. original.movement.retreat-shield-lost: the shield of one who flees is lost
// to who pursues it, whether it ran in this round or not, and to all when it ran.
func TestWhoDefendsItself(t *testing.T) {
	for _, c := range []struct {
		name   string
		b      sheets
		feet   int32
		weapon *eventv1.OriginalWeapon
		do     func(f *table)
		facts  []any
		need   int32
	}{
		{"who parries", sheets{dex(0)}, 5, blade, func(f *table) { f.Afflict("b", body.CondParrying) }, nil, 12},
		{"who parries, knocked out", sheets{dex(0)}, 5, blade, func(f *table) { f.Afflict("b", body.CondParrying); f.stun("b", 100) }, nil, 10},
		{"who stands still", sheets{dex(2)}, 60, bow, nil, []any{"stationary", true}, 10},
		{"who is said to stand still, and runs", sheets{dex(2)}, 60, bow, func(f *table) { f.Afflict("b", body.CondRan) }, []any{"stationary", true}, 12},
		{"who does not stand still", sheets{dex(2)}, 60, bow, nil, nil, 12},
		{"who fights", sheets{dex(0), shield(1)}, 5, blade, nil, nil, 11},
		{"who flees, ran not, and is not pursued", sheets{dex(0), shield(1)}, 5, blade, func(f *table) { f.Afflict("b", body.CondFleeing) }, nil, 11},
		{"who flees and ran", sheets{dex(0), shield(1)}, 5, blade, func(f *table) { f.Afflict("b", body.CondFleeing, body.CondRan) }, nil, 10},
		{"who flees, ran not, and is pursued", sheets{dex(0), shield(1)}, 5, blade, func(f *table) { f.Afflict("b", body.CondFleeing); f.Resolve(tie("a", body.RelPursues, "b")) }, nil, 10},
		{"who is pursued and has turned", sheets{dex(0), shield(1)}, 5, blade, func(f *table) { f.Resolve(tie("a", body.RelPursues, "b")) }, nil, 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac0(15), dex(0), arms(c.weapon))).at(c.feet, strongFoe(append(sheets{ac(5)}, c.b...)...)).start(nil, 6, 1)
			if c.do != nil {
				f.Roller = func(int) int { return 1 }
				c.do(f)
				f.Roller = nil
			}
			f.Must(act("a", "attack", c.weapon.Name, "b", withFacts(c.facts...)), 2)
			if got := f.Roll("/to-hit").Target.Value; got != c.need {
				t.Errorf("%d is needed, want %d", got, c.need)
			}
		})
	}
}

// original.attack.surround-wall: with the back to a wall, as the game master states or has
// marked, three who attack have no bonus.
func TestBackToTheWall(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts []any
		mark  bool
		want  int32
	}{{"in the open", nil, false, 1}, {"as stated", []any{"back_to_wall", true}, false, 0}, {"as marked", nil, true, 0}} {
		f := newTable(t).at(0, one("hero", "party", class("cleric", 1), points(99), dex(0)))
		for i := range int32(3) {
			f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", ac0(19), group("orcs")))
		}
		f.start(nil, 1, 6)
		if c.mark {
			f.Afflict("hero", body.CondWall)
		}
		f.Must(act("orc-1", "attack", "sword", "hero", withFacts(c.facts...)), 2)
		if got := mods(f, "/to-hit")[cite.AttackSurroundBonus]; got != c.want {
			t.Errorf("%s: %+d", c.name, got)
		}
	}
}

// original.attack.behind-bonus, original.attack.flank-bonus, original.damage.surprise-subdual:
// who stands on the flank strikes as from there until something else is stated; a blow from
// behind to subdue has double dice; one whom another has stabbed in this round is caught by
// nobody else.
func TestFromWhereABlowComes(t *testing.T) {
	for _, c := range []struct {
		name     string
		do       func(f *table)
		position string
		want     map[string]int32
	}{
		{"on the flank as before", func(f *table) { f.Resolve(tie("a", body.RelFlanks, "b")) }, "", map[string]int32{cite.AttackFlankBonus: 1}},
		{"on the flank before, from behind now", func(f *table) { f.Resolve(tie("a", body.RelFlanks, "b")) }, "behind", map[string]int32{cite.AttackBehindBonus: 2}},
		{"on the flank before, from the front now", func(f *table) { f.Resolve(tie("a", body.RelFlanks, "b")) }, "front", nil},
		{"stabbed by another in this round", func(f *table) { f.Afflict("b", body.CondSurprised) }, "", nil},
	} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac0(15), dex(0))).at(5, strongFoe(dex(0))).start(nil, 6, 1)
		c.do(f)
		facts := []any{}
		if c.position != "" {
			facts = []any{"position", c.position}
		}
		f.Must(act("a", "attack", "sword", "b", withFacts(facts...)), 2)
		got := mods(f, "/to-hit")
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
		for rule, n := range c.want {
			if got[rule] != n {
				t.Errorf("%s: %v", c.name, got)
			}
		}
	}
	for position, want := range map[string]string{"front": "1d4", "flank": "1d4", "behind": "2d4"} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac0(15), dex(0))).at(5, strongFoe(dex(0))).start(nil, 6, 1)
		f.Roller = func(sides int) int { return min(sides, 15) }
		f.Must(act("a", "attack", "empty hand", "b", withFacts("position", position)))
		if got := f.Roll("/damage").Expression; got != want {
			t.Errorf("a punch from %s: %s", position, got)
		}
	}
}

// original.attack.backstab-first-only: one stabbed by another in this round does not by
// that fail to notice: whether it does the game master says, unless it is from behind.
func TestABackstabAtOneStabbedBefore(t *testing.T) {
	for _, answer := range []string{"yes", "no"} {
		f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab))).at(5, strongFoe()).start(nil, 6, 1)
		f.Afflict("b", body.CondSurprised)
		f.Must(act("a", "backstab", "dagger", "b"))
		if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecUnnoticed || !f.Decisions[0].GmOnly {
			t.Fatalf("%v", f.Decisions)
		}
		if answer == "yes" {
			f.Choose("yes", 2)
			if f.Attack().Outcome != "miss" || mods(f, "/to-hit")[cite.AttackBackstabBonusTable] != 4 {
				t.Errorf("%v", f.Roll("/to-hit").Modifiers)
			}
			continue
		}
		f.Choose("no")
		if !noted(f, "b notices a", cite.AttackBackstabFirstOnly) || f.Creature("a").Counters[body.CAttacks] != 0 {
			t.Error("a backstab that is noticed costs nothing")
		}
	}
	// In the free round those who are caught notice nothing from the front; others of the
	// same round do.
	f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab))).at(5, strongFoe()).at(-5, one("c", "guards", group("guards"))).start(object("surprised", []string{"monsters"}))
	wantRefused(t, f.Try(act("a", "backstab", "dagger", "c", withFacts("position", "front"))), cite.AttackBackstabFirstOnly)
	if err := f.Peek(act("a", "backstab", "dagger", "c")); err != nil {
		t.Error(err)
	}
	f.Must(act("a", "backstab", "dagger", "b", withFacts("position", "front")), 2)
}

// original.attack.behind-second-round: whoever is struck from behind again, two rounds
// later, is caught again, and the round after that is as the one after the first.
func TestAmbushedAgain(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), dex(0), ac0(15))).at(5, strongFoe(points(500), dex(0))).start(nil, 6, 1)
	for _, c := range []struct {
		dice   int
		bonus  int32
		caught bool
	}{{1, 2, true}, {2, 0, false}, {1, 2, true}, {2, 0, false}, {1, 2, true}} {
		faces := []int{2, 2}[:c.dice]
		f.Must(act("a", "attack", "sword", "b", withFacts("position", "behind")), faces...)
		if roll := f.Roll("/to-hit"); len(roll.Dice) != c.dice || sum(roll) != c.bonus {
			t.Fatalf("round %d: %d dice, %+d", f.State.Round, len(roll.Dice), sum(roll))
		}
		if got := body.Surprised(f.Creature("b")); got != c.caught {
			t.Fatalf("round %d: caught %v", f.State.Round, got)
		}
		passRound(f)
	}
}

// original.dice.advantage, original.dice.disadvantage: one of each cancels the other, in
// whatever order, and however many.
func TestEdgesCancel(t *testing.T) {
	for text, want := range map[string]string{"": "1d20", "+": "2d20kh1", "-": "2d20kl1", "+-": "1d20", "-+": "1d20", "++": "2d20kh1", "--": "2d20kl1", "--+": "1d20", "+--": "1d20"} {
		var edges []*eventv1.Edge
		for _, x := range text {
			edges = append(edges, &eventv1.Edge{Advantage: x == '+'})
		}
		if got := thestrike.ToHitDice(edges); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// original.damage.surprise-subdual: the number of every kind of dice is doubled, and nothing else.
func TestEveryDieDoubles(t *testing.T) {
	for expr, want := range map[string]string{"1d6": "2d6", "d8": "2d8", "10d10+9": "20d10+9", "9d9-1": "18d9-1", "1d4+d6+10": "2d4+2d6+10", "12": "12", "4dF": "8dF", "d%-2": "2d100-2", "2d20dl1": "4d20dl1", "2d20kh1": "4d20kh1", "2d9kl1+d10": "4d9kl1+2d10", "no dice": "no dice", "1d6+0": "2d6+0"} {
		if got := thestrike.DoubleDice(expr); got != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}

// original.charge.lance: a lance has its dice on a charging beast alone; on another, a charge
// with it is one with any weapon.
func TestALanceOnWhichBeast(t *testing.T) {
	for _, c := range []struct {
		beast bool
		size  string
		dice  string
		rule  string
	}{{true, "medium", "2d6", cite.ChargeLance}, {true, "large", "3d6", cite.ChargeLance}, {true, "huge", "3d6", cite.ChargeLance}, {true, "gargantuan", "3d6", cite.ChargeLance}, {false, "large", "1d6+1", cite.ChargeBonus}} {
		f := newTable(t).at(0, one("a", "party", class("cleric", 1), mounted, arms(lances), ac0(10), dex(0), with(func(o *eventv1.OriginalSheet) { o.ChargingBeast = c.beast }))).at(100, strongFoe(size(c.size))).start(nil, 6, 1)
		f.Roller = func(sides int) int { return min(sides, 15) }
		f.Must(act("a", "charge", "lance", "b"))
		roll := f.Roll("/damage")
		if roll.Expression != c.dice {
			t.Errorf("%v: %s", c, roll.Expression)
		}
		if !rolledBy(f, "/damage", c.rule) {
			t.Errorf("%v: not by %s", c, c.rule)
		}
	}
}

// rolledBy tells whether the roll of the last command whose label ends so cites a rule.
func rolledBy(f *table, suffix, rule string) bool {
	return slices.ContainsFunc(f.Events, func(e *eventv1.Event) bool {
		return strings.HasSuffix(e.GetRoll().GetLabel(), suffix) && slices.Contains(e.Rules, rule)
	})
}
