package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/content/sheets"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func shipped(t *testing.T, name, id string) *eventv1.Sheet {
	t.Helper()
	s, err := sheets.Get(body.ID, name)
	if err != nil {
		t.Fatal(err)
	}
	s.Id = id
	return s
}

// Every sheet that ships is one that the system takes.
func TestShippedSheets(t *testing.T) {
	for _, name := range sheets.List(body.ID) {
		if v := (System{}).CheckSheet(shipped(t, name, name)); len(v) > 0 {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// A breath: one roll of damage, a save for each, and a d6 to bring it back.
func TestBreath(t *testing.T) {
	f := newTable(t).add(shipped(t, "young-red-dragon", "dragon"), fighter("a", "party", ability("dexterity", 14)), fighter("b", "party"))
	f.start(nil, 10, 1, 20) // a 12, b 1, dragon 20 and Dexterity or Intelligence +2
	f.WantActive("dragon")
	faces := []int{}
	for range 16 {
		faces = append(faces, 1)
	}
	f.Must(act("dragon", "use-power", "fire breath", "a,b", withFacts("cover", "half")), append(faces, 13, 14)...) // a 13+2+2: saved; b 14+2: failed
	if a, b := f.Roll("save/a"), f.Roll("save/b"); a.Outcome != "success" || b.Outcome != "failure" {
		t.Fatalf("a %s, b %s", a.Outcome, b.Outcome)
	}
	wantRefused(t, f.Try(act("dragon", "use-power", "fire breath", "a")), cite.BaseFifthEditionFallback)
	if f.Creature("dragon").Counters[body.CLeft+"fire breath"] != 0 {
		t.Fatal("the breath is not spent")
	}
	f.End("dragon", 20)
	f.End("a", 1)
	f.End("b", 1, 5) // the dragon's turn: 5 brings it back
	f.WantActive("dragon")
	if f.Creature("dragon").Counters[body.CLeft+"fire breath"] != 1 {
		t.Fatal("the breath has not come back")
	}
}

// A condition that a saving throw at the end of the turn ends.
func TestSaveEnds(t *testing.T) {
	holder := fighter("holder", "monsters", rcrSheet(func(s *eventv1.RcrSheet) {
		s.Powers = []*eventv1.RcrPower{{Name: "hold", Cost: "action", RangeFeet: 60, Save: &eventv1.RcrSave{Ability: "wisdom", Dc: 12},
			Effects: []*eventv1.RcrEffect{{Condition: body.CondParalyzed, Rounds: 10, SaveEnds: true}}}}
	}))
	f := newTable(t).add(fighter("a", "party"), holder).start(nil, 5, 20)
	f.Must(act("holder", "use-power", "hold", "a"), 8)
	if x := body.Condition(f.Creature("a"), body.CondParalyzed); x == nil || x.Variant != body.VariantStricken {
		t.Fatalf("not held: %v", x)
	}
	f.End("holder", 10)
	wantRefused(t, f.Try(act("a", "dash", "", "")), cite.ConditionParalyzedCommon)
	f.End("a", 11, 1) // save 11, then initiative
	if !body.Has(f.Creature("a"), body.CondParalyzed) {
		t.Fatal("free with 11 against 12")
	}
	f.End("holder", 10)
	f.End("a", 12, 1)
	if body.Has(f.Creature("a"), body.CondParalyzed) {
		t.Fatal("held with 12 against 12")
	}
}

// A readied attack is a reaction to be had until the next turn.
func TestReady(t *testing.T) {
	f := duel(t)
	f.Must(act("a", "ready", "bow", "", withParameters("trigger", "b comes out")))
	wantRefused(t, f.Try(act("a", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
	f.End("a", 5)
	f.WantActive("b")
	f.Must(act("a", "use-ready", "", "b", withFacts("close_enemy", false)), 2)
	if f.Creature("a").Counters[body.CReaction] != 0 || (rules.BegunOf(f.Creature("a"), body.BegunReadied) != nil) {
		t.Fatal("not used up")
	}
	wantRefused(t, f.Try(act("a", "use-ready", "", "b")), cite.BaseFifthEditionFallback)

	// rcr.surprise.one-action: not before the surprise round is over
	g := newTable(t).add(fighter("a", "party"), fighter("b", "monsters"), fighter("c", "party")).start([]string{"b"}, 20, 10)
	g.Must(act("a", "ready", "bow", "", withParameters("trigger", "b wakes")))
	wantRefused(t, g.Try(act("a", "use-ready", "", "b")), cite.SurpriseOneAction)
}
