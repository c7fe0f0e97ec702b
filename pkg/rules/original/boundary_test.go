package original

import (
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Refusals at their boundary: who is no target, what is no weapon for a deed, and what a
// sheet, a record or the facts of a start may hold.

// original.attack.roll and the rules of the other deeds: a friend is no target, by the rule
// of each deed, nor is anybody of an unknown name.
func TestWhoIsNoTarget(t *testing.T) {
	for action, c := range map[string]struct{ item, rule string }{
		"attack":   {"dagger", cite.AttackRoll},
		"backstab": {"dagger", cite.AttackRoll},
		"disarm":   {"dagger", cite.AttackRoll},
		"dismount": {"halberd", cite.AttackRoll},
		"entangle": {"whip", cite.AttackRoll},
		"shortcut": {"", body.SetShortcut},
		"charge":   {"dagger", cite.ChargeMove},
		"grapple":  {"", cite.GrappleToHit},
		"through":  {"", cite.MovementThroughLine},
		"pursue":   {"", cite.MovementRetreatPursuitRoll},
		"face":     {"", cite.ConditionPartiallySurprised},
		"shield":   {"", cite.DefenseShieldTwoAttackers},
		"cast":     {"glow", cite.DeathZeroHp},
	} {
		t.Run(action, func(t *testing.T) {
			f := newTable(t, body.SetShortcut+"=on").at(0, one("a", "party", class("thief", 3), shield(1), arms(stab, whip, halberd), spells(glow))).at(100, strongFoe()).
				at(-100, one("friend", "party")).start(nil, 6, 1, 2)
			if got := reasonOf(f.Try(act("a", action, c.item, "nobody"))); got != "UNKNOWN_CREATURE" {
				t.Errorf("nobody: %q", got)
			}
			if action == "cast" { // at friends too, but not at the dead
				if err := f.Peek(act("a", action, c.item, "friend")); err != nil {
					t.Error(err)
				}
				f.Hurt("friend", 0)
				wantRefused(t, f.Try(act("a", action, c.item, "friend")), c.rule)
				return
			}
			err := f.Try(act("a", action, c.item, "friend"))
			wantRefused(t, err, c.rule)
			if got := reasonOf(err); got != "NO_FOE" {
				t.Errorf("a friend: %s", got)
			}
			f.Roller = func(int) int { return 2 }
			if got := reasonOf(f.Peek(act("a", action, c.item, "b"))); got == "NO_FOE" {
				t.Error("a foe is none")
			}
		})
	}
}

// original.action.whip-entangle, original.mass.grouping: a whip entangles up to ogre size;
// units attempt nothing, and nothing is attempted at them, nor backstabbed.
func TestWhatIsNotAttempted(t *testing.T) {
	thief := with(func(o *eventv1.OriginalSheet) { yes := true; o.CanBackstab = &yes })
	for _, c := range []struct {
		name, action string
		weapon       *eventv1.OriginalWeapon
		a, b         []func(*eventv1.Sheet)
		reason, rule string
	}{
		{"a whip at the large", "entangle", whip, nil, sheets{size("large")}, "", ""},
		{"a whip at the huge", "entangle", whip, nil, sheets{size("huge")}, "TOO_LARGE", cite.ActionWhipEntangle},
		{"a whip at the gargantuan", "entangle", whip, nil, sheets{size("gargantuan")}, "TOO_LARGE", cite.ActionWhipEntangle},
		{"a whip of a unit", "entangle", whip, sheets{unit(5)}, nil, "UNIT", cite.MassGrouping},
		{"a whip at a unit", "entangle", whip, nil, sheets{unit(5)}, "UNIT", cite.MassGrouping},
		{"disarming", "disarm", blade, nil, nil, "", ""},
		{"disarming with a weapon of one hand as stated", "disarm", &eventv1.OriginalWeapon{Name: "axe", Hands: 1}, nil, nil, "", ""},
		{"disarming with two hands", "disarm", sword2, nil, nil, "WRONG_WEAPON", cite.ActionDisarmAttempt},
		{"a unit that disarms", "disarm", blade, sheets{unit(5)}, nil, "UNIT", cite.MassGrouping},
		{"disarming a unit", "disarm", blade, nil, sheets{unit(5)}, "UNIT", cite.MassGrouping},
		{"a unit that pulls riders down", "dismount", halberd, sheets{unit(5)}, sheets{mounted}, "UNIT", cite.MassGrouping},
		{"pulling a rider down", "dismount", halberd, nil, sheets{mounted}, "", ""},
		{"a backstab", "backstab", stab, sheets{thief}, nil, "", ""},
		{"a unit of thieves", "backstab", stab, sheets{thief, unit(5)}, nil, "UNIT", cite.AttackBackstabFirstOnly},
		{"a backstab at a unit", "backstab", stab, sheets{thief}, sheets{unit(5)}, "UNIT", cite.AttackBackstabFirstOnly},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t, body.SetMassPoints+"=off").at(0, one("a", "mob", append(sheets{arms(c.weapon), points(50)}, c.a...)...)).at(5, one("b", "monsters", append(sheets{points(50), with(func(o *eventv1.OriginalSheet) { o.HitDice = 2 })}, c.b...)...)).start(nil, 6, 1)
			f.Roller = func(int) int { return 2 }
			err := f.Try(act("a", c.action, c.weapon.Name, "b", withFacts("position", "behind")))
			if c.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			wantRefused(t, err, c.rule)
			if got := reasonOf(err); got != c.reason {
				t.Errorf("%s", got)
			}
		})
	}
}

