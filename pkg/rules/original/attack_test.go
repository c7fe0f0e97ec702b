package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// need makes an attacker whose base need against armour class 5 is n.
func need(n int32) func(*eventv1.Sheet) { return ac0(n + 5) }

// strongFoe is a target that is no Normal Man, armour class 5, 100 hit points.
func strongFoe(change ...func(*eventv1.Sheet)) *eventv1.Sheet {
	all := append([]func(*eventv1.Sheet){points(100), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 })}, change...)
	return one("b", "monsters", all...)
}

func shield(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.ShieldBonus = n })
}

func light(s *eventv1.Sheet) { s.GetOriginal().LightArmor = true }

// attackCase is one attack of "a" on "b" and what the catalogue says of it.
type attackCase struct {
	rule, name string
	a          []func(*eventv1.Sheet)
	b          []func(*eventv1.Sheet)
	feet       int32
	item       string
	take       []func(*eventv1.TakeAction)
	settings   []string
	faces      []int
	outcome    string
	damage     int32
}

type sheets = []func(*eventv1.Sheet)
type takes = []func(*eventv1.TakeAction)

var (
	sword2 = &eventv1.OriginalWeapon{Name: "two-handed sword", Hands: 2}
	mace   = &eventv1.OriginalWeapon{Name: "mace", Damage: "1d6"}
	stab   = &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger", Damage: "1d4"}
	silver = &eventv1.OriginalWeapon{Name: "silver dagger", Kind: "dagger", Damage: "1d4", Silver: true}
	flail  = &eventv1.OriginalWeapon{Name: "flail", Untrained: true}
	flail3 = &eventv1.OriginalWeapon{Name: "flail", Untrained: true, Size: "large"}
	dart   = &eventv1.OriginalWeapon{Name: "dart", Untrained: true, Size: "small"}
	shovel = &eventv1.OriginalWeapon{Name: "shovel", Improvised: true}
	hit2   = []int{15, 2} // to hit and a small damage die
)

