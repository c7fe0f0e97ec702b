package injuries

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// stanch notes that damage stops a creature's regeneration for its next turn.
func stanch(r *rules.Resolution, c *eventv1.Creature, parts []*eventv1.DamagePart) {
	stops := body.SheetOf(c).GetRegeneration().GetStoppedBy()
	if slices.ContainsFunc(parts, func(p *eventv1.DamagePart) bool { return p.Taken > 0 && body.Named(stops, p.Type) }) {
		r.Flag(c.Id, body.MStanched, true, body.Fallback)
	}
}

// Regenerates tells whether a creature has hit points to regain at the start of
// its turns; one whose body lives on at 0 hit points dies only there.
func Regenerates(c *eventv1.Creature) bool {
	g := body.SheetOf(c).Regeneration
	return g != nil && !body.Dead(c) && (c.GetHp() > 0 && c.GetHp() < c.GetHpMax() || c.GetHp() <= 0 && g.AtZero)
}

// outlasts tells whether a creature lives on at 0 hit points until a turn in
// which it does not regenerate.
func outlasts(c *eventv1.Creature) bool { return body.SheetOf(c).GetRegeneration().GetAtZero() }

// regenerate gives back what a turn begins with, or kills at 0 hit points whom
// nothing gives back. Waking by it is no healing by another: no initiative is
// rolled anew.
//
// rcr.base.fifth-edition-fallback
func regenerate(r *rules.Resolution, id string) {
	c := r.Creature(id)
	due, stopped := Regenerates(c), c.Marks[body.MStanched] != ""
	if stopped {
		r.Flag(id, body.MStanched, false, body.Fallback)
	}
	switch {
	case !due:
	case !stopped:
		Heal(r, id, "", "regeneration", body.SheetOf(c).Regeneration.Amount, body.Fallback)
	case c.GetHp() <= 0:
		Die(r, id, "it does not regenerate", body.Fallback)
	}
}

// enduring tells whether a creature that damage would bring to 0 hit points stays
// at 1: the undead by a Constitution saving throw, unless the blow is critical
// or radiant, others by a trait that they may use when nothing kills outright.
//
// rcr.injury.wounds-on-zero-hp
func enduring(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm, taken, over int32) bool {
	radiant := slices.ContainsFunc(h.Parts, func(p *eventv1.DamagePart) bool { return strings.EqualFold(p.Type, "radiant") })
	if body.HasTrait(c, body.TraitUndeadFortitude) && !h.Critical && !radiant {
		// What it must reach tells the damage taken: rcr.hp.secret-totals
		return dice.D20{Label: "undead-fortitude", Creature: c, Reason: "undead fortitude", Audience: event.Controllers(c.Id),
			Modifiers: append([]*eventv1.Modifier{body.Mod(body.SaveBonus(c, "constitution"), "Constitution", body.Fallback)},
				dice.ChangeMods(r, "undead-fortitude", c, event.Controllers(c.Id), dice.SaveKinds("constitution")...)...),
			Edges:  append(dice.SaveEdges(r.State(), c, "constitution", "", nil), dice.SpendHeld(r, c, body.ForSave)...),
			Target: dice.Difficulty(5 + taken), Rules: []string{body.Fallback}}.By(r, house.PointSave+"/constitution", effects.Env{Target: c}).Roll(r).Success()
	}
	if shrugsOff(r, c, taken) {
		return true
	}
	if !body.HasTrait(c, body.TraitRelentless) || r.Count(c.Id, body.CLeft+body.TraitRelentless) < 1 || over >= c.GetHpMax() {
		return false
	}
	d := rules.YesNo(body.DecRelentless, c.Id, "0 hit points", "Stay up with 1 hit point?", "yes", body.Fallback)
	if r.Ask(body.DecRelentless, d).Option != "yes" {
		return false
	}
	r.Set(c.Id, body.CLeft+body.TraitRelentless, r.Count(c.Id, body.CLeft+body.TraitRelentless)-1, "relentless endurance", body.Fallback)
	return true
}
