package rest

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"github.com/skaldrpg/skald/pkg/rules/rcr/dice"
	"github.com/skaldrpg/skald/pkg/rules/rcr/injuries"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// rest carries out a rest of patients. The parameters: completed (true when
// absent), kit_available (whether a healer's kit with uses left is at hand;
// when absent, whether one of the patients carries one), dice (which hit dice
// to spend: a number, a list of sizes, or either by patient id; when absent
// the players are asked, one die at a time), no_food (true: the exhaustion
// stays).
func rest(r *rules.Resolution, c *eventv1.PatientCommand, long bool) error {
	for _, id := range c.Patients {
		if err := refuseRest(r, c, r.Creature(id), long); err != nil {
			return err
		}
	}
	if err := checkRest(r, c, long); err != nil {
		return err
	}
	completed := true
	if v, ok := c.GetParameters().GetFields()["completed"]; ok {
		completed = v.GetBoolValue()
	}
	for _, id := range c.Patients {
		if !completed {
			r.Note(event.Controllers(id), id, "the rest is broken off", body.Fallback)
			continue
		}
		if long {
			longRest(r, c, id)
		} else {
			shortRest(r, c, id)
		}
		rise(r, id, long)
	}
	return nil
}

// refuseRest says why a patient cannot rest. A long rest takes at least 1 hit point and
// serves once in 24 hours; a short rest is open to one who lies at 0 and is known to be
// stable.
//
// rcr.base.fifth-edition-fallback
func refuseRest(r *rules.Resolution, c *eventv1.PatientCommand, who *eventv1.Creature, long bool) error {
	switch {
	case body.Dead(who):
		return body.Refuse("NOT_FIT", body.Fallback, "%q is dead", who.GetId())
	case who.GetHp() < 1 && long:
		return body.Refuse("NOT_FIT", body.Fallback, "%q needs at least 1 hit point for a long rest", who.GetId())
	case body.Down(who) && (who.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || body.StableInSecret(who)):
		return body.Refuse("NOT_FIT", body.Fallback, "%q is dying: nobody rests who is not stable", who.GetId())
	case long:
		return refuseSoon(r, c, who)
	}
	return nil
}

// betweenLongRests are the hours from the end of one long rest to the end of the next
// that does any good.
const betweenLongRests = 24

// refuseSoon says that a long rest would end less than 24 hours after the last one: by
// the hours stated since then, else by those that rests and the passing of time counted.
//
// rcr.base.fifth-edition-fallback
func refuseSoon(r *rules.Resolution, c *eventv1.PatientCommand, who *eventv1.Creature) error {
	rested := who.GetCounters()[body.CLongRest]
	since := who.GetCounters()[body.CHours] - (rested - 1)
	if n, ok := spoken.Number(c.GetParameters(), "hours_since"); ok {
		since, rested = int64(n), 1
	}
	if !r.On(body.SetLongRestDaily) || rested == 0 || since+body.LongRestHours >= betweenLongRests {
		return nil
	}
	return body.Refuse("RESTED", body.Fallback, "%q finished a long rest %d hours ago, and has no good of another that ends within %d: let time pass, or state hours_since",
		who.GetId(), since, betweenLongRests)
}

// rise gets a rested creature up that can be. Reading: nobody concentrates through a
// night.
func rise(r *rules.Resolution, id string, long bool) {
	if long {
		dice.EndConcentration(r, id, "long rest")
	}
	if c := r.Creature(id); !body.Has(c, body.CondUnconscious) && !body.Has(c, body.CondParalyzed) && !body.Has(c, body.CondPetrified) {
		dice.EndCondition(r, id, body.CondProne, "rested", body.Fallback)
	}
}

