package original

import (
	"slices"
	"strings"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.initiative.reach-first-strike: three weapons in a row, each two ranks
// longer, whoever's die is highest.
func TestReachInARow(t *testing.T) {
	knife := &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger"}
	pike := &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	for _, ids := range [][3]string{{"a", "m", "z"}, {"z", "m", "a"}, {"m", "z", "a"}} {
		long, middle, short := ids[0], ids[1], ids[2]
		f := newTable(t).at(0, one(middle, "one", arms(spear), group("one"))).at(10, one(long, "two", arms(pike), group("two"))).at(-10, one(short, "two", arms(knife), group("three")))
		f.start(nil, 2, 1, 6)
		if got := order(f); got != "slot:"+long+" slot:"+middle+" slot:"+short {
			t.Errorf("%v: %s", ids, got)
		}
	}
}

// original.defense.shield-two-attackers: one whom the shield does not serve
// against anyway takes up none of its two places.
func TestTheShieldIsNotSpentOnABlowFromBehind(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("cleric", 1), ac(3), shield(1), points(99)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+itoa(i+1), "orcs", ac0(19), group("orcs")))
	}
	f.start(nil, 1, 6)
	f.Must(act("orc-1", "attack", "sword", "hero", withFacts("position", "flank")), 2)
	f.Must(act("orc-2", "attack", "sword", "hero"), 2)
	f.Must(act("orc-3", "attack", "sword", "hero"), 15)
	if f.Attack().Outcome != "miss" {
		t.Fatal("16 against AC 2 at need 17")
	}
}

// original.attack.range-bands, original.attack.cover
func TestEdgesOfRangeAndCover(t *testing.T) {
	for _, c := range []struct {
		feet  int32
		cover int
		want  int32
		rule  string
	}{
		{70, 0, 1, ""}, {71, 0, 0, ""}, {140, 0, 0, ""}, {141, 0, -1, ""}, {210, 0, -1, ""}, {211, 0, 0, "original.attack.range-bands"},
		{100, 24, 0, ""}, {100, 25, -2, ""}, {100, 49, -2, ""}, {100, 60, -4, ""}, {100, 75, -6, ""}, {100, 99, -6, ""}, {100, 100, 0, "original.attack.cover"},
	} {
		f := newTable(t).at(0, one("a", "party", arms(bow))).at(c.feet, strongFoe()).start(nil, 6, 1)
		shot := act("a", "attack", "bow", "b", withFacts("cover", c.cover))
		if c.rule != "" {
			wantRefused(t, f.Try(shot), c.rule)
			continue
		}
		f.Must(shot, 2)
		if got := sum(f.Roll("to-hit").Modifiers); got != c.want {
			t.Errorf("%d feet, %d %%: %+d, want %+d", c.feet, c.cover, got, c.want)
		}
	}
	// Melee counts cover only where it is stated.
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b", withFacts("cover", 50)), 2)
	if got := sum(f.Roll("to-hit").Modifiers); got != -4 {
		t.Fatalf("%+d", got)
	}
}

// original.equipment.blunt-vs-skeletons
func TestBluntWeaponsAgainstSkeletons(t *testing.T) {
	bones := with(func(o *eventv1.OriginalSheet) { o.EdgedLoses = 3 })
	club := &eventv1.OriginalWeapon{Name: "club", Damage: "1d6", Blunt: true}
	for _, c := range []struct {
		w     *eventv1.OriginalWeapon
		faces []int
		want  int32
	}{{blade, []int{15, 5}, 3}, {blade, []int{15, 1}, 0}, {club, []int{15, 5}, 5}} {
		f := newTable(t).at(0, one("a", "party", arms(c.w))).at(5, strongFoe(bones)).start(nil, 6, 1)
		f.Must(act("a", "attack", c.w.Name, "b"), c.faces...)
		if got := f.DamageTo("b"); got != c.want {
			t.Errorf("%s: %d, want %d", c.w.Name, got, c.want)
		}
	}
}