var attackCases = []attackCase{
	{rule: cite.AttackRoll, name: "equal to the need hits", a: sheets{ac0(19), class("fighter", 1), str(1)}, faces: []int{13, 1}, outcome: "hit", damage: 3},
	{rule: cite.AttackRoll, name: "one below misses", a: sheets{ac0(19), class("fighter", 1), str(1)}, faces: []int{12}, outcome: "miss"},
	{rule: cite.AttackHitMatrixTable, name: "level 8 fighter needs 7 against AC 7", a: sheets{class("fighter", 8)}, b: sheets{ac(7)}, faces: []int{7, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackRoll, name: "AC below 0", a: sheets{ac0(17), class("fighter", 1), str(-1)}, b: sheets{ac(-2)}, faces: []int{19}, outcome: "miss"},
	{rule: cite.DefenseDexLowersAc, name: "miss by DEX", a: sheets{ac0(19)}, b: sheets{dex(2)}, faces: []int{15}, outcome: "miss"},
	{rule: cite.DefenseDexLowersAc, name: "hit despite DEX", a: sheets{ac0(19)}, b: sheets{dex(2)}, faces: []int{16, 1}, outcome: "hit", damage: 2},
	{rule: cite.DefenseDexDeniedWhenStationary, name: "standing still", a: sheets{ac0(19), arms(bow)}, b: sheets{ac(7), dex(2)}, feet: 100, item: "bow",
		take: takes{withFacts("stationary", true)}, faces: []int{12, 3}, outcome: "hit", damage: 3},
	{rule: cite.DefenseDexDeniedWhenStationary, name: "dodging", a: sheets{ac0(19), arms(bow)}, b: sheets{ac(7), dex(2)}, feet: 100, item: "bow", faces: []int{12}, outcome: "miss"},
	{rule: cite.AttackMeleeFighterStr, name: "ranger", a: sheets{need(15), class("ranger", 1), str(2)}, faces: []int{13, 1}, outcome: "hit", damage: 4},
	{rule: cite.AttackMeleeFighterStr, name: "hobbit has no DEX", a: sheets{need(15), class("hobbit", 1), str(0), dex(3)}, faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackMeleeFighterStr, name: "barbarian", a: sheets{need(15), class("barbarian", 1), str(3)}, faces: []int{11}, outcome: "miss"},
	{rule: cite.AttackMeleeThiefDex, name: "thief by DEX", a: sheets{need(14), class("thief", 1), dex(2)}, faces: []int{12, 1}, outcome: "hit", damage: 4},
	{rule: cite.AttackMeleeThiefDex, name: "STR 18 gives a thief nothing", a: sheets{need(14), class("thief", 1), dex(1), str(3), ability("strength", 18)}, faces: []int{12}, outcome: "miss"},
	{rule: cite.AttackMeleeOthersStr16, name: "cleric STR 16", a: sheets{need(14), class("cleric", 1), ability("strength", 16)}, faces: []int{13, 1}, outcome: "hit", damage: 3},
	{rule: cite.AttackMeleeOthersStr16, name: "magic-user STR 15", a: sheets{need(14), class("magic-user", 1), ability("strength", 15)}, faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackMeleeOthersStr16, name: "cleric STR 18 has +1 only", a: sheets{need(14), class("cleric", 1), ability("strength", 18)}, faces: []int{12}, outcome: "miss"},
	{rule: cite.AttackMeleeSwashbucklerDex, name: "chooses DEX", a: sheets{need(14), class("fighter", 1), light, str(0), dex(3)},
		take: takes{withParameters("to_hit", "dex", "damage", "str")}, faces: []int{11, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackMeleeSwashbucklerDex, name: "in plate", a: sheets{need(14), class("fighter", 1), str(0), dex(3)}, faces: []int{11}, outcome: "miss"},
	{rule: cite.AttackMeleeSwashbucklerDex, name: "two-handed sword", a: sheets{need(14), class("pirate", 1), light, str(1), dex(3), arms(sword2)}, item: "two-handed sword", faces: []int{11}, outcome: "miss"},
	{rule: cite.DamageMeleeFighterStr, name: "paladin", a: sheets{class("paladin", 1), str(2)}, faces: []int{15, 4}, outcome: "hit", damage: 7},
	{rule: cite.DamageMeleeFighterStr, name: "dwarf", a: sheets{class("dwarf", 1), str(0)}, faces: []int{15, 1}, outcome: "hit", damage: 2},
	{rule: cite.DamageMeleeThiefDex, name: "thief", a: sheets{class("thief", 1), dex(3), str(2), arms(stab)}, item: "dagger", faces: hit2, outcome: "hit", damage: 5},
	{rule: cite.DamageMeleeThiefDex, name: "no STR", a: sheets{class("thief", 1), dex(0), ability("strength", 18), arms(stab)}, item: "dagger", faces: hit2, outcome: "hit", damage: 2},
	{rule: cite.DamageMeleeOthersStr16, name: "STR 17", a: sheets{class("cleric", 1), ability("strength", 17), arms(mace)}, item: "mace", faces: []int{15, 5}, outcome: "hit", damage: 6},
	{rule: cite.DamageMeleeOthersStr16, name: "STR 15", a: sheets{class("cleric", 1), ability("strength", 15), arms(mace)}, item: "mace", faces: []int{15, 5}, outcome: "hit", damage: 5},
	{rule: cite.DamageMeleeSwashbucklerDex, name: "DEX for damage", a: sheets{class("pirate", 1), light, str(1), dex(2)},
		take: takes{withParameters("damage", "dex")}, faces: []int{15, 3}, outcome: "hit", damage: 6},
	{rule: cite.DamageMeleeSwashbucklerDex, name: "the choices are independent", a: sheets{need(15), class("pirate", 1), light, str(1), dex(2)},
		take: takes{withParameters("to_hit", "dex", "damage", "str")}, faces: []int{13, 3}, outcome: "hit", damage: 5},
	{rule: cite.AttackRangedDex, name: "fighter throws by DEX", a: sheets{need(14), class("fighter", 1), str(3), dex(1), arms(spear)}, feet: 30, item: "spear", faces: []int{13, 1}, outcome: "hit", damage: 5},
	{rule: cite.AttackRangedDex, name: "STR 17 does not count", a: sheets{need(14), class("magic-user", 1), ability("strength", 17), arms(dagger)}, feet: 15, item: "dagger", faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackGreatBowStr, name: "ranger", a: sheets{need(16), class("ranger", 1), str(2), dex(1), arms(great)}, feet: 100, item: "great bow", faces: []int{14, 1}, outcome: "hit", damage: 4},
	{rule: cite.AttackGreatBowStr, name: "thief", a: sheets{need(16), class("thief", 1), str(0), dex(3), arms(great)}, feet: 100, item: "great bow", faces: []int{14}, outcome: "miss"},
	{rule: cite.AttackRangeBands, name: "short", a: sheets{need(15), class("fighter", 1), dex(1), arms(bow)}, feet: 70, item: "bow", faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackRangeBands, name: "medium", a: sheets{need(15), class("fighter", 1), dex(1), arms(bow)}, feet: 71, item: "bow", faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackRangeBands, name: "long", a: sheets{need(15), class("fighter", 1), dex(1), arms(bow)}, feet: 210, item: "bow", faces: []int{15, 1}, outcome: "hit", damage: 2},
	{rule: cite.DamageThrownFighterStr, name: "barbarian", a: sheets{class("barbarian", 1), str(3), arms(spear)}, feet: 30, item: "spear", faces: []int{15, 2}, outcome: "hit", damage: 6},
	{rule: cite.DamageThrownFighterStr, name: "no swashbuckling throws", a: sheets{class("fighter", 1), light, str(0), dex(2), arms(dagger)}, feet: 20, item: "dagger", faces: []int{15, 3}, outcome: "hit", damage: 3},
	{rule: cite.DamageThrownThiefDex, name: "thief", a: sheets{class("thief", 1), dex(2), str(1), arms(dagger)}, feet: 20, item: "dagger", faces: []int{15, 1}, outcome: "hit", damage: 3},
	{rule: cite.DamageThrownOthersStr16, name: "elf STR 16", a: sheets{class("elf", 1), ability("strength", 16), arms(javelin)}, feet: 30, item: "javelin", faces: []int{15, 4}, outcome: "hit", damage: 5},
	{rule: cite.DamageThrownOthersStr16, name: "cleric STR 15", a: sheets{class("cleric", 1), ability("strength", 15), dex(2), arms(javelin)}, feet: 30, item: "javelin", faces: []int{15, 4}, outcome: "hit", damage: 4},
	{rule: cite.DamageBowDex, name: "fighter", a: sheets{class("fighter", 1), str(2), dex(1), arms(bow)}, feet: 100, item: "bow", faces: []int{15, 5}, outcome: "hit", damage: 6},
	{rule: cite.DamageBowDex, name: "no +1 for STR", a: sheets{class("magic-user", 1), ability("strength", 17), dex(0), arms(bow)}, feet: 100, item: "bow", faces: []int{15, 5}, outcome: "hit", damage: 5},
	{rule: cite.DamageGreatBowStr, name: "elf", a: sheets{class("elf", 1), str(1), dex(3), arms(great)}, feet: 100, item: "great bow", faces: []int{15, 4}, outcome: "hit", damage: 6},
	{rule: cite.FumbleNatural1Miss, name: "a 1 misses", a: sheets{need(3), class("fighter", 1), str(5)}, faces: []int{1}, outcome: "miss"},
	{rule: cite.FumbleNatural1Miss, name: "a 2 hits", a: sheets{need(3), class("fighter", 1), str(5)}, faces: []int{2, 1}, outcome: "hit", damage: 7},
	{rule: cite.FumbleCriticalFumbleCheck, name: "above the level", settings: []string{body.SetFumble + "=on"}, a: sheets{class("fighter", 3)}, faces: []int{1, 4, 1}, outcome: "fumble"},
	{rule: cite.FumbleCriticalFumbleCheck, name: "equal to the level", settings: []string{body.SetFumble + "=on"}, a: sheets{class("fighter", 3)}, faces: []int{1, 3}, outcome: "miss"},
	{rule: cite.FumbleCriticalFumbleCheck, name: "level 20", settings: []string{body.SetFumble + "=on"}, a: sheets{class("fighter", 20)}, faces: []int{1, 20}, outcome: "miss"},
	{rule: cite.CriticalNatural20Hits, name: "AC -3", a: sheets{class("fighter", 1), str(0)}, b: sheets{ac(-3)}, faces: []int{20, 4}, outcome: "hit", damage: 3},
	{rule: cite.CriticalNatural20Hits, name: "a 19 does not", a: sheets{class("fighter", 1), str(0)}, b: sheets{ac(-3)}, faces: []int{19}, outcome: "miss"},
	{rule: cite.CriticalWeaponImmunity, name: "steel", b: sheets{with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver", "magic"} })}, faces: []int{20}, outcome: "miss"},
	{rule: cite.CriticalWeaponImmunity, name: "silver", a: sheets{need(15), arms(silver)}, item: "silver dagger", b: sheets{with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver", "magic"} })},
		faces: []int{20, 2}, outcome: "critical", damage: 4},
	{rule: cite.CriticalNeededOver20, name: "need 22", a: sheets{need(22)}, faces: []int{20, 4}, outcome: "hit", damage: 3},
	{rule: cite.CriticalNeededOver20, name: "a hit without damage", a: sheets{need(22)}, faces: []int{20, 1}, outcome: "hit"},
	{rule: cite.CriticalNeededOver20, name: "own bonuses lower the excess", a: sheets{need(24), class("fighter", 1), str(3)}, faces: []int{20, 1}, outcome: "hit", damage: 4},
	{rule: cite.CriticalNeededOver20, name: "exactly 20", a: sheets{need(20)}, faces: []int{20, 1}, outcome: "hit", damage: 2},
	{rule: cite.CriticalNatural20Critical, name: "die need 18", a: sheets{need(18)}, faces: []int{20, 1}, outcome: "critical", damage: 4},
	{rule: cite.CriticalNatural20Critical, name: "die need 19", a: sheets{need(19)}, faces: []int{20, 1}, outcome: "hit", damage: 2},
	{rule: cite.CriticalNatural20Critical, name: "from behind brings it to 18", a: sheets{need(20)}, take: takes{withFacts("position", "behind")}, faces: []int{20, 1}, outcome: "critical", damage: 4},
	{rule: cite.CriticalEffectTable, name: "the whole total doubles", a: sheets{class("fighter", 1), str(2)}, faces: []int{20, 3}, outcome: "critical", damage: 12},
	{rule: cite.AttackHighGroundBonus, name: "ledge", a: sheets{need(15)}, take: takes{withFacts("higher", "attacker")}, faces: []int{14, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackLowGroundPenalty, name: "below the ledge", a: sheets{need(15)}, take: takes{withFacts("higher", "target")}, faces: []int{15}, outcome: "miss"},
	{rule: cite.AttackFlankBonus, name: "flank", a: sheets{need(13)}, take: takes{withFacts("position", "flank")}, faces: []int{12, 1}, outcome: "hit", damage: 2},
	{rule: cite.DefenseFlankDeniesShieldDex, name: "flank", a: sheets{ac0(19)}, b: sheets{dex(2), shield(1)}, take: takes{withFacts("position", "flank")}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.DefenseFlankDeniesShieldDex, name: "front", a: sheets{ac0(19)}, b: sheets{dex(2), shield(1)}, faces: []int{13}, outcome: "miss"},
	{rule: cite.DefenseBehindDeniesShieldDex, name: "behind", a: sheets{ac0(19)}, b: sheets{ac(4), dex(1), shield(1)}, take: takes{withFacts("position", "behind")}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackCover, name: "half", a: sheets{need(10), class("fighter", 1), dex(1), arms(bow)}, feet: 100, item: "bow", take: takes{withFacts("cover", 50)}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackCover, name: "three quarters", a: sheets{need(10), class("fighter", 1), dex(1), arms(bow)}, feet: 100, item: "bow", take: takes{withFacts("cover", 75)}, faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackUntrainedToHit, name: "as a Normal Man", a: sheets{class("fighter", 9), str(2), ability("strength", 15), arms(flail)}, item: "flail", faces: []int{13}, outcome: "miss"},
	{rule: cite.AttackUntrainedToHit, name: "STR 17", a: sheets{class("fighter", 9), ability("strength", 17), arms(flail)}, item: "flail", faces: []int{13, 3}, outcome: "hit", damage: 4},
	{rule: cite.DamageUntrained, name: "large, STR 17", a: sheets{class("fighter", 6), ability("strength", 17), arms(flail3)}, item: "flail", faces: []int{15, 5}, outcome: "hit", damage: 6},
	{rule: cite.DamageUntrained, name: "small", a: sheets{arms(dart)}, item: "dart", faces: []int{15, 3}, outcome: "hit", damage: 3},
	{rule: cite.DamageImprovisedWeapon, name: "shovel to subdue", a: sheets{class("fighter", 1), str(1), arms(shovel)}, item: "shovel", take: takes{withParameters("subdue", true)}, faces: []int{15, 4}, outcome: "hit", damage: 5},
	{rule: cite.MountMountedBonus, name: "rider against a sword", a: sheets{need(14), with(func(o *eventv1.OriginalSheet) { o.Mounted = true })}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.MountUnmountedPenalty, name: "axe against a rider", a: sheets{need(13)}, b: sheets{with(func(o *eventv1.OriginalSheet) { o.Mounted = true })}, faces: []int{13}, outcome: "miss"},
	{rule: cite.MountPolearmCancels, name: "halberd", a: sheets{need(13), arms(&eventv1.OriginalWeapon{Name: "halberd", Kind: "polearm", Hands: 2})}, item: "halberd",
		b: sheets{with(func(o *eventv1.OriginalSheet) { o.Mounted = true })}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.AttackBehindBonus, name: "behind", a: sheets{need(15)}, take: takes{withFacts("position", "behind")}, faces: []int{13, 1}, outcome: "hit", damage: 2},
	{rule: cite.DamageNormalWeapon, name: "sword", faces: []int{15, 6}, outcome: "hit", damage: 7},
	{rule: cite.AttackModifierStacking, name: "behind takes the place of the flank", a: sheets{need(15)}, take: takes{withFacts("position", "behind")}, faces: []int{13, 1}, outcome: "hit", damage: 2},
}

func TestAttackCases(t *testing.T) {
	for _, c := range attackCases {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			feet := c.feet
			if feet == 0 {
				feet = 5
			}
			f := newTable(t, c.settings...).at(0, one("a", "party", c.a...)).at(feet, strongFoe(c.b...)).start(nil, 6, 1)
			item := c.item
			if item == "" {
				item = "sword"
			}
			f.Must(act("a", "attack", item, "b", c.take...), c.faces...)
			if got := f.Attack().Outcome; got != c.outcome {
				t.Fatalf("%s, want %s: %v", got, c.outcome, f.Roll("to-hit"))
			}
			if got := f.DamageTo("b"); got != c.damage {
				t.Fatalf("damage %d, want %d", got, c.damage)
			}
		})
	}
}

// original.attack.multi-vs-normal-men, original.initiative.fighters-first-and-last
func TestSeveralAttacksAgainstNormalMen(t *testing.T) {
	thiefOf := func(level int32) *eventv1.Sheet {
		return one("a", "party", class("thief", level), dex(0), need(12), arms(&eventv1.OriginalWeapon{Name: "sword"}, bow))
	}
	orcs := with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })
	cases := []struct {
		rule, name string
		a          *eventv1.Sheet
		foe        *eventv1.Sheet
		feet       int32
		item       string
		most       int
	}{
		{cite.AttackMultiVsNormalMen, "level 3 among orcs", thiefOf(3), one("b", "monsters", orcs, points(99)), 5, "sword", 3},
		{cite.AttackMultiVsNormalMen, "an ogre", thiefOf(3), strongFoe(), 5, "sword", 1},
		{cite.AttackMultiVsNormalMen, "a bow", thiefOf(3), one("b", "monsters", orcs, points(99)), 100, "bow", 1},
		{cite.AttackMultiVsNormalMen, "level 1", thiefOf(1), one("b", "monsters", orcs, points(99)), 5, "sword", 1},
		{cite.AttackMonsterMultiVsNormalMen, "troll 6+3", one("a", "party", with(func(o *eventv1.OriginalSheet) {
			o.IsPc, o.Level, o.HitDice, o.HitDicePlus = false, 0, 6, 3
		})), one("b", "monsters", orcs, points(99)), 5, "sword", 6},
		{cite.AttackMonsterMultiVsNormalMen, "hobgoblin 1+1", one("a", "party", with(func(o *eventv1.OriginalSheet) {
			o.IsPc, o.Level, o.HitDice, o.HitDicePlus = false, 0, 1, 1
		})), one("b", "monsters", orcs, points(99)), 5, "sword", 1},
		{cite.AttackUntrainedToHit, "untrained", one("a", "party", class("thief", 9), arms(flail)), one("b", "monsters", orcs, points(99)), 5, "flail", 1},
	}
	for _, c := range cases {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, c.a).at(c.feet, c.foe).start(nil, 6, 6)
			if slices.Contains(f.State.Active, "b") { // both on 6: "b" waits
				f.End("b")
			}
			for range c.most {
				f.Must(act("a", "attack", c.item, "b"), 2)
			}
			if err := f.Try(act("a", "attack", c.item, "b")); err == nil {
				t.Fatalf("more than %d attacks", c.most)
			}
		})
	}
}

