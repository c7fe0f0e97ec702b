package mending

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// FactRule is the fact of a deed that names the rule behind it, where content has it
// done.
const FactRule = "rule"

// HouseDamage is what content adds to damage of a type at a point: plain numbers
// and what is taken off go on the roll, the rest are parts of their own. As with
// other qualities a critical hit takes the maximum of their dice, once.
//
// celesia.critical.extras-maximised
func HouseDamage(r *rules.Resolution, label, id, kind, point string, env effects.Env, critical bool) (mods []*eventv1.Modifier, parts []*eventv1.DamagePart) {
	c := r.Creature(id)
	env.State = r.State()
	for i, m := range r.Content().Modifiers(c, point, env) {
		at := label + "/house/" + body.Itoa(i+1)
		switch {
		case m.Dice == "" && m.Type == "":
			mods = append(mods, body.Mod(m.Amount, m.Title, m.Rule))
		case strings.HasPrefix(m.Dice, "-"):
			mods = append(mods, body.Mod(m.Amount+house.Dice(r, at, id, m, nil), m.Title, m.Rule))
		default:
			parts = append(parts, housePart(r, at, id, kind, m, critical))
		}
	}
	return mods, parts
}

// housePart is a part of a damage that content adds.
func housePart(r *rules.Resolution, label, id, kind string, m effects.Modifier, critical bool) *eventv1.DamagePart {
	part := &eventv1.DamagePart{Type: m.Type, Note: m.Title, Rule: m.Rule}
	if part.Type == "" {
		part.Type = kind
	}
	if d, plain := body.ParseDice(m.Dice); critical && plain {
		part.Rolled, part.Note = max(0, d.Maximum()+m.Amount), m.Title+" at its maximum"
		return part
	}
	part.Rolled = max(0, r.Roll(rules.RollSpec{Label: label, Creature: id, Expression: house.DiceAnd(m.Dice, m.Amount), Reason: m.Title,
		Rules: house.Cited(m.Cite)}).Total)
	return part
}
