package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	sling    = &eventv1.OriginalWeapon{Name: "sling", Kind: "sling", Damage: "1d4", ShortFeet: 60, MediumFeet: 120, LongFeet: 180}
	crossbow = &eventv1.OriginalWeapon{Name: "crossbow", Kind: "crossbow", Hands: 2, Damage: "1d6", ShortFeet: 80, MediumFeet: 160, LongFeet: 240}
	pilum    = &eventv1.OriginalWeapon{Name: "pilum", Kind: "javelin", Damage: "1d6", ShortFeet: 20, MediumFeet: 40, LongFeet: 60}
	blade    = &eventv1.OriginalWeapon{Name: "sword"}
)

func race(name string) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Race = name })
}

// brawl is a shooter 100 feet from an orc that fights two friends of the
// shooter; the base need against AC 5 is 10.
func brawl(t *testing.T, settings []string, change ...func(*eventv1.Sheet)) *table {
	t.Helper()
	all := append(sheets{need(10)}, change...)
	return newTable(t, settings...).at(0, one("shooter", "party", all...)).at(100, one("orc", "orcs", points(50))).
		at(103, one("friend-a", "party", ac(3), shield(1), points(30))).at(105, one("friend-b", "party", points(30))).start(nil, 1, 1, 6, 1)
}

// original.attack.fire-into-melee-risk, original.attack.elf-fire-into-melee, original.movement.hobbit-sling-on-the-run
func TestShotsIntoMelee(t *testing.T) {
	off := []string{body.SetStray + "=off"}
	for _, c := range []struct {
		name     string
		settings []string
		shooter  sheets
		item     string
		faces    []int
		want     []string
		target   string
		value    int32
	}{
		{"the second of three is friend A", nil, sheets{arms(bow)}, "bow", []int{2, 12}, []string{"shooter miss"}, "friend-a", 13},
		{"friend A is hit", nil, sheets{arms(bow)}, "bow", []int{2, 13, 3}, []string{"shooter hit"}, "friend-a", 13},
		{"the first of three is the orc", nil, sheets{arms(bow)}, "bow", []int{1, 10, 3}, []string{"shooter hit"}, "orc", 10},
		{"the third is friend B", nil, sheets{arms(bow)}, "bow", []int{3, 10, 3}, []string{"shooter hit"}, "friend-b", 10},
		{"switched off", off, sheets{arms(bow)}, "bow", []int{3}, []string{"shooter miss"}, "orc", 10},
		{"an elf by class misses nobody but the orc", nil, sheets{class("elf", 1), arms(bow)}, "bow", []int{3}, []string{"shooter miss"}, "orc", 10},
		{"an elf by race", nil, sheets{class("fighter", 1), race("elf"), arms(crossbow)}, "crossbow", []int{3}, []string{"shooter miss"}, "orc", 10},
		{"a hobbit with a sling", nil, sheets{class("hobbit", 1), arms(sling)}, "sling", []int{3}, []string{"shooter miss"}, "orc", 10},
		{"a hobbit with a bow", nil, sheets{class("hobbit", 1), arms(bow)}, "bow", []int{3, 2}, []string{"shooter miss"}, "friend-b", 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := brawl(t, c.settings, c.shooter...)
			f.Must(act("shooter", "attack", c.item, "orc"), c.faces...)
			if got := f.Attacks(); !slices.Equal(got, c.want) || f.Attack().Target != c.target || f.Roll("to-hit").Target.Value != c.value {
				t.Fatalf("%v against %s at %d", got, f.Attack().Target, f.Roll("to-hit").Target.Value)
			}
		})
	}
	// Nobody else in the melee: no such roll. What is stated of the orc does
	// not hold for the friend.
	f := newTable(t).at(0, one("shooter", "party", need(10), arms(bow))).at(100, one("orc", "orcs")).start(nil, 6, 1)
	f.Must(act("shooter", "attack", "bow", "orc"), 2)
	f = brawl(t, nil, arms(bow))
	f.Must(act("shooter", "attack", "bow", "orc", withFacts("cover", 50, "position", "behind")), 3, 10, 3)
	if got := f.Roll("to-hit"); len(got.Modifiers) != 0 || f.Attack().Outcome != "hit" {
		t.Fatalf("no cover and no back: %v", got)
	}
}

// A throw at the foe one fights puts the other friends at risk, not the thrower.
//
// original.attack.fire-into-melee-risk
func TestThrowInMelee(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(dagger), need(10))).at(5, one("orc", "orcs")).at(8, one("b", "party")).start(nil, 6, 5, 1)
	f.Must(act("a", "attack", "dagger", "orc", withParameters("throw", true)), 2, 2)
	if f.Attack().Target != "b" {
		t.Fatal(f.Attack())
	}
}