// checkRest finds out what cannot be spent before the first die is rolled.
//
// rcr.rest.mod-hit-dice-any-rest
func checkRest(r *rules.Resolution, c *eventv1.PatientCommand, long bool) error {
	const field = "command.patient.parameters.dice"
	dice := c.GetParameters().GetFields()["dice"]
	if dice != nil && long && !r.On(cite.RestModHitDiceAnyRest) {
		return fault.Field(field, "a long rest spends no hit dice at this table")
	}
	for _, id := range rules.SortedKeys(dice.GetStructValue().GetFields()) {
		if !slices.Contains(c.Patients, id) {
			return fault.Field(field+"."+id, "%q is not one of the patients%s", id, rules.DidYouMean(id, c.Patients))
		}
	}
	for _, id := range c.Patients {
		if err := checkDice(r, c, id); err != nil {
			return err
		}
	}
	return nil
}

// shortRest spends hit dice; with no kit at hand each takes a wound away too.
//
// rcr.rest.short-rest-wounds
func shortRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) {
	spendDice(r, c, id, !kitAtHand(r, c))
	refill(r, id, "short rest")
	passTime(r, id, body.ShortRestHours)
}

// longRest clears wounds and, as the table plays it, gives hit points and hit
// dice back; a level of exhaustion goes (reading: as in the fifth edition).
//
// rcr.rest.long-rest-wounds, rcr.rest.mod-no-free-hp, rcr.rest.mod-hit-dice-any-rest
func longRest(r *rules.Resolution, c *eventv1.PatientCommand, id string) {
	const why = "long rest"
	if r.On(cite.RestModHitDiceAnyRest) {
		spendDice(r, c, id, false)
	}
	injuries.RemoveWounds(r, id, -1, why, cite.RestLongRestWounds)
	r.Mark(id, body.MTended, "", cite.FeatHealerOnce) // rcr.feat.healer-once
	who := r.Creature(id)
	if !r.On(cite.RestModNoFreeHp) && who.GetHp() < who.GetHpMax() {
		injuries.Heal(r, id, "", why, who.GetHpMax()-who.GetHp(), body.Fallback)
	}
	who = r.Creature(id)
	r.SetHitPoints(id, who.GetHp(), who.GetHpMax(), 0, body.Fallback)
	regainDice(r, id)
	if n := r.Count(id, body.CExhaustion); n > 0 && !spoken.Truth(c.GetParameters(), "no_food") {
		r.Set(id, body.CExhaustion, n-1, why, cite.ConditionExhaustionScale)
	}
	refill(r, id, "short rest", "long rest", "day", "recharge")
	refillSlots(r, id)
	passTime(r, id, body.LongRestHours)
	r.Set(id, body.CLongRest, r.Count(id, body.CHours)+1, why, body.Fallback)
}

// kitAtHand tells whether a healer's kit is available: as stated, else whether
// anyone of the rest carries one with uses left.
//
// rcr.rest.short-rest-wounds
func kitAtHand(r *rules.Resolution, c *eventv1.PatientCommand) bool {
	if v, ok := c.GetParameters().GetFields()["kit_available"]; ok {
		return v.GetBoolValue()
	}
	return slices.ContainsFunc(append([]string{c.User}, c.Patients...), func(id string) bool { return r.Count(id, body.CKit) > 0 })
}

// spendDice spends the hit dice named, which checkRest has found to be there, or asks
// for one after the other.
func spendDice(r *rules.Resolution, c *eventv1.PatientCommand, id string, wounds bool) {
	named, stated, _ := namedDice(r, c, id)
	for _, size := range named {
		spendDie(r, id, size, wounds)
	}
	for !stated {
		size := askDie(r, id, wounds)
		if size == 0 {
			return
		}
		spendDie(r, id, size, wounds)
	}
}

