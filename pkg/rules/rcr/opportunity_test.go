package rcr

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

type resolution = rules.Resolution

// provoked is an act of a that gives the enemies stated a chance.
func provoked(enemies ...string) func(*resolution) error {
	return func(r *resolution) error {
		offerOpportunity(r, "a", "turns its back", "rcr.opportunity.object-interaction", threateners(r, "a", enemies))
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
		f.Answer(decOpportunity+"/z", "no")
		f.Answer(decOpportunity+"/b", "sword", 2)
		if f.Attack().Attacker != "b" || f.Creature("b").Counters[cReaction] != 0 || f.Creature("z").Counters[cReaction] != 1 {
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
		f.Must(&eventv1.Command{What: &eventv1.Command_Order{Order: &eventv1.SetStandingOrder{Creature: "b", Decision: decOpportunity, Order: "no"}}})
		f.Resolve(provoked("b"))
		if len(f.Decisions) != 0 || f.Creature("b").Counters[cReaction] != 1 {
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
		if got := threateners(r, "a", nil); !slices.Equal(got, []string{"near", "ogre"}) {
			t.Errorf("threatened by %v", got)
		}
		return nil
	})
}
