package rcr

import (
	"testing"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
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
		{"rcr.dice.pairwise-cancel: 1 of 2", []*eventv1.Edge{adv("a", "", ""), adv("b", "", ""), dis("c", "", "")}, "2d20kh1"},
		{"rcr.dice.pairwise-cancel: 1 of 3", []*eventv1.Edge{adv("a", "", ""), dis("b", "", ""), dis("c", "", ""), dis("d", "", "")}, "3d20kl1"},
		{"rcr.dice.pairwise-cancel: even", []*eventv1.Edge{adv("a", "", ""), dis("b", "", "")}, "1d20"},
		{cite.DiceAssurance, []*eventv1.Edge{adv("a", "", ""), adv("b", "", "")}, "3d20kh1"},
		{"rcr.dice.assurance: never more than three", []*eventv1.Edge{adv("a", "", ""), adv("b", "", ""), adv("c", "", ""), adv("d", "", "")}, "3d20kh1"},
		{cite.DiceDisaster, []*eventv1.Edge{dis("a", "", ""), dis("b", "", ""), dis("c", "", "")}, "3d20kl1"},
		{"rcr.dice.same-kind-no-stack: one side", []*eventv1.Edge{dis("sight", "blinded", ""), dis("sight", "dark", "")}, "2d20kl1"},
		{"rcr.dice.same-kind-no-stack: each side by itself", []*eventv1.Edge{dis("sight", "", ""), adv("sight", "", "")}, "1d20"},
		{"rcr.dice.same-kind-no-stack: before cancelling", []*eventv1.Edge{dis("sight", "", ""), dis("sight", "", ""), adv("x", "", "")}, "1d20"},
		{"no kind is a kind of its own", []*eventv1.Edge{adv("", "x", ""), adv("", "x", "")}, "3d20kh1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := weigh(c.edges).expression(); got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
		})
	}
}

// rcr.condition.exhaustion-d20: there is no floor
func TestExhaustionHasNoFloor(t *testing.T) {
	f := duel(t)
	f.Count("a", cExhaustion, 5)
	f.Resolve(func(r *resolution) error {
		rolled := d20{label: "check", creature: r.Creature("a"), modifiers: []*eventv1.Modifier{mod(2, "skill", "")}}.roll(r)
		if rolled.Total != 0 || rolled.Natural != 3 {
			t.Errorf("total %d of a natural %d, want 0 of 3", rolled.Total, rolled.Natural)
		}
		return nil
	}, 3)
}
