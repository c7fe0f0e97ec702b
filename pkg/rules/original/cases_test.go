package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	thestrike "github.com/skaldrpg/skald/pkg/rules/original/strike"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func mounted(s *eventv1.Sheet) { s.GetOriginal().Mounted = true }

func size(word string) func(*eventv1.Sheet) { return func(s *eventv1.Sheet) { s.Size = word } }

func speed(feet int32) func(*eventv1.Sheet) {
	return func(s *eventv1.Sheet) { s.Speeds["walk"] = feet }
}

// original.defense.dex-lowers-ac, original.defense.shield-content, original.charge.no-dex,
// original.movement.retreat-shield-lost, original.defense.dex-denied-when-stationary
func TestArmourClass(t *testing.T) {
	for _, c := range []struct {
		rule, name string
		b          sheets
		conditions []string
		blow       thestrike.Blow
		want       int32
	}{
		{cite.DefenseDexLowersAc, "below 0", sheets{ac(2), shield(1), dex(3)}, nil, thestrike.Blow{Melee: true}, -2},
		{cite.DefenseShieldContent, "against an arrow from the front", sheets{ac(5), shield(1)}, nil, thestrike.Blow{}, 4},
		{cite.DefenseShieldContent, "against an arrow from behind", sheets{ac(5), shield(1)}, nil, thestrike.Blow{Position: "behind"}, 5},
		{cite.DefenseShieldContent, "against a blow from the front", sheets{ac(5), shield(1)}, nil, thestrike.Blow{Melee: true}, 4},
		{cite.DefenseDexDeniedWhenStationary, "running", sheets{ac(7), dex(2)}, nil, thestrike.Blow{}, 5},
		{cite.DefenseDexDeniedWhenStationary, "marked as standing still", sheets{ac(7), dex(2)}, []string{body.CondStationary}, thestrike.Blow{}, 7},
		{cite.ChargeNoDex, "charging", sheets{ac(6), dex(2), shield(1)}, []string{body.CondCharging}, thestrike.Blow{Melee: true}, 5},
		{cite.MovementRetreatShieldLost, "retreating", sheets{ac(3), dex(1), shield(1)}, []string{body.CondFleeing, body.CondRan}, thestrike.Blow{Melee: true}, 2},
		{cite.MovementRetreatShieldLost, "away since the last round, from nobody who pursues", sheets{ac(3), dex(1), shield(1)}, []string{body.CondFleeing}, thestrike.Blow{Melee: true}, 1},
		{cite.DefenseFlankDeniesShieldDex, "magic stays", sheets{ac(5), dex(1), shield(1), with(func(o *eventv1.OriginalSheet) { o.OtherAcBonus = 2 })}, nil, thestrike.Blow{Melee: true, Position: "flank"}, 3},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			f := newTable(t).at(0, one("a", "party")).at(100, strongFoe(c.b...)).start(nil, 6, 1)
			f.Afflict("b", c.conditions...)
			b := c.blow
			b.Attacker, b.Target = f.Creature("a"), f.Creature("b")
			if got, _ := thestrike.ArmourClass(f.State, b.Target, &b); got != c.want {
				t.Fatalf("%d, want %d", got, c.want)
			}
		})
	}
	// original.defense.dex-denied-when-stationary: one in melee never stands still.
	f := newTable(t).at(0, one("a", "party")).at(5, strongFoe(ac(7), dex(2))).start(nil, 6, 1)
	b := &thestrike.Blow{Attacker: f.Creature("a"), Target: f.Creature("b"), Stationary: true}
	if got, _ := thestrike.ArmourClass(f.State, b.Target, b); got != 5 {
		t.Fatalf("%d in melee", got)
	}
}

// original.attack.hit-matrix-table: level 1 against AC -3.
func TestNeedAgainstArmourBelowZero(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 1))).at(5, strongFoe(ac(-3))).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b"), 2)
	if got := f.Roll("to-hit").Target.Value; got != 22 {
		t.Fatalf("base need %d", got)
	}
}

