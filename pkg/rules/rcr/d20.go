package rcr

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// pool is what is left of the sources of advantage and disadvantage.
type pool int

// expression is the dice of a pool: one d20, two, or three.
func (p pool) expression() string {
	switch {
	case p >= 2:
		return "3d20kh1" // rcr.dice.assurance
	case p == 1:
		return "2d20kh1"
	case p == 0:
		return "1d20"
	case p == -1:
		return "2d20kl1"
	}
	return "3d20kl1" // rcr.dice.disaster
}

// weigh merges sources of one kind on one side, cancels the rest one for one
// and returns what is left: positive for advantage, negative for disadvantage,
// at most 2 either way.
//
// rcr.dice.same-kind-no-stack, rcr.dice.pairwise-cancel, rcr.dice.assurance,
// rcr.dice.disaster, rcr.condition.replace-base
func weigh(edges []*eventv1.Edge) pool {
	var kinds [2][]string
	for i, e := range edges {
		side, kind := 0, e.Kind
		if e.Advantage {
			side = 1
		}
		if kind == "" {
			kind = string(rune(i)) + e.Source // a kind of its own
		}
		if !slices.Contains(kinds[side], kind) {
			kinds[side] = append(kinds[side], kind)
		}
	}
	return max(-2, min(2, pool(len(kinds[1])-len(kinds[0]))))
}

// d20 is a roll of the twenty-sided die by a creature.
type d20 struct {
	// label of the roll.
	label string
	// creature that rolls; nil when a thing does.
	creature *eventv1.Creature
	// reason in words.
	reason string
	// audience; nil means everyone.
	audience *eventv1.Audience
	// secret: nobody but the game master sees the roll or what hangs on it.
	secret bool
	// modifiers besides exhaustion.
	modifiers []*eventv1.Modifier
	// edges are all sources of advantage and disadvantage.
	edges []*eventv1.Edge
	// target; nil for none.
	target *eventv1.TargetNumber
	// judge as in rules.RollSpec.
	judge func(natural, total int32) (string, int32)
	// rules behind the roll.
	rules []string
	// point of content and what is going on, for what is rolled again; empty for
	// rolls that content does not touch.
	point string
	env   effects.Env
}

// roll rolls it. Exhaustion is taken off the total, never off the face, so
// that natural 1 and 20 are read from the die as it shows. What a creature has
// gained in secret weighs on secret rolls alone.
//
// rcr.condition.exhaustion-d20, rcr.death.secret-saves
func (d d20) roll(r *rules.Resolution) rules.Rolled {
	mods := slices.Clone(d.modifiers)
	id := ""
	if d.creature != nil {
		id = d.creature.Id
		n := openExhaustion(d.creature)
		if d.secret {
			n = d.creature.Counters[cExhaustion]
		}
		if n > 0 {
			mods = append([]*eventv1.Modifier{mod(-int32(n), "exhaustion", cite.ConditionExhaustionD20)}, mods...)
		}
	}
	expression, behind := weigh(d.edges).expression(), d.rules
	if d.point != "" {
		var more []string
		expression, more = again(r, d.creature, d.point, d.env, expression)
		behind = slices.Concat(behind, more)
	}
	return r.Roll(rules.RollSpec{Label: d.label, Creature: id, Expression: expression, Reason: d.reason,
		Audience: d.audience, Modifiers: mods, Edges: d.edges, Target: d.target, Judge: d.judge, Rules: behind})
}

// mod makes a modifier.
func mod(value int32, source, rule string) *eventv1.Modifier {
	return &eventv1.Modifier{Value: value, Source: source, Rule: rule}
}

// adv and dis make sources of advantage and disadvantage.
func adv(kind, source, rule string) *eventv1.Edge {
	return &eventv1.Edge{Advantage: true, Kind: kind, Source: source, Rule: rule}
}

func dis(kind, source, rule string) *eventv1.Edge {
	return &eventv1.Edge{Kind: kind, Source: source, Rule: rule}
}

// statedEdges are the sources that the caller stated, for a target or for all.
func statedEdges(list []*eventv1.Circumstance, target string) (edges []*eventv1.Edge, mods []*eventv1.Modifier) {
	for _, c := range list {
		if c.Target != "" && c.Target != target {
			continue
		}
		switch c.Direction {
		case "advantage", "disadvantage":
			edges = append(edges, &eventv1.Edge{Advantage: c.Direction == "advantage", Kind: c.Kind, Source: c.Cause,
				Rule: cite.DicePairwiseCancel, Stated: true})
		case "modifier":
			mods = append(mods, mod(c.Value, c.Cause, ""))
		}
	}
	return edges, mods
}

// difficulty makes a target number of kind DC.
func difficulty(dc int32, mods ...*eventv1.Modifier) *eventv1.TargetNumber {
	return &eventv1.TargetNumber{Kind: "DC", Value: dc, Modifiers: mods}
}
