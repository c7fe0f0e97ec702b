package original

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	whip    = &eventv1.OriginalWeapon{Name: "whip", Kind: "whip", Damage: "1d2"}
	halberd = &eventv1.OriginalWeapon{Name: "halberd", Kind: "polearm", Hands: 2}
	first   = &eventv1.OriginalWeapon{Name: "left sword", Damage: "1d6"}
	second  = &eventv1.OriginalWeapon{Name: "right sword", Damage: "1d6"}
)

func save(n int32) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.SaveParalysis = n })
}

// later plays on to the second round, when reach is of no account any more.
func later(f *table) *table {
	f.T.Helper()
	for f.State.Round == 1 {
		f.End(f.State.Active[0])
	}
	return f
}

// original.attack.save-roll
func TestSave(t *testing.T) {
	for _, c := range []struct {
		name  string
		save  int32
		bonus int32
		face  int
		want  bool
	}{{"equal succeeds", 14, 0, 14, true}, {"with a bonus below", 14, 2, 11, false}, {"a natural 20 is no success by itself", 22, 0, 20, false},
		{"a natural 1 is no failure by itself", 2, 1, 1, true}} {
		f := newTable(t).add(one("a", "party", save(c.save)))
		got := false
		f.Resolve(func(r *rules.Resolution) error {
			got = thestrike.SavesFromParalysis(r, "test", "a", "a test", cite.AttackSaveRoll, body.Mod(c.bonus, "test", "")).Success()
			return nil
		}, c.face)
		if got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for level, want := range map[int32]int32{1: 14, 3: 14, 4: 12, 6: 12, 7: 10, 9: 10, 10: 8, 15: 8} {
		if got := thestrike.Book.SaveNumber(&eventv1.Creature{Sheet: one("a", "party", class("fighter", level))}); got != want {
			t.Errorf("level %d: %d", level, got)
		}
	}
	if got := thestrike.Book.SaveNumber(&eventv1.Creature{Sheet: one("orc", "orcs")}); got != 14 {
		t.Errorf("a Normal Man: %d", got)
	}
}

// original.action.disarm-attempt, original.action.disarm-save
func TestDisarm(t *testing.T) {
	for _, c := range []struct {
		name           string
		level, against int32
		number         int32
		faces          []int
		dropped        bool
	}{
		{"misses", 2, 2, 12, []int{13}, false},
		{"hits, the save fails", 2, 2, 12, []int{14, 11}, true},
		{"hits, the save succeeds", 2, 2, 12, []int{14, 12}, false},
		{"level 5 against 2 saves at +1", 2, 5, 12, []int{14, 11}, false},
		{"level 4 against 2 has no bonus", 2, 4, 12, []int{14, 11}, true},
		{"a higher attacker is no penalty", 9, 1, 12, []int{14, 12}, false},
		{"a natural 20 does no more", 2, 2, 12, []int{20, 11}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("fighter", c.level), need(15), str(1))).at(5, strongFoe(class("fighter", c.against), save(c.number))).start(nil, 6, 1)
			f.Must(act("a", "disarm", "sword", "b"), c.faces...)
			if got := body.Dropped(f.Creature("b"), blade); got != c.dropped || f.DamageTo("b") != 0 {
				t.Fatalf("dropped %v, damage %d", got, f.DamageTo("b"))
			}
			wantRefused(t, f.Try(act("a", "disarm", "sword", "b")), map[bool]string{false: cite.AttackMultiVsNormalMen, true: cite.AttackMultiVsNormalMen}[c.dropped])
			f.End("a")
			if !c.dropped {
				return
			}
			wantRefused(t, f.Try(act("b", "attack", "sword", "a")), cite.FumbleTable)
			f.Must(act("b", "pick-up", "sword", ""))
			wantRefused(t, f.Try(act("b", "pick-up", "sword", "")), cite.FumbleTable)
			f.Must(act("b", "attack", "sword", "a"), 2)
		})
	}
	for _, c := range []struct {
		name string
		a, b *eventv1.OriginalWeapon
	}{{"with a two-handed sword", sword2, blade}, {"against a two-handed sword", blade, sword2}, {"against claws", blade, &eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}},
		{"against a bow", blade, bow}, {"with claws", &eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}, blade}} {
		f := newTable(t).at(0, one("a", "party", arms(c.a))).at(5, strongFoe(arms(c.b))).start(nil, 6, 1)
		if err := f.Try(act("a", "disarm", c.a.Name, "b")); err == nil {
			t.Errorf("%s: allowed", c.name)
		} else {
			wantRefused(t, err, cite.ActionDisarmAttempt)
		}
	}
}

