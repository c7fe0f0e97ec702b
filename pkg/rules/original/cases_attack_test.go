package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// The catalogue's own numbers for single attacks, where no table has them.
func TestNumbersOfSingleAttacks(t *testing.T) {
	steed := with(func(o *eventv1.OriginalSheet) { o.Mounted = true })
	for _, c := range []attackCase{
		{rule: cite.AttackAbilityBonusTable, name: "STR 17 is +2", a: sheets{need(15), class("fighter", 1), ability("strength", 17)}, faces: []int{13, 1}, outcome: "hit", damage: 4},
		{rule: cite.AttackAbilityBonusTable, name: "and no more", a: sheets{need(15), class("fighter", 1), ability("strength", 17)}, faces: []int{12}, outcome: "miss"},
		{rule: cite.AttackMeleeSwashbucklerDex, name: "two hands go by STR", a: sheets{need(14), class("pirate", 1), light, str(1), dex(3), arms(sword2)}, item: "two-handed sword",
			faces: []int{13, 1}, outcome: "hit", damage: 3},
		{rule: cite.MountPolearmCancels, name: "the rider against a halberd", a: sheets{need(14), steed}, b: sheets{arms(halberd)}, faces: []int{13}, outcome: "miss"},
		{rule: cite.DefenseFlorentineAc, name: "an arrow against AC 4", a: sheets{ac0(19), class("cleric", 1), dex(0), arms(bow)}, b: sheets{ac(5), dex(1), arms(first, second)}, feet: 100, item: "bow",
			faces: []int{15, 1}, outcome: "hit", damage: 1},
		{rule: cite.EquipmentWhipReach, name: "10 feet", a: sheets{need(10), arms(whip)}, feet: 10, item: "whip", faces: []int{10, 2}, outcome: "hit", damage: 2},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", c.a...)).at(max(5, c.feet), strongFoe(c.b...)).start(nil, 1, 6)
			if c.rule == cite.DefenseFlorentineAc {
				later(f)
				for !slices.Contains(f.State.Active, "b") {
					f.End(f.State.Active[0])
				}
				f.Must(act("b", "florentine", "left sword", "", withParameters("other", "right sword")))
			} else {
				later(f) // reach is of the first round
			}
			for !slices.Contains(f.State.Active, "a") {
				f.End(f.State.Active[0])
			}
			item := c.item
			if item == "" {
				item = "sword"
			}
			f.Must(act("a", "attack", item, "b", c.take...), c.faces...)
			if f.Attack().Outcome != c.outcome || f.DamageTo("b") != c.damage {
				t.Fatalf("%s for %d, want %s for %d: %v", f.Attack().Outcome, f.DamageTo("b"), c.outcome, c.damage, f.Roll("to-hit"))
			}
		})
	}
}

// original.critical.effect-table: by a charger the multiplier is 3.
func TestACriticalCharge(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", need(12))).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b"), 20, 3)
	if f.Attack().Outcome != "critical" || f.DamageTo("b") != 12 {
		t.Fatalf("%s for %d", f.Attack().Outcome, f.DamageTo("b"))
	}
}

// original.attack.multi-vs-normal-men: a fighter of level 3 among four orcs, all
// at the foes it likes; one attack against an ogre, one with a bow.
func TestAFighterAmongFourOrcs(t *testing.T) {
	field := func() *table {
		f := newTable(t).at(0, one("a", "party", class("fighter", 3), str(0), dex(0), need(12), arms(blade, bow)))
		for i := range int32(4) {
			f.at(5+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), points(50)))
		}
		return f.at(100, one("ogre", "orcs", group("ogres"), points(50), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 })))
	}
	f := field().start(nil, 6, 1, 2)
	var got []string
	blows := [][]int{{15, 1}, {4}, {12, 1}}
	for len(got) < 3 {
		if f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
			continue
		}
		n := len(got)
		f.Must(act("a", "attack", "sword", "orc-"+body.Itoa(n+1)), blows[n]...)
		if got = append(got, f.Attack().Outcome); f.State.Active[0] == "a" && n == 1 {
			f.End("a") // the last falls at the end of the round
		}
	}
	if !slices.Equal(got, []string{"hit", "miss", "hit"}) || f.State.Round != 2 {
		t.Fatalf("%v in round %d", got, f.State.Round)
	}
	// Out of melee with the orcs: one blow at the ogre, and one arrow.
	for _, c := range []struct {
		item, foe string
		x         int32
	}{{"sword", "ogre", 95}, {"bow", "orc-1", 60}} {
		f := field().start(nil, 6, 1, 2)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{X: c.x}}}})
		for f.State.Phase != body.SegSlot || f.State.Active[0] != "a" {
			f.End(f.State.Active[0])
		}
		f.Must(act("a", "attack", c.item, c.foe), 2)
		wantRefused(t, f.Try(act("a", "attack", c.item, c.foe)), cite.AttackMultiVsNormalMen)
		for f.End("a"); f.State.Round == 1; f.End(f.State.Active[0]) {
			if f.State.Active[0] == "a" {
				t.Fatal("no last attack either")
			}
		}
	}
}

