package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ambush is two bandits that surprise a fighter; the monk ignores surprise.
func ambush(t *testing.T) *table {
	t.Helper()
	monk := fighter("monk", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{"ignores surprise"} }))
	f := newTable(t).add(fighter("bandit1", "monsters"), fighter("bandit2", "monsters"), fighter("hero", "party"), monk)
	return f.start([]string{"hero", "monk"}, 9, 14, 11)
}

// rcr.surprise.no-initiative
func TestSurprisedHaveNoInitiative(t *testing.T) {
	f := ambush(t)
	if f.State.Round != 0 || f.State.Phase != body.PhaseSurprise {
		t.Fatalf("round %d phase %q", f.State.Round, f.State.Phase)
	}
	if answers.InitiativeOf(f.Creature("hero"), 0) != nil || !answers.Surprised(f.Creature("hero")) {
		t.Fatal("the surprised rolled initiative")
	}
	if answers.InitiativeOf(f.Creature("monk"), 0).GetTotal() != 11 || answers.Surprised(f.Creature("monk")) {
		t.Fatal("the monk is not among those who act")
	}
	wantRefused(t, f.Try(act("hero", "attack", "sword", "bandit1")), cite.SurpriseNoInitiative)
	f.WantActive("bandit2")
	f.End("bandit2")
	f.WantActive("monk")
	f.End("monk")
	f.WantActive("bandit1")
}

// rcr.surprise.one-action
func TestSurpriseOneAction(t *testing.T) {
	f := ambush(t)
	c := f.Creature("bandit2")
	if c.Counters[body.CMovement] != 0 || c.Counters[body.CBonus] != 0 || c.Counters[body.CReaction] != 0 || c.Counters[body.CAction] != 1 {
		t.Fatalf("counters %v", c.Counters)
	}
	f.Must(act("bandit2", "dash", "", ""))
	if got := f.Creature("bandit2").Counters[body.CMovement]; got != 30 {
		t.Fatalf("Dash gives %d feet, want 30", got)
	}
	wantRefused(t, f.Try(act("bandit2", "attack", "sword", "hero")), cite.BaseFifthEditionFallback)
	if answers.MayOpportunity(f.State, "bandit1", "hero") || answers.MayOpportunity(f.State, "hero", "bandit1") {
		t.Fatal("a reaction in the surprise round")
	}
}

// rcr.surprise.end
func TestSurpriseEnds(t *testing.T) {
	ambusher := fighter("ambusher", "monsters", ability("dexterity", 14))
	f := newTable(t).add(ambusher, fighter("hero", "party", ability("dexterity", 12)), fighter("victim", "party"))
	f.start([]string{"hero", "victim"}, 15)
	f.Resolve(func(r *resolution) error {
		r.Emit(dice.Everyone, &eventv1.LifeChanged{Creature: "victim", Status: eventv1.LifeStatus_LIFE_STATUS_DEAD})
		return nil
	})
	f.End("ambusher", 3, 13) // hero 14, ambusher 5; the dead does not roll
	f.WantActive("hero")
	if f.State.Round != 1 || answers.Surprised(f.Creature("hero")) {
		t.Fatal("still surprised in round 1")
	}
	if got := answers.InitiativeOf(f.Creature("ambusher"), 1).GetTotal(); got != 5 {
		t.Fatalf("ambusher %d, want 5", got)
	}
	if f.Creature("hero").Counters[body.CReaction] != 1 || f.Creature("ambusher").Counters[body.CReaction] != 1 {
		t.Fatal("no reactions in round 1")
	}
}

// rcr.surprise.joiners
func TestSurprisingJoiners(t *testing.T) {
	wraith := fighter("wraith", "monsters", ability("dexterity", 16))
	join := func(facts ...any) *eventv1.Command {
		return &eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: wraith, Facts: object(facts...)}}}
	}
	begin := func(t *testing.T) *table {
		return newTable(t).add(fighter("a", "party"), fighter("b", "party")).start(nil, 13, 5)
	}
	t.Run("rcr.surprise.joiners: everybody surprised", func(t *testing.T) {
		f := begin(t)
		f.Must(join("surprises_all", true))
		if !slices.Equal(f.State.Active, []string{"a", "wraith"}) {
			t.Fatalf("active %v", f.State.Active)
		}
		f.Must(act("wraith", "attack", "sword", "b"), 2)
		wantRefused(t, f.Try(act("wraith", "attack", "sword", "b")), cite.BaseFifthEditionFallback)
		f.End("wraith", 6) // 9
		f.WantActive("a")
		f.End("a", 1)
		f.WantActive("wraith")
		if c := f.Creature("wraith"); c.Counters[body.CAction] != 1 || c.Counters[body.CMovement] != 30 {
			t.Fatalf("no normal turn: %v", c.Counters)
		}
	})
	t.Run("rcr.surprise.joiners: the surprised do not react", func(t *testing.T) {
		f := newTable(t).add(fighter("a", "party"), fighter("b", "party", rcrSheet(func(s *eventv1.RcrSheet) { s.Traits = []string{body.TraitUncannyDodge} }))).start(nil, 13, 5)
		f.Must(join("surprises_all", true))
		f.Must(act("wraith", "attack", "sword", "b"), 15, 3)
		f.wantAsked()
		f.End("wraith", 6)
		f.End("a", 1)
		f.Must(act("wraith", "attack", "sword", "b"), 15)
		f.wantAsked("b")
	})
	t.Run("rcr.surprise.joiners: one had noticed", func(t *testing.T) {
		f := begin(t)
		f.Must(join(), 6)
		f.WantActive("a")
		f.End("a", 1)
		f.WantActive("wraith")
	})
	t.Run("rcr.surprise.joiners: its count has passed", func(t *testing.T) {
		f := begin(t)
		f.Must(join(), 12) // 15 above 13
		f.End("a", 1)
		f.WantActive("b")
		f.End("b", 1) // the wraith keeps 15 for the next round
		f.WantActive("wraith")
		if f.State.Round != 2 || answers.InitiativeOf(f.Creature("wraith"), 2).GetTotal() != 15 {
			t.Fatal("the total did not keep")
		}
	})
}
