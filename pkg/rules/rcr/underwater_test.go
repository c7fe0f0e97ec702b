package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways in which a table says that a fight is under water.
const (
	bySaid  = "as the fight begins"
	byFacts = "with the command"
	byMap   = "by places and a surface"
)

// wet begins a fight of a against b under water, 5 feet apart or so many, said in
// one of the ways; more are facts of the start besides. facts are those that each
// command then needs.
func wet(t *testing.T, how string, feet int32, a, b *eventv1.Sheet, settings []string, more ...any) (f *table, facts []any) {
	t.Helper()
	f = newTable(t, settings...)
	begin := more
	switch how {
	case byMap:
		f.at(a, 0, 0, -100)
		f.at(b, feet, 0, -100)
		begin = append([]any{"surface", 0}, more...)
	case byFacts:
		f.add(a, b)
		facts = append([]any{"underwater", true, "distance", int(feet)}, more...)
		begin = nil
	default:
		f.add(a, b)
		begin = append([]any{"underwater", []string{"a", "b"}}, more...)
		facts = []any{"distance", int(feet)}
	}
	f.Start(object(begin...), 20, 5)
	return f, facts
}

// at puts a creature at a place of three numbers in feet.
func (f *table) at(s *eventv1.Sheet, x, y, z int32) {
	f.T.Helper()
	f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: y, Z: z}}}})
}

func wielding(name string, bonus int32, change func(*eventv1.RcrAttack)) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		a := &eventv1.RcrAttack{Name: name, Bonus: bonus, ReachFeet: 5, Damage: []*eventv1.RcrDamage{{Dice: "1d6", Type: "piercing"}}}
		if change != nil {
			change(a)
		}
		s.Attacks = []*eventv1.RcrAttack{a}
	})
}

func forWater(a *eventv1.RcrAttack) { a.Properties = []string{body.PropUnderwater} }

func spell(bonus int32, sp *eventv1.RcrSpell) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) {
		s.SpellAttackBonus, s.Spells, s.SpellSlots = bonus, []*eventv1.RcrSpell{sp}, []int32{2, 2, 2}
	})
}

func swimmer(s *eventv1.Sheet) { s.Speeds["swim"] = 30 }

func goggles(s *eventv1.Sheet) { s.GetRcr().EyeProtection = true }

func armor(ac int32) func(*eventv1.Sheet) {
	return rcrSheet(func(s *eventv1.RcrSheet) { s.ArmorClass = ac })
}

func fiery(a *eventv1.RcrAttack) {
	a.Damage = append(a.Damage, &eventv1.RcrDamage{Dice: "1d6", Type: "fire"})
}

func shocking(a *eventv1.RcrAttack) {
	a.Damage = append(a.Damage, &eventv1.RcrDamage{Dice: "1d6", Type: "lightning"})
}

