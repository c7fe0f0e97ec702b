package original

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// original.initiative.reach-first-strike: one whom the longer weapon kills does
// not strike.
func TestTheLongerWeaponKillsFirst(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", arms(spear), need(10))).at(5, one("b", "foes", arms(stab), points(2))).start(nil, 2, 5)
	f.WantActive("a")
	f.Must(act("a", "attack", "spear", "b"), 10, 1)
	f.End("a")
	if !body.Dead(f.Creature("b")) || f.State.Round != 2 {
		t.Fatalf("b in round %d: %v", f.State.Round, f.Creature("b").Life)
	}
}

// original.initiative.reach-first-strike: a surprise round in which they only
// closed was not their first; one with blows was.
func TestReachAfterASurpriseRound(t *testing.T) {
	for name, blow := range map[string]bool{"closed in": false, "struck": true} {
		f := newTable(t).at(0, one("a", "party", arms(spear), points(50))).at(30, one("b", "foes", arms(stab))).start(object("surprised", []string{"party"}))
		f.Must(act("b", "move", "", "", path(5)))
		want := "a"
		if blow {
			f.Must(act("b", "attack", "dagger", "a"), 2)
			want = "b"
		}
		f.End("b", 1, 6)
		if f.State.Active[0] != want {
			t.Errorf("b %s: %v begins", name, f.State.Active)
		}
	}
}

// original.initiative.highest-first, original.initiative.option-party-die
func TestOrderOfTheDice(t *testing.T) {
	f := newTable(t).add(one("a", "party"), one("b", "party"), one("c", "party"), one("z", "foes")).start(nil, 6, 3, 5, 1)
	if got := order(f); got != "slot:a slot:c slot:b slot:z" {
		t.Error(got)
	}
	f = newTable(t, body.SetPartyDie+"=on").add(one("a", "party"), one("b", "party"), one("c", "party"), one("orc", "foes", group("orcs"))).start(nil, 4, 3)
	if got := order(f); got != "slot:a+b+c slot:orc" {
		t.Error(got)
	}
}

// original.initiative.haste-first: every round while hasted, and no longer;
// original.initiative.haste-both
func TestHasteLasts(t *testing.T) {
	f := newTable(t).add(one("fighter", "party"), one("orc", "foes"))
	f.Afflict("fighter", body.CondHasted)
	f.start(nil, 1, 6)
	for range 2 {
		f.WantActive("fighter")
		f.End("fighter")
		f.End("orc")
	}
	f.WantActive("fighter")
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "fighter", RemoveConditions: []string{body.CondHasted}}}})
	f.End("fighter")
	f.End("orc")
	f.WantActive("orc")

	f = newTable(t).add(one("fighter", "party"), one("demon", "foes"), one("orc", "foes"))
	f.Afflict("fighter", body.CondHasted)
	f.Afflict("demon", body.CondHasted)
	f.start(nil, 2, 5, 6)
	if got := order(f); got != "haste:demon haste:fighter slot:orc" {
		t.Error(got)
	}
}

// original.surprise.behind-no-return: a guard with the higher die who is stabbed
// before he has acted, here by a longer weapon, loses his turn.
func TestStabbedBeforeItsTurn(t *testing.T) {
	f := newTable(t).at(0, one("thief", "party", class("thief", 1), arms(spear))).at(5, strongFoe(arms(stab))).start(nil, 3, 6)
	f.WantActive("thief")
	f.Must(act("thief", "attack", "spear", "b", withFacts("position", "behind")), 2)
	f.End("thief")
	f.WantActive("b")
	if f.State.Round != 2 {
		t.Fatal("round 1 passed the guard by; in the second the dice stand")
	}
}