// original.attack.modifier-stacking
func TestModifiersAdd(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("fighter", 1), str(1))).at(100, strongFoe()).start(nil, 6, 1)
	f.Must(act("a", "charge", "sword", "b", withFacts("higher", "attacker")), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 4 {
		t.Errorf("a charge, STR and a ledge: %+d", got)
	}
	for position, want := range map[string]int32{"flank": 2, "behind": 3, "front": 1} {
		f := newTable(t).at(0, one("hero", "party", class("thief", 1)))
		for i := range int32(3) {
			f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs")))
		}
		f.start(nil, 1, 6)
		f.Must(act("orc-1", "attack", "sword", "hero", withFacts("position", position)), 2)
		if got := body.Sum(f.Roll("to-hit").Modifiers); got != want {
			t.Errorf("one of three, %s: %+d, want %+d", position, got, want)
		}
	}
}

// original.mount.mounted-bonus, original.mount.polearm-cancels
func TestRiders(t *testing.T) {
	pole := &eventv1.OriginalWeapon{Name: "halberd", Kind: "polearm", Hands: 2}
	for _, c := range []struct {
		name string
		a, b sheets
		want int32
	}{
		{"rider against rider", sheets{mounted}, sheets{mounted}, 0},
		{"rider against a halberd", sheets{mounted}, sheets{arms(pole)}, 0},
		{"rider against a sword", sheets{mounted}, nil, 1},
		{"pike against a rider", sheets{arms(&eventv1.OriginalWeapon{Name: "sword", Kind: "pike"})}, sheets{mounted}, 0},
		{"sword against a rider", nil, sheets{mounted}, -1},
	} {
		f := newTable(t).at(0, one("a", "party", c.a...)).at(5, strongFoe(c.b...)).start(nil, 6, 1)
		for f.State.Round == 1 { // reach is of the first round
			f.End(f.State.Active[0])
		}
		f.Must(act("a", "attack", "sword", "b"), 2)
		if got := body.Sum(f.Roll("to-hit").Modifiers); got != c.want {
			t.Errorf("%s: %+d, want %+d", c.name, got, c.want)
		}
	}
}

// original.attack.multi-vs-normal-men: three rolls, the first and the third hit.
func TestThreeAttacksAreThreeRolls(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("thief", 3), dex(0), need(12)))
	for i := range int32(4) {
		f.at(5+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), points(50)))
	}
	f.start(nil, 6, 1)
	var got []string
	for i, faces := range [][]int{{15, 1}, {4}, {12, 1}} {
		f.Must(act("a", "attack", "sword", "orc-"+body.Itoa(i+1)), faces...)
		got = append(got, f.Attack().Outcome)
	}
	if !slices.Equal(got, []string{"hit", "miss", "hit"}) {
		t.Fatal(got)
	}
}

// original.attack.surround-size, original.attack.surround-limit
func TestHowManyFindRoom(t *testing.T) {
	for word, most := range map[string]int32{"small": 4, "medium": 6, "large": 8, "huge": 12} {
		f := newTable(t).at(0, one("beast", "party", size(word), points(99)))
		for i := range most + 1 {
			f.at(1, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), arms(spear)))
		}
		f.start(nil, 1, 6)
		for i := range most {
			f.Must(act("orc-"+body.Itoa(i+1), "attack", "spear", "beast"), 2)
		}
		last := "orc-" + body.Itoa(most+1)
		if err := f.Try(act(last, "attack", "spear", "beast")); err == nil {
			t.Errorf("%s: more than %d find room", word, most)
		} else {
			wantRefused(t, err, cite.AttackSurroundLimit)
		}
		// A spear thrown over their heads is a missile.
		f.Put(last, &eventv1.Vitals{Relations: []*eventv1.Relation{{Kind: body.RelApart, To: "beast"}}})
		f.Must(act(last, "attack", "spear", "beast", withParameters("throw", true), withFacts("distance", 15)), append([]int{1}, 2)...)
	}
}

// original.attack.surround-bonus: one whose foe has fallen counts again.
func TestWhoTurnedElsewhereDoesNotSurround(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", points(50))).at(2, one("b", "party", points(1)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), need(5)))
	}
	f.start(nil, 1, 1, 6)
	f.Must(act("orc-1", "attack", "sword", "b"), 2)
	f.Must(act("orc-2", "attack", "sword", "a"), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 0 {
		t.Fatalf("orc 1 fights b: %+d", got)
	}
	none := int32(0)
	f.Put("b", &eventv1.Vitals{Hp: &none})
	f.Must(act("orc-3", "attack", "sword", "a"), 2)
	if got := body.Sum(f.Roll("to-hit").Modifiers); got != 1 {
		t.Fatalf("b is dead, all three stand round a: %+d", got)
	}
}