// namedDice reads the parameter dice for a patient.
func namedDice(r *rules.Resolution, c *eventv1.PatientCommand, id string) (sizes []int32, stated bool, err error) {
	v, ok := c.GetParameters().GetFields()["dice"]
	if !ok {
		return nil, false, nil
	}
	if byID := v.GetStructValue(); byID != nil {
		if v, ok = byID.Fields[id]; !ok {
			return nil, true, nil
		}
	}
	if list := v.GetListValue(); list != nil {
		for i, e := range list.Values {
			size, is := spoken.Whole(e)
			if !is {
				return nil, true, fault.Field("command.patient.parameters.dice["+body.Itoa(i)+"]", "must be the size of a hit die, such as 8")
			}
			sizes = append(sizes, size)
		}
		return sizes, true, nil
	}
	n, is := spoken.Whole(v)
	if !is || n < 0 || n > 100 {
		return nil, true, fault.Field("command.patient.parameters.dice", "must be a number up to 100, a list of sizes, or either by patient id")
	}
	for _, size := range dieSizes(r.Creature(id)) {
		for range r.Count(id, body.CHitDice+body.Itoa(size)) {
			if len(sizes) < int(n) {
				sizes = append(sizes, size)
			}
		}
	}
	if len(sizes) < int(n) {
		return nil, true, body.Refuse("NO_HIT_DICE", body.Fallback, "%q has only %d hit dice left", id, len(sizes))
	}
	return sizes, true, nil
}

// checkDice says why a patient cannot spend the hit dice named.
func checkDice(r *rules.Resolution, c *eventv1.PatientCommand, id string) error {
	sizes, _, err := namedDice(r, c, id)
	left := map[int32]int64{}
	for _, size := range sizes {
		if left[size]++; left[size] > r.Count(id, body.CHitDice+body.Itoa(size)) {
			return body.Refuse("NO_HIT_DICE", body.Fallback, "%q has no d%d left to spend", id, size)
		}
	}
	return err
}

