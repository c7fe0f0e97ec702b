package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.initiative.every-round, rcr.initiative.roll-at-turn-end
func TestInitiativeEveryRound(t *testing.T) {
	f := newTable(t).add(fighter("fighter", "party", ability("dexterity", 14)), fighter("orc", "monsters", ability("dexterity", 12)))
	f.start(nil, 13, 11) // fighter 15, orc 12
	f.WantActive("fighter")
	f.End("fighter", 4) // 6 for round 2
	f.WantActive("orc")
	if got := answers.InitiativeOf(f.Creature("fighter"), 2).GetTotal(); got != 6 {
		t.Fatalf("fighter's round 2: %d, want 6", got)
	}
	for _, e := range f.SeenBy(player("somebody")) {
		if i := e.GetInitiativeSet(); i != nil && i.Round == 2 {
			t.Fatal("a total of the next round is out")
		}
	}
	f.End("orc", 18) // 19
	f.WantActive("orc")
	if f.State.Round != 2 {
		t.Fatalf("round %d, want 2", f.State.Round)
	}
	f.End("orc", 1)
	f.WantActive("fighter")
}

// rcr.initiative.roll-at-turn-end
func TestInitiativeUsesStateAtTurnEnd(t *testing.T) {
	f := newTable(t).add(fighter("bard", "party", ability("dexterity", 16)), fighter("orc", "monsters"))
	f.start(nil, 20, 10)
	f.Afflict("bard", "deafened")
	f.End("bard", 16, 5) // rcr.condition.deafened-initiative
	f.Must(&eventv1.Command{What: &eventv1.Command_Edit{Edit: &eventv1.EditCreature{Creature: "bard", RemoveConditions: []string{"deafened"}}}})
	if got := answers.InitiativeOf(f.Creature("bard"), 2).GetTotal(); got != 8 {
		t.Fatalf("total %d, want 8", got)
	}
}

// rcr.initiative.range-call
func TestInitiativeBlocks(t *testing.T) {
	for total, want := range map[int32]string{26: "25-20", 20: "25-20", 19: "20-15", 15: "20-15", 14: "15-10", 10: "15-10",
		9: "10-5", 5: "10-5", 4: "5-0", 0: "5-0", -1: "5-0"} {
		if got := answers.Blocks[answers.BlockOf(total)].Name; got != want {
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
		for _, e := range f.SeenBy(player("nobody")) {
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
	f.WantActive("c")
	f.End("c", 1)
	f.WantActive("a")
	f.End("a", 1)
	if got := known(); !slices.Equal(got, []string{"20-15", "b"}) {
		t.Fatalf("called %v", got)
	}
	f.End("b", 1)
	f.End("d", 1)
	if got := known(); !slices.Equal(got, []string{"10-5", "5-0", "e"}) {
		t.Fatalf("called %v", got)
	}
	f.WantActive("e")
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
			f := newTable(t, body.SetInitiativeChoice+"=players").add(fighter("hero", "party", ability("dexterity", c.dex), ability("intelligence", c.int)))
			if c.prone {
				f.Afflict("hero", "prone")
			}
			f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}})
			f.Answer(body.DecInitiative, c.choice, c.faces...)
			if got := answers.InitiativeOf(f.Creature("hero"), 1).GetTotal(); got != c.want {
				t.Fatalf("total %d, want %d", got, c.want)
			}
		})
	}
}

// rcr.initiative.dex-or-int: answered early and by standing order
func TestInitiativeAbilityAhead(t *testing.T) {
	f := newTable(t, body.SetInitiativeChoice+"=players").add(fighter("hero", "party", ability("dexterity", 12), ability("intelligence", 18)))
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}},
		Answers: []*eventv1.EarlyAnswer{{Decision: body.DecInitiative, Creature: "hero", Answer: &eventv1.Answer{Option: "dexterity"}}}}, 8)
	if got := answers.InitiativeOf(f.Creature("hero"), 1).GetTotal(); got != 9 {
		t.Fatalf("total %d, want 9", got)
	}
	f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "hero", Decision: body.DecInitiative, Order: "intelligence"}}})
	f.End("hero", 8)
	if got := answers.InitiativeOf(f.Creature("hero"), 2).GetTotal(); got != 12 {
		t.Fatalf("total %d, want 12", got)
	}
}

// rcr.initiative.range-call: ties
func TestInitiativeTie(t *testing.T) {
	f := newTable(t, body.SetTieBreak+"=ask").add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party"))
	f.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, 12, 12, 5)
	if len(f.Decisions) != 1 || !f.Decisions[0].GmOnly || f.Decisions[0].Name != body.DecTieBreak || len(f.Decisions[0].Options) != 2 {
		t.Fatalf("open %v", f.Decisions)
	}
	f.Answer(body.DecTieBreak, "b")
	f.WantActive("b")
	f.End("b", 1)
	f.WantActive("a")

	for _, one := range []bool{false, true} {
		second := fighter("c", "party")
		if one {
			second.Controllers = append(second.Controllers, "a-player")
		}
		g := newTable(t, body.SetTieBreak+"=ask").add(fighter("a", "party"), second)
		g.Must(&eventv1.Command{What: &eventv1.Command_Start{Start: &eventv1.StartEncounter{}}}, 12, 12)
		if len(g.Decisions) != 1 || g.Decisions[0].GmOnly == one || (g.Decisions[0].Creature == "a") != one {
			t.Fatalf("a player decides between its own alone: %v", g.Decisions)
		}
	}
}

// rcr.initiative.back-to-back
func TestInitiativeBackToBack(t *testing.T) {
	f := newTable(t).add(fighter("monk", "party"), fighter("orc", "monsters"))
	f.start(nil, 5, 12)
	f.End("orc", 9)
	f.WantActive("monk")
	f.Count("monk", body.CReaction, 0)
	f.End("monk", 20)
	f.WantActive("monk")
	if f.Creature("monk").Counters[body.CReaction] != 1 {
		t.Fatal("the reaction is not back")
	}
	f.End("monk", 1)
	f.WantActive("orc")
}

// rcr.initiative.duration-by-block, rcr.initiative.duration-next-turn
func TestDurations(t *testing.T) {
	t.Run(cite.InitiativeDurationNextTurn, func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"))
		f.start(nil, 3, 10)
		f.End("b", 10)
		f.Must(act("a", "dodge", "", ""))
		f.End("a", 20)
		f.WantActive("a")
		if body.Has(f.Creature("a"), body.CondDodging) {
			t.Fatal("still dodging in its next turn")
		}
	})
	t.Run(cite.InitiativeDurationByBlock, func(t *testing.T) {
		f := newTable(t, "rcr.initiative.duration-by-block=on").add(fighter("user", "party"), fighter("b", "monsters"), fighter("c", "monsters"))
		f.start(nil, 10, 9, 17) // b, c, user
		f.Must(act("user", "dodge", "", ""))
		f.End("user", 20)
		f.End("b", 18)
		f.End("c", 14)
		f.WantActive("user")
		if !body.Has(f.Creature("user"), body.CondDodging) {
			t.Fatal("over at 20, before its block")
		}
		f.End("user", 1)
		f.WantActive("b") // on 18, in the block
		if !body.Has(f.Creature("user"), body.CondDodging) {
			t.Fatal("over at 18, inside its block")
		}
		f.End("b", 1)
		f.WantActive("c") // on 14
		if body.Has(f.Creature("user"), body.CondDodging) {
			t.Fatal("in force at 14, after its block")
		}
	})
}
