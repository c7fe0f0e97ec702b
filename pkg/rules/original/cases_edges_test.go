package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.attack.ability-bonus-table: a rule that denies a DEX bonus leaves a
// clumsy creature its number below 0.
func TestNegativeDexIsNotDenied(t *testing.T) {
	for name, b := range map[string]thestrike.Blow{"in front": {Melee: true}, "flank": {Melee: true, Position: "flank"}, "behind": {Melee: true, Position: "behind"}} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe(ac(5), dex(-1))).start(nil, 6, 1)
		b.Attacker, b.Target = f.Creature("a"), f.Creature("b")
		if got, _ := thestrike.ArmourClass(f.State, b.Target, &b); got != 6 {
			t.Errorf("%s: %d", name, got)
		}
	}
	f := newTable(t).at(0, one("a", "party", class("thief", 1), dex(-1), need(14))).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b"), 12)
	if f.Attack().Outcome != "miss" {
		t.Fatal("12+2-1 is 13")
	}
}

// original.attack.hit-matrix-table: without class and hit dice the level counts.
func TestClasslessLevels(t *testing.T) {
	for level, want := range map[int32]int32{1: 19, 5: 14, 9: 11} {
		c := &eventv1.Creature{Sheet: one("x", "m", with(func(o *eventv1.OriginalSheet) { o.HitDice, o.Level = 0, level }))}
		if got := thestrike.Book.HitAC0(c); got != want {
			t.Errorf("level %d: %d, want %d", level, got, want)
		}
	}
}

// original.attack.surround-bonus: those who flee or are routed attack nobody.
func TestTheRoutedDoNotSurround(t *testing.T) {
	for name, v := range map[string]*eventv1.Vitals{
		"routed": {Conditions: []*eventv1.Condition{{Name: body.CondRouted, Cause: "test"}}}, "fleeing": {Conditions: []*eventv1.Condition{{Name: body.CondFleeing, Cause: "test"}}},
		"held": {Conditions: []*eventv1.Condition{{Name: body.CondHeld, Cause: "test"}}},
	} {
		f := newTable(t).at(0, one("a", "party", points(50)))
		for i := range int32(3) {
			f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orc"+body.Itoa(i))))
		}
		f.start(nil, 1, 6, 5, 4)
		f.Roller = func(int) int { return 2 } // and morale
		f.Put("orc-3", v)
		f.Must(act("orc-1", "attack", "sword", "a"))
		if got := body.Sum(f.Roll("to-hit").Modifiers); got != 0 {
			t.Errorf("one is %s: %+d", name, got)
		}
	}
}

// original.defense.shield-two-attackers: archers are attackers.
func TestTheShieldAgainstArchers(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("cleric", 1), ac(3), shield(1), points(99)))
	for i := range int32(3) {
		f.at(100+5*i, one("orc-"+body.Itoa(i+1), "orcs", ac0(19), group("orcs"), arms(bow)))
	}
	f.start(nil, 1, 6)
	for i, want := range []int32{17, 17, 16} { // AC 2, AC 2, AC 3
		f.Must(act("orc-"+body.Itoa(i+1), "attack", "bow", "hero"), 2)
		if got := f.Roll("to-hit").Target.Value; got != want {
			t.Errorf("archer %d: need %d, want %d", i+1, got, want)
		}
	}
	// In the next round the first two are again whoever comes first.
	for _, id := range []string{"orc-1", "orc-2", "orc-3", "hero"} {
		f.End(id)
	}
	f.Must(act("orc-3", "attack", "bow", "hero"), 2)
	if got := f.Roll("to-hit").Target.Value; got != 17 {
		t.Error(got)
	}
}