// original.mass.grouping: one man is no unit: it needs no setting, its points are not
// rolled, and it does what any one does. A unit stays one whatever becomes of the count of
// its men, which is plain to all.
func TestAUnitOfOne(t *testing.T) {
	f := newTable(t, body.SetMass+"=off").at(0, one("a", "monsters", unit(1), need(10), points(9))).at(5, one("b", "party", dex(0), class("cleric", 1)))
	if c := f.Creature("a"); c.GetHp() != 9 || c.Counters[body.CMen] != 0 || c.Counters[body.CRolled] != 0 || c.Counters[body.COriginal] != 0 {
		t.Fatalf("%d points, %v", c.GetHp(), c.Counters)
	}
	f.start(nil, 1, 6)
	f.Must(act("a", "grapple", "", "b"), 2)

	g := newTable(t)
	g.Roller = func(int) int { return 3 }
	g.add(one("u", "monsters", unit(2), points(9)), one("b", "party"))
	g.start(nil)
	if c := g.Creature("u"); c.Counters[body.CMen] != 2 {
		t.Fatalf("%v", c.Counters)
	}
	told := g.Creature("u")
	if !body.IsUnit(told) {
		t.Error("two men are no unit")
	}
	if !body.IsUnit(&eventv1.Creature{Counters: told.Counters}) {
		t.Error("who is not told the sheet sees no unit")
	}
	g.Count("u", body.CMen, 0)
	if !body.IsUnit(g.Creature("u")) {
		t.Error("the sheet says so")
	}
}

// original.charge.move, original.attack.backstab-first-only: what a command names though it
// is not offered is refused by the deed's rule.
func TestWeaponsThatAreNotOffered(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 1), arms(stab, bow, sling))).at(100, strongFoe()).start(nil, 6, 1)
	err := f.Try(act("a", "charge", "bow", "b"))
	wantRefused(t, err, cite.ChargeMove)
	if reasonOf(err) != "NO_WEAPON" {
		t.Error(err)
	}
	wantRefused(t, f.Try(act("a", "backstab", "bow", "b", withFacts("position", "behind"))), cite.AttackBackstabFirstOnly)
	f.Must(act("a", "charge", "dagger", "b"), 2)

	// original.attack.melee-swashbuckler-dex: it is for blows, not for a sling of one hand.
	g := newTable(t).at(0, one("a", "party", class("fighter", 1), light, str(0), dex(2), arms(blade, &eventv1.OriginalWeapon{Name: "sling", Kind: "sling", Hands: 1, Damage: "1d4", ShortFeet: 60, MediumFeet: 120, LongFeet: 180}))).at(100, strongFoe()).start(nil, 6, 1)
	err = g.Try(act("a", "attack", "sling", "b", withParameters("to_hit", "dex")))
	wantRefused(t, err, cite.AttackMeleeSwashbucklerDex)
	g.Must(act("a", "attack", "sling", "b"), 2)

	// original.equipment.tight-space and the like: claws leave no empty hand to strike with.
	claws := one("c", "monsters", arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}))
	if w := body.WeaponOf(body.Bearer(claws), "empty hand"); w != nil {
		t.Errorf("%v", w)
	}
	if w := body.WeaponOf(body.Bearer(one("c", "monsters")), "empty hand"); w != body.EmptyHand {
		t.Errorf("%v", w)
	}
}

// original.charge.move: a foe on the same spot is too near to charge; one nowhere known is
// of no distance.
func TestAChargeOfNoLength(t *testing.T) {
	for feet, reason := range map[int]string{0: "TOO_NEAR", 60: "TOO_NEAR", 61: "", -1: "NO_DISTANCE"} {
		f := newTable(t).add(one("a", "party", class("cleric", 1)), strongFoe()).start(nil, 6, 1)
		cmd := act("a", "charge", "sword", "b", withFacts("distance", feet))
		if feet < 0 {
			cmd = act("a", "charge", "sword", "b")
		}
		f.Roller = func(int) int { return 2 }
		err := f.Try(cmd)
		if got := reasonOf(err); got != reason {
			t.Errorf("%d feet: %q, want %q", feet, got, reason)
		}
		if reason != "" {
			wantRefused(t, err, cite.ChargeMove)
		}
	}
}

