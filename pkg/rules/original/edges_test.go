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
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", ac0(19), group("orcs")))
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
		{70, 0, 1, ""}, {71, 0, 0, ""}, {140, 0, 0, ""}, {141, 0, -1, ""}, {210, 0, -1, ""}, {211, 0, 0, cite.AttackRangeBands},
		{100, 24, 0, ""}, {100, 25, -2, ""}, {100, 49, -2, ""}, {100, 60, -4, ""}, {100, 75, -6, ""}, {100, 99, -6, ""}, {100, 100, 0, cite.AttackCover},
	} {
		f := newTable(t).at(0, one("a", "party", arms(bow))).at(c.feet, strongFoe()).start(nil, 6, 1)
		shot := act("a", "attack", "bow", "b", withFacts("cover", c.cover))
		if c.rule != "" {
			wantRefused(t, f.Try(shot), c.rule)
			continue
		}
		f.Must(shot, 2)
		if got := body.Sum(f.Roll("to-hit").Modifiers); got != c.want {
			t.Errorf("%d feet, %d %%: %+d, want %+d", c.feet, c.cover, got, c.want)
		}
	}
	// Melee counts cover only where it is stated.
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b", withFacts("cover", 50)), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != -4 {
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
	for _, name := range body.Classes {
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
		if thestrike.Book.StrBonus(c) != want || thestrike.Book.DexBonus(c) != want || thestrike.Book.PsyBonus(c) != want {
			t.Errorf("%d: %d %d %d, want %d", score, thestrike.Book.StrBonus(c), thestrike.Book.DexBonus(c), thestrike.Book.PsyBonus(c), want)
		}
	}
	c := &eventv1.Creature{Sheet: one("x", "m", ability("strength", 18), str(-1))}
	if thestrike.Book.StrBonus(c) != -1 {
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
		if got := body.AttacksAgainstNormal(f.State, x); got != c.want || body.FirstAndLast(f.State, x) != c.first {
			t.Errorf("%s: %d attacks, first and last %v", c.name, got, body.FirstAndLast(f.State, x))
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

// original.charge.longer-reach-first: a spear that is not set strikes before a
// charge with a sword, one rank shorter, and not before another spear.
func TestALongerWeaponBeforeAnUnsetCharge(t *testing.T) {
	for _, c := range []struct {
		weapon *eventv1.OriginalWeapon
		asks   bool
	}{{blade, true}, {spear, false}, {&eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}, false}} {
		f := newTable(t).at(0, one("a", "party", points(50), arms(c.weapon))).at(100, strongFoe(arms(spear))).start(nil, 6, 1)
		cmd := act("a", "charge", c.weapon.Name, "b")
		cmd.Answers = []*eventv1.EarlyAnswer{{Decision: body.DecSet, Answer: &eventv1.Answer{Option: "no"}}}
		if !c.asks {
			f.Must(cmd, 2)
			continue
		}
		f.Must(cmd)
		f.Answer(body.DecReach, "yes", 2, 2)
		if got := f.Attacks(); !slices.Equal(got, []string{"b miss", "a miss"}) {
			t.Fatal(got)
		}
	}
}

// original.initiative.ties-simultaneous: one whom a charge of the same slot
// kills still has its attack.
func TestAChargeInASimultaneousSlot(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", need(5), points(50))).at(100, one("orc", "orcs", points(2))).start(nil, 4, 4)
	f.Must(act("a", "charge", "sword", "orc"))
	f.Answer(body.DecInTurn, "no", 15, 1)
	f.End("a")
	f.Must(act("orc", "attack", "sword", "a"), 2)
	f.End("orc")
	if !body.Dead(f.Creature("orc")) {
		t.Fatal("and then it dies")
	}
}

// original.movement.retreat-parting-shot: who cannot attack has no free attack.
func TestWhoCannotAttackHasNoPartingShot(t *testing.T) {
	for name, v := range map[string]*eventv1.Vitals{
		"a stumbler": {Conditions: []*eventv1.Condition{{Name: body.CondStumbled, Cause: "test"}}}, "one who parries": {Conditions: []*eventv1.Condition{{Name: body.CondParrying, Cause: "test"}}},
		"the stunned": {Conditions: []*eventv1.Condition{{Name: body.CondStunned, Cause: "test"}}}, "the routed": {Conditions: []*eventv1.Condition{{Name: body.CondRouted, Cause: "test"}}},
	} {
		f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs", group("orcs"))).at(200, one("other", "orcs", group("others"))).at(201, one("third", "orcs", group("orcs"))).start(nil, 6, 1, 1)
		f.Roller = func(int) int { return 1 } // morale and pursuit may be rolled
		f.Put("orc", v)
		f.Must(act("a", "retreat", "", "", path(-100)))
		if len(f.Attacks()) != 0 || len(f.Rolls("contest/orc")) != 0 {
			t.Errorf("%s: %v", name, f.Attacks())
		}
	}
}

// original.damage.surprise-subdual is of surprise, not of the pinned.
func TestSubduingThePinnedRollsOneDie(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", need(5))).at(5, strongFoe())
	f.Afflict("b", body.CondHeld)
	f.start(nil, 6, 1, 1, 1)
	f.Must(act("a", "attack", "sword", "b", withParameters("subdue", true)), 13, 4)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 2 {
		t.Fatalf("rolled as from behind: %+d", got)
	}
}

// original.grapple.new-initiative: rolled for all in the next round.
func TestNewInitiativeAfterAThrow(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("thief", 3), ac(4), points(99)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), ac0(19)))
	}
	f.start(nil, 1, 6)
	f.Must(act("orc-1", "grapple", "", "hero"), 20, 2, 6, 6, 6)
	f.End("orc-2")
	f.End("orc-3")
	f.End("hero", 5, 2)
	if got := labels(f); !slices.Equal(got, []string{"initiative/hero-player", "initiative/orcs"}) || f.State.Round != 2 {
		t.Fatalf("round %d: %v", f.State.Round, got)
	}
	f.WantActive("hero")
}

// original.charge.first-attack-only: of a creature with several attacks against
// anybody, and of a fighter whose charge went to a strong foe.
func TestAttacksAfterAChargeAtAStrongFoe(t *testing.T) {
	f := newTable(t).at(0, one("boar", "party", need(14), with(func(o *eventv1.OriginalSheet) { o.IsPc, o.Level, o.HitDice, o.Attacks = false, 0, 1, 2 }))).at(100, strongFoe()).start(nil, 1, 6)
	f.Must(act("boar", "charge", "sword", "b"), 12, 1)
	f.Must(act("boar", "attack", "sword", "b"), 13)
	if f.Attack().Outcome != "miss" {
		t.Fatal("no bonus on the second")
	}
	wantRefused(t, f.Try(act("boar", "attack", "sword", "b")), cite.AttackMultiVsNormalMen)
	// One attack is all that a fighter has who spends it on a strong foe.
	f = newTable(t).at(0, one("a", "party", class("thief", 3))).at(100, strongFoe()).at(101, one("orc", "monsters")).start(nil, 6, 1, 1)
	f.Must(act("a", "charge", "sword", "b"), 2)
	wantRefused(t, f.Try(act("a", "attack", "sword", "orc")), cite.AttackMultiVsNormalMen)
}

// original.attack.melee-others-str16: who fights first and last by the sheet's
// word still has the bonus of its class.
func TestTheClassGivesTheBonus(t *testing.T) {
	yes := true
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), ability("strength", 18), with(func(o *eventv1.OriginalSheet) { o.FighterType = &yes }))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 1 {
		t.Fatalf("%+d", got)
	}
}
