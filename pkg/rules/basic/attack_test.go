package basic

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/basic/cite"
	"github.com/skaldrpg/skald/pkg/rules/basic/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// lone is a fight in which a acts first and b after it.
func lone(t *testing.T, at []int32, kind string, a, b *eventv1.Sheet, more ...string) *table {
	f := newTable(t, more...).add(at, a, b).start(nil)
	return f.declare([]int{6, 1}, "a="+kind, "b=melee-attack")
}

// basic.attack.to-hit, basic.damage.roll and what is added to both.
func TestAttacks(t *testing.T) {
	stated := func(n int32) func(*eventv1.TakeAction) { return plus(n) }
	dagger := &eventv1.BasicWeapon{Name: "sword", Damage: "1d4", Kind: "melee", ShortFeet: 10, MediumFeet: 20, LongFeet: 30}
	for _, c := range []struct {
		name   string
		a      []change
		ac     int32
		action string
		kind   string
		item   string
		with   []func(*eventv1.TakeAction)
		faces  []int
		out    string
		lost   int32
	}{
		{"basic.attack.to-hit: equal is enough", []change{bonus(3), abilities(1, 0)}, 15, "attack", body.KindMelee, "sword", nil, []int{11, 4}, "hit", 5},
		{"basic.attack.to-hit: one less misses", []change{bonus(3), abilities(1, 0)}, 15, "attack", body.KindMelee, "sword", nil, []int{10}, "miss", 0},
		{cite.ActionAttack, []change{bonus(2), abilities(1, 0)}, 13, "attack", body.KindMelee, "sword", nil, []int{10, 5}, "hit", 6},
		{cite.AttackFromBehind, []change{bonus(2)}, 13, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){facts("behind", true)}, []int{9, 1}, "hit", 1},
		{"basic.attack.behind-not-with-sneak: the ability's bonus alone", []change{bonus(1), section(func(b *eventv1.BasicSheet) { b.SneakAttackBonus = 4 })}, 16,
			"sneak-attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){facts("behind", true)}, []int{10}, "miss", 0},
		{"basic.attack.behind-not-with-sneak: without it", []change{bonus(1)}, 16, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){facts("behind", true)}, []int{13, 1}, "hit", 1},
		{"basic.damage.strength-melee: at least 1", []change{abilities(-2, 0), blade("1d4")}, 10, "attack", body.KindMelee, "sword", nil, []int{12, 1}, "hit", 1},
		{cite.DamageMagicBonus, []change{abilities(1, 0), wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", MagicBonus: 2})}, 10,
			"attack", body.KindMelee, "sword", nil, []int{12, 4}, "hit", 7},
		{"basic.damage.magic-bonus: cursed", []change{abilities(1, 0), wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", MagicBonus: -1})}, 10,
			"attack", body.KindMelee, "sword", nil, []int{12, 1}, "hit", 1},
		{cite.AttackSubdualFlat, []change{bonus(1), abilities(2, 0)}, 12, "subdue", body.KindMelee, "sword", nil, []int{13, 5}, "hit", 3},
		{"basic.attack.subdual-flat: miss", []change{bonus(1), abilities(2, 0)}, 12, "subdue", body.KindMelee, "sword", nil, []int{12}, "miss", 0},
		{cite.AttackPunch, []change{bonus(1), abilities(1, 0)}, 12, "attack", body.KindMelee, body.Punch, nil, []int{10, 2}, "hit", 3},
		{"basic.attack.punch: at least 1", []change{abilities(-2, 0)}, 10, "attack", body.KindMelee, body.Punch, nil, []int{15, 1}, "hit", 1},
		{cite.AttackKick, []change{bonus(3)}, 13, "attack", body.KindMelee, body.Kick, nil, []int{12, 4}, "hit", 4},
		{"basic.attack.kick: miss", []change{bonus(3)}, 13, "attack", body.KindMelee, body.Kick, nil, []int{11}, "miss", 0},
		{"basic.attack.ability: a throw goes by Dexterity, basic.damage.strength-thrown", []change{bonus(2), abilities(3, -1), wields(dagger)}, 12, "shoot", body.KindRanged, "sword",
			[]func(*eventv1.TakeAction){facts("distance", 15)}, []int{11, 2}, "hit", 5},
		{cite.DamageStrengthBows, []change{abilities(3, 0), wields(bow())}, 10, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 80)}, []int{12, 4}, "hit", 4},
		{cite.DamageStrengthSling, []change{abilities(2, 1), wields(&eventv1.BasicWeapon{Name: "sling", Damage: "1d4", Kind: "sling", ShortFeet: 30, MediumFeet: 60, LongFeet: 90})}, 10,
			"shoot", body.KindRanged, "sling", []func(*eventv1.TakeAction){facts("distance", 50)}, []int{12, 3}, "hit", 5},
		{cite.AttackRangeShort, []change{bonus(3), wields(bow())}, 15, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 50)}, []int{11, 1}, "hit", 1},
		{cite.AttackRangeMedium, []change{bonus(3), wields(bow())}, 15, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 51)}, []int{11}, "miss", 0},
		{cite.AttackRangeLong, []change{bonus(3), wields(bow())}, 15, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 150)}, []int{14, 1}, "hit", 1},
		{cite.ActionRangedAttack, []change{bonus(1), abilities(0, 2), wields(bow())}, 14, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 100)}, []int{11, 1}, "hit", 1},
		{"basic.attack.missile-within-5: miss", []change{bonus(4), wields(bow())}, 14, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 5)}, []int{14}, "miss", 0},
		{"basic.attack.missile-within-5: hit", []change{bonus(4), wields(bow())}, 14, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 5)}, []int{15, 1}, "hit", 1},
		{cite.AttackMissileUnaware, []change{bonus(4), wields(bow())}, 14, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 5, "unaware", true)}, []int{7, 1}, "hit", 1},
		{"basic.attack.cover-table: 75%", []change{bonus(3), wields(bow())}, 13, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 80, "concealment", 75)}, []int{13, 1}, "hit", 1},
		{"basic.attack.cover-table: 90%", []change{bonus(3), wields(bow())}, 13, "shoot", body.KindRanged, "bow", []func(*eventv1.TakeAction){facts("distance", 40, "cover", 90)}, []int{12}, "miss", 0},
		{"basic.critical.natural-20-hits: an ordinary 25", []change{}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(6)}, []int{19, 2}, "hit", 2},
		{cite.CriticalNatural20Hits, []change{}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(-4)}, []int{20, 9, 2}, "critical", 2},
		{cite.CriticalRegular, []change{blade("1d6+2")}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(2)}, []int{20, 8, 3}, "critical", 5},
		{"basic.critical.second-roll: 10 is regular", []change{}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(4)}, []int{20, 6, 3}, "critical", 3},
		{"basic.critical.second-roll: 11 is maximum", []change{}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(4)}, []int{20, 7}, "critical", 8},
		{"basic.critical.second-roll: 16 is critical", []change{}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(4)}, []int{20, 12, 1}, "critical", 9},
		{"basic.critical.maximum: the source's example", []change{blade("1d6+2")}, 25, "attack", body.KindMelee, "sword", nil, []int{20, 11}, "critical", 8},
		{cite.CriticalMaximum, []change{blade("2d4+1")}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(1)}, []int{20, 14}, "critical", 9},
		{"basic.critical.damage: the source's example", []change{blade("1d6+2")}, 25, "attack", body.KindMelee, "sword", nil, []int{20, 18, 3}, "critical", 11},
		{cite.CriticalDamage, []change{blade("2d4+1")}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(1)}, []int{20, 15, 1, 3}, "critical", 13},
		{"basic.critical.effect-chart: 19 has no effect", []change{blade("1d8+1")}, 25, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(3)}, []int{20, 16, 2}, "critical", 11},
		{cite.FumbleNatural1Misses, []change{}, 10, "attack", body.KindMelee, "sword", []func(*eventv1.TakeAction){stated(12)}, []int{1, 18}, "fumble", 0},
		{cite.FumbleJustAMiss, []change{}, 10, "attack", body.KindMelee, "sword", nil, []int{1, 20}, "fumble", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, c.kind, make1("a", "A", c.a...), make1("b", "B", ac(c.ac), hp(40)))
			f.Must(act("a", c.action, c.item, "b", c.with...), c.faces...)
			if f.outcome() != c.out {
				t.Errorf("%s, want %s", f.outcome(), c.out)
			}
			f.WantHP("b", 40-c.lost)
		})
	}
}

