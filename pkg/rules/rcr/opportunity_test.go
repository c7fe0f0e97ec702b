package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/answers"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/movement"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

type resolution = rules.Resolution

// provoked is an act of a that gives the enemies stated a chance.
func provoked(enemies ...string) func(*resolution) error {
	return func(r *resolution) error {
		movement.OfferOpportunity(r, "a", "turns its back", cite.OpportunityObjectInteraction, answers.Threateners(r.State(), "a", enemies), nil)
		return nil
	}
}

// rcr.base.opportunity-frame
func TestOpportunityFrame(t *testing.T) {
	t.Run("rcr.base.opportunity-frame: taken", func(t *testing.T) {
		f := duel(t)
		f.Resolve(provoked("b", "z"))
		if len(f.Decisions) != 2 {
			t.Fatalf("open %v", f.Decisions)
		}
		f.Answer(body.DecOpportunity+"/z", "no")
		f.Answer(body.DecOpportunity+"/b", "sword", 2)
		if f.Attack().Attacker != "b" || f.Creature("b").Counters[body.CReaction] != 0 || f.Creature("z").Counters[body.CReaction] != 1 {
			t.Fatal("one reaction each for those who take it")
		}
		f.Resolve(provoked("b"))
		if len(f.Decisions) != 0 {
			t.Fatal("no reaction left, and asked all the same")
		}
	})
	t.Run("rcr.base.opportunity-frame: who may not", func(t *testing.T) {
		for _, c := range []struct{ name, who, what string }{
			{"incapacitated", "b", "incapacitated"}, {"blinded", "b", "blinded"}, {"charmed", "b", "charmed@a"}, {"invisible provoker", "a", "invisible"},
		} {
			f := duel(t)
			f.Afflict(c.who, c.what)
			f.Resolve(provoked("b"))
			if len(f.Decisions) != 0 {
				t.Errorf("%s: asked all the same", c.name)
			}
		}
	})
	t.Run("rcr.base.opportunity-frame: standing order", func(t *testing.T) {
		f := duel(t)
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: body.DecOpportunity, Order: "no"}}})
		f.Resolve(provoked("b"))
		if len(f.Decisions) != 0 || f.Creature("b").Counters[body.CReaction] != 1 {
			t.Fatal("the order was not heeded")
		}
	})
}

// rcr.base.opportunity-frame: reach is measured where there are positions
func TestThreatenersMeasured(t *testing.T) {
	f := newTable(t)
	put := func(s *eventv1.Sheet, x, y int32) {
		f.Must(&eventv1.Command{What: &eventv1.Command_Add{Add: &eventv1.AddCreature{Sheet: s, Position: &eventv1.Position{X: x, Y: y}}}})
	}
	large := fighter("ogre", "monsters", rcrSheet(func(s *eventv1.RcrSheet) { s.Attacks[0].ReachFeet = 10 }))
	large.Size = "large"
	put(fighter("a", "party"), 0, 0)
	put(fighter("ally", "party"), 5, 0)
	put(fighter("far", "monsters"), 10, 0)
	put(fighter("near", "monsters"), 5, 5)
	put(large, -15, 0) // its space ends at -5: 10 feet away
	f.start(nil, 20, 5, 4, 3, 2)
	f.Resolve(func(r *resolution) error {
		if got := answers.Threateners(r.State(), "a", nil); !slices.Equal(got, []string{"near", "ogre"}) {
			t.Errorf("threatened by %v", got)
		}
		return nil
	})
}

// rcr.base.half-cover, rcr.dice.pairwise-cancel: what is stated about one enemy's
// opportunity attack weighs on that one.
func TestStatedOpportunity(t *testing.T) {
	said := func(about map[string]any) func(*eventv1.TakeAction) {
		return withFacts("opportunity", map[string]any{"b": about})
	}
	for _, c := range []struct {
		name    string
		about   map[string]any
		faces   []int
		ac      int32
		outcome string
	}{
		{"half cover", map[string]any{"cover": "half"}, []int{11}, 17, "miss"},
		{"nothing", map[string]any{"cover": "none"}, []int{11, 1}, 15, "hit"},
		{"disadvantage", map[string]any{"disadvantage": "smoke"}, []int{18, 2}, 15, "miss"},
		{"both", map[string]any{"disadvantage": "smoke", "advantage": "height"}, []int{2}, 15, "miss"},
	} {
		t.Run("rcr.base.opportunity-frame: "+c.name, func(t *testing.T) {
			f := field(t, 5, 0)
			f.Must(act("a", "interact", "", "", said(c.about)))
			f.Answer(body.DecOpportunity, "sword", c.faces...)
			if got := f.Roll("/to-hit"); got.Target.Value != c.ac || f.Attack().Outcome != c.outcome {
				t.Fatalf("%v, %s", got, f.Attack().Outcome)
			}
		})
	}
	t.Run("rcr.base.opportunity-frame: in passing", func(t *testing.T) {
		f := field(t, 20, 5)
		f.Must(act("a", "move", "", "", along(30, 0), said(map[string]any{"cover": "three-quarters"})))
		f.Answer(body.DecOpportunity, "sword", 14)
		if got := f.Roll("/to-hit"); got.Target.Value != 20 {
			t.Fatalf("%v", got)
		}
	})
	t.Run("what cannot be", func(t *testing.T) {
		for _, about := range []map[string]any{{"cover": "total"}, {"weather": "fair"}} {
			if field(t, 5, 0).Try(act("a", "interact", "", "", said(about))) == nil {
				t.Fatalf("accepted %v", about)
			}
		}
		if field(t, 5, 0).Try(act("a", "interact", "", "", withFacts("opportunity", map[string]any{"nobody": map[string]any{"cover": "half"}}))) == nil {
			t.Fatal("accepted nobody")
		}
	})
}
