package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// cites tells whether the last roll to hit counted a rule among its modifiers, or for
// its target number.
func cites(f *table, rule string) bool {
	f.T.Helper()
	list := f.Rolls("to-hit")
	if len(list) == 0 {
		f.T.Fatal("nobody rolled to hit")
	}
	last := list[len(list)-1]
	return slices.ContainsFunc(slices.Concat(last.Modifiers, last.Target.GetModifiers()), func(m *eventv1.Modifier) bool { return m.Rule == rule })
}

// Who is passed strikes as the other comes by: those round it where it set out give
// no bonus there.
//
// original.movement.retreat-passersby, original.attack.surround-bonus
func TestNobodyIsSurroundedOnTheWay(t *testing.T) {
	for _, places := range []bool{true, false} {
		f := newTable(t)
		foes := []string{"o1", "o2", "o3", "idle"}
		runner := one("a", "party", need(15), points(90))
		if places {
			f.at(0, runner).at(5, one("o1", "foes", group("foes"))).at(6, one("o2", "foes", group("foes"))).at(7, one("o3", "foes", group("foes"))).at(-60, one("idle", "foes", group("foes")))
			f.start(nil, 6, 1)
		} else {
			f.add(runner)
			for _, id := range foes {
				f.add(one(id, "foes", group("foes")))
			}
			f.start(nil, 6, 1)
			for _, id := range foes[:3] {
				f.Resolve(tie("a", body.RelEngaged, id))
			}
		}
		// The contest: 1 against 2, 3 and 4; each parting shot misses by the face 2.
		retreat := act("a", "retreat", "", "", path(-100))
		if !places {
			retreat = act("a", "retreat", "", "", withParameters("feet", 100), withFacts("passes", []string{"idle"}))
		}
		f.Must(retreat, 1, 2, 3, 4, 2, 2, 2, 2, 6, 6)
		for i, r := range f.Rolls("to-hit") {
			sum := int32(0)
			for _, m := range r.Modifiers {
				sum += m.Value
			}
			if want := int32(3); i < 3 && (sum != want || !modified(r, cite.AttackSurroundBonus)) {
				t.Errorf("places %v: parting shot %d: +%d of +2 and +1 for three round it", places, i, sum)
			}
			if i == 3 && (sum != 2 || modified(r, cite.AttackSurroundBonus)) {
				t.Errorf("places %v: who is passed has +%d, not +2 alone", places, sum)
			}
		}
		if got := len(f.Rolls("to-hit")); got != 4 {
			t.Fatalf("places %v: %d attacks", places, got)
		}
	}
}

// modified tells whether a roll has a modifier by a rule.
func modified(r *eventv1.Roll, rule string) bool {
	return slices.ContainsFunc(r.Modifiers, func(m *eventv1.Modifier) bool { return m.Rule == rule })
}

// tie makes a creature of a kind to another.
func tie(id, kind, to string) func(*rules.Resolution) error {
	return func(r *rules.Resolution) error {
		body.Tie(r, id, kind, to, cite.MovementInMeleeDefinition)
		return nil
	}
}

// The stunned keep what they have to defend themselves with; the pinned do not.
//
// original.grapple.thrown-off, original.grapple.pinned
func TestTheStunnedDefendThemselves(t *testing.T) {
	for _, c := range []struct {
		name, condition, position string
		face                      int // that meets the need: 19 - AC
		hits, bonus               bool
	}{
		{"AC 5, shield and DEX: 17 are needed", body.CondStunned, "", 17, true, false},
		{"and 16 are not enough", body.CondStunned, "", 16, false, false},
		{"from behind: +2 and neither", body.CondStunned, "behind", 12, true, true},
		{"the pinned from any side", body.CondPinned, "", 12, true, true},
		{"11 are not enough", body.CondPinned, "", 11, false, true},
		{"those held by magic", body.CondHeld, "", 12, true, true},
		{"who has given up", body.CondSurrendered, "", 12, true, true},
	} {
		f := newTable(t).at(0, one("a", "party", shield(1), dex(2))).at(5, one("orc", "foes", ac0(19))).start(nil, 1, 6)
		f.Afflict("a", c.condition)
		faces := []int{c.face}
		if c.hits {
			faces = append(faces, 1)
		}
		var more []func(*eventv1.TakeAction)
		if c.position != "" {
			more = append(more, withFacts("position", c.position))
		}
		f.Must(act("orc", "attack", "sword", "a", more...), faces...)
		if hit := f.Attack().Outcome == "hit"; hit != c.hits || cites(f, cite.AttackBehindBonus) != c.bonus || cites(f, cite.DefenseShieldContent) == c.bonus || cites(f, cite.DefenseDexLowersAc) == c.bonus {
			t.Errorf("%s: %v %v", c.name, f.Attack().Outcome, f.Rolls("to-hit")[0])
		}
		// It has no turn all the same.
		if c.position != "" {
			continue // it is surprised besides
		}
		wantRefused(t, f.Try(act("a", "attack", "sword", "orc"), 10), map[string]string{body.CondStunned: cite.GrappleThrownOff, body.CondPinned: cite.GrapplePinned,
			body.CondHeld: cite.GrapplePinned, body.CondSurrendered: cite.MoraleTable}[c.condition])
	}
}

