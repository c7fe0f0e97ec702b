package original

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/reach"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func group(name string) func(*eventv1.Sheet) {
	return with(func(o *eventv1.OriginalSheet) { o.Group = name })
}

// original.surprise.combined-chance
func TestCombinedChance(t *testing.T) {
	for name, c := range map[string][3]int32{
		"ordinary": {2, 2, 2}, "example 1": {5, 2, 5}, "example 2": {5, 1, 4}, "example 3, A": {4, 2, 4}, "example 4, B": {5, 1, 4},
		"never": {1, 0, 0}, "always": {6, 4, 6},
	} {
		if got := reach.SurpriseChance(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %d, want %d", name, got, c[2])
		}
	}
}

func TestSurprise(t *testing.T) {
	both := []string{"party", "goblins"}
	for _, c := range []struct {
		rule, name string
		facts      []any
		faces      []int
		surprised  []string
	}{
		{cite.SurpriseWhenPossible, "everyone knows", nil, []int{3, 1}, nil},
		{cite.SurpriseWhenPossible, "only the party may be caught", []any{"unaware", []string{"party"}}, []int{2}, []string{"a"}},
		{cite.SurpriseNegated, "torches", []any{"unaware", both, "negated", []string{"goblins"}}, []int{3, 4, 1}, nil},
		{cite.SurpriseRoll, "2 and 3", []any{"unaware", both}, []int{2, 3}, []string{"a"}},
		{cite.SurpriseRoll, "5 and 6", []any{"unaware", both}, []int{5, 6, 4, 1}, nil},
		{cite.SurpriseBothCancel, "1 and 2", []any{"unaware", both}, []int{1, 2, 4, 1}, nil},
		{cite.SurpriseCombinedChance, "stated for a side", []any{"unaware", []string{"goblins"}, "surprises_on", map[string]any{"party": 5}, "surprised_on", map[string]any{"goblins": 1}}, []int{4}, []string{"b"}},
		{cite.SurpriseCombinedChance, "one too high", []any{"unaware", []string{"goblins"}, "surprises_on", map[string]any{"party": 5}, "surprised_on", map[string]any{"goblins": 1}}, []int{5, 4, 1}, nil},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party")).at(5, one("b", "goblins")).start(object(c.facts...), c.faces...)
			var got []string
			for _, id := range []string{"a", "b"} {
				if body.Surprised(f.Creature(id)) {
					got = append(got, id)
				}
			}
			if !slices.Equal(got, c.surprised) {
				t.Fatalf("surprised %v, want %v", got, c.surprised)
			}
		})
	}
}

// original.surprise.free-round, original.surprise.attacks-as-behind, original.attack.behind-second-round, original.attack.behind-third-round
func TestSurpriseRoundAndTheNext(t *testing.T) {
	f := newTable(t).at(0, one("cleric", "party", class("cleric", 1), ac(4), shield(1), points(50), need(12))).
		at(5, one("goblin", "goblins", ac0(19), points(50), ac(5))).start(object("surprised", "party"))
	f.WantActive("goblin")
	wantRefused(t, f.Try(act("cleric", "attack", "sword", "goblin")), cite.SurpriseFreeRound)
	f.Must(act("goblin", "attack", "sword", "cleric"), 13, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("AC 4 without shield, base need 15, 13 and 2 are 15")
	}
	f.End("goblin", 1, 6) // initiative after the free round: cleric 1, goblin 6
	f.Must(act("goblin", "attack", "sword", "cleric"), 16, 2, 1)
	if got := f.Roll("to-hit"); got.Expression != "2d20kh1" || f.Attack().Outcome != "hit" {
		t.Fatalf("advantage keeps 16 against 16: %v", got)
	}
	f.End("goblin")
	f.Must(act("cleric", "attack", "sword", "goblin"), 18, 6)
	if got := f.Roll("to-hit"); got.Expression != "2d20kl1" || f.Attack().Outcome != "miss" {
		t.Fatalf("disadvantage keeps 6 against 12: %v", got)
	}
	f.End("cleric")
	f.Must(act("goblin", "attack", "sword", "cleric"), 2)
	if got := f.Roll("to-hit").Expression; got != "1d20" {
		t.Fatalf("the third round rolls %s", got)
	}
}