// What water gives to attacks, however it is said that they are made there.
//
// rcr.underwater.weapon-disadvantage, rcr.underwater.fire-attack, rcr.underwater.shock-attack
func TestAttacksUnderWater(t *testing.T) {
	claws := func(a *eventv1.RcrAttack) { a.Natural = true }
	both := func(of ...func(*eventv1.RcrAttack)) func(*eventv1.RcrAttack) {
		return func(a *eventv1.RcrAttack) {
			for _, change := range of {
				change(a)
			}
		}
	}
	cases := []struct {
		name    string
		off     string
		a       []func(*eventv1.Sheet)
		ac      int32
		faces   []int
		dice    string
		total   int32
		outcome string
	}{
		{"rcr.underwater.weapon-disadvantage: a longsword", "", []func(*eventv1.Sheet){wielding("w", 6, nil)}, 15, []int{15, 8}, "2d20kl1", 14, "miss"},
		{"rcr.underwater.weapon-disadvantage: a trident for it", "", []func(*eventv1.Sheet){wielding("w", 6, forWater)}, 15, []int{9, 1}, "1d20", 15, "hit"},
		{"rcr.underwater.weapon-disadvantage: claws of a swimmer", "", []func(*eventv1.Sheet){wielding("w", 6, claws), swimmer}, 15, []int{9, 1}, "1d20", 15, "hit"},
		{"rcr.underwater.weapon-disadvantage: fists of one that does not swim", "", []func(*eventv1.Sheet){wielding("w", 6, claws)}, 15, []int{15, 8}, "2d20kl1", 14, "miss"},
		{"rcr.underwater.weapon-disadvantage: a swimmer's sword", "", []func(*eventv1.Sheet){wielding("w", 6, nil), swimmer}, 15, []int{15, 8}, "2d20kl1", 14, "miss"},
		{"rcr.underwater.weapon-disadvantage: off", cite.UnderwaterWeaponDisadvantage, []func(*eventv1.Sheet){wielding("w", 6, nil)}, 15, []int{9, 1}, "1d20", 15, "hit"},
		{"rcr.underwater.intro: the chapter is off", cite.UnderwaterIntro, []func(*eventv1.Sheet){wielding("w", 6, nil)}, 15, []int{9, 1}, "1d20", 15, "hit"},
		{"rcr.underwater.fire-attack: two sources are disaster", "", []func(*eventv1.Sheet){wielding("w", 7, fiery)}, 15, []int{16, 12, 7}, "3d20kl1", 14, "miss"},
		{"rcr.underwater.fire-attack: a weapon for it", "", []func(*eventv1.Sheet){wielding("w", 7, both(fiery, forWater))}, 15, []int{16, 7}, "2d20kl1", 14, "miss"},
		{"rcr.underwater.fire-attack: off", cite.UnderwaterFireAttack, []func(*eventv1.Sheet){wielding("w", 7, both(fiery, forWater))}, 15, []int{7}, "1d20", 14, "miss"},
		{"rcr.underwater.shock-attack: cancels with a weapon that is not for it", "", []func(*eventv1.Sheet){wielding("w", 5, shocking)}, 16, []int{10}, "1d20", 15, "miss"},
		{"rcr.underwater.shock-attack: a weapon for it", "", []func(*eventv1.Sheet){wielding("w", 5, both(shocking, forWater))}, 16, []int{3, 11, 1, 1}, "2d20kh1", 16, "hit"},
		{"rcr.underwater.shock-attack: thunder", "", []func(*eventv1.Sheet){wielding("w", 5, func(a *eventv1.RcrAttack) { forWater(a); a.Damage[0].Type = "thunder" })}, 16, []int{11, 3, 1}, "2d20kh1", 16, "hit"},
		{"rcr.underwater.shock-attack: off", cite.UnderwaterShockAttack, []func(*eventv1.Sheet){wielding("w", 5, both(shocking, forWater))}, 16, []int{10}, "1d20", 15, "miss"},
		{"rcr.underwater.shock-attack: fire and lightning cancel", "", []func(*eventv1.Sheet){wielding("w", 5, both(fiery, shocking, forWater))}, 16, []int{10}, "1d20", 15, "miss"},
	}
	for _, c := range cases {
		for _, how := range []string{bySaid, byFacts, byMap} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				var settings []string
				if c.off != "" {
					settings = append(settings, c.off+"=off")
				}
				f, facts := wet(t, how, 5, fighter("a", "party", c.a...), fighter("b", "monsters", armor(c.ac)), settings)
				f.Must(act("a", "attack", "w", "b", withFacts(facts...)), c.faces...)
				if got := f.Roll("to-hit"); got.Expression != c.dice || got.Total != c.total || f.Attack().Outcome != c.outcome {
					t.Fatalf("%s %d %s, want %s %d %s", got.Expression, got.Total, f.Attack().Outcome, c.dice, c.total, c.outcome)
				}
			})
		}
	}
}