// original.attack.monster-multi-vs-normal-men: against a level 5 character a
// troll has its ordinary attacks, 1 unless its sheet says otherwise.
func TestATrollAgainstACharacter(t *testing.T) {
	for sheet, most := range map[int32]int{0: 1, 3: 3} {
		f := newTable(t).at(0, one("hero", "party", class("fighter", 5), points(99))).at(5, one("troll", "trolls", points(50),
			arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.HitDicePlus, o.Attacks = 6, 3, sheet }))).start(nil, 1, 6)
		f.WantActive("troll")
		for range most {
			f.Must(act("troll", "attack", "claws", "hero"), 2)
		}
		wantRefused(t, f.Try(act("troll", "attack", "claws", "hero")), cite.AttackMultiVsNormalMen)
	}
}

// original.attack.untrained-to-hit: a level 9 fighter with a flail has one
// attack against orcs, and none first or last.
func TestAnUntrainedFighterHasOneAttack(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 9), arms(flail))).at(5, one("orc", "orcs", points(50))).start(nil, 6, 1)
	if f.State.Phase == body.SegFirst {
		wantRefused(t, f.Try(act("a", "attack", "flail", "orc")), cite.InitiativeFightersFirstAndLast)
		f.End("a")
	}
	f.Must(act("a", "attack", "flail", "orc"), 2)
	wantRefused(t, f.Try(act("a", "attack", "flail", "orc")), cite.AttackMultiVsNormalMen)
	f.End("a")
	f.End("orc")
	if f.State.Round != 2 {
		t.Fatalf("%s of %v", f.State.Phase, f.State.Active)
	}
}

// original.attack.multi-shortcut: what the dice could not do the count cannot.
func TestWhatTheShortcutMayNotCount(t *testing.T) {
	edged := with(func(o *eventv1.OriginalSheet) { o.EdgedLoses = 3 })
	bane := with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver"} })
	field := func(weapon *eventv1.OriginalWeapon, change ...func(*eventv1.Sheet)) *table {
		f := newTable(t, body.SetShortcut+"=on").at(0, one("a", "party", class("cleric", 8), need(11), arms(weapon)))
		for i := range int32(5) {
			f.at(1+i, one("m"+body.Itoa(i), "monsters", append(sheets{group("m"), points(3), with(func(o *eventv1.OriginalSheet) { o.Morale = 12 })}, change...)...))
		}
		return f.start(nil, 6, 1)
	}
	all := act("a", "shortcut", "", "m0,m1,m2,m3,m4")
	wantRefused(t, field(flail).Try(all), body.SetShortcut) // one attack, untrained
	wantRefused(t, field(blade, bane).Try(all), cite.CriticalWeaponImmunity)
	for _, c := range []struct {
		weapon *eventv1.OriginalWeapon
		dead   int
	}{{blade, 4}, {&eventv1.OriginalWeapon{Name: "mace", Blunt: true}, 4}} {
		f := field(c.weapon)
		f.Must(all, 1, 1) // 8 x 50 % = 4 kills, 4.5 points against 3.5
		if got := fallen(f); got != c.dead {
			t.Errorf("%s: %d dead, want %d", c.weapon.Name, got, c.dead)
		}
	}
	f := field(blade, edged)
	f.Must(all, 1, 1) // 4 hits of 1.5 points against 3.5: 1.71, 2 rounded up
	if got := fallen(f); got != 2 {
		t.Errorf("a sword against bones: %d dead, want 2", got)
	}
}

// fallen counts the dead.
func fallen(f *table) (n int) {
	for _, c := range f.State.Creatures {
		if body.Dead(c) {
			n++
		}
	}
	return n
}

// original.defense.dex-denied-when-stationary: who moves, charges or parries
// stands still no more.
func TestWhoMovesIsNotStationary(t *testing.T) {
	for name, cmd := range map[string]*eventv1.Command{
		"runs": act("b", "run", "", "", path(-20)), "walks": act("b", "move", "", "", path(-5)), "flees": act("b", "flee", "", "", path(-20)),
		"parries": act("b", "parry", "", ""), "charges": act("b", "charge", "sword", "c"),
	} {
		f := newTable(t).at(100, one("c", "party", points(50))).at(200, one("archer", "party", ac0(19), class("magic-user", 1), dex(0), arms(bow))).
			at(0, one("b", "monsters", ac(7), dex(2), with(func(o *eventv1.OriginalSheet) { o.HitDice, o.IsPc = 4, true })))
		f.Afflict("b", body.CondStationary)
		f.start(nil, 2, 6, 1)
		f.Must(cmd)
		if name == "charges" {
			f.Answer(body.DecMissile, "no", 2)
		}
		f.End("b")
		for f.State.Active[0] != "archer" {
			f.End(f.State.Active[0])
		}
		want := int32(14) // AC 5
		if name == "charges" {
			want = 12 // no DEX on the charge, by another rule
		}
		faces := []int{2}
		if name == "charges" { // it is in melee with c
			faces = []int{1, 2}
		}
		f.Must(act("archer", "attack", "bow", "b", withFacts("range", "medium", "distance", 100)), faces...)
		if got := f.Roll("to-hit").Target.Value; got != want {
			t.Errorf("one who %s: need %d, want %d", name, got, want)
		}
		if body.Has(f.Creature("b"), body.CondStationary) {
			t.Errorf("one who %s is still marked", name)
		}
	}
}