// original.surprise.behind-no-return
func TestStabbedFromBehindLosesTheTurn(t *testing.T) {
	f := newTable(t).at(0, one("thief", "party", class("thief", 1))).at(5, strongFoe()).start(nil, 6, 1)
	f.Must(act("thief", "attack", "sword", "b", withFacts("position", "behind")), 2)
	f.End("thief")
	f.WantActive("thief") // round 2: the victim had no turn
	if f.State.Round != 2 {
		t.Fatalf("round %d", f.State.Round)
	}
}

// original.initiative.roll, original.initiative.highest-first, original.initiative.option-party-die, original.initiative.option-reroll
func TestInitiative(t *testing.T) {
	field := func(settings ...string) *table {
		return newTable(t, settings...).add(one("p1", "party"), one("p2", "party"), one("skeleton", "foes", group("a-skeletons")),
			one("wizard", "foes", group("b-wizard")), one("bugbear", "foes", group("c-bugbears")))
	}
	f := field().start(nil, 4, 2, 5, 2, 1)
	for _, turn := range [][]string{{"skeleton"}, {"p1"}, {"p2", "wizard"}, {"bugbear"}, {"skeleton"}} {
		f.WantActive(turn...) // the last one is round 2: the order stands
		for _, id := range turn {
			f.End(id)
		}
	}
	f = field(body.SetPartyDie+"=on").start(nil, 4, 3, 2, 1)
	f.WantActive("p1", "p2")
	f = newTable(t, body.SetReroll+"=on").add(one("p1", "party"), one("orc", "foes")).start(nil, 6, 1)
	f.End("p1")
	f.End("orc", 1, 6)
	f.WantActive("orc")
}

// original.initiative.ties-simultaneous
func TestTiesAreSimultaneous(t *testing.T) {
	duel := func(faces ...int) *table {
		return newTable(t).at(0, one("fighter", "party", class("fighter", 1), str(0), points(5), need(12))).
			at(5, one("orc", "orcs", points(3), need(13))).at(6, one("archer", "party", points(9))).start(nil, faces...)
	}
	f := duel(1, 4, 4)
	f.End("fighter")
	f = duel(1, 4, 4)
	f.WantActive("fighter", "orc")
	f.Must(act("fighter", "attack", "sword", "orc"), 15, 4)
	if body.Dead(f.Creature("orc")) {
		t.Fatal("the blow takes effect after the last of them")
	}
	f.End("fighter")
	f.Must(act("orc", "attack", "sword", "fighter"), 14, 5)
	f.End("orc")
	if !body.Dead(f.Creature("orc")) || !body.Dead(f.Creature("fighter")) {
		t.Fatal("both blows count")
	}
	f = duel(6, 4, 4)
	f.Must(act("archer", "attack", "sword", "orc"), 15, 4)
	f.End("archer")
	f.WantActive("fighter") // the orc was killed before its slot
}