// original.attack.behind-second-round, original.attack.behind-third-round
func TestTheRoundsAfterAStabInTheBack(t *testing.T) {
	f := newTable(t).at(0, one("a", "party", class("cleric", 1), ac0(19))).at(5, strongFoe(ac(4), shield(1), dex(1), ac0(17))).start(nil, 6, 1)
	f.Must(act("a", "attack", "sword", "b", withFacts("position", "behind")), 2)
	f.End("a")
	// The second: 17 of two dice meets 17 against AC 2, without the +2.
	f.Must(act("a", "attack", "sword", "b", withFacts("position", "behind")), 9, 17, 1)
	if got := f.Roll("to-hit"); got.Expression != "2d20kh1" || got.Target.Value != 17 || len(got.Modifiers) != 0 || f.Attack().Outcome != "hit" {
		t.Fatal(got)
	}
	f.End("a")
	f.Must(act("b", "attack", "sword", "a"), 18, 6) // base need 12
	if f.Attack().Outcome != "miss" {
		t.Fatal("6 counts")
	}
	f.End("b")
	// The third: one die each, shield and DEX count.
	f.Must(act("a", "attack", "sword", "b"), 16)
	if got := f.Roll("to-hit"); got.Expression != "1d20" || got.Target.Value != 17 || f.Attack().Outcome != "miss" {
		t.Fatal(got)
	}
	f.End("a")
	f.Must(act("b", "attack", "sword", "a"), 12, 1)
	if got := f.Roll("to-hit"); got.Expression != "1d20" || f.Attack().Outcome != "hit" {
		t.Fatal(got)
	}
}

// original.surprise.free-round: of three, nobody answers; no initiative falls
// before the round after.
func TestThreeSurprised(t *testing.T) {
	f := newTable(t)
	for i, id := range []string{"a", "b", "c"} {
		f.at(int32(5*i), one(id, "party", arms(bow, blade)))
	}
	f.at(100, one("goblin", "goblins")).start(object("unaware", []string{"party"}), 2)
	f.WantActive("goblin")
	for _, id := range []string{"a", "b", "c"} {
		for _, o := range f.System.Options(rules.Query{State: f.State, Creature: id}) {
			if o.Legal && o.Action != "check-morale" && o.Action != "reaction" {
				t.Errorf("%s may %s", id, o.Action)
			}
		}
	}
	f.Must(act("goblin", "charge", "sword", "c"), 2) // nobody shoots
	if len(f.Decisions) > 0 || f.State.Round != 0 {
		t.Fatalf("round %d: %v", f.State.Round, f.Decisions)
	}
	f.End("goblin", 3, 2, 1, 6)
	if f.State.Round != 1 {
		t.Fatal(f.State.Round)
	}
	f.End("goblin")
	f.WantActive("a")
}

// original.surprise.combined-chance: the four examples, rolled for both sides.
// original.surprise.negated: the goblins' noise.
func TestChancesOfSurprise(t *testing.T) {
	both := []string{"party", "goblins"}
	on := func(party, goblins int) map[string]any {
		return map[string]any{"party": party, "goblins": goblins}
	}
	for _, c := range []struct {
		name                   string
		surprises, surprisedOn map[string]any
		a, b                   int32
	}{
		{"example 1", on(5, 2), on(2, 2), 2, 5},
		{"example 2", on(5, 2), on(2, 1), 2, 4},
		{"example 3", on(5, 4), on(2, 2), 4, 5},
		{"example 4", on(5, 4), on(2, 1), 4, 4},
	} {
		for _, face := range []int32{-1, 0, 1} { // below, on and above b's chance
			f := newTable(t).add(one("a", "party"), one("b", "goblins"))
			faces := []int{6, int(c.b + face)}
			if face > 0 {
				faces = append(faces, 3, 2)
			}
			f.start(object("unaware", both, "surprises_on", c.surprises, "surprised_on", c.surprisedOn), faces...)
			if got := [2]int32{f.Roll("surprise/party").Target.Value, f.Roll("surprise/goblins").Target.Value}; got != [2]int32{c.a, c.b} {
				t.Errorf("%s: %v, want %d and %d", c.name, got, c.a, c.b)
			}
			if got := body.Surprised(f.Creature("b")); got != (face <= 0) {
				t.Errorf("%s, %d: surprised %v", c.name, c.b+face, got)
			}
		}
	}
	f := newTable(t).add(one("a", "party"), one("b", "goblins")).start(object("unaware", both, "negated", []string{"party"}), 3, 6, 1)
	if len(f.Rolls("surprise/party")) != 0 || len(f.Rolls("surprise/goblins")) != 1 {
		t.Error("the party hears them: only the goblins roll")
	}
}