// Lancers who charge each other both have what a charge gives.
//
// original.charge.no-initiative, original.charge.lance, original.charge.longer-reach-first, original.charge.no-dex
func TestTwoChargeEachOther(t *testing.T) {
	rider := with(func(o *eventv1.OriginalSheet) { o.Mounted, o.ChargingBeast = true, true })
	lance, pike := &eventv1.OriginalWeapon{Name: "lance", Kind: "lance"}, &eventv1.OriginalWeapon{Name: "pike", Kind: "pike"}
	joust := func(dice []int, arm *eventv1.OriginalWeapon, change ...func(*eventv1.Sheet)) *table {
		b := append([]func(*eventv1.Sheet){arms(arm), points(10), dex(3), need(15)}, change...)
		return newTable(t).at(0, one("a", "party", rider, arms(lance), points(10), dex(3), need(15))).at(100, one("b", "foes", b...)).start(nil, dice...)
	}
	charge := act("a", "charge", "lance", "b")

	// Need 15, +2 and no DEX on either side: 13 hit, 2d6 twice kill both.
	f := joust([]int{6, 1}, lance, rider)
	f.Must(charge)
	f.Answer(body.DecInTurn, "yes", 13, 3, 4, 13, 2, 3)
	f.WantAttacks("a hit", "b hit")
	if !body.Dead(f.Creature("a")) || !body.Dead(f.Creature("b")) {
		t.Fatal("14 and 10 points: both blows are struck even if one kills")
	}

	// They meet on the way, and have used the charge of the Turn and their attack.
	f = joust([]int{6, 1}, lance, rider)
	f.Must(charge)
	f.Answer(body.DecInTurn, "yes", 12, 12)
	if a, b := f.Creature("a"), f.Creature("b"); a.Position.X != 47 || b.Position.X != 52 || a.Counters[body.CMoved] != 47 || b.Counters[body.CMoved] != 48 {
		t.Fatalf("12 and 2 miss, 5 feet apart: %v %v", a.Position, b.Position)
	}
	f.End("a")
	wantRefused(t, f.Try(act("b", "attack", "lance", "a"), 10), cite.AttackMultiVsNormalMen)

	// The longer weapon comes first, and who falls strikes no blow.
	f = joust([]int{6, 1}, pike, rider)
	f.Must(charge)
	f.Answer(body.DecInTurn, "yes", 13, 4)
	f.WantAttacks("b hit")
	f = joust([]int{6, 1}, &eventv1.OriginalWeapon{Name: "sword"}, rider)
	f.Must(charge)
	f.Answer(body.DecInTurn, "yes", 13, 3, 4)
	f.WantAttacks("a hit")

	// Who stands is charged as before.
	f = joust([]int{6, 1}, lance, rider)
	f.Must(charge)
	f.Answer(body.DecInTurn, "no", 16, 1, 1)
	if f.Creature("b").Position.X != 100 || f.Creature("a").Position.X != 95 {
		t.Fatal("only one charges")
	}

	// On foot it takes the same moment.
	f = joust([]int{4, 4}, &eventv1.OriginalWeapon{Name: "sword"})
	f.Must(charge)
	f.Answer(body.DecInTurn, "yes", 2, 2)
	f.WantAttacks("a miss", "b miss")

	// Who could not charge is not asked.
	for name, f := range map[string]*table{
		"on foot":        joust([]int{6, 1}, &eventv1.OriginalWeapon{Name: "sword"}),
		"no room to":     joust([]int{6, 1}, lance, rider, speed(200)),
		"bare hands":     joust([]int{6, 1}, lance, rider, arms()),
		"cannot move":    joust([]int{6, 1}, lance, rider, speed(0)),
		"has charged":    counted(joust([]int{6, 1}, lance, rider), body.CCharged, 1),
		"has moved":      counted(joust([]int{6, 1}, lance, rider), body.CMoved, 10),
		"has attacked":   counted(joust([]int{6, 1}, lance, rider), body.CAttacks, 1),
		"has no defence": afflicted(joust([]int{6, 1}, lance, rider), body.CondSurrendered),
	} {
		f.Must(charge, 2)
		if len(f.Attacks()) != 1 {
			t.Errorf("%s: %v", name, f.Attacks())
		}
	}
}

