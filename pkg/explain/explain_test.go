package explain

import (
	"slices"
	"testing"

	"github.com/skaldrpg/skald/pkg/render"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// An explanation names the roll and the facts of an attack, the parts of what it had to
// reach, and each step of a damage, with their rules.
func TestExplainParts(t *testing.T) {
	const rule = "rcr.base.attack-and-critical"
	for _, c := range []struct {
		name  string
		event *eventv1.Event
		want  []string // lines, those with a rule behind it marked so
	}{
		{"attack", &eventv1.Event{Rules: []string{rule}, What: &eventv1.Event_Attack{Attack: &eventv1.Attack{Attacker: "orc", Target: "jeera", Outcome: "hit",
			Roll: &eventv1.RollRef{Label: "attack/1/to-hit"}, Facts: []*eventv1.UsedFact{{Name: "cover", Value: "half", Stated: true}, {Name: "distance", Value: "5 feet"}}}}},
			[]string{"decided by the roll {attack/1/to-hit}", "stated: cover half", "measured: distance 5 feet", "under " + rule + " *"}},
		{"roll", &eventv1.Event{What: &eventv1.Event_Roll{Roll: &eventv1.Roll{Label: "to-hit", Total: 12, Target: &eventv1.TargetNumber{Kind: "AC", Value: 15,
			Modifiers: []*eventv1.Modifier{{Value: 13, Source: "leather", Rule: rule}, {Value: 2, Source: "shield", Rule: rule}}}}}},
			[]string{"AC: +13 leather *", "AC: +2 shield *", "against AC 15"}},
		{"damage", &eventv1.Event{What: &eventv1.Event_Damage{Damage: &eventv1.Damage{Target: "orc", Amount: 3, Parts: []*eventv1.DamagePart{{Type: "fire", Rolled: 3, Taken: 3,
			Factors: []*eventv1.Factor{{Before: 7, Over: 2, After: 3, Source: "saving throw made", Rule: rule}}}}}}},
			[]string{"7 / 2 = 3: saving throw made *", "3 fire"}},
	} {
		var got []string
		for _, l := range Event(render.Style{}, func(string) string { return "" }, c.event) {
			text := l.Text
			if l.Rule != "" && l.Title != "" {
				text += " *"
			}
			got = append(got, text)
		}
		for _, want := range c.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no line %q among %q", c.name, want, got)
			}
		}
	}
}
