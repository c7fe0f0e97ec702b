package strike

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content does is asked for here, at the places where the
// book's own rules count, and carried out. Everything that took part is cited.

// BlowEnv is what an attack is to content.
func BlowEnv(s *eventv1.State, attacker, target *eventv1.Creature, atk *eventv1.RcrAttack, k body.AttackKind) effects.Env {
	distance := k.Distance
	if distance < 0 {
		distance = -1
	}
	return effects.Env{State: s, Actor: attacker, Target: target, Weapon: effects.Weapon{Name: atk.Name, Use: atk.Use, Tags: weaponTags(atk, k.Melee)},
		Distance: distance}
}

// weaponTags are the words on an attack that content can ask for.
func weaponTags(a *eventv1.RcrAttack, melee bool) []string {
	tags := append(make([]string, 0, len(a.Properties)+len(a.Damage)+3), a.Properties...)
	for _, t := range []struct {
		word string
		is   bool
	}{{"melee", melee}, {"ranged", !melee}, {"natural", a.Natural && !a.Spell}, {"spell", a.Spell}, {"magic", a.Magical || a.Spell},
		{"silver", a.Silvered}, {"adamantine", a.Adamantine}} {
		if t.is {
			tags = append(tags, t.word)
		}
	}
	return addTypes(tags, len(tags), a.Damage)
}

// TypesOf are the types of damage of some parts, each once.
func TypesOf(parts []*eventv1.RcrDamage) []string { return addTypes(nil, 0, parts) }

// addTypes adds the types of some parts to a list, each that is not in it from a place on.
func addTypes(out []string, from int, parts []*eventv1.RcrDamage) []string {
	for _, p := range parts {
		if kind := strings.ToLower(p.Type); kind != "" && !slices.Contains(out[from:], kind) {
			out = append(out, kind)
		}
	}
	return out
}

// WayOf is the part of a point that an attack belongs to.
func WayOf(a *eventv1.RcrAttack, melee bool) string {
	switch {
	case a.Spell:
		return "/spell"
	case melee:
		return "/melee"
	}
	return "/ranged"
}

// HouseDamage is what content adds to the damage of a hit: to its first part, or
// parts of a type of their own with the rules that they are by.
func HouseDamage(r *rules.Resolution, label string, attacker *eventv1.Creature, atk *eventv1.RcrAttack, melee bool, env effects.Env) (flat []*eventv1.Modifier, parts []*eventv1.RcrDamage, by []string) {
	for i, m := range r.Content().Modifiers(attacker, house.PointDamage+WayOf(atk, melee), env) {
		switch {
		case m.Type == "" && m.Dice == "":
			flat = append(flat, body.Mod(m.Amount, m.Title, m.Rule))
		case m.Type == "" && strings.HasPrefix(m.Dice, "-"):
			flat = append(flat, body.Mod(m.Amount+house.Dice(r, label+"/house/"+body.Itoa(i+1), attacker.Id, m, nil), m.Title, m.Rule))
		default:
			kind := m.Type
			if kind == "" && len(atk.Damage) > 0 {
				kind = atk.Damage[0].Type
			}
			parts, by = append(parts, &eventv1.RcrDamage{Dice: house.DiceAnd(m.Dice, m.Amount), Type: kind}), append(by, m.Rule) // never less than 0
		}
	}
	return flat, parts, by
}

// Rerolled is a part of a damage with what content rolls again of it.
func Rerolled(r *rules.Resolution, attacker *eventv1.Creature, atk *eventv1.RcrAttack, melee bool, env effects.Env, part *eventv1.RcrDamage) (out *eventv1.RcrDamage, behind []string) {
	expr, behind := house.Again(r, attacker, house.PointDamage+WayOf(atk, melee), env, part.Dice)
	if len(behind) == 0 {
		return part, nil
	}
	return &eventv1.RcrDamage{Dice: expr, Type: part.Type}, behind
}