// basic.critical.effect-chart and its four rows.
func TestEffectChart(t *testing.T) {
	for i, name := range []string{cite.ConditionDisarmed, cite.ConditionShaken, cite.ConditionProne, cite.ConditionBlinded} {
		t.Run(name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", blade("1d8+1")), make1("b", "B", ac(25), hp(40)))
			f.Must(act("a", "attack", "sword", "b", plus(3)), 20, 17, 2, i+1)
			f.WantHP("b", 29)
			b := f.State.Creatures["b"]
			if i == 0 {
				if b.Items["sword"].Place != "dropped" || len(body.Melee(b)) != 0 {
					t.Error("the sword is knocked away")
				}
				f.end("a")
				wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.ConditionDisarmed)
				return
			}
			if !body.Has(b, []string{"", body.CondShaken, body.CondProne, body.CondBlinded}[i]) {
				t.Errorf("conditions %v", b.Conditions)
			}
		})
	}
}

// basic.condition.shaken, basic.condition.prone, basic.condition.blinded, basic.condition.charge-ac, basic.fumble.stumble
func TestConditionsInAttacks(t *testing.T) {
	for _, c := range []struct {
		name, on, cond string
		kind, action   string
		item           string
		bonus, face    int32
		ac             int32
		out            string
	}{
		{cite.ConditionShaken, "a", body.CondShaken, body.KindMelee, "attack", "sword", 3, 12, 14, "miss"},
		{"basic.condition.prone: to hit", "a", body.CondProne, body.KindMelee, "attack", "sword", 4, 11, 12, "miss"},
		{"basic.condition.prone: against melee", "b", body.CondProne, body.KindMelee, "attack", "sword", 2, 8, 14, "hit"},
		{"basic.condition.prone: against missiles", "b", body.CondProne, body.KindRanged, "shoot", "bow", 2, 15, 14, "miss"},
		{"basic.condition.blinded: against missiles", "b", body.CondBlinded, body.KindRanged, "shoot", "bow", 1, 9, 14, "hit"},
		{cite.ConditionChargeAc, "b", body.CondCharging, body.KindMelee, "attack", "sword", 2, 11, 15, "hit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			weapons := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Hand: "stowed"}, bow())
			if c.kind == body.KindMelee {
				weapons = blade("1d8")
			}
			f := lone(t, nil, c.kind, make1("a", "A", bonus(c.bonus), weapons), make1("b", "B", ac(c.ac), hp(40)))
			f.Afflict(c.on, c.cond)
			faces := []int{int(c.face)}
			if c.out == "hit" {
				faces = append(faces, 1)
			}
			f.Must(act("a", c.action, c.item, "b"), faces...)
			if f.outcome() != c.out {
				t.Errorf("%s, want %s", f.outcome(), c.out)
			}
		})
	}
}

