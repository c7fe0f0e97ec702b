package dice

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ChangeMods are the modifiers that conditions give a roll of the kinds: plain
// numbers, and dice that are rolled here, before the roll that they go with.
func ChangeMods(r *rules.Resolution, label string, c *eventv1.Creature, audience *eventv1.Audience, kinds ...string) []*eventv1.Modifier {
	var out []*eventv1.Modifier
	for ch := range body.ChangesOf(r.Creature(c.GetId())) {
		for _, kind := range kinds {
			n := int32(0)
			if d, ok := body.DieOf(ch.Key, kind); ok {
				n = rollChange(r, label, c.Id, ch, d, audience)
			} else if ch.Key == kind {
				n = ch.Value
			}
			if n != 0 {
				out = append(out, body.Mod(n, ch.From.Cause, cite.BaseFifthEditionFallback))
			}
		}
	}
	return out
}

func rollChange(r *rules.Resolution, label, id string, ch body.Change, d string, audience *eventv1.Audience) int32 {
	count := ch.Value
	if count == 0 {
		return 0
	}
	total := r.Roll(rules.RollSpec{Label: label + "/" + ch.From.Name, Creature: id, Expression: body.Itoa(Abs(count)) + d, Reason: ch.From.Cause,
		Audience: audience, Rules: []string{cite.BaseFifthEditionFallback}}).Total
	if count < 0 {
		return -total
	}
	return total
}

// changeEdges are the sources of advantage and disadvantage that conditions
// give a roll of the kinds; each effect is a kind of its own.
//
// rcr.dice.same-kind-no-stack
func changeEdges(c *eventv1.Creature, kinds ...string) []*eventv1.Edge {
	var out []*eventv1.Edge
	for ch := range body.ChangesOf(c) {
		of, advantage := strings.CutPrefix(ch.Key, body.ChAdvantage)
		if !advantage {
			of, _ = strings.CutPrefix(ch.Key, body.ChDisadvantage)
		}
		for _, kind := range kinds {
			if of == kind && of != ch.Key {
				out = append(out, &eventv1.Edge{Advantage: advantage, Kind: ch.From.Name + "/" + c.Id, Source: ch.From.Cause,
					Rule: cite.BaseFifthEditionFallback})
			}
		}
	}
	return out
}

// UseUp ends the effects that a roll of the kinds has used up.
func UseUp(r *rules.Resolution, id string, kinds ...string) {
	for _, x := range r.Creature(id).GetConditions() {
		if x.Values[body.ChOnce] == 0 {
			continue
		}
		weighs := slices.ContainsFunc(rules.SortedKeys(x.Values), func(key string) bool {
			return slices.ContainsFunc(kinds, func(kind string) bool {
				_, rolled := body.DieOf(key, kind)
				return rolled || key == kind || key == body.ChAdvantage+kind || key == body.ChDisadvantage+kind
			})
		})
		if weighs {
			r.RemoveCondition(id, x, "used up", cite.BaseFifthEditionFallback)
		}
	}
}

// SaveKinds are the kinds of changes that weigh on a saving throw; of any ability
// when none is named.
func SaveKinds(ability string) []string {
	if ability == "" {
		return bareSave
	}
	if k, ok := saveKinds[ability]; ok {
		return k
	}
	return []string{body.ChSave, body.ChSave + "." + ability}
}

// The kinds of changes by ability, made once. They must not be changed.
var (
	bareSave   = []string{body.ChSave}
	saveKinds  = kindsBy(body.ChSave)
	checkKinds = kindsBy(body.ChCheck)
	turnKinds  = kindsBy(body.ChCheck, body.ChInitiative)
)

func kindsBy(kind string, more ...string) map[string][]string {
	out := make(map[string][]string, len(body.Abilities))
	for _, a := range body.Abilities {
		out[a] = slices.Clip(append([]string{kind, kind + "." + a}, more...))
	}
	return out
}

// CheckKinds are the kinds of changes that weigh on a check of an ability, with
// those of initiative when that is its purpose.
func CheckKinds(ability, purpose string) []string {
	known := checkKinds
	if purpose == body.ChInitiative {
		known = turnKinds
	}
	if k, ok := known[ability]; ok {
		return k
	}
	kinds := []string{body.ChCheck, body.ChCheck + "." + ability}
	if purpose == body.ChInitiative {
		kinds = append(kinds, body.ChInitiative)
	}
	return kinds
}

// ChangedDamage is what the attacker's conditions add to the damage of a hit
// with a weapon: "damage" flat, "damage.d6" dice of the weapon's type,
// "damage.radiant" and "damage.radiant.d4" of a type of their own.
//
// What a rage adds counts for melee attacks with Strength alone.
//
// rcr.trait.rage
func ChangedDamage(c *eventv1.Creature, atk *eventv1.RcrAttack, melee bool) (flat []*eventv1.Modifier, parts []*eventv1.RcrDamage) {
	if atk.Spell || len(atk.Damage) == 0 {
		return nil, nil
	}
	for ch := range body.ChangesOf(c) {
		rest, ok := strings.CutPrefix(ch.Key, body.ChDamage)
		switch {
		case ch.From.Name == body.CondRaging && body.HasTrait(c, body.TraitRage) && !body.ByStrength(c, atk, melee):
		case !ok || ch.Value == 0 || rest != "" && rest[0] != '.':
		case rest == "":
			flat = append(flat, body.Mod(ch.Value, ch.From.Cause, cite.BaseFifthEditionFallback))
		default:
			kind, d, rolled := strings.Cut(rest[1:], ".")
			if _, only := body.DieOf(ch.Key, body.ChDamage); only {
				kind, d, rolled = atk.Damage[0].Type, rest[1:], true
			}
			expr := body.Itoa(ch.Value)
			if rolled {
				expr += d
			}
			parts = append(parts, &eventv1.RcrDamage{Dice: expr, Type: kind})
		}
	}
	return flat, parts
}