// Of one who is under water and one who is not: the weapon is the attacker's
// water, fire and lightning that of either.
//
// rcr.underwater.weapon-disadvantage, rcr.underwater.fire-attack
func TestAttacksIntoWater(t *testing.T) {
	for _, c := range []struct {
		name, under string
		change      func(*eventv1.RcrAttack)
		dice        string
		faces       []int
	}{
		{"a spear from above", "b", nil, "1d20", []int{5}},
		{"a spear from below", "a", nil, "2d20kl1", []int{5, 5}},
		{"fire from above", "b", fiery, "2d20kl1", []int{5, 5}},
		{"fire from below", "a", func(a *eventv1.RcrAttack) { forWater(a); fiery(a) }, "2d20kl1", []int{5, 5}},
		{"fire of nobody in water", "", fiery, "1d20", []int{5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add(fighter("a", "party", wielding("w", 5, c.change)), fighter("b", "monsters"))
			f.Start(nil, 20, 5)
			if c.under != "" {
				f.Must(act(c.under, "submerge", "", ""))
			}
			f.Must(act("a", "attack", "w", "b"), c.faces...)
			if got := f.Roll("to-hit").Expression; got != c.dice {
				t.Fatalf("%s, want %s", got, c.dice)
			}
		})
	}
}

// rcr.underwater.fire-attack, rcr.underwater.shock-attack, rcr.underwater.weapon-disadvantage
func TestSpellAttacksUnderWater(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		bonus      int32
		faces      []int
		dice       string
		total      int32
		outcome    string
	}{
		{"rcr.underwater.fire-attack: fire bolt", "fire", 7, []int{16, 7}, "2d20kl1", 14, "miss"},
		{"rcr.underwater.shock-attack: lightning", "lightning", 5, []int{3, 11, 1}, "2d20kh1", 16, "hit"},
		{"rcr.underwater.weapon-disadvantage: no weapon", "cold", 5, []int{10, 1}, "1d20", 15, "hit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sp := &eventv1.RcrSpell{Name: "bolt", RangeFeet: 60, Attack: "ranged", Damage: []*eventv1.RcrDamage{{Dice: "1d10", Type: c.kind}}}
			for _, how := range []string{bySaid, byFacts, byMap} {
				f, facts := wet(t, how, 30, fighter("a", "party", spell(c.bonus, sp)), fighter("b", "monsters"), nil)
				f.Must(act("a", "cast", "bolt", "b", withFacts(facts...)), c.faces...)
				if got := f.Roll("to-hit"); got.Expression != c.dice || got.Total != c.total || f.Attack().Outcome != c.outcome {
					t.Fatalf("%s: %s %d %s", how, got.Expression, got.Total, f.Attack().Outcome)
				}
			}
		})
	}
}

