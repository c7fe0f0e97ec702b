package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rcr.dice.pairwise-cancel, rcr.dice.same-kind-no-stack, rcr.dice.assurance, rcr.dice.disaster
func TestWeigh(t *testing.T) {
	for _, c := range []struct {
		name  string
		edges []*eventv1.Edge
		want  string
	}{
		{"none", nil, "1d20"},
		{"rcr.dice.pairwise-cancel: 1 of 2", []*eventv1.Edge{dice.Adv("a", "", ""), dice.Adv("b", "", ""), dice.Dis("c", "", "")}, "2d20kh1"},
		{"rcr.dice.pairwise-cancel: 1 of 3", []*eventv1.Edge{dice.Adv("a", "", ""), dice.Dis("b", "", ""), dice.Dis("c", "", ""), dice.Dis("d", "", "")}, "3d20kl1"},
		{"rcr.dice.pairwise-cancel: even", []*eventv1.Edge{dice.Adv("a", "", ""), dice.Dis("b", "", "")}, "1d20"},
		{cite.DiceAssurance, []*eventv1.Edge{dice.Adv("a", "", ""), dice.Adv("b", "", "")}, "3d20kh1"},
		{"rcr.dice.assurance: never more than three", []*eventv1.Edge{dice.Adv("a", "", ""), dice.Adv("b", "", ""), dice.Adv("c", "", ""), dice.Adv("d", "", "")}, "3d20kh1"},
		{cite.DiceDisaster, []*eventv1.Edge{dice.Dis("a", "", ""), dice.Dis("b", "", ""), dice.Dis("c", "", "")}, "3d20kl1"},
		{"rcr.dice.same-kind-no-stack: one side", []*eventv1.Edge{dice.Dis("sight", "blinded", ""), dice.Dis("sight", "dark", "")}, "2d20kl1"},
		{"rcr.dice.same-kind-no-stack: each side by itself", []*eventv1.Edge{dice.Dis("sight", "", ""), dice.Adv("sight", "", "")}, "1d20"},
		{"rcr.dice.same-kind-no-stack: before cancelling", []*eventv1.Edge{dice.Dis("sight", "", ""), dice.Dis("sight", "", ""), dice.Adv("x", "", "")}, "1d20"},
		{"no kind is a kind of its own", []*eventv1.Edge{dice.Adv("", "x", ""), dice.Adv("", "x", "")}, "3d20kh1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dice.Weigh(c.edges).Expression(); got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.condition.exhaustion-d20: there is no floor
func TestExhaustionHasNoFloor(t *testing.T) {
	f := duel(t)
	f.Count("a", body.CExhaustion, 5)
	f.Resolve(func(r *resolution) error {
		rolled := dice.D20{Label: "check", Creature: r.Creature("a"), Modifiers: []*eventv1.Modifier{body.Mod(2, "skill", "")}}.Roll(r)
		if rolled.Total != 0 || rolled.Natural != 3 {
			t.Errorf("total %d of a natural %d, want 0 of 3", rolled.Total, rolled.Natural)
		}
		return nil
	}, 3)
}
