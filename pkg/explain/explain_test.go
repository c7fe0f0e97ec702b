package explain_test

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/explain"
	"github.com/skaldrpg/skald/pkg/render"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What an event says of itself is worded line by line: where each number comes from, which
// dice count, by whose word, and each rule behind it once.
func TestWhatAnEventSaysOfItself(t *testing.T) {
	for name, c := range map[string]struct {
		what  proto.Message
		rules []string
		want  []string // after the words of the event
	}{
		"a roll": {&eventv1.Roll{Creature: "a", Label: "to-hit", Reason: "a blow", Edges: []*eventv1.Edge{{Advantage: true, Source: "high ground", Rule: "r.high"}, {Source: "dark", Stated: true}},
			Dice: []*eventv1.Die{{Sides: 20, Face: 17, Kept: true}, {Sides: 20, Face: 3, Notes: []string{"rerolled"}}}, Value: 17, Modifiers: []*eventv1.Modifier{{Value: 3, Source: "strength", Rule: "r.str"}, {Value: -1, Source: "prone"}}, Total: 19,
			Target: &eventv1.TargetNumber{Kind: "AC", Value: 15, Modifiers: []*eventv1.Modifier{{Value: 2, Source: "shield", Rule: "r.shield"}}}, Outcome: "hit"}, []string{"r.attack", ""},
			[]string{"for: a blow", "advantage: high ground [r.high]", "stated disadvantage: dark", "d20 shows 17, counts", "d20 shows 3, does not count, rerolled", "dice come to 17", "+3 strength [r.str]", "-1 prone", "total 19",
				"AC: +2 shield [r.shield]", "against AC 15", "outcome: hit", "under r.attack [r.attack]"}},
		"a bare roll":   {&eventv1.Roll{Creature: "a", Value: 4, Total: 4}, nil, []string{"dice come to 4", "total 4"}},
		"fixed faces":   {&eventv1.Roll{Creature: "a", Fixed: true}, nil, []string{"dice come to 0", "total 0", "the faces were fixed by the game master's word"}},
		"a given total": {&eventv1.Roll{Creature: "a", Ruled: true}, nil, []string{"dice come to 0", "total 0", "the result was given by the game master's word"}},
		"given faces":   {&eventv1.Roll{Creature: "a", Supplied: true}, nil, []string{"dice come to 0", "total 0", "the faces were supplied by people"}},
		"an attack": {&eventv1.Attack{Attacker: "a", Target: "b", Roll: &eventv1.RollRef{Label: "to-hit"}, Facts: []*eventv1.UsedFact{{Name: "distance", Value: "30"}, {Name: "cover", Value: "half", Stated: true}}}, nil,
			[]string{"decided by the roll {to-hit}", "measured: distance 30", "stated: cover half"}},
		"an attack without a roll": {&eventv1.Attack{Attacker: "a", Target: "b"}, nil, nil},
		"damage": {&eventv1.Damage{Target: "b", Soaked: 2, Parts: []*eventv1.DamagePart{{Type: "fire", Rolled: 6, Taken: 6, Rule: "r.fire"}, {Type: "cold", Rolled: 8, Taken: 4, Note: "resistance"},
			{Type: "acid", Rolled: 5, Taken: 5, Note: "as it was"}}}, nil, []string{"6 fire [r.fire]", "8 cold, 4 taken: resistance", "5 acid, 5 taken: as it was", "2 soaked by temporary hit points"}},
		"a condition":              {&eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Name: "prone", Rule: "r.prone"}}, []string{"r.fall"}, []string{"under r.prone [r.prone]", "under r.fall [r.fall]"}},
		"one by the rule behind":   {&eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Name: "prone", Rule: "r.prone"}}, []string{"r.prone"}, []string{"under r.prone [r.prone]"}},
		"one without a rule":       {&eventv1.ConditionAdded{Creature: "a", Condition: &eventv1.Condition{Name: "prone"}}, nil, nil},
		"an injury":                {&eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Kind: "scar", Rule: "r.scar"}}, nil, []string{"under r.scar [r.scar]"}},
		"an injury of rules known": {&eventv1.InjuryAdded{Creature: "a", Injury: &eventv1.Injury{Kind: "scar", Rule: "r.scar"}}, []string{"r.scar", "r.wound"}, []string{"under r.scar [r.scar]", "under r.wound [r.wound]"}},
	} {
		lines := explain.Event(render.Style{}, func(rule string) string { return "title of " + rule }, event.New(event.Everyone(), c.what, c.rules...))
		var got []string
		for _, l := range lines[1:] {
			text := l.Text
			if l.Rule != "" {
				text += " [" + l.Rule + "]"
				if l.Title != "title of "+l.Rule {
					t.Errorf("%s: %s has the title %q", name, l.Rule, l.Title)
				}
			}
			got = append(got, text)
		}
		if a, b := strings.Join(got, "\n"), strings.Join(c.want, "\n"); a != b {
			t.Errorf("%s:\n%s\nwant\n%s", name, a, b)
		}
		if lines[0].Text == "" || lines[0].Rule != "" {
			t.Errorf("%s begins with %+v", name, lines[0])
		}
	}
}

// The steps by which a part of damage changed stand before it.
func TestStepsOfDamage(t *testing.T) {
	for _, note := range []string{"", "twice"} {
		part := &eventv1.DamagePart{Type: "fire", Rolled: 6, Taken: 6, Note: note, Factors: []*eventv1.Factor{{Before: 3, Times: 2, After: 6, Source: "critical", Rule: "r.crit"}}}
		lines := explain.Event(render.Style{}, func(string) string { return "" }, event.New(event.Everyone(), &eventv1.Damage{Target: "b", Parts: []*eventv1.DamagePart{part}}))
		if len(lines) != 3 || lines[1].Rule != "r.crit" || lines[1].Text != render.Factor(part.Factors[0]) {
			t.Errorf("%+v", lines)
		}
	}
}