// rcr.underwater.ranged-beyond-normal
func TestShotsUnderWater(t *testing.T) {
	crossbow := func(a *eventv1.RcrAttack) {
		a.ReachFeet, a.RangeFeet, a.LongRangeFeet, a.Properties = 0, 80, 320, []string{"reload"}
	}
	water := func(a *eventv1.RcrAttack) { crossbow(a); a.Properties = append(a.Properties, body.PropUnderwater) }
	for _, c := range []struct {
		name    string
		feet    int32
		change  func(*eventv1.RcrAttack)
		off     bool
		faces   []int
		outcome string
	}{
		{"at the normal range", 80, crossbow, false, []int{15, 14, 1}, "hit"},
		{"beyond it", 85, crossbow, false, []int{20, 20, 20}, "miss"},
		{"beyond it with a weapon for it", 85, water, false, []int{20, 20}, "miss"},
		{"off", 85, water, true, []int{20, 20, 1, 1}, "critical"},
	} {
		for _, how := range []string{bySaid, byFacts, byMap} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				settings := []string{cite.UnderwaterSightUnaided + "=off"}
				if c.off {
					settings = append(settings, cite.UnderwaterRangedBeyondNormal+"=off")
				}
				f, facts := wet(t, how, c.feet, fighter("a", "party", wielding("w", 6, c.change)), fighter("b", "monsters"), settings)
				f.Must(act("a", "attack", "w", "b", withFacts(facts...)), c.faces...)
				if got := f.Attack().Outcome; got != c.outcome {
					t.Fatalf("%s, want %s", got, c.outcome)
				}
				if f.Creature("a").Items["w"].Values["loaded"] != 0 || f.Creature("a").Counters[body.CAction] != 0 {
					t.Fatal("the shot was kept")
				}
			})
		}
	}
	t.Run("stated without a distance", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", wielding("w", 6, water)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "w", "b", withFacts("underwater", true, "long_range", true)), 20, 20)
		if f.Attack().Outcome != "miss" {
			t.Fatal("hit")
		}
	})
	t.Run("the helpless are missed too", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party", wielding("w", 6, water)), fighter("b", "monsters")).start(nil, 20, 5)
		f.Afflict("b", body.CondHelpless)
		f.Must(act("a", "attack", "w", "b", withFacts("underwater", true, "long_range", true)))
		if f.Attack().Outcome != "miss" {
			t.Fatal("hit")
		}
	})
	t.Run("inspiration does not bring it there", func(t *testing.T) {
		f := newTable(t, cite.DiceInspirationFudge+"=on", body.SetFudgeAnyRoll+"=on").add(fighter("a", "party", wielding("w", 6, water), rcrSheet(func(s *eventv1.RcrSheet) { s.Inspiration = true })), fighter("b", "monsters")).start(nil, 20, 5)
		f.Must(act("a", "attack", "w", "b", withFacts("underwater", true, "long_range", true)), 8, 8)
		if len(f.Decisions) > 0 || f.Attack().Outcome != "miss" {
			t.Fatalf("asked %v", f.Decisions)
		}
	})
}