// original.attack.normal-men-definition
func TestNormalMen(t *testing.T) {
	for name, c := range map[string]struct {
		sheet *eventv1.Sheet
		want  bool
	}{
		"giant rat": {one("a", "m", with(func(o *eventv1.OriginalSheet) { o.HitDice = 0 })), true}, "orc": {one("a", "m"), true},
		"ogre":                  {one("a", "m", with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus = 4, 1 })), false},
		"level 4 dwarf fighter": {one("a", "m", class("dwarf", 4)), false},
	} {
		if got := body.NormalType(c.sheet); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// original.attack.multi-shortcut: averages are given twice over.
func TestShortcut(t *testing.T) {
	for _, c := range []struct {
		attacks, need, damage, points int32
		up                            bool
		want                          int32
	}{
		{8, 7, 9, 7, true, 6}, {8, 7, 9, 7, false, 5}, {5, 11, 5, 7, true, 2}, {4, -1, 9, 7, true, 4}, {6, 23, 9, 7, true, 1}, {6, 23, 9, 7, false, 0},
	} {
		if got := shortcutKills(c.attacks, c.need, c.damage, c.points, c.up); got != c.want {
			t.Errorf("%v: %d kills", c, got)
		}
	}
	if n, ok := twiceMean("1d6+1"); !ok || n != 9 {
		t.Errorf("1d6+1 has twice the mean %d", n)
	}
	f := newTable(t, body.SetShortcut+"=on").at(0, one("a", "party", class("thief", 8), ac0(14))).at(5, one("b", "monsters", ac(7), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" }))).
		at(6, one("c", "monsters", ac(7), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" }))).start(nil, 6, 1)
	f.Must(act("a", "shortcut", "", "b,c"))
	if !body.Dead(f.Creature("b")) || !body.Dead(f.Creature("c")) {
		t.Fatal("5.6 kills leave nobody of two")
	}
	// 14 faces of 20 hit; 1d6 is as much as one of a single hit die has, or of none said.
	for dice, want := range map[int32]int{0: 6, 1: 6} {
		f := newTable(t, body.SetShortcut+"=on").at(0, one("hero", "party", class("thief", 8), ac0(14)))
		var targets []string
		for i := range int32(7) {
			id := "o" + body.Itoa(i+1)
			targets = append(targets, id)
			f.at(1+i%5, one(id, "foes", group("foes"), ac(7), with(func(o *eventv1.OriginalSheet) { o.HitDice = dice })))
		}
		f.start(nil, 6, 1)
		f.Must(act("hero", "shortcut", "", strings.Join(targets, ",")), 1, 1) // morale holds
		if got := fallen(f); got != want {
			t.Errorf("of %d hit dice %d fall, want %d", dice, got, want)
		}
	}
}

// original.critical.monster-special
func TestMonsterSpecial(t *testing.T) {
	beast := func(n, face int32) *eventv1.Sheet {
		return one("a", "party", need(n), with(func(o *eventv1.OriginalSheet) { o.SpecialFace, o.SpecialEffect = face, "prone" }))
	}
	for _, c := range []struct {
		name    string
		a       *eventv1.Sheet
		faces   []int
		outcome string
		down    bool
		setting string
	}{
		{"dire wolf", beast(13, 20), []int{20, 1}, "critical", true, "on"},
		{"from 18", beast(12, 18), []int{18, 1}, "hit", true, "on"},
		{"below 18", beast(12, 18), []int{17, 1}, "hit", false, "on"},
		{"a miss sets nothing off", beast(19, 18), []int{18}, "miss", false, "on"},
		{"switched off", beast(12, 18), []int{18, 1}, "hit", false, "off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetSpecial+"="+c.setting).at(0, c.a).at(5, strongFoe()).start(nil, 6, 1)
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			if f.Attack().Outcome != c.outcome || body.Has(f.Creature("b"), body.CondProne) != c.down {
				t.Fatalf("%s, prone %v", f.Attack().Outcome, body.Has(f.Creature("b"), body.CondProne))
			}
		})
	}
}

// original.attack.surround-bonus, original.attack.surround-wall, original.attack.surround-limit, original.defense.shield-two-attackers
func TestSurround(t *testing.T) {
	ring := func(n int32, change ...func(*eventv1.Sheet)) *table {
		f := newTable(t).at(0, one("hero", "party", append([]func(*eventv1.Sheet){points(99)}, change...)...))
		for i := range n {
			f.at(1+i, one("orc-"+body.Itoa(i+1), "monsters", ac0(19), with(func(o *eventv1.OriginalSheet) { o.Group = "orcs" })))
		}
		return f.start(nil, 1, 6)
	}
	f := ring(3)
	f.Must(act("orc-1", "attack", "sword", "hero"), 13, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("three attackers have +1: 13 meets 14")
	}
	f.Afflict("hero", body.CondWall)
	f.Must(act("orc-2", "attack", "sword", "hero"), 13)
	if f.Attack().Outcome != "miss" {
		t.Fatal("with the back to a wall there is no bonus")
	}
	f = ring(2)
	f.Must(act("orc-1", "attack", "sword", "hero"), 13)
	if f.Attack().Outcome != "miss" {
		t.Fatal("two attackers have no bonus")
	}
	f = ring(7)
	for i := range 6 {
		f.Must(act("orc-"+body.Itoa(i+1), "attack", "sword", "hero"), 2)
	}
	wantRefused(t, f.Try(act("orc-7", "attack", "sword", "hero")), cite.AttackSurroundLimit)
	f = ring(3, ac(3), shield(1))
	f.Must(act("orc-1", "attack", "sword", "hero"), 15)
	if f.Attack().Outcome != "miss" {
		t.Fatal("the shield counts against the first: 16 against 17")
	}
	f.Must(act("orc-2", "attack", "sword", "hero"), 15)
	f.Must(act("orc-3", "attack", "sword", "hero"), 15, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("the shield does not count against the third: 16 against 16")
	}
}
