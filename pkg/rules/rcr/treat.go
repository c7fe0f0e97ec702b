package rcr

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellDone is the deed of a spell from the list of those that remove wounds;
// it may heal as well, by the amount.
//
// rcr.healing.listed-spells, rcr.healing.lesser-restoration, rcr.healing.greater-restoration,
// rcr.healing.regenerate, rcr.healing.spare-the-dying
func spellDone(r *rules.Resolution, h *eventv1.Harm) error {
	name := strings.ToLower(h.Facts["spell"])
	spell, ok := book.spells[name]
	switch {
	case !ok:
		return refuse("NOT_LISTED", cite.HealingListedSpells, "%q is not among the spells that remove wounds", name)
	case spell.revives:
		return revive(r, h)
	case dead(r.Creature(h.Target)):
		return refuse("DEAD", fallback, "%q is dead", h.Target)
	}
	out, removed := castListed(r, h, spell)
	returnHealing(r, out, removed, 0)
	return nil
}

// kitDone is the deed of treating wounds with a healer's kit: one use, a DC 10
// Medicine check by the user, one wound on a success and by degrees more.
//
// rcr.healing.kit-wound, rcr.healing.kit-use-expended, rcr.healing.kit-after-combat,
// rcr.healing.kit-varying-degrees
func kitDone(r *rules.Resolution, h *eventv1.Harm) error {
	user := r.Creature(h.Source)
	if user == nil {
		user = r.Creature(h.Target)
	}
	uses := user.Counters[cKit]
	if err := refuseTreatment(r, h, user, uses); err != nil {
		return err
	}
	r.Set(user.Id, cKit, uses-1, "treats wounds", cite.HealingKitUseExpended)
	bonus, _ := skillBonus(user, "medicine")
	rolled := d20{label: "kit-check", creature: user, reason: "Medicine check with a healer's kit", audience: healers(user.Id, h.Target),
		modifiers: []*eventv1.Modifier{mod(factNumber(h, "medicine", bonus), "Medicine", cite.HealingKitWound)},
		edges:     medicineEdges(r, user, h), target: difficulty(10), rules: []string{cite.HealingKitWound}}.roll(r)
	if !rolled.Success() {
		rolled = fudge(r, "kit-check", user, 10, rolled, healers(user.Id, h.Target)) // rcr.dice.inspiration-fudge
	}
	removed, check := int32(0), int32(checkFailed)
	if rolled.Success() {
		n := int32(1)
		if r.On(cite.HealingKitVaryingDegrees) {
			n += (rolled.Total - 10) / 5
		}
		check = checkMade
		removed = removeWounds(r, h.Target, n, "healer's kit", cite.HealingKitWound)
	}
	r.Return(resRemoved, removed)
	r.Return(resCheck, check)
	return nil
}

// refuseTreatment says why wounds cannot be treated with so many uses of a kit.
//
// rcr.healing.kit-after-combat, rcr.healing.kit-use-expended, rcr.healing.kit-wound
func refuseTreatment(r *rules.Resolution, h *eventv1.Harm, user *eventv1.Creature, uses int64) error {
	switch {
	case r.State().Status == eventv1.State_STATUS_STARTED && h.Facts["override"] == "":
		return refuse("IN_COMBAT", cite.HealingKitAfterCombat, "wounds are treated with a kit after combat")
	case dead(r.Creature(h.Target)):
		return refuse("DEAD", fallback, "%q is dead", h.Target)
	case uses <= 0:
		return refuse("NO_KIT", cite.HealingKitUseExpended, "%q has no use of a healer's kit left", user.Id)
	case r.Count(h.Target, cWounds) <= 0:
		return refuse("NO_WOUNDS", cite.HealingKitWound, "%q has no wounds", h.Target)
	}
	return nil
}

// revive brings the dead back with 1 hit point, or more by the amount, and one
// wound fewer. Exhaustion stays, at most at the level that can be lived with.
//
// rcr.healing.revival-spells
func revive(r *rules.Resolution, h *eventv1.Harm) error {
	const rule = cite.HealingRevivalSpells
	c := r.Creature(h.Target)
	switch {
	case !dead(c):
		return refuse("NOT_DEAD", rule, "%q is not dead", h.Target)
	case c.GetHpMax() < 1:
		return refuse("NO_HIT_POINTS", rule, "scars leave %q no hit points to live with", h.Target)
	}
	removed := removeWounds(r, h.Target, 1, h.Cause, rule)
	if c.Counters[cExhaustion] > mostExhaustion {
		r.Set(h.Target, cExhaustion, mostExhaustion, h.Cause, cite.ConditionExhaustionScale)
	}
	r.Mark(h.Target, mKilled, "")
	hp := min(max(1, h.Amount), c.GetHpMax())
	r.Emit(event.Controllers(h.Target), &eventv1.Healing{Target: h.Target, Source: h.Source, Cause: h.Cause,
		Offered: max(1, h.Amount), Amount: hp}, rule)
	r.SetHitPoints(h.Target, hp, c.GetHpMax(), 0, rule)
	wake(r, h.Target, h.Cause)
	setBloodied(r, h.Target)
	r.Return(resRemoved, removed)
	r.Return(resWoke, 1)
	return nil
}