func counted(f *table, counter string, n int) *table { f.Count("b", counter, n); return f }

func afflicted(f *table, condition string) *table {
	f.T.Helper()
	f.Roller = func(int) int { return 1 } // its morale may be rolled
	f.Afflict("b", condition)
	f.Roller = nil
	return f
}

// A fighter with several attacks takes up two weapons before the first of them falls.
//
// original.initiative.fighters-first-and-last, original.attack.florentine-advantage
func TestTwoWeaponsBeforeTheFirstAttack(t *testing.T) {
	blade := &eventv1.OriginalWeapon{Name: "blade"}
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), arms(&eventv1.OriginalWeapon{Name: "sword"}, blade), str(0), need(12))).
		at(5, one("orc", "foes", points(99))).at(-5, one("other", "foes", points(99))).start(nil, 1, 6, 6)
	if f.State.Phase != body.SegFirst {
		t.Fatalf("the first attack comes before the orcs: %s", f.State.Phase)
	}
	f.Must(act("a", "florentine", "sword", "", withParameters("other", "blade")))
	f.Must(act("a", "attack", "sword", "orc"), 3, 12, 1)
	if f.Attack().Outcome != "hit" || len(f.Roll("to-hit").Dice) != 2 {
		t.Fatal("two dice, the higher counts")
	}
	f.End("orc")
	f.End("other")
	f.Must(act("a", "attack", "sword", "orc"), 3, 3)
	f.End("a")
	if f.State.Phase != body.SegLast {
		t.Fatal(f.State.Phase)
	}
	f.Must(act("a", "one-weapon", "", ""))
	f.Must(act("a", "attack", "sword", "orc"), 3)
}

// original.injury.normal-man-hit-points, original.attack.hit-matrix-table, original.attack.normal-men-definition,
// original.attack.monster-multi-vs-normal-men
func TestHitDiceLess(t *testing.T) {
	dice := func(n, plus int32) func(*eventv1.Sheet) {
		return with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus, o.RollHitPoints = n, plus, true })
	}
	for _, c := range []struct {
		name          string
		dice, plus    int32
		faces         []int
		points, ac0   int32
		normal        bool
		againstNormal int32
	}{
		{"a goblin of 1-1", 1, -1, []int{4}, 3, 19, true, 1},
		{"never less than 1", 1, -1, []int{1}, 1, 19, true, 1},
		{"1+1 is no Normal Man", 1, 1, []int{4}, 5, 18, false, 1},
		{"2-1 is more than 1 and less than 2", 2, -1, []int{4, 2}, 5, 18, false, 2},
		{"3-1", 3, -1, []int{4, 2, 1}, 6, 17, false, 3},
		{"4-1 is below 4", 4, -1, []int{4, 2, 1, 1}, 7, 15, false, 4},
	} {
		f := newTable(t)
		sheet := one("m", "foes", dice(c.dice, c.plus))
		if v := (System{}).CheckSheet(sheet); len(v) > 0 {
			t.Fatalf("%s: %v", c.name, v)
		}
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: sheet}}}, c.faces...)
		m := f.Creature("m")
		if got := thestrike.Book.HitAC0(m); m.GetHpMax() != c.points || got != c.ac0 || (m.Marks[body.MNormal] != "") != c.normal || body.AttacksAgainstNormal(f.State, m) != c.againstNormal {
			t.Errorf("%s: %d points, needs %d, %v, %d attacks", c.name, m.GetHpMax(), got, m.Marks, body.AttacksAgainstNormal(f.State, m))
		}
	}
	if v := (System{}).CheckSheet(one("m", "foes", dice(1, -21))); len(v) != 1 || v[0].Field != "sheet.original.hit_dice_plus" {
		t.Errorf("%v", v)
	}
}