// original.initiative.ties-simultaneous: who is disarmed in the slot still
// strikes in it.
func TestDisarmedAtTheSameTime(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", need(15))).at(5, strongFoe()).start(nil, 4, 4)
	f.Must(act("a", "disarm", "sword", "b"), 15, 2)
	if body.Dropped(f.Creature("b"), blade) {
		t.Fatal("it takes effect after the last of them")
	}
	f.Must(act("b", "attack", "sword", "a"), 2)
	f.End("a")
	f.End("b")
	if !body.Dropped(f.Creature("b"), blade) {
		t.Fatal("the slot is over")
	}
	// A hold laid in the slot is contested at its end.
	f = newTable(t).at(0, one("a", "party", points(50))).at(5, one("orc", "orcs", points(50))).start(nil, 4, 4)
	f.Must(act("orc", "grapple", "", "a"), 15)
	f.Must(act("a", "attack", "sword", "orc"), 2)
	f.End("orc")
	f.End("a", 1, 6, 2, 2) // the contest: stunned, and morale
	if !body.Has(f.Creature("orc"), body.CondStunned) {
		t.Fatal("6 against 1")
	}
}

// original.mount.dismount-attempt, original.mount.dismount-save
func TestDismount(t *testing.T) {
	for _, c := range []struct {
		name         string
		rider, level int32
		number       int32
		faces        []int
		thrown       bool
	}{
		{"level 8 against 1 saves at +2", 8, 1, 10, []int{14, 8}, false},
		{"level 3 against 1 has no bonus", 3, 1, 14, []int{14, 13}, true},
		{"never a penalty", 1, 7, 14, []int{14, 14}, false},
		{"a miss", 3, 1, 14, []int{13}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := later(newTable(t).at(0, one("a", "party", class("cleric", c.level), need(14), arms(halberd))).at(5, strongFoe(class("fighter", c.rider), save(c.number), mounted)).start(nil, 6, 1))
			f.Must(act("a", "dismount", "halberd", "b"), c.faces...)
			b := f.Creature("b")
			if thrown := !body.Has(b, body.CondMounted) && body.Has(b, body.CondProne); thrown != c.thrown || f.DamageTo("b") != 0 {
				t.Fatalf("%v %v", body.Has(b, body.CondMounted), b.Conditions)
			}
		})
	}
	f := newTable(t).at(0, one("a", "party", arms(blade, halberd))).at(5, strongFoe(mounted)).at(6, one("c", "monsters")).start(nil, 6, 1, 1)
	wantRefused(t, f.Try(act("a", "dismount", "sword", "b")), cite.MountDismountAttempt)
	wantRefused(t, f.Try(act("a", "dismount", "halberd", "c")), cite.MountDismountAttempt)
}