// original.action.parry, original.movement.fighting-withdrawal: who cannot
// defend itself any more has neither.
func TestTheHelplessDoNotParry(t *testing.T) {
	for _, c := range []struct {
		name, condition string
		want            int32
	}{{"free", "", 0}, {"pinned", body.CondPinned, 5}, {"struggling", body.CondStruggling, 5}} {
		f := newTable(t).at(0, one("a", "party")).at(5, strongFoe(ac(5), points(50))).start(nil, 6, 1)
		f.Afflict("b", body.CondParrying, body.CondWithdrawing)
		if c.condition == "" {
			c.want = 1
		} else {
			f.Roller = func(int) int { return 1 } // morale
			f.Afflict("b", c.condition)
			f.Roller = nil
		}
		b := &thestrike.Blow{Attacker: f.Creature("a"), Target: f.Creature("b"), Melee: true}
		if got, _ := thestrike.ArmourClass(f.State, b.Target, b); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	// A withdrawal is over with one's next turn, even with one that is lost.
	f := newTable(t).at(0, one("a", "party")).at(5, one("orc", "orcs", points(50))).start(nil, 6, 1)
	f.Must(act("a", "withdraw", "", "", path(-3)))
	f.End("a")
	f.Must(act("orc", "attack", "sword", "a", withFacts("position", "behind")), 2)
	f.End("orc")
	if body.Has(f.Creature("a"), body.CondWithdrawing) {
		t.Error("the next round has come")
	}
}

// original.attack.cover: nobody strikes at what is wholly covered.
func TestWhollyCovered(t *testing.T) {
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe()).start(nil, 6, 1)
	wantRefused(t, f.Try(act("a", "attack", "sword", "b", withFacts("cover", 100))), cite.AttackCover)
	f.Must(act("a", "attack", "sword", "b", withFacts("cover", 0)), 10)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 0 {
		t.Errorf("%+d", got)
	}
}

// original.attack.melee-swashbuckler-dex: fists are no one-handed weapon.
func TestFistsGoBySTR(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), light, str(1), dex(3))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "attack", "empty hand", "b"), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 1 {
		t.Errorf("%+d", got)
	}
	f = newTable(t).at(0, one("a", "party", class("fighter", 1), light, str(1), dex(3))).at(5, strongFoe()).start(nil, 6, 1)
	wantRefused(t, f.Try(act("a", "attack", "empty hand", "b", withParameters("to_hit", "dex"))), cite.AttackMeleeSwashbucklerDex)
}

// original.charge.set-spear: not where there is only room for a dagger.
func TestNoSpearIsSetWithoutRoom(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(spear, stab))).at(100, strongFoe()).start(nil, 6, 1)
	f.Afflict("a", body.CondTight)
	wantRefused(t, f.Try(act("a", "set-spear", "", "")), cite.ChargeSetSpear)
}

// original.mass.damage: a natural 20 of a unit is a hit and nothing else.
func TestAUnitsNaturalTwenty(t *testing.T) {
	f := newTable(t, body.SetMassPoints+"=off").at(0, one("u", "orcs", unit(10), points(40), need(23), with(func(o *eventv1.OriginalSheet) { o.SpecialFace, o.SpecialEffect = 18, body.CondProne }))).
		at(5, one("v", "troops", unit(5), points(50))).start(nil, 6, 1)
	f.Must(act("u", "attack", "sword", "v"), 20, 3)
	if f.Attack().Outcome != "hit" || f.DamageTo("v") != 30 || body.Has(f.Creature("v"), body.CondProne) {
		t.Fatalf("%s for %d, %v: no critical, no points off, no special attack", f.Attack().Outcome, f.DamageTo("v"), f.Creature("v").Conditions)
	}
	f.End("u")
	f.Must(act("v", "attack", "sword", "u"), 1)
	if f.Attack().Outcome != "miss" {
		t.Fatal("a 1 misses")
	}
}

// original.turn.precedence: superior reach goes before a fighter's first attack.
func TestReachBeforeAFirstAttack(t *testing.T) {
	f := newTable(t).at(0, one("fighter", "party", class("fighter", 3), arms(stab))).at(5, one("orc", "orcs", arms(spear))).start(nil, 6, 1)
	if got := order(f); got != "slot:orc first:fighter slot:fighter last:fighter" {
		t.Error(got)
	}
	// Two fighters compare their dice, for the first place and for the last.
	f = newTable(t).at(0, one("a", "party", class("fighter", 2))).at(5, one("orc", "orcs")).at(8, one("b", "party", class("dwarf", 2))).start(nil, 2, 4, 5)
	if got := order(f); got != "first:b first:a slot:orc slot:b slot:a last:b last:a" {
		t.Error(got)
	}
}

