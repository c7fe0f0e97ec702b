package injuries

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/checks"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Ways of healing: the fact "via".
const (
	ViaSpell   = "spell"
	ViaAbility = "ability"
	ViaItem    = "item"
	ViaKit     = "kit"
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

// Heal gives hit points back, up to the maximum. Whoever lay at 0 wakes;
// wounds stay until something removes them.
//
// rcr.injury.wounds-outlast-revival, rcr.healing.magic-five-hp
func Heal(r *rules.Resolution, id, source, cause string, offered int32, ruleIDs ...string) (out healed) {
	c := r.Creature(id)
	if body.Dead(c) {
		r.Note(event.Everyone(), id, "healing does nothing for the dead", body.Fallback)
		return out
	}
	out.amount = max(0, min(offered, c.GetHpMax()-c.GetHp()))
	counted := out.amount
	if r.On(body.SetHealingOverflow) {
		counted = offered
	}
	out.eligible = counted >= 5
	r.Emit(event.Controllers(id), &eventv1.Healing{Target: id, Source: source, Cause: cause, Offered: offered, Amount: out.amount},
		append(ruleIDs, cite.HpSecretTotals)...)
	r.SetHitPoints(id, c.GetHp()+out.amount, c.GetHpMax(), c.GetHpTemp(), cite.HpSecretTotals)
	if body.Down(c) && out.amount > 0 && !Suffocates(c) {
		Wake(r, id, "hit points regained")
		out.woke = true
	}
	SetBloodied(r, id)
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
	spell, listed := checks.TablesOf(r.Content()).Spells[strings.ToLower(h.Facts["spell"])]
	via := h.Facts["via"]
	if listed && (via == ViaSpell || via == ViaItem) && !spell.Revives {
		out, removed := castListed(r, h, spell)
		returnHealing(r, out, removed, 0)
		return 0
	}
	out := Heal(r, h.Target, h.Source, h.Cause, h.Amount)
	removed, check := int32(0), int32(0)
	if plan := removalPlan(r, h); plan != nil && out.eligible && r.Count(h.Target, body.CWounds) > 0 {
		check = plan.check(r, h)
		if check == checkMade {
			removed = plan.remove(r, h.Target)
		}
	}
	if via != ViaKit && via != viaHitDie {
		cureAilments(r, h)
	}
	returnHealing(r, out, removed, check)
	return check
}

// Ailment is the prefix of marks for what healing hit points does not cure:
// infections, burns and the like.
const Ailment = "ailment."

// cureAilments clears the marks of ailments from whoever magic heals in full,
// at tables that do not play magic as natural healing. At the others only the
// game master clears them.
//
// rcr.healing.magic-is-natural-healing
func cureAilments(r *rules.Resolution, h *eventv1.Harm) {
	c := r.Creature(h.Target)
	if r.On(cite.HealingMagicIsNaturalHealing) || body.Dead(c) || c.GetHp() < c.GetHpMax() {
		return
	}
	for _, mark := range rules.SortedKeys(c.Marks) {
		if strings.HasPrefix(mark, Ailment) {
			r.Mark(h.Target, mark, "", cite.HealingMagicIsNaturalHealing)
		}
	}
}

func returnHealing(r *rules.Resolution, out healed, removed, check int32) {
	r.Result().Healed = out.amount
	r.Result().InjuriesRemoved = removed
	sayCheck(r, check)
	if out.woke {
		r.Result().Woke = true
	}
}

// castListed heals with a listed spell.
func castListed(r *rules.Resolution, h *eventv1.Harm, spell body.ListedSpell) (healed, int32) {
	behind := append([]string{cite.HealingListedSpells}, rowCited(r, "spells", spell.Row)...)
	c := r.Creature(h.Target)
	if body.Dead(c) {
		return Heal(r, h.Target, h.Source, h.Cause, h.Amount), 0
	}
	if spell.AtZero && c.GetHp() > 0 { // the suffocating are down above 0 hit points too
		r.Note(event.Controllers(h.Target), h.Target, h.Cause+" does nothing above 0 hit points", cite.HealingSpareTheDying)
		return healed{}, 0
	}
	if spell.Scars {
		back := loseInjuries(r, h.Target, body.InjuryScar, h.Cause, cite.HealingHealAndMassHeal)
		c = r.Creature(h.Target)
		r.SetHitPoints(h.Target, c.GetHp(), c.GetHpMax()+back, c.GetHpTemp(), cite.HealingHealAndMassHeal)
	}
	out := healed{}
	if h.Amount > 0 {
		out = Heal(r, h.Target, h.Source, h.Cause, h.Amount, behind...)
	}
	removed := RemoveWounds(r, h.Target, spell.Wounds, h.Cause, behind...)
	if spell.Parts {
		loseInjuries(r, h.Target, body.InjuryLost, h.Cause, cite.HealingRegenerate)
	}
	if now := r.Creature(h.Target); spell.AtZero && body.Down(now) && !Suffocates(now) {
		stabilise(r, h.Target, h.Cause, false)
		r.Result().Stable = true
	}
	SetBloodied(r, h.Target)
	return out, removed
}

// How a Medicine check against wounds came out, as the fact "check" hands it on.
const (
	CheckNone int32 = iota
	checkMade
	checkFailed
)

// woundPlan is how healing may remove wounds: who checks with which bonus, and how
// many go on a success.
type woundPlan struct {
	wounds int32
	bonus  int32
	// item checks by itself: nothing that hampers its user counts.
	item bool
	rule string
	// by are the house rules of the row that it comes from.
	by []string
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
	bonus, _ := body.SkillBonus(user, "medicine")
	bonus = factNumber(h, "medicine", bonus)
	switch h.Facts["via"] {
	case ViaSpell:
		if n := factNumber(h, "spell_level", 0); n > 0 {
			return &woundPlan{wounds: n, bonus: bonus, rule: cite.HealingRemovedBySpellLevel}
		}
	case ViaAbility, ViaKit:
		return &woundPlan{wounds: factNumber(h, "proficiency", max(2, body.SheetOf(user).ProficiencyBonus)), bonus: bonus,
			rule: cite.HealingRemovedByProficiency}
	case ViaItem:
		name := strings.ToLower(h.Facts["rarity"])
		if name == "artifact" {
			name = "legendary"
		}
		if it, ok := checks.TablesOf(r.Content()).Rarity[name]; ok {
			return &woundPlan{wounds: it.Wounds, bonus: it.Bonus, item: true, rule: cite.HealingRemovedByItemRarity, by: rowCited(r, "rarity", it.Row)}
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
	roll := dice.D20{Label: "wound-check", Reason: "Medicine check against wounds", Audience: Healers(user.Id, h.Target), Target: dice.Difficulty(10),
		Modifiers: []*eventv1.Modifier{body.Mod(p.bonus, "rarity of the item", cite.HealingItemCheck)}, Rules: append([]string{cite.HealingItemCheck, p.rule}, p.by...)}
	if !p.item {
		roll.Creature = user
		roll.Edges = medicineEdges(r, user, h)
		roll.Modifiers[0] = body.Mod(p.bonus, "Medicine", cite.HealingMagicCheck)
		roll.Rules[0] = cite.HealingMagicCheck
		roll = roll.By(r, house.PointCheck+"/medicine", effects.Env{Actor: user, Target: r.Creature(h.Target)})
	}
	rolled := roll.Roll(r)
	if !p.item && !rolled.Success() {
		rolled = dice.Fudge(r, roll.Label, user, 10, rolled, roll.Audience) // rcr.dice.inspiration-fudge
	}
	if rolled.Success() {
		return checkMade
	}
	return checkFailed
}

// Healers sees what passes between a healer and the healed.
func Healers(user, target string) *eventv1.Audience {
	if user == target {
		return event.Controllers(user)
	}
	return event.Controllers(user, target)
}

// medicineEdges weigh on a Medicine check: what weighs on the healer, and what
// the caller states.
func medicineEdges(r *rules.Resolution, user *eventv1.Creature, h *eventv1.Harm) []*eventv1.Edge {
	edges := append(dice.CheckEdges(r.State(), user, "wisdom", "medicine", "medicine"), append(dice.SpendHeld(r, user, body.ForCheck), dice.UseHelp(r, user, "medicine")...)...)
	if word := h.Facts[body.FactUnderwater]; word != "" && word != body.FactNo {
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

// MedicineFacts are what is stated about the Medicine check that goes with a
// treatment: its circumstances, and that it is made under water.
//
// rcr.healing.magic-check, rcr.healing.kit-wound
func MedicineFacts(take *eventv1.TakeAction, target string) map[string]string {
	out := map[string]string{}
	if take.GetFacts().GetFields()["underwater"] != nil {
		out[body.FactUnderwater] = strconv.FormatBool(spoken.Truth(take.Facts, "underwater"))
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
	return RemoveWounds(r, id, p.wounds, "Medicine check", append(slices.Clone(p.by), p.rule)...)
}

// sayCheck hands back how the Medicine check against wounds came out.
func sayCheck(r *rules.Resolution, check int32) {
	r.Result().CheckMade, r.Result().CheckFailed = check == checkMade, check == checkFailed
}

// CheckOf reads it out of what a deed came to.
func CheckOf(res *eventv1.HarmResult) int32 {
	switch {
	case res.CheckMade:
		return checkMade
	case res.CheckFailed:
		return checkFailed
	}
	return CheckNone
}