// original.equipment.whip-reach, original.action.whip-entangle
func TestWhoCanBeEntangled(t *testing.T) {
	field := func(feet int32, change ...func(*eventv1.Sheet)) *table {
		return newTable(t).at(0, one("a", "party", class("fighter", 1), str(0), need(13), arms(whip, blade), save(14))).at(feet, strongFoe(change...)).start(nil, 6, 1)
	}
	f := field(10)
	f.Must(act("a", "entangle", "whip", "b"), 12)
	if f.Attack().Outcome != "miss" || len(f.Decisions) != 0 {
		t.Fatal("12 misses: no choice, no save")
	}
	f = field(15)
	wantRefused(t, f.Try(act("a", "entangle", "whip", "b")), cite.EquipmentWhipReach)
	wantRefused(t, f.Try(act("a", "attack", "whip", "b")), cite.EquipmentWhipReach)
	f = field(10, size("huge"))
	wantRefused(t, f.Try(act("a", "entangle", "whip", "b")), cite.ActionWhipEntangle)
	wantRefused(t, f.Try(act("a", "entangle", "sword", "b")), cite.ActionWhipEntangle)
	f = field(10, size("large"))
	f.Must(act("a", "entangle", "whip", "b"), 13)
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecWhipArea || f.Decisions[0].Creature != "a" {
		t.Fatalf("an ogre can be: the wielder picks: %v", f.Decisions)
	}
	f = field(10, arms(&eventv1.OriginalWeapon{Name: "claws", Kind: "natural"}))
	f.Must(act("a", "entangle", "whip", "b"), 13, 2)
	if len(f.Decisions) != 0 {
		t.Fatal("with nothing in hand there is nothing to pick")
	}
}

// original.action.whip-save, original.action.whip-outcome
func TestWhipOutcome(t *testing.T) {
	for _, c := range []struct {
		name, area, pull string
		face             int
		prone, gone      bool
	}{
		{"14 meets 14: the person", "person", "yes", 16, true, false},
		{"13 fails", "person", "", 15, false, false},
		{"the sword", "item:sword", "yes", 16, false, true},
		{"left alone", "item:sword", "no", 16, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party", class("fighter", 1), str(0), need(11), arms(whip), save(14))).at(10, strongFoe(str(2), dex(2))).start(nil, 6, 1)
			f.Must(act("a", "entangle", "whip", "b"), 13)
			f.Answer(body.DecWhipArea, c.area, c.face)
			if c.pull != "" {
				f.Answer(body.DecWhipPull, c.pull)
			}
			b := f.Creature("b")
			if body.Has(b, body.CondProne) != c.prone || body.Dropped(b, blade) != c.gone {
				t.Fatalf("%v, dropped %v", b.Conditions, body.Dropped(b, blade))
			}
			f.End("a")
			if c.gone { // it lies at the wielder's feet
				wantRefused(t, f.Try(act("b", "pick-up", "sword", "")), cite.ActionWhipOutcome)
			}
			if c.prone {
				if (&thestrike.Blow{Attacker: f.Creature("a"), Target: b}).Denied(f.State, body.RollDexDenied) != cite.ActionWhipOutcome {
					t.Fatal("the prone have no DEX")
				}
				f.Must(act("b", "rise", "", ""))
				f.Must(act("b", "attack", "sword", "a"), 2)
				wantRefused(t, f.Try(act("b", "withdraw", "", "", path(15))), cite.MovementFightingWithdrawal)
			}
		})
	}
}

// What was dropped is picked up near by, with the round's movement.
//
// original.fumble.table
func TestPickUp(t *testing.T) {
	f := newTable(t, body.SetFumble+"=on").at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 1, 20, 1)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.FumbleTable)
	f.Must(act("a", "move", "", "", path(-1)))
	wantRefused(t, f.Try(act("a", "pick-up", "sword", "")), cite.FumbleTable)
	f.End("a")
	f.End("b")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{X: -11}}}})
	wantRefused(t, f.Try(act("a", "pick-up", "sword", "")), cite.FumbleTable)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "a", Position: &eventv1.Position{X: -5}}}})
	f.Must(act("a", "pick-up", "sword", ""))
	wantRefused(t, f.Try(act("a", "move", "", "", path(-6))), cite.MovementHalfMoveAndAttack)
}

