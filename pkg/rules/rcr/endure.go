package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

const (
	// mStanched is on a creature whose regeneration the damage taken since
	// its last turn has stopped.
	mStanched = "regeneration-stopped"
	// Traits that keep a creature up at 1 hit point.
	traitUndeadFortitude = "undead fortitude"
	traitRelentless      = "relentless endurance"
	// decRelentless asks whether relentless endurance is used.
	decRelentless = "relentless-endurance"
)

// stanch notes that damage stops a creature's regeneration for its next turn.
func stanch(r *rules.Resolution, c *eventv1.Creature, parts []*eventv1.DamagePart) {
	stops := sheetOf(c).GetRegeneration().GetStoppedBy()
	if slices.ContainsFunc(parts, func(p *eventv1.DamagePart) bool { return p.Taken > 0 && named(stops, p.Type) }) {
		r.Flag(c.Id, mStanched, true, fallback)
	}
}

// regenerates tells whether a creature has hit points to regain at the start of
// its turns; one whose body lives on at 0 hit points dies only there.
func regenerates(c *eventv1.Creature) bool {
	g := sheetOf(c).Regeneration
	return g != nil && !dead(c) && (c.GetHp() > 0 && c.GetHp() < c.GetHpMax() || c.GetHp() <= 0 && g.AtZero)
}

// outlasts tells whether a creature lives on at 0 hit points until a turn in
// which it does not regenerate.
func outlasts(c *eventv1.Creature) bool { return sheetOf(c).GetRegeneration().GetAtZero() }

// regenerate gives back what a turn begins with, or kills at 0 hit points whom
// nothing gives back. Waking by it is no healing by another: no initiative is
// rolled anew.
//
// rcr.base.fifth-edition-fallback
func regenerate(r *rules.Resolution, id string) {
	c := r.Creature(id)
	due, stopped := regenerates(c), c.Marks[mStanched] != ""
	if stopped {
		r.Flag(id, mStanched, false, fallback)
	}
	switch {
	case !due:
	case !stopped:
		heal(r, id, "", "regeneration", sheetOf(c).Regeneration.Amount, fallback)
	case c.GetHp() <= 0:
		die(r, id, "it does not regenerate", fallback)
	}
}

// enduring tells whether a creature that damage would bring to 0 hit points stays
// at 1: the undead by a Constitution saving throw, unless the blow is critical
// or radiant, others by a trait that they may use when nothing kills outright.
//
// rcr.injury.wounds-on-zero-hp
func enduring(r *rules.Resolution, c *eventv1.Creature, h *eventv1.Harm, taken, over int32) bool {
	radiant := slices.ContainsFunc(h.Parts, func(p *eventv1.DamagePart) bool { return strings.EqualFold(p.Type, "radiant") })
	if hasTrait(c, traitUndeadFortitude) && !h.Critical && !radiant {
		// What it must reach tells the damage taken: rcr.hp.secret-totals
		return d20{label: "undead-fortitude", creature: c, reason: "undead fortitude", audience: event.Controllers(c.Id),
			modifiers: append([]*eventv1.Modifier{mod(saveBonus(c, "constitution"), "Constitution", "")},
				changeMods(r, "undead-fortitude", c, event.Controllers(c.Id), saveKinds("constitution")...)...),
			edges:  append(saveEdges(r.State(), c, "constitution", "", nil), spendHeld(r, c, forSave)...),
			target: difficulty(5 + taken), rules: []string{fallback}}.roll(r).Success()
	}
	if !hasTrait(c, traitRelentless) || r.Count(c.Id, cLeft+traitRelentless) < 1 || over >= c.GetHpMax() {
		return false
	}
	d := rules.YesNo(decRelentless, c.Id, "0 hit points", "Stay up with 1 hit point?", "yes", fallback)
	if r.Ask(decRelentless, d).Option != "yes" {
		return false
	}
	r.Set(c.Id, cLeft+traitRelentless, r.Count(c.Id, cLeft+traitRelentless)-1, "relentless endurance", fallback)
	return true
}