// basic.critical.magic-silver-requirement, basic.attack.brawl-monsters
func TestWhatCannotBeHarmed(t *testing.T) {
	silver := wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee", Silver: true})
	for _, c := range []struct {
		name, tag, item string
		a               change
		faces           []int
		lost            int32
	}{
		{"basic.critical.magic-silver-requirement: plain", "needs-magic", "sword", blade("1d8"), []int{20}, 0},
		{"basic.critical.magic-silver-requirement: silver", "needs-silver", "sword", silver, []int{20, 4, 3}, 3},
		{cite.AttackBrawlMonsters, "no-brawl", body.Punch, blade("1d8"), []int{15}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", bonus(3), c.a), make1("b", "B", section(func(b *eventv1.BasicSheet) { b.Tags = []string{c.tag} })))
			f.Must(act("a", "attack", c.item, "b"), c.faces...)
			f.WantHP("b", 10-c.lost)
		})
	}
}

// basic.fumble.weapon-breaks, basic.fumble.drop-weapon: no attack in the next round.
func TestFumbledWeapons(t *testing.T) {
	for face, place := range map[int]string{2: "gone", 11: "dropped"} {
		f := lone(t, nil, body.KindMelee, make1("a", "A"), make1("b", "B"))
		f.Must(act("a", "attack", "sword", "b"), 1, face)
		if got := f.State.Creatures["a"].Items["sword"].Place; got != place {
			t.Errorf("sword %s, want %s", got, place)
		}
		f.end("a", "b")
		wantRefused(t, f.Try(act("a", "declare", body.KindMelee, "")), cite.FumbleSecondRoll)
		f.declare([]int{6, 1}, "a=other", "b=move")
		if place == "dropped" {
			f.Must(act("a", "pick-up", "sword", "")) // basic.condition.disarmed
		} else {
			wantRefused(t, f.Try(act("a", "pick-up", "sword", "")), cite.ConditionDisarmed)
		}
		f.end("a", "b")
		f.Must(act("a", "declare", body.KindMelee, ""))
	}
}