// original.attack.florentine-advantage, original.attack.florentine-which-weapon
func TestFlorentine(t *testing.T) {
	fight := func(change ...func(*eventv1.Sheet)) *table {
		all := append(sheets{class("fighter", 1), str(1), need(15), arms(first, second, stab)}, change...)
		return newTable(t).at(0, one("a", "party", all...)).at(5, strongFoe()).start(nil, 6, 1)
	}
	with := func(main, other string) *eventv1.Command {
		return act("a", "florentine", main, "", withParameters("other", other))
	}
	for _, c := range []struct {
		name        string
		main, other string
		faces       []int
		outcome     string
		damage      int32
	}{
		{"14+1 is one hit, equal sizes need no roll", "left sword", "right sword", []int{14, 6, 3}, "hit", 4},
		{"13+1 misses", "left sword", "right sword", []int{13, 13}, "miss", 0},
		{"5: the dagger hit", "left sword", "dagger", []int{14, 6, 5, 2}, "hit", 3},
		{"4: the dagger hit", "left sword", "dagger", []int{6, 14, 4, 4}, "hit", 5},
		{"3: the sword hit", "left sword", "dagger", []int{14, 6, 3, 6}, "hit", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := fight()
			f.Must(with(c.main, c.other))
			f.Must(act("a", "attack", c.main, "b"), c.faces...)
			if f.Attack().Outcome != c.outcome || f.DamageTo("b") != c.damage || f.Roll("to-hit").Expression != "2d20kh1" {
				t.Fatalf("%v for %d", f.Attack(), f.DamageTo("b"))
			}
		})
	}
	f := fight()
	f.Must(with("left sword", "dagger"))
	wantRefused(t, f.Try(with("left sword", "dagger")), cite.AttackFlorentineAdvantage)
	f.Must(act("a", "one-weapon", "", ""))
	wantRefused(t, f.Try(act("a", "one-weapon", "", "")), cite.AttackFlorentineAdvantage)
	f.Must(act("a", "attack", "left sword", "b"), 2)
	// A third weapon, or the bare hand, has no advantage.
	f = fight()
	f.Must(with("left sword", "right sword"))
	f.Must(act("a", "attack", "dagger", "b"), 2)
	untrained := &eventv1.OriginalWeapon{Name: "club", Untrained: true}
	for name, bad := range map[string]*table{"a shield": fight(shield(1)), "two hands": fight(arms(first, second, sword2)), "untrained": fight(arms(first, second, untrained))} {
		other := map[string]string{"a shield": "right sword", "two hands": "two-handed sword", "untrained": "club"}[name]
		if err := bad.Try(with("left sword", other)); err == nil {
			t.Errorf("%s: allowed", name)
		} else {
			wantRefused(t, err, cite.AttackFlorentineAdvantage)
		}
	}
	wantRefused(t, fight().Try(with("left sword", "left sword")), cite.AttackFlorentineAdvantage)
}

// original.critical.weapon-immunity: of two weapons only the silver one harms.
func TestFlorentineAgainstAWerewolf(t *testing.T) {
	for _, c := range []struct {
		which  int
		damage int32
	}{{3, 0}, {4, 2}} {
		f := newTable(t).at(0, one("a", "party", need(10), arms(blade, silver))).at(5, strongFoe(with(func(o *eventv1.OriginalSheet) { o.HarmedOnlyBy = []string{"silver"} }))).start(nil, 6, 1)
		f.Must(act("a", "florentine", "sword", "", withParameters("other", "silver dagger")))
		faces := []int{15, 2, c.which}
		if c.damage > 0 {
			faces = append(faces, int(c.damage))
		}
		f.Must(act("a", "attack", "sword", "b"), faces...)
		if got := f.DamageTo("b"); got != c.damage {
			t.Errorf("which %d: %d", c.which, got)
		}
	}
}

// original.defense.florentine-ac
func TestFlorentineArmourClass(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", ac(5), dex(1), arms(first, second))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "florentine", "left sword", "", withParameters("other", "right sword")))
	for name, c := range map[string]struct {
		b    thestrike.Blow
		want int32
	}{"a blow": {thestrike.Blow{Melee: true}, 3}, "an arrow": {thestrike.Blow{}, 4}, "a blow from behind": {thestrike.Blow{Melee: true, Position: "behind"}, 5},
		"a blow by surprise": {thestrike.Blow{Melee: true, Unseen: true}, 5}, "a blow from the flank": {thestrike.Blow{Melee: true, Position: "flank"}, 4}} {
		b := c.b
		b.Attacker, b.Target = f.Creature("b"), f.Creature("a")
		if got, _ := thestrike.ArmourClass(f.State, b.Target, &b); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
