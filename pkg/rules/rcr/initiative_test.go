package rcr

import (
	"slices"
	"testing"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.initiative.every-round, rcr.initiative.roll-at-turn-end
func TestInitiativeEveryRound(t *testing.T) {
	f := newTable(t).add(fighter("fighter", "party", ability("dexterity", 14)), fighter("orc", "monsters", ability("dexterity", 12)))
	f.start(nil, 13, 11) // fighter 15, orc 12
	f.wantActive("fighter")
	f.end("fighter", 4) // 6 for round 2
	f.wantActive("orc")
	if got := initiativeOf(f.creature("fighter"), 2).GetTotal(); got != 6 {
		t.Fatalf("fighter's round 2: %d, want 6", got)
	}
	for _, e := range f.seenBy(player("somebody")) {
		if i := e.GetInitiativeSet(); i != nil && i.Round == 2 {
			t.Fatal("a total of the next round is out")
		}
	}
	f.end("orc", 18) // 19
	f.wantActive("orc")
	if f.state.Round != 2 {
		t.Fatalf("round %d, want 2", f.state.Round)
	}
	f.end("orc", 1)
	f.wantActive("fighter")
}

// rcr.initiative.roll-at-turn-end
func TestInitiativeUsesStateAtTurnEnd(t *testing.T) {
	f := newTable(t).add(fighter("bard", "party", ability("dexterity", 16)), fighter("orc", "monsters"))
	f.start(nil, 20, 10)
	f.afflict("bard", "deafened")
	f.end("bard", 16, 5) // rcr.condition.deafened-initiative
	f.must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "bard", RemoveConditions: []string{"deafened"}}}})
	if got := initiativeOf(f.creature("bard"), 2).GetTotal(); got != 8 {
		t.Fatalf("total %d, want 8", got)
	}
}

// rcr.initiative.range-call
func TestInitiativeBlocks(t *testing.T) {
	for total, want := range map[int32]string{26: "25-20", 20: "25-20", 19: "20-15", 15: "20-15", 14: "15-10", 10: "15-10",
		9: "10-5", 5: "10-5", 4: "5-0", 0: "5-0", -1: "5-0"} {
		if got := blocks[blockOf(total)].name; got != want {
			t.Errorf("%d is in %s, want %s", total, got, want)
		}
	}
}

// rcr.initiative.range-call
func TestInitiativeCallsRanges(t *testing.T) {
	f := newTable(t).add(fighter("a", "party"), fighter("b", "party"), fighter("c", "monsters", ability("dexterity", 22)),
		fighter("d", "monsters"), fighter("e", "monsters", ability("dexterity", 6), ability("intelligence", 6)))
	f.start(nil, 20, 15, 20, 14, 1) // a 20, b 15, c 26, d 14, e -1
	known := func() []string {
		var out []string
		for _, e := range f.seenBy(player("nobody")) {
			if i := e.GetInitiativeSet(); i != nil {
				out = append(out, i.Creature)
			}
			if p := e.GetPhaseStarted(); p != nil {
				out = append(out, p.Phase)
			}
		}
		return out
	}
	if got := known(); !slices.Equal(got, []string{"25-20", "c", "a"}) {
		t.Fatalf("called %v", got)
	}
	f.wantActive("c")
	f.end("c", 1)
	f.wantActive("a")
	f.end("a", 1)
	if got := known(); !slices.Equal(got, []string{"20-15", "b"}) {
		t.Fatalf("called %v", got)
	}
	f.end("b", 1)
	f.end("d", 1)
	if got := known(); !slices.Equal(got, []string{"10-5", "5-0", "e"}) {
		t.Fatalf("called %v", got)
	}
	f.wantActive("e")
}

// rcr.initiative.dex-or-int
func TestInitiativeAbility(t *testing.T) {
	cases := []struct {
		name     string
		dex, int int32
		prone    bool
		choice   string
		faces    []int
		want     int32
	}{
		{"intelligence", 12, 18, false, "intelligence", []int{8}, 12},
		{"dexterity all the same", 12, 18, false, "dexterity", []int{8}, 9},
		{"both low", 8, 6, false, "dexterity", []int{8}, 7},
		{"prone with dexterity", 16, 12, true, "dexterity", []int{15, 6}, 9},
		{"prone with intelligence", 16, 12, true, "intelligence", []int{15}, 16},
	}
	for _, c := range cases {
		t.Run("rcr.initiative.dex-or-int: "+c.name, func(t *testing.T) {
			f := newTable(t, setInitiativeChoice+"=players").add(fighter("hero", "party", ability("dexterity", c.dex), ability("intelligence", c.int)))
			if c.prone {
				f.afflict("hero", "prone")
			}
			f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
			f.answer(decInitiative, c.choice, c.faces...)
			if got := initiativeOf(f.creature("hero"), 1).GetTotal(); got != c.want {
				t.Fatalf("total %d, want %d", got, c.want)
			}
		})
	}
}

