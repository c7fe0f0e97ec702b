package dice

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HouseMods are the modifiers of content at a point; dice are rolled here, before
// the roll that they go with.
func HouseMods(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, point string, env effects.Env) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for i, m := range r.Content().Modifiers(c, point, env) {
		n := m.Amount
		if m.Dice != "" {
			n += RollHouse(r, label+"/house/"+body.Itoa(i+1), c.GetId(), m, audience)
		}
		if n != 0 {
			out = append(out, body.Mod(n, m.Title, m.Rule))
		}
	}
	return out
}

// RollHouse rolls the dice of a modifier of content; dice written with a minus come
// out negative.
func RollHouse(r *rules.Resolution, label, id string, m effects.Modifier, audience *eventv1.Audience) int32 {
	expr, less := strings.CutPrefix(m.Dice, "-")
	total := r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: expr, Reason: m.Title, Audience: audience, Rules: body.Cited(m.Cite)}).Total
	if less {
		return -total
	}
	return total
}

// HouseEdges are the sources of advantage and disadvantage that content gives at
// a point; each is a kind of its own.
func HouseEdges(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env) []*eventv1.Edge {
	var out []*eventv1.Edge
	for _, e := range r.Content().Edges(c, point, env) {
		out = append(out, &eventv1.Edge{Advantage: e.Advantage, Kind: e.Rule + "/" + c.GetId(), Source: e.Title, Rule: e.Rule})
	}
	return out
}

// Again puts into an expression what content rolls again or lifts at a point.
func Again(r *rules.Resolution, c *eventv1.Creature, point string, env effects.Env, expression string) (expr string, rules []string) {
	for _, x := range r.Content().Rerolls(c, point, env) {
		suffix := "mi" + body.Itoa(x.AtLeast)
		if x.UpTo > 0 {
			suffix = "ro<=" + body.Itoa(x.UpTo)
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