// dieSizes are the sizes of a creature's hit dice, the largest first.
func dieSizes(c *eventv1.Creature) (sizes []int32) {
	for _, d := range body.SheetOf(c).HitDice {
		if !slices.Contains(sizes, d.Size) {
			sizes = append(sizes, d.Size)
		}
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return sizes
}

// askDie asks for the next die; 0 when the player stops or nothing is to be
// gained.
func askDie(r *rules.Resolution, id string, wounds bool) int32 {
	c := r.Creature(id)
	if c.GetHp() >= c.GetHpMax() && (!wounds || c.Counters[body.CWounds] == 0) {
		return 0
	}
	d := &eventv1.Decision{Name: body.DecHitDie, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, Creature: id, Cause: "rest",
		Question: "Spend another hit die?", DefaultOption: "stop", Rule: cite.RestShortRestWounds,
		Options: []*eventv1.DecisionOption{{Id: "stop", Text: "No more"}}}
	for _, size := range dieSizes(c) {
		if n := c.Counters[body.CHitDice+body.Itoa(size)]; n > 0 {
			d.Options = append(d.Options, &eventv1.DecisionOption{Id: "d" + body.Itoa(size), Text: "d" + body.Itoa(size) + " (" + body.Itoa(n) + " left)"})
		}
	}
	if len(d.Options) == 1 {
		return 0
	}
	answer := r.Ask(body.DecHitDie+"/"+id, d).GetOption()
	for _, size := range dieSizes(c) {
		if answer == "d"+body.Itoa(size) {
			return size
		}
	}
	return 0
}

// spendDie spends one hit die: its roll plus the Constitution modifier in hit
// points and, where wounds go too, one wound without any check.
//
// rcr.rest.short-rest-wounds, rcr.feat.durable-hit-dice
func spendDie(r *rules.Resolution, id string, size int32, wounds bool) {
	counter := body.CHitDice + body.Itoa(size)
	r.Set(id, counter, r.Count(id, counter)-1, "rest", body.Fallback)
	mods := []*eventv1.Modifier{body.Mod(body.AbilityMod(r.Creature(id), "constitution"), "Constitution", body.Fallback)}
	if body.Feat(r.State(), r.Creature(id), body.FeatDurable, cite.FeatDurableHitDice) {
		mods = append(mods, body.Mod(2, "Durable", cite.FeatDurableHitDice))
	}
	rolled := r.Roll(rules.RollSpec{Label: "hit-die/" + id, Creature: id, Expression: "1d" + body.Itoa(size), Reason: "hit die",
		Audience: event.Controllers(id), Rules: []string{body.Fallback},
		Modifiers: mods})
	injuries.Heal(r, id, "", "hit die", max(0, rolled.Total), body.Fallback)
	if wounds {
		injuries.RemoveWounds(r, id, 1, "hit die", cite.RestShortRestWounds)
	}
}

// regainDice gives hit dice back at the end of a long rest: half of all of
// them, by the variant half the level; down, at least one; the largest first.
//
// rcr.rest.mod-regain-half
func regainDice(r *rules.Resolution, id string) {
	c := r.Creature(id)
	total := map[int32]int64{}
	all := int64(0)
	for _, d := range body.SheetOf(c).HitDice {
		total[d.Size] += int64(d.Total)
		all += int64(d.Total)
	}
	back, rule := max(1, all/2), body.Fallback
	if r.On(cite.RestModRegainHalf) {
		back, rule = max(1, int64(body.EffectiveLevel(c))/2), cite.RestModRegainHalf
	}
	for _, size := range dieSizes(c) {
		left := r.Count(id, body.CHitDice+body.Itoa(size))
		n := max(0, min(back, total[size]-left))
		r.Set(id, body.CHitDice+body.Itoa(size), left+n, "long rest", rule)
		back -= n
	}
}

// refill gives back what recharges on one of the occasions.
//
// rcr.feat.savage-attacker-reroll
func refill(r *rules.Resolution, id string, occasions ...string) {
	s := body.SheetOf(r.Creature(id))
	r.Set(id, body.CRerolled, 0, occasions[0], cite.FeatSavageAttackerReroll)
	comes := func(recharge string) bool { // what a die brings back in a fight comes with any rest
		return strings.EqualFold(recharge, "recharge") || slices.ContainsFunc(occasions, func(o string) bool { return strings.EqualFold(o, recharge) })
	}
	for _, res := range s.Resources {
		if comes(res.Recharge) {
			r.Set(id, body.CLeft+res.Name, int64(res.Max), occasions[len(occasions)-1], body.Fallback)
		}
	}
	use := func(name string, u *eventv1.RcrUsage) {
		if body.Limited(u) && comes(u.Recharge) {
			r.Set(id, body.UsesOf(name, u), int64(max(1, u.Uses)), occasions[len(occasions)-1], body.Fallback)
		}
	}
	for _, p := range s.Powers {
		use(p.Name, p.Usage)
	}
	for _, a := range s.Attacks {
		use(a.Name, a.Usage)
	}
	for _, sp := range s.Spells {
		use(sp.Name, sp.Usage)
	}
}

func refillSlots(r *rules.Resolution, id string) {
	for i, n := range body.SheetOf(r.Creature(id)).SpellSlots {
		r.Set(id, body.CSlot+body.Itoa(i+1), int64(n), "long rest", body.Fallback)
	}
}

// passTime counts hours and lets them pass: whoever is stable at 0 hit points wakes with 1
// after 1d4 hours, as in the fifth edition. Nothing bleeds outside of turns
// unless the game master deals the setback.
func passTime(r *rules.Resolution, id string, hours int64) {
	r.PassHours(id, hours, body.Fallback)
	c := r.Creature(id)
	if c.Life != eventv1.LifeStatus_LIFE_STATUS_STABLE || injuries.Suffocates(c) {
		return
	}
	left := c.Counters[body.CStableHours]
	if left == 0 {
		left = int64(r.Roll(rules.RollSpec{Label: "stable/" + id, Creature: id, Expression: "1d4", Reason: "hours until a stable creature wakes",
			Audience: event.GM(), Rules: []string{body.Fallback}}).Total)
	}
	if hours < left {
		r.Set(id, body.CStableHours, left-hours, "time passes", body.Fallback)
		return
	}
	r.Set(id, body.CStableHours, 0, "time passes", body.Fallback)
	injuries.Heal(r, id, "", "time", 1, body.Fallback)
}
