package house

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Mods are the modifiers of content at a point, those of nothing left out; dice are
// rolled here, before the roll that they go with, under label/house/N.
func Mods(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, point string, env effects.Env) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	env.State = r.State()
	for i, m := range r.Content().Modifiers(c, point, env) {
		n := m.Amount
		if m.Dice != "" {
			n += Dice(r, label+"/house/"+strconv.Itoa(i+1), c.GetId(), m, audience)
		}
		if n != 0 {
			out = append(out, &eventv1.Modifier{Value: n, Source: m.Title, Rule: m.Rule})
		}
	}
	return out
}

// Against are the modifiers of content on an attack roll of one at another: those of
// the attacker, then those of the one attacked. Way is the part of the points that the
// attack belongs to, "/melee" for one.
func Against(r *rules.Resolution, label string, attacker, attacked *eventv1.Creature, way string, env effects.Env) []*eventv1.Modifier {
	return slices.Concat(Mods(r, label+"/to-hit", attacker, nil, PointAttack+way, env), Mods(r, label+"/attacked", attacked, nil, PointAttacked+way, env))
}

// Added is what content adds to damage at a point: modifiers of the roll, those of
// nothing left out, and parts of a type of their own.
func Added(r *rules.Resolution, label string, c *eventv1.Creature, point string, env effects.Env) (flat []*eventv1.Modifier, parts []*eventv1.DamagePart) {
	for i, m := range r.Content().Modifiers(c, point, env) {
		n := m.Amount
		if m.Dice != "" {
			n += Dice(r, label+"/house/"+strconv.Itoa(i+1), c.GetId(), m, nil)
		}
		switch {
		case m.Type != "":
			parts = append(parts, &eventv1.DamagePart{Type: m.Type, Rolled: max(0, n), Rule: m.Rule})
		case n != 0:
			flat = append(flat, &eventv1.Modifier{Value: n, Source: m.Title, Rule: m.Rule})
		}
	}
	return flat, parts
}

// Check is what content adds to a roll of a creature at a point, and the dice as it has
// them rolled, with the rules behind that.
func Check(r *rules.Resolution, label, id, point, dice string) (mods []*eventv1.Modifier, expression string, behind []string) {
	c := r.Creature(id)
	env := effects.Env{Actor: c, Roll: effects.Roll{Point: point}}
	mods = Mods(r, label, c, nil, point, env)
	expression, behind = Again(r, c, point, env, dice)
	return mods, expression, behind
}

// Hurt rolls the damage that a trigger does, halved by a save and never less than 0, with
// the halving written down.
func Hurt(r *rules.Resolution, x Come) *eventv1.DamagePart {
	n := r.Roll(rules.RollSpec{Label: x.Label + "/damage", Creature: x.Bearer, Expression: DiceAnd(x.Dice, x.Amount), Reason: x.Title, Rules: Cited(x.Cite)}).Total
	part := &eventv1.DamagePart{Type: x.Type, Rolled: max(0, n), Rule: x.Rule}
	if x.Halved {
		rules.Factor(part, 1, 2, 0, "saving throw made", x.Rule)
	}
	return part
}

// Dice rolls the dice of a modifier; dice written with a minus come out negative.
func Dice(r *rules.Resolution, label, creature string, m effects.Modifier, audience *eventv1.Audience) int32 {
	expr, less := strings.CutPrefix(m.Dice, "-")
	total := r.Roll(rules.RollSpec{Label: label, Creature: creature, Expression: expr, Reason: m.Title, Audience: audience, Rules: Cited(m.Cite)}).Total
	if less {
		return -total
	}
	return total
}

// Sum is what modifiers come to together.
func Sum(mods []*eventv1.Modifier) int32 {
	n := int32(0)
	for _, m := range mods {
		n += m.Value
	}
	return n
}

// Edges are the sources of advantage and disadvantage that content gives at a point;
// each is a kind of its own.
func Edges(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env) []*eventv1.Edge {
	var out []*eventv1.Edge
	env.State = r.State()
	for _, e := range r.Content().Edges(c, point, env) {
		out = append(out, &eventv1.Edge{Advantage: e.Advantage, Kind: e.Rule + "/" + c.GetId(), Source: e.Title, Rule: e.Rule})
	}
	return out
}

// Number is a number as content has it at a point: the value that is set in place of
// its own, then what is added; mods say how it came from base.
func Number(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, point string, base int32, env effects.Env) (n int32, mods []*eventv1.Modifier) {
	env.State = r.State()
	n = base
	if v := r.Content().Value(c, point, base, env); len(v.Cites) > 0 {
		n = v.Value
		mods = append(mods, &eventv1.Modifier{Value: v.Value - base, Source: v.Cites[0].Title, Rule: v.Cites[0].Rule})
	}
	for _, m := range Mods(r, label, c, audience, point, env) {
		n += m.Value
		mods = append(mods, m)
	}
	return n, mods
}

// Again puts into a dice expression what content rolls again or lifts at a point.
func Again(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env, expression string) (expr string, rules []string) {
	env.State = r.State()
	for _, x := range r.Content().Rerolls(c, point, env) {
		suffix := "mi" + strconv.Itoa(int(x.AtLeast))
		switch {
		case x.UpTo > 0 && x.One:
			suffix = "ra<=" + strconv.Itoa(int(x.UpTo))
		case x.UpTo > 0:
			suffix = "ro<=" + strconv.Itoa(int(x.UpTo))
		}
		if made := suffixed(expression, suffix); made != expression {
			expression, rules = made, append(rules, x.Rule)
		}
	}
	return expression, rules
}

// suffixed puts a modifier behind every number of dice of an expression, before
// what is kept of them; the expression as it is when that makes no dice.
func suffixed(expr, suffix string) string {
	var b strings.Builder
	for i := 0; i < len(expr); {
		b.WriteByte(expr[i])
		i++
		if expr[i-1] != 'd' || i >= len(expr) || expr[i] < '0' || expr[i] > '9' {
			continue
		}
		for i < len(expr) && expr[i] >= '0' && expr[i] <= '9' {
			b.WriteByte(expr[i])
			i++
		}
		b.WriteString(suffix)
	}
	if _, err := dice.Parse(b.String()); err != nil {
		return expr
	}
	return b.String()
}

// DiceAnd writes dice and a number as one expression; the number alone without dice.
func DiceAnd(dice string, n int32) string {
	switch text := strconv.Itoa(int(n)); {
	case dice == "":
		return text
	case n > 0:
		return dice + "+" + text
	case n < 0:
		return dice + text
	}
	return dice
}