// original.morale.twice: at the start and at the first death; half makes no third.
func TestTwoChecksAreAll(t *testing.T) {
	f := newTable(t).add(one("hero", "party", class("thief", 1)))
	for i := range 4 {
		f.add(one("g"+body.Itoa(i), "goblins", group("goblins"), points(3), with(func(o *eventv1.OriginalSheet) { o.Morale = 8 })))
	}
	f.start(object("morale", []string{"goblins"}), 6, 1, 4, 4)
	none := int32(0)
	kill := func(id string, faces ...int) {
		f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: id, Vitals: &eventv1.Vitals{Hp: &none}}}}, faces...)
	}
	kill("g0", 5, 2)
	kill("g1")
	if f.State.Marks[body.MMorale+"goblins"] != "fearless" {
		t.Fatal(f.State.Marks)
	}
	// original.turn.morale-before-combat: of a group that there is.
	f = newTable(t).add(one("hero", "party"), one("g", "goblins", group("goblins")))
	for _, bad := range []string{"goblin", "party"} {
		if err := f.Try(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{Facts: object("morale", []string{bad})}}}); err == nil {
			t.Errorf("%s is no group of monsters", bad)
		}
	}
}

// original.grapple.to-hit: three orcs with +1 each against AC 4; two hold.
// original.grapple.tie-struggling: 7 against 7.
func TestThreeOrcsGrapple(t *testing.T) {
	f := newTable(t).at(0, one("hero", "party", class("fighter", 3), ac(4), dex(0), points(50)))
	for i := range int32(3) {
		f.at(1+i, one("orc-"+body.Itoa(i+1), "orcs", group("orcs"), ac0(19)))
	}
	f.start(nil, 1, 6)
	for f.State.Active[0] == "hero" { // its first attack
		f.End("hero")
	}
	f.Must(act("orc-1", "grapple", "", "hero", withParameters("with", []string{"orc-2", "orc-3"})), 14, 13, 20, 3, 4, 1, 2, 4)
	if got := f.Attacks(); !slices.Equal(got, []string{"orc-1 hit", "orc-2 miss", "orc-3 hit"}) {
		t.Fatal(got)
	}
	if !body.Has(f.Creature("hero"), body.CondStruggling) || f.DamageTo("hero") != 0 {
		t.Fatal("7 against 7")
	}
	f.End("orc-2")
	for f.State.Round == 1 && f.State.Active[0] != "hero" {
		f.End(f.State.Active[0])
	}
	wantRefused(t, f.Try(act("hero", "attack", "sword", "orc-2")), cite.GrappleTieStruggling)
	wantRefused(t, f.Try(act("hero", "parry", "", "")), cite.GrappleTieStruggling)
}

// original.mass.grouping: a hundred against three hundred are ten units against
// thirty. original.mass.slain-to-a-man: ten points, ten lost.
func TestUnitsOfTen(t *testing.T) {
	f := newTable(t, body.SetMassPoints+"=off")
	men := map[string]int64{}
	for i := range 40 {
		side := "troops"
		if i >= 10 {
			side = "bandits"
		}
		f.add(one(side+body.Itoa(i), side, group(side), points(10), unit(10)))
	}
	for _, c := range f.State.Creatures {
		men[c.Side] += c.Counters[body.CMen]
	}
	if men["troops"] != 100 || men["bandits"] != 300 {
		t.Fatal(men)
	}
	f.start(nil, 1, 6)
	f.Must(act("troops0", "attack", "sword", "bandits10"), 14, 1, 1, 1) // and morale, at the first death
	if x := f.Creature("bandits10"); x.GetHp() != 0 || !body.Dead(x) {
		t.Fatalf("10 of 10: %d, %v", x.GetHp(), x.Life)
	}
}
