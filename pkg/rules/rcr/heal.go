package rcr

import (
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways of healing: the fact "via".
const (
	viaSpell   = "spell"
	viaAbility = "ability"
	viaItem    = "item"
	viaKit     = "kit"
	viaHitDie  = "hit-die"
)

// healed is what healing came to.
type healed struct {
	// amount of hit points really regained.
	amount int32
	// eligible: enough of them to open the check against wounds.
	eligible bool
	// woke from 0 hit points.
	woke bool
}

// heal gives hit points back, up to the maximum. Whoever lay at 0 wakes;
// wounds stay until something removes them.
//
// rcr.injury.wounds-outlast-revival, rcr.healing.magic-five-hp
func heal(r *rules.Resolution, id, source, cause string, offered int32, ruleIDs ...string) (out healed) {
	c := r.Creature(id)
	if dead(c) {
		r.Note(event.Everyone(), id, "healing does nothing for the dead", fallback)
		return out
	}
	out.amount = max(0, min(offered, c.GetHpMax()-c.GetHp()))
	counted := out.amount
	if r.On(setHealingOverflow) {
		counted = offered
	}
	out.eligible = counted >= 5
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: offered, Amount: out.amount},
		append(ruleIDs, cite.HpSecretTotals)...)
	r.SetHitPoints(id, c.GetHp()+out.amount, c.GetHpMax(), c.GetHpTemp(), cite.HpSecretTotals)
	if down(c) && out.amount > 0 && !suffocates(c) {
		wake(r, id, "hit points regained")
		out.woke = true
	}
	setBloodied(r, id)
	return out
}

// healDone carries out the deed of healing one creature: a listed spell takes
// scars off first and removes its number of wounds without a check; any other
// healing of 5 or more hit points makes its check against wounds.
//
// rcr.healing.magic-eligible, rcr.healing.listed-spells, rcr.healing.heal-and-mass-heal
//
// It returns how the check came out, as resCheck does.
func healDone(r *rules.Resolution, h *eventv1.Harm) int32 {
	spell, listed := book.spells[strings.ToLower(h.Facts["spell"])]
	via := h.Facts["via"]
	if listed && (via == viaSpell || via == viaItem) && !spell.revives {
		out, removed := castListed(r, h, spell)
		returnHealing(r, out, removed, 0)
		return 0
	}
	out := heal(r, h.Target, h.Source, h.Cause, h.Amount)
	removed, check := int32(0), int32(0)
	if plan := removalPlan(r, h); plan != nil && out.eligible && r.Count(h.Target, cWounds) > 0 {
		check = plan.check(r, h)
		if check == checkMade {
			removed = plan.remove(r, h.Target)
		}
	}
	if via != viaKit && via != viaHitDie {
		cureAilments(r, h)
	}
	returnHealing(r, out, removed, check)
	return check
}

// ailment is the prefix of marks for what healing hit points does not cure:
// infections, burns and the like.
const ailment = "ailment."

// cureAilments clears the marks of ailments from whoever magic heals in full,
// at tables that do not play magic as natural healing. At the others only the
// game master clears them.
//
// rcr.healing.magic-is-natural-healing
func cureAilments(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if r.On(cite.HealingMagicIsNaturalHealing) || dead(c) || c.GetHp() < c.GetHpMax() {
		return
	}
	for _, mark := range rules.SortedKeys(c.Marks) {
		if strings.HasPrefix(mark, ailment) {
			r.Mark(h.Target, mark, "", cite.HealingMagicIsNaturalHealing)
		}
	}
}

func returnHealing(r *rules.Resolution, out healed, removed, check int32) {
	r.Return(resHealed, out.amount)
	r.Return(resRemoved, removed)
	r.Return(resCheck, check)
	if out.woke {
		r.Return(resWoke, 1)
	}
}

// castListed heals with a listed spell.
func castListed(r *rules.Resolution, h *eventv1.Harm, spell listedSpell) (healed, int32) {
	const rule = cite.HealingListedSpells
	c := r.Creature(h.Target)
	if dead(c) {
		return heal(r, h.Target, h.Source, h.Cause, h.Amount), 0
	}
	if spell.atZero && (!down(c) || c.GetHp() > 0) { // the suffocating are down above 0 hit points too
		r.Note(event.Controllers(h.Target), h.Target, h.Cause+" does nothing above 0 hit points", cite.HealingSpareTheDying)
		return healed{}, 0
	}
	if spell.scars {
		if back := loseInjuries(r, h.Target, injuryScar, h.Cause, cite.HealingHealAndMassHeal); back > 0 {
			c = r.Creature(h.Target)
			r.SetHitPoints(h.Target, c.GetHp(), c.GetHpMax()+back, c.GetHpTemp(), cite.HealingHealAndMassHeal)
		}
	}
	out := healed{}
	if h.Amount > 0 {
		out = heal(r, h.Target, h.Source, h.Cause, h.Amount, rule)
	}
	removed := removeWounds(r, h.Target, spell.wounds, h.Cause, rule)
	if spell.parts {
		loseInjuries(r, h.Target, injuryLost, h.Cause, cite.HealingRegenerate)
	}
	if now := r.Creature(h.Target); spell.atZero && down(now) && !suffocates(now) {
		stabilise(r, h.Target, h.Cause, false)
		r.Return(resStable, 1)
	}
	setBloodied(r, h.Target)
	return out, removed
}