// original.initiative.reach-first-strike, original.equipment.reach-table
func TestReachStrikesFirst(t *testing.T) {
	knife := &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger", Damage: "1d4"}
	pole := &eventv1.OriginalWeapon{Name: "long spear", Kind: "long-spear"}
	f := newTable(t).at(0, one("a", "party", arms(spear))).at(5, one("b", "foes", arms(knife))).start(nil, 2, 5)
	f.WantActive("a")
	f.End("a")
	f.End("b")
	f.WantActive("b") // second round: the dice stand
	f = newTable(t).at(0, one("a", "party", arms(pole))).at(5, one("b", "foes")).start(nil, 4, 4)
	f.WantActive("a") // not simultaneous
	f = newTable(t).at(0, one("a", "party", arms(spear))).at(5, one("b", "foes")).start(nil, 2, 5)
	f.WantActive("b") // one rank is not enough
	// One that closes is struck first, and does not strike when it is killed.
	f = newTable(t).at(0, one("a", "party", arms(spear), need(12))).at(40, one("b", "foes", arms(knife), points(2))).start(nil, 2, 5)
	f.Must(act("b", "move", "", "", path(5)))
	f.Must(act("b", "attack", "dagger", "a"))
	f.Answer(body.DecReach, "yes", 12, 3)
	if !slices.Equal(f.Attacks(), []string{"a hit"}) || !body.Dead(f.Creature("b")) {
		t.Fatalf("%v", f.Attacks())
	}
}

// path is a way to a place in feet east.
func path(x int32) func(*eventv1.TakeAction) {
	return func(t *eventv1.TakeAction) { t.Path = []*eventv1.Position{{X: x}} }
}

// original.initiative.haste-first, original.initiative.haste-both
func TestHasteGoesFirst(t *testing.T) {
	f := newTable(t).add(one("fighter", "party"), one("demon", "foes"), one("orc", "foes"))
	f.Afflict("fighter", body.CondHasted)
	f.start(nil, 1, 3, 6)
	f.WantActive("fighter")
	f = newTable(t).add(one("fighter", "party"), one("demon", "foes"), one("orc", "foes"))
	f.Afflict("fighter", body.CondHasted)
	f.Afflict("demon", body.CondHasted)
	f.start(nil, 3, 3, 6)
	f.WantActive("demon", "fighter")
}

// order runs a round with everybody passing and tells who acted.
func order(f *table) string {
	var turns []string
	for f.State.Round == 1 {
		turns = append(turns, f.State.Phase+":"+strings.Join(f.State.Active, "+"))
		for _, id := range slices.Clone(f.State.Active) {
			f.End(id)
		}
	}
	return strings.Join(turns, " ")
}

// original.initiative.fighters-first-and-last, original.turn.precedence
func TestPrecedence(t *testing.T) {
	orcs := func(id string) *eventv1.Sheet {
		return one(id, "orcs", group("orcs"), arms(&eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger"}))
	}
	f := newTable(t).at(0, one("fighter", "party", class("fighter", 3))).at(5, orcs("orc")).start(nil, 2, 5)
	if got := order(f); got != "first:fighter slot:orc slot:fighter last:fighter" {
		t.Fatal(got)
	}
	f = newTable(t).at(0, one("thief", "party", class("thief", 3))).at(5, orcs("orc")).start(nil, 2, 5)
	if got := order(f); got != "slot:orc slot:thief" {
		t.Fatal(got)
	}
	f = newTable(t).at(0, one("cleric", "party", class("cleric", 1))).at(100, one("fighter", "party", class("fighter", 4))).
		at(105, orcs("orc-1")).at(102, orcs("orc-2")).at(108, one("spearman", "party", arms(spear)))
	f.Afflict("cleric", body.CondHasted)
	f.start(nil, 1, 3, 2, 6)
	if got := order(f); got != "haste:cleric first:fighter slot:spearman slot:orc-1+orc-2 slot:fighter last:fighter" {
		t.Fatal(got)
	}
	// The attacks of each segment: one, those between, one.
	f = newTable(t).at(0, one("fighter", "party", class("fighter", 4))).at(5, one("orc", "orcs", points(99))).start(nil, 2, 5)
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	f.End("orc")
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("fighter", "attack", "sword", "orc")), cite.InitiativeFightersFirstAndLast)
	f.End("fighter")
	f.WantActive("fighter")
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	if f.State.Round != 2 {
		t.Fatalf("round %d after the last attack", f.State.Round)
	}
}