// rcr.initiative.dex-or-int: answered early and by standing order
func TestInitiativeAbilityAhead(t *testing.T) {
	f := newTable(t, setInitiativeChoice+"=players").add(fighter("hero", "party", ability("dexterity", 12), ability("intelligence", 18)))
	f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}},
		Answers: []*eventv1.EarlyAnswer{{Decision: decInitiative, Creature: "hero", Answer: &eventv1.Answer{Option: "dexterity"}}}}, 8)
	if got := initiativeOf(f.creature("hero"), 1).GetTotal(); got != 9 {
		t.Fatalf("total %d, want 9", got)
	}
	f.must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "hero", Decision: decInitiative, Order: "intelligence"}}})
	f.end("hero", 8)
	if got := initiativeOf(f.creature("hero"), 2).GetTotal(); got != 12 {
		t.Fatalf("total %d, want 12", got)
	}
}

// rcr.initiative.range-call: ties
func TestInitiativeTie(t *testing.T) {
	f := newTable(t, setTieBreak+"=ask").add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party"))
	f.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, 12, 12, 5)
	if len(f.open) != 1 || !f.open[0].GmOnly || f.open[0].Name != decTieBreak || len(f.open[0].Options) != 2 {
		t.Fatalf("open %v", f.open)
	}
	f.answer(decTieBreak, "b")
	f.wantActive("b")
	f.end("b", 1)
	f.wantActive("a")

	g := newTable(t, setTieBreak+"=ask").add(fighter("a", "party"), fighter("c", "party"))
	g.must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, 12, 12)
	if len(g.open) != 1 || g.open[0].GmOnly || g.open[0].Creature != "a" {
		t.Fatalf("players decide among themselves: %v", g.open)
	}
}

// rcr.initiative.back-to-back
func TestInitiativeBackToBack(t *testing.T) {
	f := newTable(t).add(fighter("monk", "party"), fighter("orc", "monsters"))
	f.start(nil, 5, 12)
	f.end("orc", 9)
	f.wantActive("monk")
	f.count("monk", cReaction, 0)
	f.end("monk", 20)
	f.wantActive("monk")
	if f.creature("monk").Counters[cReaction] != 1 {
		t.Fatal("the reaction is not back")
	}
	f.end("monk", 1)
	f.wantActive("orc")
}

// rcr.initiative.duration-by-block, rcr.initiative.duration-next-turn
func TestDurations(t *testing.T) {
	t.Run("rcr.initiative.duration-next-turn", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"))
		f.start(nil, 3, 10)
		f.end("b", 10)
		f.must(act("a", "dodge", "", ""))
		f.end("a", 20)
		f.wantActive("a")
		if has(f.creature("a"), condDodging) {
			t.Fatal("still dodging in its next turn")
		}
	})
	t.Run("rcr.initiative.duration-by-block", func(t *testing.T) {
		f := newTable(t, "rcr.initiative.duration-by-block=on").add(fighter("user", "party"), fighter("b", "monsters"), fighter("c", "monsters"))
		f.start(nil, 10, 9, 17) // b, c, user
		f.must(act("user", "dodge", "", ""))
		f.end("user", 20)
		f.end("b", 18)
		f.end("c", 14)
		f.wantActive("user")
		if !has(f.creature("user"), condDodging) {
			t.Fatal("over at 20, before its block")
		}
		f.end("user", 1)
		f.wantActive("b") // on 18, in the block
		if !has(f.creature("user"), condDodging) {
			t.Fatal("over at 18, inside its block")
		}
		f.end("b", 1)
		f.wantActive("c") // on 14
		if has(f.creature("user"), condDodging) {
			t.Fatal("in force at 14, after its block")
		}
	})
}