// original.item.firearms: any race and class may have one.
func TestFirearmsAreForAll(t *testing.T) {
	gun := &eventv1.OriginalWeapon{Name: "arquebus", Kind: "firearm", Damage: "1d8", ShortFeet: 50, MediumFeet: 100, LongFeet: 200}
	for _, name := range classes {
		for _, people := range []string{"", "elf", "hobbit"} {
			if v := (System{}).CheckSheet(one("x", "m", class(name, 1), race(people), arms(gun))); len(v) > 0 {
				t.Errorf("%s %s: %v", people, name, v)
			}
		}
	}
}

// The fields of a sheet that the rules take at their word are checked.
func TestCheckSheetOfTheRest(t *testing.T) {
	bad := one("x", "m", race(strings.Repeat("x", 41)), spells(&eventv1.OriginalSpell{}, &eventv1.OriginalSpell{Name: "a", Prepared: -1, Damage: "much"}, &eventv1.OriginalSpell{Name: "a"}),
		arms(&eventv1.OriginalWeapon{Name: "w", RangedAbilityToHit: "wit", RangedAbilityDamage: "luck"}),
		with(func(o *eventv1.OriginalSheet) { o.SaveParalysis, o.EdgedLoses, o.UnitSize, o.IsPc = 51, -1, 5, true }))
	var got []string
	for _, v := range (System{}).CheckSheet(bad) {
		got = append(got, strings.TrimPrefix(v.Field, "sheet.original."))
	}
	want := []string{"save_paralysis", "edged_loses", "race", "unit_size", "spells[0].name", "spells[1].prepared", "spells[1].damage", "spells[2].name",
		"weapons[0].ranged_ability_to_hit", "weapons[0].ranged_ability_damage"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
}

// original.attack.ability-bonus-table: STR, DEX and PSY alike, and the sheet's
// own number first.
func TestAbilityBonuses(t *testing.T) {
	for score, want := range map[int32]int32{3: 0, 12: 0, 13: 1, 15: 1, 16: 2, 17: 2, 18: 3, 21: 3} {
		c := &eventv1.Creature{Sheet: one("x", "m", ability("strength", score), ability("dexterity", score), ability("psyche", score))}
		if strBonus(c) != want || dexBonus(c) != want || psyBonus(c) != want {
			t.Errorf("%d: %d %d %d, want %d", score, strBonus(c), dexBonus(c), psyBonus(c), want)
		}
	}
	c := &eventv1.Creature{Sheet: one("x", "m", ability("strength", 18), str(-1))}
	if strBonus(c) != -1 {
		t.Error("a negative number on the sheet stands")
	}
}

// original.attack.multi-vs-normal-men: an important fighter of the other side
// has them too, an ordinary one has not; original.initiative.fighters-first-and-last
func TestImportantOpponents(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name   string
		change func(o *eventv1.OriginalSheet)
		want   int32
		first  bool
	}{
		{"important fighter", func(o *eventv1.OriginalSheet) { o.Important = true }, 3, true},
		{"ordinary fighter", func(*eventv1.OriginalSheet) {}, 1, false},
		{"important cleric", func(o *eventv1.OriginalSheet) { o.Important, o.Class = true, "cleric" }, 1, false},
		{"important cleric who fights as one", func(o *eventv1.OriginalSheet) { o.Important, o.Class, o.FighterType = true, "cleric", &yes }, 3, true},
		{"player's cleric", func(o *eventv1.OriginalSheet) { o.IsPc, o.Class = true, "cleric" }, 3, false},
	} {
		f := newTable(t).add(one("x", "m", class("fighter", 3), with(c.change)))
		x := f.Creature("x")
		if got := attacksAgainstNormal(f.State, x); got != c.want || firstAndLast(f.State, x) != c.first {
			t.Errorf("%s: %d attacks, first and last %v", c.name, got, firstAndLast(f.State, x))
		}
	}
}

// original.charge.set-spear: the set weapon is the one attack of the round; a
// second charge finds it spent.
func TestASetSpearMeetsOneCharge(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", points(50))).at(0, one("c", "party", points(50))).at(100, strongFoe(arms(spear))).start(nil, 5, 4, 6)
	f.Must(act("b", "set-spear", "", ""))
	f.End("b")
	f.Must(act("a", "charge", "sword", "b"), 2, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"b miss", "a miss"}) {
		t.Fatal(got)
	}
	f.End("a")
	f.Must(act("c", "charge", "sword", "b"), 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"c miss"}) {
		t.Fatal(got)
	}
}