// original.initiative.ties-simultaneous: the last attack of a fighter comes
// later and is lost if he is dead by then; the blow of the slot is not.
func TestAFighterFallsInHisSlot(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 3), points(3), need(5))).at(5, one("orc", "orcs", points(50), need(5))).start(nil, 4, 4)
	f.Must(act("a", "attack", "sword", "orc"), 2)
	f.WantActive("a", "orc")
	f.Must(act("orc", "attack", "sword", "a"), 15, 6)
	f.End("orc")
	f.Must(act("a", "attack", "sword", "orc"), 15, 1)
	f.End("a")
	if !body.Dead(f.Creature("a")) || f.DamageTo("orc") != 2 || f.State.Round != 2 {
		t.Fatalf("round %d, %d to the orc", f.State.Round, f.DamageTo("orc"))
	}
}

// original.attack.modifier-stacking: everything that adds does so at once.
func TestManyModifiers(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), str(1), mounted)).at(3, one("c", "party")).at(4, one("d", "party")).at(5, strongFoe(shield(1), dex(2))).start(nil, 6, 5, 4, 1)
	f.Must(act("a", "withdraw", "", "", path(-2)))
	// STR 1, mounted 1, surrounded 1, flank 1, higher 1; withdrawing -2, cover -2.
	f.Must(act("a", "attack", "sword", "b", withFacts("higher", "attacker", "cover", 25, "position", "flank")), 2)
	if got := f.Roll("to-hit"); body.Sum(got.Modifiers) != 1 || len(got.Modifiers) != 7 || got.Target.Value != 14 {
		t.Fatalf("%v", got)
	}
}

// original.damage.empty-hand-actual: the tally goes by attacker and target.
func TestTheTallyIsOfEachPair(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 1), dex(0))).at(3, one("c", "party", class("thief", 1), dex(0))).
		at(5, one("b", "monsters", points(100), group("m"), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 }))).
		at(6, one("d", "monsters", points(100), group("m"), with(func(o *eventv1.OriginalSheet) { o.HitDice = 4 }))).start(nil, 6, 5, 1)
	f.Must(act("a", "attack", "empty hand", "b"), 19, 3)
	f.End("a")
	f.Must(act("c", "attack", "empty hand", "b"), 19, 3)
	f.End("c")
	f.End("b")
	f.End("d")
	f.Must(act("a", "attack", "empty hand", "d"), 19, 3)
	if b, d := f.Creature("b"), f.Creature("d"); b.Counters[body.CActual] != 0 || d.Counters[body.CActual] != 0 {
		t.Fatalf("each is a first roll: %v %v", b.Counters, d.Counters)
	}
	f.End("a")
	f.End("c")
	f.End("b")
	f.End("d")
	// A pulled blow does not count; the second true one does, sword or fist.
	f.Must(act("a", "attack", "empty hand", "b", withParameters("pull", true)), 19, 3)
	for _, id := range []string{"a", "c", "b", "d"} {
		f.End(id)
	}
	f.Must(act("a", "attack", "sword", "b", withParameters("subdue", true)), 19, 3)
	if b := f.Creature("b"); b.Counters[body.CActual] != 1 || b.Counters[body.CTemporary] != 3+3+3+3 {
		t.Fatalf("%v", b.Counters)
	}
}

// original.movement.retreat-contest: a mover with a bonus below 0, and three
// foes of whom the two highest strike together.
func TestContestTotals(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", dex(-1), points(2), ac(9)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), dex(0), ac0(10)))
	}
	f.start(nil, 6, 1)
	// 3 less 1; 2 ties, 5 and 5 strike at once: both blows fall though one kills.
	f.Must(act("a", "retreat", "", "", path(-100)), 3, 2, 5, 5, 15, 1, 15, 1)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-2 hit", "orc-3 hit"}) || !body.Dead(f.Creature("a")) || f.Creature("a").Position.X != 0 {
		t.Fatalf("%v at %v", got, f.Creature("a").Position)
	}
	// One after the other where their totals differ: the dead are struck no more.
	f = newTable(t).at(0, one("a", "party", dex(0), points(2), ac(9)))
	for i := range int32(2) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), dex(0), ac0(10)))
	}
	f.start(nil, 6, 1)
	f.Must(act("a", "retreat", "", "", path(-100)), 1, 4, 5, 15, 1)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-2 hit"}) {
		t.Fatal(got)
	}
}