// original.surprise.behind-no-return, original.attack.behind-second-round
func TestStabbedAfterItsTurn(t *testing.T) {
	f := newTable(t).at(0, one("thief", "party", class("thief", 1))).at(5, strongFoe()).start(nil, 1, 6)
	f.End("b")
	f.Must(act("thief", "attack", "sword", "b", withFacts("position", "behind")), 2)
	f.End("thief")
	f.WantActive("b")
	f.Must(act("b", "attack", "sword", "thief"), 18, 6)
	if got := f.Roll("to-hit").Expression; got != "2d20kl1" {
		t.Fatalf("the victim attacks with %s", got)
	}
}

// original.initiative.reach-first-strike: the surprised do not strike first.
func TestReachIsOfNoUseToTheSurprised(t *testing.T) {
	knife := &eventv1.OriginalWeapon{Name: "dagger", Kind: "dagger", Damage: "1d4"}
	f := newTable(t).at(0, one("a", "party", arms(spear))).at(5, one("b", "foes", arms(knife))).start(object("surprised", []string{"party"}))
	f.WantActive("b")
	f.Must(act("b", "attack", "dagger", "a"), 2)
	f.End("b", 1, 6)
	f.WantActive("b") // the surprise round was the first of the two
}

// original.movement.through-line, original.movement.free-disengage
func TestLinesAndBusyFoes(t *testing.T) {
	orc := func(id string) *eventv1.Sheet { return one(id, "orcs", group("orcs"), dex(0)) }
	f := newTable(t).at(0, one("a", "party")).at(20, orc("orc-1")).at(22, orc("orc-2")).start(nil, 6, 1)
	wantRefused(t, f.Try(act("a", "through", "", "orc-1,orc-2", withFacts("room", false))), cite.MovementThroughLine)
	// A foe left behind by the same move contests it too.
	f = newTable(t).at(0, one("a", "party", dex(0))).at(-5, orc("orc-1")).at(20, orc("orc-2")).at(25, one("b", "party")).start(nil, 6, 1, 1)
	f.Must(act("a", "through", "", "orc-2", path(45)), 4, 6, 2)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-1 miss"}) {
		t.Fatalf("%v: orc 2 fights b, orc 1 is left behind", got)
	}
	// orc-1 fights b as well, orc-2 fights a alone.
	f = newTable(t).at(0, one("a", "party", dex(0))).at(8, one("b", "party")).at(4, orc("orc-1")).at(-8, orc("orc-2")).start(nil, 6, 6, 1)
	wantRefused(t, f.Try(act("a", "disengage", "", "", path(50))), cite.MovementFreeDisengage)
	f.Must(act("a", "retreat", "", "", func(t *eventv1.TakeAction) { t.Path = []*eventv1.Position{{Y: 60}} }), 4, 6, 2, 6, 6)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-2 miss"}) {
		t.Fatalf("%v", got)
	}
}

// original.movement.fighting-withdrawal
func TestWithdrawal(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", ac(4), class("cleric", 1), need(14), ability("strength", 16))).at(5, one("orc", "orcs", ac0(19))).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "orc"), 2)
	wantRefused(t, f.Try(act("a", "withdraw", "", "", path(-4))), cite.MovementFightingWithdrawal)
	f.End("a")
	f.End("orc")
	wantRefused(t, f.Try(act("a", "withdraw", "", "", path(-61))), cite.MovementFightingWithdrawal)
	f.Must(act("a", "withdraw", "", "", path(-4)))
	f.Must(act("a", "attack", "sword", "orc"), 15, 1)
	if f.Attack().Outcome != "hit" {
		t.Fatal("15+1-2 meets 14")
	}
	f.End("a")
	f.Must(act("orc", "attack", "sword", "a"), 16)
	if f.Attack().Outcome != "miss" {
		t.Fatal("AC 4 counts as 2, base need 17")
	}
	f.End("orc")
	f.Must(act("a", "withdraw", "", "", path(-60)))
	f.End("a")
	f.End("orc")
	f.Must(act("a", "run", "", "", path(-180)))
	if len(f.Attacks()) != 0 {
		t.Fatal("clear of every foe it runs freely")
	}
}