// original.attack.multi-shortcut: what cannot be averaged is not counted, nor are units, and
// who has one attack counts none.
func TestWhatHasNoAverage(t *testing.T) {
	for _, c := range []struct {
		name, damage, reason string
		a, b                 []func(*eventv1.Sheet)
		settings             []string
	}{
		{"dice", "1d6+1", "", nil, nil, nil},
		{"several dice", "1d8+2d4*2-1", "", nil, nil, nil},
		{"dice that explode", "1d6!", "NO_AVERAGE", nil, nil, nil},
		{"the better of two dice", "2d6kh1", "NO_AVERAGE", nil, nil, nil},
		{"dice by dice", "1d6*1d4", "NO_AVERAGE", nil, nil, nil},
		{"more dice than anybody rolls", "999999999d6", "NO_AVERAGE", nil, nil, nil},
		{"dice of very many sides", "1d1000000", "", nil, nil, nil},
		{"more points than can be counted", "1d2147483647*2147483647", "NO_AVERAGE", nil, nil, nil},
		{"a unit that strikes for each man", "1d6", "ONE_ATTACK", sheets{unit(5)}, nil, []string{cite.MassSingleHitThrow + "=off"}},
		{"a unit of Normal Men", "1d6", "NORMAL_MEN_ONLY", nil, sheets{unit(5)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &eventv1.OriginalWeapon{Name: "w", Damage: c.damage}
			f := newTable(t, append([]string{body.SetShortcut + "=on", body.SetMassPoints + "=off"}, c.settings...)...).at(0, one("a", "heroes", append(sheets{arms(w), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 })}, c.a...)...)).
				at(5, one("b", "monsters", append(sheets{points(3)}, c.b...)...)).start(nil, 6, 1)
			f.Roller = func(int) int { return 2 }
			err := f.Try(act("a", "shortcut", "", "b"))
			if got := reasonOf(err); got != c.reason {
				t.Fatalf("%q", got)
			}
			if err != nil {
				wantRefused(t, err, cite.AttackMultiShortcut)
			} else if !body.Dead(f.Creature("b")) {
				t.Error("3 points live on")
			}
		})
	}
}

// Sheets: dice of 64 bytes are taken, longer ones not.
func TestLongDice(t *testing.T) {
	for length, want := range map[int]bool{64: true, 65: false} {
		dice := strings.Repeat("1d6+", 15) + "1" + strings.Repeat("0", length-61)
		if len(dice) != length {
			t.Fatal(len(dice))
		}
		dice = strings.Repeat("1d6+", 15) + "1" + strings.Repeat(" ", length-61)
		for field, s := range map[string]*eventv1.Sheet{
			"sheet.original.weapons[0].damage": one("a", "party", arms(&eventv1.OriginalWeapon{Name: "w", Damage: dice})),
			"sheet.original.spells[0].damage":  one("a", "party", spells(&eventv1.OriginalSpell{Name: "p", Damage: dice})),
		} {
			err := newTable(t).Try(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s}}})
			if want && err != nil {
				t.Errorf("%d bytes: %v", length, err)
			} else if !want {
				wantFault(t, err, field)
			}
		}
		err := newTable(t).add(one("a", "party"), strongFoe()).Peek(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("appearing", map[string]any{"orcs": dice})}}},
			1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 1)
		if want && err != nil {
			t.Errorf("%d bytes of how many appear: %v", length, err)
		} else if !want {
			wantFault(t, err, "start.facts.appearing.orcs")
		}
	}
}

// original.surprise.combined-chance: the faces on which a side surprises or is surprised are
// whole numbers of a d6, or none.
func TestFacesOfSurprise(t *testing.T) {
	for _, key := range []string{"surprises_on", "surprised_on"} {
		for value, ok := range map[any]bool{0: true, 6: true, 7: false, -1: false, "two": false, 1.5: false} {
			err := newTable(t).add(one("a", "party"), strongFoe()).Peek(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object(key, map[string]any{"party": value})}}}, 6, 1)
			if ok && err != nil {
				t.Errorf("%s %v: %v", key, value, err)
			} else if !ok {
				wantFault(t, err, "start.facts."+key+".party")
			}
		}
	}
}

// Nothing rolls for what a viewer is not told: a monster without its sheet owes no morale
// and no reaction, is of no group of monsters, and nobody calls for either.
func TestOfWhomNoSheetIsTold(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	for _, action := range []string{body.ActCheckMorale, body.ActReaction} {
		if !f.legal("b", action) {
			t.Errorf("%s of a monster", action)
		}
		if f.legal("a", action) {
			t.Errorf("%s of a character", action)
		}
	}
	f.State.Creatures["b"].Sheet = nil
	for action, rule := range map[string]string{body.ActCheckMorale: cite.MoraleWhen, body.ActReaction: cite.EncounterReactionRoll} {
		for _, o := range f.optionsOf("b", action) {
			if o.Legal || o.GetRule() != rule {
				t.Errorf("%s: %v", action, o)
			}
		}
	}
	if body.Monster(f.Creature("b")) {
		t.Error("a monster without a sheet")
	}
}
