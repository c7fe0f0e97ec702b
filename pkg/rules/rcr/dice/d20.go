package dice

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Pool is what is left of the sources of advantage and disadvantage.
type Pool int

// Expression is the dice of a pool: one d20, two, or three.
func (p Pool) Expression() string {
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

// Weigh merges sources of one kind on one side, cancels the rest one for one
// and returns what is left: positive for advantage, negative for disadvantage,
// at most 2 either way.
//
// rcr.dice.same-kind-no-stack, rcr.dice.pairwise-cancel, rcr.dice.assurance,
// rcr.dice.disaster, rcr.condition.replace-base
func Weigh(edges []*eventv1.Edge) Pool {
	var room [2][6]string // most rolls have few
	kinds := [2][]string{room[0][:0], room[1][:0]}
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
	return max(-2, min(2, Pool(len(kinds[1])-len(kinds[0]))))
}

// D20 is a roll of the twenty-sided die by a creature.
type D20 struct {
	// Label of the roll.
	Label string
	// Creature that rolls; nil when a thing does.
	Creature *eventv1.Creature
	// Reason in words.
	Reason string
	// audience; nil means everyone.
	Audience *eventv1.Audience
	// Secret: nobody but the game master sees the roll or what hangs on it.
	Secret bool
	// Modifiers besides exhaustion.
	Modifiers []*eventv1.Modifier
	// Edges are all sources of advantage and disadvantage.
	Edges []*eventv1.Edge
	// target; nil for none.
	Target *eventv1.TargetNumber
	// Judge as in rules.RollSpec.
	Judge func(natural, total int32) (string, int32)
	// Rules behind the roll.
	Rules []string
	// Point of content and what is going on, for what is rolled again; empty for
	// rolls that content does not touch.
	Point string
	Env   effects.Env
}

// By adds to the roll what content gives it at a point.
func (d D20) By(r *rules.Resolution, point string, env effects.Env) D20 {
	env.State, env.Roll.Point = r.State(), point
	d.Point, d.Env = point, env
	d.Modifiers = slices.Concat(d.Modifiers, house.Mods(r, d.Label, d.Creature, d.Audience, point, env))
	d.Edges = slices.Concat(d.Edges, house.Edges(r, d.Creature, point, env))
	return d
}

// Roll rolls it. Exhaustion is taken off the total, never off the face, so
// that natural 1 and 20 are read from the die as it shows. What a creature has
// gained in secret weighs on secret rolls alone.
//
// rcr.condition.exhaustion-d20, rcr.death.secret-saves
func (d D20) Roll(r *rules.Resolution) rules.Rolled {
	mods := slices.Clone(d.Modifiers)
	id := ""
	if d.Creature != nil {
		id = d.Creature.Id
		n := body.OpenExhaustion(d.Creature)
		if d.Secret {
			n = d.Creature.Counters[body.CExhaustion]
		}
		if n > 0 {
			mods = append([]*eventv1.Modifier{body.Mod(-int32(n), "exhaustion", cite.ConditionExhaustionD20)}, mods...)
		}
	}
	expression, behind := Weigh(d.Edges).Expression(), d.Rules
	if d.Point != "" {
		var more []string
		expression, more = house.Again(r, d.Creature, d.Point, d.Env, expression)
		behind = slices.Concat(behind, more)
	}
	return r.Roll(rules.RollSpec{Label: d.Label, Creature: id, Expression: expression, Reason: d.Reason,
		Audience: d.Audience, Modifiers: mods, Edges: d.Edges, Target: d.Target, Judge: d.Judge, Rules: behind})
}

// Adv makes a source of advantage.
func Adv(kind, source, rule string) *eventv1.Edge {
	return &eventv1.Edge{Advantage: true, Kind: kind, Source: source, Rule: rule}
}

// Dis makes a source of disadvantage.
func Dis(kind, source, rule string) *eventv1.Edge {
	return &eventv1.Edge{Kind: kind, Source: source, Rule: rule}
}

// Difficulty makes a target number of kind DC.
func Difficulty(dc int32, mods ...*eventv1.Modifier) *eventv1.TargetNumber {
	return &eventv1.TargetNumber{Kind: "DC", Value: dc, Modifiers: mods}
}