// Any class is one of all others that the document does not name.
//
// original.attack.melee-others-str16, original.damage.melee-others-str16, original.attack.hit-matrix-table
func TestClassesOfAllOthers(t *testing.T) {
	for _, name := range []string{"others", "all others", "druid", "illusionist"} {
		f := newTable(t).at(0, one("a", "party", class(name, 1), ability("strength", 16))).at(5, one("b", "foes", points(90))).start(nil, 6, 1)
		f.Must(act("a", "attack", "sword", "b"), 13, 3)
		if f.Attack().Outcome != "hit" || f.DamageTo("b") != 5 {
			t.Errorf("%s: 13 and 1 meet 14, 3+1+1: %v, %d", name, f.Attack(), f.DamageTo("b"))
		}
		if got := thestrike.Book.HitAC0(&eventv1.Creature{Sheet: one("x", "m", class(name, 6))}); got != 17 {
			t.Errorf("%s: level 6 needs %d, not the 19 of a cleric's row of 1 to 4 or a monster's", name, got)
		}
	}
	for field, sheet := range map[string]*eventv1.Sheet{"a near one": one("x", "m", class("figther", 1)), "an endless one": one("x", "m", class(strings.Repeat("x", 41), 1))} {
		if v := (System{}).CheckSheet(sheet); len(v) != 1 || v[0].Field != "sheet.original.class" {
			t.Errorf("%s: %v", field, v)
		}
	}
}

// A bonus on the sheet of a creature without a class counts wherever the document knows
// no class: its armour class, bows and throws, not its blows.
//
// original.attack.ranged-dex, original.attack.great-bow-str, original.damage.bow-dex, original.damage.great-bow-str
func TestAMonstersOwnBonus(t *testing.T) {
	sling := &eventv1.OriginalWeapon{Name: "sling", Kind: "sling", Damage: "1d4", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	thrower := &eventv1.OriginalWeapon{Name: "axe", Damage: "1d6", RangedAbilityToHit: "str", RangedAbilityDamage: "str", ShortFeet: 70, MediumFeet: 140, LongFeet: 210}
	own := []func(*eventv1.Sheet){dex(2), str(3), ability("strength", 18), need(14)}
	for _, c := range []struct {
		name         string
		weapon       *eventv1.OriginalWeapon
		change       []func(*eventv1.Sheet)
		feet         int32
		face, damage int // the face that just hits, and what a die of 1 does
	}{
		{"a bow", bow, own, 100, 12, 3},
		{"a great bow", great, own, 100, 11, 5},
		{"a javelin: no class adds to its damage", javelin, own, 30, 12, 1},
		{"a sling", sling, own, 100, 12, 1},
		{"by the weapon's own word", thrower, own, 100, 11, 4},
		{"no bonus in melee", &eventv1.OriginalWeapon{Name: "sword"}, own, 5, 14, 2},
		{"a score alone adds nothing", bow, []func(*eventv1.Sheet){ability("dexterity", 18), need(14)}, 100, 14, 1},
		{"nor to a great bow beside a bonus for DEX", great, []func(*eventv1.Sheet){dex(2), ability("strength", 18), need(14)}, 100, 14, 2},
	} {
		for _, less := range []int{0, 1} {
			f := newTable(t).at(0, one("orc", "foes", append([]func(*eventv1.Sheet){arms(c.weapon)}, c.change...)...)).at(c.feet, one("a", "party", points(90), dex(0))).start(nil, 1, 6)
			faces := []int{c.face - less}
			if less == 0 {
				faces = append(faces, 1)
			}
			f.Must(act("orc", "attack", c.weapon.Name, "a", func(t *eventv1.TakeAction) {
				if c.feet > 5 {
					t.Facts = object("range", "medium")
				}
			}), faces...)
			if hit := f.Attack().Outcome == "hit"; hit != (less == 0) || hit && f.DamageTo("a") != int32(c.damage) {
				t.Errorf("%s: %d: %s, %d points", c.name, faces[0], f.Attack().Outcome, f.DamageTo("a"))
			}
		}
	}
}

// The order of the dice is the one that is said: players by name, then groups.
//
// original.initiative.roll
func TestTheOrderOfInitiativeDice(t *testing.T) {
	f := newTable(t).add(one("zoe", "party", func(s *eventv1.Sheet) { s.Controllers = []string{"ann"} }), one("abe", "party"), one("wolf", "foes", group("pack")), one("orc", "foes", group("band")),
		one("other", "foes", group("pack")))
	said := System{}.DiceOrder(f.State)
	f.start(nil, 1, 2, 3, 4)
	var rolled []string
	for _, e := range f.Events {
		if name, is := strings.CutPrefix(e.GetRoll().GetLabel(), "initiative/"); is {
			rolled = append(rolled, name)
		}
	}
	if want := []string{"abe-player", "ann", "band", "pack"}; !slices.Equal(said, want) || !slices.Equal(rolled, want) {
		t.Fatalf("said %v, rolled %v, want %v", said, rolled, want)
	}
	told := event.Clone(f.State)
	told.Creatures["wolf"].Sheet, told.Creatures["other"].Sheet = nil, nil
	if got := (System{}).DiceOrder(told); !slices.Equal(got, []string{"abe-player", "ann", "band"}) {
		t.Fatalf("a group that nobody told of: %v", got)
	}
}