// original.movement.elf-fire-on-the-run, original.movement.hobbit-sling-on-the-run
func TestFireOnTheRun(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		who        sheets
		feet       int32
		item       string
		allowed    bool
		by         string
	}{
		{cite.MovementElfFireOnTheRun, "an elf's bow", sheets{class("elf", 1), arms(bow, dagger, blade)}, 120, "bow", true, ""},
		{cite.MovementElfFireOnTheRun, "an elf's javelin", sheets{class("elf", 1), arms(pilum)}, 120, "pilum", true, ""},
		{cite.MovementElfFireOnTheRun, "an elf's dagger", sheets{class("elf", 1), arms(bow, dagger, blade)}, 120, "dagger", false, cite.MovementHalfMoveAndAttack},
		{cite.MovementElfFireOnTheRun, "an elf's sword", sheets{class("elf", 1), arms(bow, dagger, blade)}, 120, "sword", false, cite.MovementHalfMoveAndAttack},
		{cite.MovementHobbitSlingOnTheRun, "a hobbit's sling", sheets{class("hobbit", 1), speed(90), arms(sling, bow)}, 90, "sling", true, ""},
		{cite.MovementHobbitSlingOnTheRun, "a hobbit's bow", sheets{class("hobbit", 1), speed(90), arms(sling, bow)}, 46, "bow", false, cite.MovementHalfMoveAndAttack},
		{cite.MovementHobbitSlingOnTheRun, "a hobbit's bow after 4.5 inches", sheets{class("hobbit", 1), speed(90), arms(sling, bow)}, 45, "bow", true, ""},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", append(c.who, dex(1))...)).at(-20, strongFoe()).start(nil, 6, 1)
			f.Must(act("a", "move", "", "", path(c.feet)))
			near := withFacts("distance", 35)
			if c.item == "sword" {
				near = withFacts("distance", 5)
			}
			if c.item == "dagger" {
				near = withFacts("distance", 15)
			}
			err := f.Try(act("a", "attack", c.item, "b", near), map[bool][]int{true: {2}}[c.allowed]...)
			if !c.allowed {
				wantRefused(t, err, c.by)
				wantRefused(t, f.Try(act("a", "parry", "", "")), cite.MovementHalfMoveAndAttack)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			a := f.Creature("a")
			if body.Has(a, body.CondCharging) || a.Counters[body.CCharged] != 0 || (&thestrike.Blow{Attacker: f.Creature("b"), Target: a}).Denied(f.State, body.RollDexDenied) != "" {
				t.Fatal("it is no charge and keeps DEX")
			}
		})
	}
	// 13 and DEX 1 meet 14 after 12 inches; a move after the shot goes as far.
	f := newTable(t).at(0, one("elf", "party", class("elf", 1), dex(1), need(14), arms(bow))).at(-20, strongFoe()).start(nil, 6, 1)
	f.Must(act("elf", "move", "", "", path(60)))
	f.Must(act("elf", "attack", "bow", "b", withFacts("range", "medium")), 13, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal(f.Roll("to-hit"))
	}
	f.Must(act("elf", "move", "", "", path(120)))
	wantRefused(t, f.Try(act("elf", "move", "", "", path(121))), cite.MovementHalfMoveAndAttack)
	// Nobody else moves further than half.
	f = newTable(t).at(0, one("man", "party", class("fighter", 1), arms(bow))).at(-20, strongFoe()).start(nil, 6, 1)
	wantRefused(t, f.Try(act("man", "move", "", "", path(61))), cite.MovementHalfMoveAndAttack)
}

// original.attack.crossbow-every-other-round
func TestCrossbow(t *testing.T) {
	for _, first := range []int32{1, 2} {
		f := newTable(t).at(0, one("a", "party", arms(crossbow, blade))).at(100, strongFoe()).start(nil, 6, 1)
		for round := int32(1); round < 6; round++ {
			shot := act("a", "attack", "crossbow", "b")
			switch {
			case round < first:
			case (round-first)%2 == 0:
				f.Must(shot, 2)
			default:
				wantRefused(t, f.Try(shot), cite.AttackCrossbowEveryOtherRound)
				f.Must(act("a", "move", "", "", path(-round)))
			}
			f.End("a")
			f.End("b")
		}
	}
	// A shot in the surprise round counts.
	f := newTable(t).at(0, one("a", "party", arms(crossbow))).at(100, strongFoe()).start(object("surprised", []string{"monsters"}))
	f.Must(act("a", "attack", "crossbow", "b"), 2)
	f.End("a", 6, 1)
	wantRefused(t, f.Try(act("a", "attack", "crossbow", "b")), cite.AttackCrossbowEveryOtherRound)
	f.End("a")
	f.End("b")
	f.Must(act("a", "attack", "crossbow", "b"), 2)
}

// original.equipment.tight-space
func TestTightSpace(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(blade, stab))).at(5, strongFoe()).start(nil, 6, 1)
	f.Afflict("a", body.CondTight)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.EquipmentTightSpace)
	if got := body.InHand(f.Creature("a")).Name; got != "dagger" {
		t.Fatalf("it fights with %s", got)
	}
	f.Must(act("a", "attack", "dagger", "b"), 2)
	f.End("a")
	f.End("b")
	f.Must(act("a", "attack", "empty hand", "b"), 2)
}

// original.attack.ranged-dex: a weapon may say by which ability it is shot.
func TestTheWeaponNamesTheAbility(t *testing.T) {
	for _, c := range []struct {
		name, hit, damage string
		kind              string
		total, points     int32
	}{
		{"as its kind", "", "", "thrown", 12, 4},
		{"by STR", "str", "dex", "thrown", 13, 3},
		{"by none", "none", "none", "bow", 10, 1},
		{"a firearm by DEX", "dex", "str", "firearm", 12, 4},
		{"a firearm by none", "", "", "firearm", 10, 1},
		{"a crossbow as a bow", "", "", "crossbow", 12, 3},
		{"a sling as thrown", "", "", "sling", 12, 4},
	} {
		w := &eventv1.OriginalWeapon{Name: "it", Kind: c.kind, Damage: "1d6", ShortFeet: 10, MediumFeet: 100, LongFeet: 200, RangedAbilityToHit: c.hit, RangedAbilityDamage: c.damage}
		f := newTable(t).at(0, one("a", "party", class("fighter", 1), need(5), str(3), dex(2), arms(w))).at(50, strongFoe()).start(nil, 6, 1)
		f.Must(act("a", "attack", "it", "b"), 10, 1)
		if got := f.Roll("to-hit").Total; got != c.total || f.DamageTo("b") != c.points {
			t.Errorf("%s: %d to hit, %d damage", c.name, got, f.DamageTo("b"))
		}
	}
}