// basic.fumble.stumble, basic.dice.dc-check
func TestStumble(t *testing.T) {
	for _, c := range []struct {
		name  string
		faces []int
		fails bool
	}{{"basic.fumble.stumble: 20 holds", []int{1, 4, 18}, false}, {"basic.fumble.stumble: 19 fails", []int{1, 5, 17, 2}, true}} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", abilities(0, 2)), make1("b", "B", hp(40)))
			f.Must(act("a", "attack", "sword", "b"), c.faces...)
			if body.Has(f.State.Creatures["a"], body.CondStumbling) != c.fails {
				t.Fatal("stumbling")
			}
			for round := 2; c.fails && round <= 4; round++ {
				f.end("a", "b")
				f.declare([]int{6, 1}, "a=melee-attack", "b=move")
				want := int32(12)
				if round <= 3 {
					want = 11
				}
				faces := []int{12}
				if want == 12 {
					faces = append(faces, 1)
				}
				f.Must(act("a", "attack", "sword", "b"), faces...)
				if got := f.Total("to-hit"); got != want {
					t.Errorf("round %d: %d, want %d", round, got, want)
				}
			}
		})
	}
}

// basic.fumble.sloppy
func TestSloppyAttack(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "orcs"), make1("b", "party", bonus(3)))
	f.Must(act("a", "attack", "sword", "b"), 1, 7, 14)
	f.Answer(body.DecFree, "weapon:sword", 9, 4)
	f.WantHP("a", 6)

	f = lone(t, nil, body.KindMelee, make1("a", "orcs"), make1("b", "party", bonus(3)))
	f.Must(act("a", "attack", "sword", "b"), 1, 7, 15) // success: no free attack
	f.WantHP("a", 10)
}

// basic.attack.brawl-metal-armor
func TestBrawlAgainstMetal(t *testing.T) {
	wears := func(m string) change { return section(func(b *eventv1.BasicSheet) { b.ArmorMaterial = m }) }
	for _, c := range []struct {
		name, a, b     string
		wantA, wantB   int32
		strength, face int32
	}{
		{"basic.attack.brawl-metal-armor: hurts the unarmoured", "none", "metal", 3, 10, 1, 2},
		{"basic.attack.brawl-metal-armor: plate on chain", "metal", "metal", 6, 7, 1, 2},
		{"basic.attack.brawl-metal-armor: leather on leather", "leather", "leather", 6, 7, 0, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := lone(t, nil, body.KindMelee, make1("a", "A", hp(6), abilities(c.strength, 0), wears(c.a)), make1("b", "B", wears(c.b)))
			f.Must(act("a", "attack", body.Punch, "b"), 15, int(c.face))
			f.WantHP("a", c.wantA)
			f.WantHP("b", c.wantB)
		})
	}
}

// basic.attack.routine
func TestRoutine(t *testing.T) {
	f := lone(t, nil, body.KindMelee, make1("a", "A", bonus(5), tiger), make1("b", "B", ac(14), hp(20)))
	f.Must(act("a", "routine", "", "b"), 9, 3, 6, 12, 2, 3)
	f.WantHP("b", 12)
}

func tiger(_ *eventv1.Sheet, b *eventv1.BasicSheet) {
	b.Weapons = []*eventv1.BasicWeapon{{Name: "claw", Damage: "1d4", Kind: "melee", Natural: true}, {Name: "bite", Damage: "2d4", Kind: "melee", Natural: true}}
	b.Routine = []string{"claw", "claw", "bite"}
}

// basic.attack.two-weapon-size, basic.attack.two-weapon-penalty
func TestTwoWeapons(t *testing.T) {
	two := func(small bool) change {
		return wields(&eventv1.BasicWeapon{Name: "sword", Damage: "1d8", Kind: "melee"}, &eventv1.BasicWeapon{Name: "dagger", Damage: "1d4", Kind: "melee", Hand: "off", Small: small})
	}
	f := lone(t, nil, body.KindMelee, make1("a", "A", bonus(4), abilities(1, 0), two(true)), make1("b", "B", ac(14)))
	f.Must(act("a", "two-weapons", "", "b"), 11, 2, 13)
	f.WantHP("b", 7)
	f = lone(t, nil, body.KindMelee, make1("a", "A", two(false)), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "two-weapons", "", "b")), cite.AttackTwoWeaponSize)
}

