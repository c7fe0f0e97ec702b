package checks

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// What a table's own content does is asked for at the places where the book's own
// rules count. Everything that took part is cited.

// byHouse is the roll with what content adds to it, and its dice.
func (d D20) byHouse(r *rules.Resolution) (D20, string) {
	c := r.Creature(d.Creature)
	if d.Env.Actor == nil && d.Env.Target == nil {
		d.Env.Actor = c
	}
	d.Env.Roll.Point = d.Point
	d.Modifiers = slices.Concat(d.Modifiers, house.Mods(r, d.Label, c, d.Audience, d.Point, d.Env))
	d.Edges = slices.Concat(d.Edges, house.Edges(r, c, d.Point, d.Env))
	dice, behind := house.Again(r, c, d.Point, d.Env, D20s(left(d.Edges)))
	d.Rules = slices.Concat(d.Rules, behind)
	return d, dice
}

// Thrown is an environment of content with the roll that was made.
func Thrown(env effects.Env, point string, rolled rules.Rolled) effects.Env {
	env.Roll = effects.Roll{Point: point, Natural: rolled.Natural, Total: rolled.Total, Success: rolled.Success(), Critical: rolled.Outcome == "critical"}
	return env
}

// Way is the part of a point that the attacks of a weapon belong to.
func Way(w *eventv1.CelesiaWeapon) string {
	if body.Ranged(w) {
		return "/ranged"
	}
	return "/melee"
}

// PointOf is the point of a check of a skill; a kind of a skill counts as it does.
func PointOf(skill string) string {
	if _, known := body.SkillAbilities[skill]; !known {
		skill, _, _ = strings.Cut(skill, "-")
	}
	return house.PointCheck + "/" + skill
}

// WaySpell is the part of a point that the attacks and the damage of spells belong
// to.
const WaySpell = "/spell"

// BlowEnv is what an attack with a weapon is to content.
func BlowEnv(r *rules.Resolution, a body.Attack, c, t *eventv1.Creature) effects.Env {
	return effects.Env{State: r.State(), Actor: c, Target: t, Weapon: effects.Weapon{Name: a.Weapon.Name, Use: a.Weapon.Use, Tags: tags(c, a.Weapon)},
		Distance: far(a.Take, c, t)}
}

// SpellEnv is what a spell is to content.
func SpellEnv(r *rules.Resolution, sp *eventv1.CelesiaSpell, take *eventv1.TakeAction, c, t *eventv1.Creature) effects.Env {
	env := effects.Env{State: r.State(), Actor: c, Target: t, Spell: sp.Name, SpellUse: sp.Use, Distance: far(take, c, t)}
	if sp.Attack != "" {
		way := "melee"
		if sp.Attack == "ranged-touch" {
			way = "ranged"
		}
		env.Weapon = effects.Weapon{Name: sp.Name, Tags: []string{"spell", "touch", way}}
	}
	return env
}

// far is how far away a target is, as expressions have it: -1 when nobody knows.
func far(take *eventv1.TakeAction, c, t *eventv1.Creature) int32 {
	if feet, _ := body.Apart(take, c, t); feet > 0 {
		return feet
	}
	return -1
}

// tags are the words on a weapon that content can ask for.
func tags(c *eventv1.Creature, w *eventv1.CelesiaWeapon) []string {
	out := []string{w.Kind}
	natural := w.Kind == body.KindNatural || w.Kind == body.KindNaturalRanged
	for _, t := range []struct {
		word string
		is   bool
	}{{"melee", !body.Ranged(w)}, {"ranged", body.Ranged(w)}, {"natural", natural}, {"two-handed", body.Place(c, w) == body.PlaceBoth},
		{"light", w.Light || body.Bodyless(w)}, {"reach", w.Reach}, {"touch", w.Touch}, {"nonlethal", w.Nonlethal}, {"double", w.DoubleDice != ""},
		{"splash", w.Splash}, {"lance", w.Lance}, {"firearm", body.Firearm(w)}, {"off-hand", body.Place(c, w) == body.PlaceOff}} {
		if t.is && !slices.Contains(out, t.word) {
			out = append(out, t.word)
		}
	}
	return out
}