// Values of resCheck.
const (
	checkMade   = 1
	checkFailed = 2
)

// woundPlan is how healing may remove wounds: who checks with which bonus, and how
// many go on a success.
type woundPlan struct {
	wounds int32
	bonus  int32
	// item checks by itself: nothing that hampers its user counts.
	item bool
	rule string
}

// removalPlan finds the plan of a healing; nil when it can remove none.
//
// rcr.healing.removed-by-spell-level, rcr.healing.removed-by-proficiency,
// rcr.healing.removed-by-item-rarity, rcr.healing.item-check
func removalPlan(r *rules.Resolution, h *eventv1.Harm) *woundPlan {
	user := r.Creature(h.Source)
	if user == nil {
		user = r.Creature(h.Target)
	}
	bonus, _ := skillBonus(user, "medicine")
	bonus = factNumber(h, "medicine", bonus)
	switch h.Facts["via"] {
	case viaSpell:
		if n := factNumber(h, "spell_level", 0); n > 0 {
			return &woundPlan{wounds: n, bonus: bonus, rule: cite.HealingRemovedBySpellLevel}
		}
	case viaAbility, viaKit:
		return &woundPlan{wounds: factNumber(h, "proficiency", max(2, sheetOf(user).ProficiencyBonus)), bonus: bonus,
			rule: cite.HealingRemovedByProficiency}
	case viaItem:
		name := strings.ToLower(h.Facts["rarity"])
		if name == "artifact" {
			name = "legendary"
		}
		if it, ok := book.rarity[name]; ok {
			return &woundPlan{wounds: it.wounds, bonus: it.bonus, item: true, rule: cite.HealingRemovedByItemRarity}
		}
	}
	return nil
}

func factNumber(h *eventv1.Harm, key string, otherwise int32) int32 {
	n, err := strconv.ParseInt(h.Facts[key], 10, 32)
	if err != nil {
		return otherwise
	}
	return int32(n)
}

// check makes the DC 10 Medicine check, once for one use however many it
// heals: the fact "check" carries its outcome to the others.
//
// rcr.healing.magic-check, rcr.healing.item-check
func (p *woundPlan) check(r *rules.Resolution, h *eventv1.Harm) int32 {
	switch h.Facts["check"] {
	case "1":
		return checkMade
	case "2":
		return checkFailed
	}
	user := r.Creature(h.Source)
	if user == nil {
		user = r.Creature(h.Target)
	}
	roll := d20{label: "wound-check", reason: "Medicine check against wounds", audience: healers(user.Id, h.Target), target: difficulty(10),
		modifiers: []*eventv1.Modifier{mod(p.bonus, "rarity of the item", cite.HealingItemCheck)}, rules: []string{cite.HealingItemCheck, p.rule}}
	if !p.item {
		roll.creature = user
		roll.edges = medicineEdges(r, user, h)
		roll.modifiers[0] = mod(p.bonus, "Medicine", cite.HealingMagicCheck)
		roll.rules[0] = cite.HealingMagicCheck
	}
	rolled := roll.roll(r)
	if !p.item && !rolled.Success() {
		rolled = fudge(r, roll.label, user, 10, rolled, roll.audience) // rcr.dice.inspiration-fudge
	}
	if rolled.Success() {
		return checkMade
	}
	return checkFailed
}

// healers sees what passes between a healer and the healed.
func healers(user, target string) *eventv1.Audience {
	if user == target {
		return event.Controllers(user)
	}
	return event.Controllers(user, target)
}

// medicineEdges weigh on a Medicine check: what weighs on the healer, and what
// the caller states.
func medicineEdges(r *rules.Resolution, user *eventv1.Creature, h *eventv1.Harm) []*eventv1.Edge {
	edges := append(checkEdges(r.State(), user, "wisdom", "medicine", "medicine"), append(spendHeld(r, user, forCheck), useHelp(r, user, "medicine")...)...)
	if h.Facts["underwater"] != "" {
		edges = append(edges, &eventv1.Edge{Kind: "underwater", Source: "under water", Rule: cite.HealingKitWound, Stated: true})
	}
	for _, key := range rules.SortedKeys(h.Facts) {
		way, kind, _ := strings.Cut(key, "/")
		why := h.Facts[key]
		if why == "" || way != "advantage" && way != "disadvantage" {
			continue
		}
		if kind == "" {
			kind = why
		}
		edges = append(edges, &eventv1.Edge{Advantage: way == "advantage", Kind: kind, Source: why, Stated: true})
	}
	return edges
}

// medicineFacts are what is stated about the Medicine check that goes with a
// treatment: its circumstances, and that it is made under water.
//
// rcr.healing.magic-check, rcr.healing.kit-wound
func medicineFacts(take *eventv1.TakeAction, target string) map[string]string {
	out := map[string]string{}
	if spoken.Truth(take.GetFacts(), "underwater") {
		out["underwater"] = "yes"
	}
	for _, c := range take.GetCircumstances() {
		if (c.Target == "" || c.Target == target) && (c.Direction == "advantage" || c.Direction == "disadvantage") {
			kind, cause := c.Kind, c.Cause
			if cause == "" {
				cause = kind
			}
			if kind == "" {
				kind = cause
			}
			out[c.Direction+"/"+kind] = cause
		}
	}
	return out
}

func (p *woundPlan) remove(r *rules.Resolution, id string) int32 {
	return removeWounds(r, id, p.wounds, "Medicine check", p.rule)
}