// What water does to saving throws and to the damage that they are against.
//
// rcr.underwater.fire-save, rcr.underwater.shock-save, rcr.underwater.fire-resistance
func TestElementsUnderWater(t *testing.T) {
	spellOf := func(kind string) *eventv1.RcrSpell {
		return &eventv1.RcrSpell{Name: "burst", Level: 3, RangeFeet: 150, Targets: 9, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15, HalfOnSuccess: true},
			Damage: []*eventv1.RcrDamage{{Dice: "27", Type: kind}}}
	}
	dex := func(bonus int32) func(*eventv1.Sheet) {
		return rcrSheet(func(s *eventv1.RcrSheet) { s.Saves = map[string]int32{"dexterity": bonus} })
	}
	for _, c := range []struct {
		name, kind, off string
		bonus           int32
		faces           []int
		dice            string
		total, damage   int32
	}{
		{"rcr.underwater.fire-save: saved, half, and half of that", "fire", "", 2, []int{6, 13}, "2d20kh1", 15, 6},
		{"rcr.underwater.fire-resistance: failed", "fire", "", 2, []int{6, 5}, "2d20kh1", 8, 13},
		{"rcr.underwater.fire-resistance: off", "fire", cite.UnderwaterFireResistance, 2, []int{6, 5}, "2d20kh1", 8, 27},
		{"rcr.underwater.fire-save: off", "fire", cite.UnderwaterFireSave, 2, []int{6}, "1d20", 8, 13},
		{"rcr.underwater.shock-save: lightning", "lightning", "", 3, []int{15, 10}, "2d20kl1", 13, 27},
		{"rcr.underwater.shock-save: thunder", "thunder", "", 3, []int{15, 12}, "2d20kl1", 15, 13},
		{"rcr.underwater.shock-save: off", "thunder", cite.UnderwaterShockSave, 3, []int{12}, "1d20", 15, 13},
		{"cold is nothing to water", "cold", "", 3, []int{12}, "1d20", 15, 13},
	} {
		for _, how := range []string{bySaid, byFacts, byMap} {
			t.Run(c.name+", "+how, func(t *testing.T) {
				var settings []string
				if c.off != "" {
					settings = append(settings, c.off+"=off")
				}
				f, facts := wet(t, how, 30, fighter("a", "party", spell(5, spellOf(c.kind))), fighter("b", "monsters", dex(c.bonus)), settings)
				f.Must(act("a", "cast", "burst", "b", withFacts(facts...)), c.faces...)
				got := f.Roll("cast/save/b")
				if hurt := 40 - f.Creature("b").GetHp(); got.Expression != c.dice || got.Total != c.total || hurt != c.damage {
					t.Fatalf("%s %d, %d damage; want %s %d, %d", got.Expression, got.Total, hurt, c.dice, c.total, c.damage)
				}
			})
		}
	}
	t.Run("rcr.underwater.fire-save: of a power", func(t *testing.T) {
		breath := rcrSheet(func(s *eventv1.RcrSheet) {
			s.Powers = []*eventv1.RcrPower{{Name: "breath", RangeFeet: 30, Save: &eventv1.RcrSave{Ability: "dexterity", Dc: 15, HalfOnSuccess: true}, Damage: []*eventv1.RcrDamage{{Dice: "27", Type: "fire"}}}}
		})
		for _, how := range []string{bySaid, byFacts, byMap} {
			f, facts := wet(t, how, 30, fighter("a", "party", breath), fighter("b", "monsters", dex(2)), nil)
			f.Must(act("a", "use-power", "breath", "b", withFacts(facts...)), 6, 13)
			f.WantHP("b", 34)
		}
	})
	t.Run("rcr.underwater.fire-save: of a blow", func(t *testing.T) {
		blow := wielding("w", 5, func(a *eventv1.RcrAttack) {
			forWater(a)
			a.Damage, a.Save, a.SaveDamage = []*eventv1.RcrDamage{{Dice: "1", Type: "piercing"}}, &eventv1.RcrSave{Ability: "dexterity", Dc: 15, HalfOnSuccess: true}, []*eventv1.RcrDamage{{Dice: "20", Type: "fire"}}
		})
		for _, how := range []string{bySaid, byFacts, byMap} {
			f, facts := wet(t, how, 5, fighter("a", "party", blow), fighter("b", "monsters", dex(2)), nil)
			f.Must(act("a", "attack", "w", "b", withFacts(facts...)), 15, 14, 6, 13)
			f.WantHP("b", 34) // 1 and 10 halved
		}
	})
	t.Run("rcr.underwater.fire-resistance: once, however many resist", func(t *testing.T) {
		resists := rcrSheet(func(s *eventv1.RcrSheet) { s.Resistances = []*eventv1.RcrDefense{{Type: "fire"}} })
		f := newTable(t).add(fighter("a", "party", resists)).start(nil, 5)
		f.Must(act("a", "submerge", "", ""))
		f.deed(&eventv1.Harm{Deed: body.DeedDamage, Target: "a", Cause: "fire", Parts: []*eventv1.DamagePart{{Type: "fire", Rolled: 20}}})
		f.WantHP("a", 30)
	})
	t.Run("rcr.underwater.fire-resistance: dry by the command's word", func(t *testing.T) {
		f, _ := wet(t, bySaid, 30, fighter("a", "party", spell(5, spellOf("fire"))), fighter("b", "monsters", dex(2)), nil)
		f.Must(act("a", "cast", "burst", "b", withFacts("underwater", false)), 6)
		f.WantHP("b", 13)
	})
	for kind, want := range map[string]string{"fire": "2d20kh1", "thunder": "2d20kl1", "acid": "1d20"} {
		f := newTable(t).add(fighter("a", "party")).start(nil, 5)
		faces := []int{10, 10}
		if want == "1d20" {
			faces = faces[:1]
		}
		f.Must(act("a", "called-save", "", "", withParameters("ability", "dexterity", "dc", 12, "damage_type", kind), withFacts("underwater", true)), faces...)
		if got := f.Roll("save/a").Expression; got != want {
			t.Errorf("a saving throw called for against %s: %s, want %s", kind, got, want)
		}
	}
}
