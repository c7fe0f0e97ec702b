package strike

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// DecEmpower asks the caster of an empowered spell how many dice of its damage, the
// lowest, to roll again.
const DecEmpower = "empower"

// Empowering is the one damage roll that an empowered spell may roll again in part.
type Empowering struct {
	// Caster is asked.
	Caster string
	// Dice are how many it may roll again, at most; at least 1.
	Dice int
	used bool
}

// Again lets the caster roll the lowest dice of a damage again, once for a casting, and
// gives the damage as it then stands; nil empowers nothing.
//
// rcr.feat.metamagic-adept-options
func (e *Empowering) Again(r *rules.Resolution, label string, rolled rules.Rolled, part *eventv1.DamagePart) {
	const rule = cite.FeatMetamagicAdeptOptions
	if e == nil || e.used {
		return
	}
	tree := rolled.Tree()
	if tree == nil {
		return
	}
	low := keptDice(&tree.Root, nil)
	slices.SortStableFunc(low, func(a, b dice.Die) int { return int(a.Value - b.Value) })
	if low = low[:min(len(low), e.Dice)]; len(low) == 0 {
		return
	}
	d := &eventv1.Decision{Name: DecEmpower, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: e.Caster, Cause: "the damage is rolled",
		Question: "Roll dice of the damage again?", DefaultOption: "keep", Rule: rule, Options: []*eventv1.DecisionOption{{Id: "keep", Text: "Keep them all"}}}
	for n := range low {
		d.Options = append(d.Options, &eventv1.DecisionOption{Id: strconv.Itoa(n + 1), Text: "The lowest " + strconv.Itoa(n+1)})
	}
	n, err := strconv.Atoi(r.Ask(label+"/empower", d).Option)
	if err != nil {
		return
	}
	e.used = true
	var terms []string
	for _, die := range low[:n] {
		terms = append(terms, "1d"+strconv.Itoa(die.Sides))
		part.Rolled -= int32(die.Value)
	}
	part.Rolled += r.Roll(rules.RollSpec{Label: label + "/again", Creature: e.Caster, Expression: strings.Join(terms, "+"),
		Reason: "dice rolled again: empowered", Rules: []string{rule}}).Total
}

// keptDice are the dice of an expression that count, in order: none of what its pool
// has dropped.
func keptDice(n *dice.Node, out []dice.Die) []dice.Die {
	if !n.Kept {
		return out
	}
	for _, d := range n.Dice {
		if d.Kept {
			out = append(out, d)
		}
	}
	for i := range n.Children {
		out = keptDice(&n.Children[i], out)
	}
	return out
}