func TestMorale(t *testing.T) {
	goblins := func(n int) *table {
		f := newTable(t).add(one("hero", "party", class("thief", 1)))
		for i := range n {
			f.add(one("g"+body.Itoa(i+1), "goblins", group("goblins"), points(3), with(func(o *eventv1.OriginalSheet) { o.Morale = 8 })))
		}
		return f.start(nil, 6, 1)
	}
	kill := func(f *table, id string, faces ...int) {
		t.Helper()
		none := int32(0)
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: &eventv1.Vitals{Hp: &none}}}}, faces...)
	}
	// original.morale.when, original.morale.roll: the first death, then half.
	f := goblins(9)
	kill(f, "g1", 5, 3)
	if f.Roll("morale/goblins").Outcome != "success" {
		t.Fatal("8 holds with morale 8")
	}
	for _, id := range []string{"g2", "g3", "g4"} {
		kill(f, id) // four of nine: 44 %
	}
	kill(f, "g5", 5, 2)
	// original.morale.twice
	if f.State.Marks[body.MMorale+"goblins"] != "fearless" {
		t.Fatal("two successes: to the death")
	}
	kill(f, "g6")
	wantRefused(t, f.Try(act("g7", "check-morale", "", "")), cite.MoraleTwice)
	// original.morale.roll: one over breaks, two causes are one check.
	f = goblins(2)
	kill(f, "g1", 6, 3)
	f.Answer(body.DecMorale, "flee")
	if !body.Has(f.Creature("g2"), body.CondRouted) {
		t.Fatal("9 breaks with morale 8")
	}
	// original.morale.table: 7 without a number; original.turn.morale-before-combat
	f = newTable(t).add(one("hero", "party"), one("orc", "orcs", group("orcs")))
	f.start(object("morale", []string{"orcs"}), 6, 1, 6, 4)
	f.Answer(body.DecMorale, "surrender")
	if !body.Has(f.Creature("orc"), body.CondSurrendered) {
		t.Fatal("10 breaks with morale 7")
	}
}

// original.morale.table: the fallen has no turn while the rest are asked what they do.
func TestTheFallenHasNoTurnWhileMoraleIsAsked(t *testing.T) {
	f := newTable(t).add(one("hero", "party"))
	for i := range 4 {
		f.add(one("g"+body.Itoa(i), "goblins", group("goblins"), points(3)))
	}
	f.start(nil, 1, 6)
	if !slices.Contains(f.State.Active, "g0") {
		t.Fatalf("%v are active, not the goblins", f.State.Active)
	}
	none := int32(0)
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "g0", Vitals: &eventv1.Vitals{Hp: &none}}}}, 6, 6)
	if len(f.Decisions) != 1 || f.Decisions[0].Name != body.DecMorale {
		t.Fatalf("nobody is asked: %v", f.Decisions)
	}
	if slices.Contains(f.State.Active, "g0") {
		t.Fatal("the dead has the turn")
	}
}

// original.movement.fighting-withdrawal: the attack that falls first in the round does not
// keep a fighter from withdrawing; a second does, and so does the first of anybody else.
func TestWithdrawingAfterTheFirstAttack(t *testing.T) {
	f := newTable(t).at(0, one("fighter", "party", class("fighter", 4))).at(5, one("orc", "orcs", points(99))).start(nil, 2, 5)
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	f.End("orc")
	before := f.State
	f.Must(act("fighter", "withdraw", "", "", path(-5)))
	f.State = before
	f.Must(act("fighter", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("fighter", "withdraw", "", "", path(-5))), cite.MovementFightingWithdrawal)

	f = newTable(t).at(0, one("thief", "party", class("thief", 4))).at(5, one("orc", "orcs", points(99))).start(nil, 6, 1)
	f.Must(act("thief", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("thief", "withdraw", "", "", path(-5))), cite.MovementFightingWithdrawal)
}