// basic.attack.flanking
func TestFlanking(t *testing.T) {
	for _, c := range []struct {
		name string
		ally *eventv1.Position
		want int32
	}{
		{"basic.attack.flanking: opposite", &eventv1.Position{X: 10}, 11},
		{"basic.attack.flanking: at a right angle", &eventv1.Position{X: 5, Y: 5}, 10},
		{"basic.attack.flanking: 10 feet away", &eventv1.Position{X: 15}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).add([]int32{0, 5}, make1("a", "A"), make1("b", "B", ac(20)))
			f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: make1("c", "A"), Position: c.ally}}})
			f.start(nil).declare([]int{6, 1, 1}, "a=melee-attack", "b=move", "c=move")
			f.Must(act("a", "attack", "sword", "b"), 10)
			if got := f.Total("to-hit"); got != c.want {
				t.Errorf("total %d, want %d", got, c.want)
			}
		})
	}
}

// basic.attack.range-beyond, basic.attack.rate-once, basic.attack.rate-light-crossbow, basic.attack.missile-lost
func TestMissiles(t *testing.T) {
	xbow := func(_ *eventv1.Sheet, b *eventv1.BasicSheet) {
		b.Weapons = []*eventv1.BasicWeapon{{Name: "crossbow", Damage: "1d6", Kind: "crossbow", ShortFeet: 60, MediumFeet: 120, LongFeet: 180, ReloadRounds: 1, Ammunition: "bolts"}}
		b.Ammunition = map[string]int32{"bolts": 12}
	}
	f := lone(t, nil, body.KindRanged, make1("a", "A", xbow), make1("b", "B"))
	wantRefused(t, f.Try(act("a", "shoot", "crossbow", "b", facts("distance", 181))), cite.AttackRangeBeyond)
	f.Must(act("a", "shoot", "crossbow", "b", facts("distance", 100)), 4)
	if got := f.State.Creatures["a"].Counters[body.CAmmunition+"bolts"]; got != 11 {
		t.Errorf("%d bolts, want 11", got)
	}
	wantRefused(t, f.Try(act("a", "shoot", "crossbow", "b", facts("distance", 100))), cite.ActionList)
	f.end("a", "b")
	wantRefused(t, f.Try(act("a", "declare", body.KindRanged, "")), cite.AttackRateLightCrossbow)
	f.declare([]int{6, 1}, "a=reload", "b=move")
	f.Must(act("a", "reload", "crossbow", ""))
	wantRefused(t, f.Try(act("a", "move", "", "", parameters("feet", 10))), cite.TurnDeclare)
	f.end("a", "b")
	f.Must(act("a", "declare", body.KindRanged, ""))
}

// basic.attack.missile-into-melee, basic.attack.missile-stray-roll
func TestStrayMissile(t *testing.T) {
	f := newTable(t).add([]int32{0, 75, 80, 80}, make1("a", "A", bonus(3), wields(bow())), make1("bran", "A", ac(14)), make1("cole", "A"), make1("ogre", "B", ac(15)))
	f.start(nil).declare([]int{6, 1, 1, 1}, "a=ranged-attack", "bran=move", "cole=move", "ogre=move")
	f.Must(act("a", "shoot", "bow", "ogre"), 9)
	f.Answer(body.DecStray, "bran", 8)
	f.Answer(body.DecStray, "cole", 9, 3)
	f.WantHP("bran", 10)
	f.WantHP("cole", 7)
	if len(f.Decisions) != 0 {
		t.Error("one ally at most is hit")
	}
}

// The tables cover every number once.
func TestTables(t *testing.T) {
	if body.BookError != nil {
		t.Fatal(body.BookError)
	}
	for name, n := range map[string][2]int{"critical": {len(body.Book.Critical), 4}, "effects": {len(body.Book.Effects), 4}, "fumble": {len(body.Book.Fumble), 5}, "cover": {len(body.Book.Cover), 5}, "size": {len(body.Book.Size), 3}} {
		if n[0] != n[1] {
			t.Errorf("%s has %d rows, want %d", name, n[0], n[1])
		}
	}
	if got := []string{body.Book.Critical.At(-3), body.Book.Critical.At(24), body.Book.Fumble.At(10), body.Book.Cover.At(60)}; !slices.Equal(got, []string{"regular", "effect", "sloppy", "-2"}) {
		t.Errorf("got %v", got)
	}
}
