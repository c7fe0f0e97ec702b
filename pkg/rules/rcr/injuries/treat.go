package injuries

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// spellDone is the deed of a spell from the list of those that remove wounds;
// it may heal as well, by the amount.
//
// rcr.healing.listed-spells, rcr.healing.lesser-restoration, rcr.healing.greater-restoration,
// rcr.healing.regenerate, rcr.healing.spare-the-dying
func spellDone(r *rules.Resolution, h *eventv1.Harm) error {
	name := strings.ToLower(h.Facts["spell"])
	spell, ok := checks.TablesOf(r.Content()).Spells[name]
	switch {
	case !ok:
		return body.Refuse("NOT_LISTED", cite.HealingListedSpells, "%q is not among the spells that remove wounds", name)
	case spell.Revives:
		return revive(r, h)
	case body.Dead(r.Creature(h.Target)):
		return body.Refuse("DEAD", body.Fallback, "%q is dead", h.Target)
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
	uses := user.Counters[body.CKit]
	if err := refuseTreatment(r, h, user, uses); err != nil {
		return err
	}
	r.Set(user.Id, body.CKit, uses-1, "treats wounds", cite.HealingKitUseExpended)
	bonus, _ := body.SkillBonus(user, "medicine")
	rolled := dice.D20{Label: "kit-check", Creature: user, Reason: "Medicine check with a healer's kit", Audience: Healers(user.Id, h.Target),
		Modifiers: []*eventv1.Modifier{body.Mod(factNumber(h, "medicine", bonus), "Medicine", cite.HealingKitWound)},
		Edges:     append(medicineEdges(r, user, h), kitEdges(r, user, h)...), Target: dice.Difficulty(10), Rules: []string{cite.HealingKitWound}}.By(r, house.PointCheck+"/medicine", effects.Env{Actor: user, Target: r.Creature(h.Target)}).Roll(r)
	if !rolled.Success() {
		rolled = dice.Fudge(r, "kit-check", user, 10, rolled, Healers(user.Id, h.Target)) // rcr.dice.inspiration-fudge
	}
	removed, check := int32(0), int32(checkFailed)
	if rolled.Success() {
		n := int32(1)
		if r.On(cite.HealingKitVaryingDegrees) {
			n += (rolled.Total - 10) / 5
		}
		check = checkMade
		removed = RemoveWounds(r, h.Target, n, "healer's kit", cite.HealingKitWound)
	}
	r.Result().InjuriesRemoved = removed
	sayCheck(r, check)
	return nil
}

// kitEdges weigh on the use of a kit where its user or the patient is under water
// and nobody says otherwise.
//
// rcr.underwater.healers-kit
func kitEdges(r *rules.Resolution, user *eventv1.Creature, h *eventv1.Harm) []*eventv1.Edge {
	if h.Facts[body.FactUnderwater] == body.FactNo {
		return nil
	}
	for _, c := range []*eventv1.Creature{user, r.Creature(h.Target)} {
		if body.InWater(r.State(), c, body.WaterSaid{}, cite.UnderwaterHealersKit) {
			return []*eventv1.Edge{dice.Dis("underwater", "a healer's kit under water", cite.UnderwaterHealersKit)}
		}
	}
	return nil
}

// refuseTreatment says why wounds cannot be treated with so many uses of a kit.
//
// rcr.healing.kit-after-combat, rcr.healing.kit-use-expended, rcr.healing.kit-wound
func refuseTreatment(r *rules.Resolution, h *eventv1.Harm, user *eventv1.Creature, uses int64) error {
	switch {
	case body.KitWaits(r.State()) && h.Facts["override"] == "":
		return body.Refuse("IN_COMBAT", cite.HealingKitAfterCombat, "wounds are treated with a kit after combat")
	case body.Dead(r.Creature(h.Target)):
		return body.Refuse("DEAD", body.Fallback, "%q is dead", h.Target)
	case uses <= 0:
		return body.Refuse("NO_KIT", cite.HealingKitUseExpended, "%q has no use of a healer's kit left", user.Id)
	case r.Count(h.Target, body.CWounds) <= 0:
		return body.Refuse("NO_WOUNDS", cite.HealingKitWound, "%q has no wounds", h.Target)
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
	case !body.Dead(c):
		return body.Refuse("NOT_DEAD", rule, "%q is not dead", h.Target)
	case c.GetHpMax() < 1:
		return body.Refuse("NO_HIT_POINTS", rule, "scars leave %q no hit points to live with", h.Target)
	}
	removed := RemoveWounds(r, h.Target, 1, h.Cause, rule)
	r.Set(h.Target, body.CExhaustion, min(c.Counters[body.CExhaustion], checks.MostExhaustion), h.Cause, cite.ConditionExhaustionScale)
	r.Mark(h.Target, body.MKilled, "")
	hp := min(max(1, h.Amount), c.GetHpMax())
	r.Emit(event.Controllers(h.Target), &eventv1.Healing{Target: h.Target, Source: h.Source, Cause: h.Cause,
		Offered: max(1, h.Amount), Amount: hp}, rule)
	r.SetHitPoints(h.Target, hp, c.GetHpMax(), 0, rule)
	Wake(r, h.Target, h.Cause)
	SetBloodied(r, h.Target)
	r.Result().InjuriesRemoved = removed
	r.Result().Woke = true
	return nil
}
