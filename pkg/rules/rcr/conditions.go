package rcr

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Words of Until.when.
const (
	untilTurnStart = "start-of-turn"
	untilTurnEnd   = "end-of-turn"
	untilRound     = "round"
	untilBlock     = "block"
)

// saveEnds is the prefix of the value in a condition that says what saving
// throw at the end of one's turns ends it: "save-ends.wisdom" is the DC before
// the exhaustion of its source.
const saveEnds = "save-ends."

// abilityScore is the score itself; a missing one counts as 10.
func abilityScore(c *eventv1.Creature, ability string) int32 {
	if n, ok := c.GetSheet().GetAbilities()[ability]; ok {
		return n
	}
	return 10
}

// untilNextTurn is the end of an effect that lasts so many rounds, by the
// table's method: with the block it was made in, or at the start of the user's
// turn, however soon or late that comes.
//
// rcr.initiative.duration-by-block, rcr.initiative.duration-next-turn
func untilNextTurn(r *rules.Resolution, user string, rounds int32) *eventv1.Until {
	rounds = max(rounds, 1)
	if s := r.State(); defaults.On(s, cite.InitiativeDurationByBlock) {
		return &eventv1.Until{When: untilBlock, Creature: user, Round: s.Round + rounds, Count: int32(max(0, blockNow(s)))}
	}
	return &eventv1.Until{When: untilTurnStart, Creature: user, Turns: rounds}
}

// expire goes through all conditions and ends those for which over says so.
func expire(r *rules.Resolution, cause, rule string, over func(bearer string, u *eventv1.Until) bool) {
	for _, id := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(id).Conditions) {
			if x.Until == nil || !over(id, x.Until) {
				continue
			}
			if x.Until.Turns > 1 && (x.Until.When == untilTurnStart || x.Until.When == untilTurnEnd) {
				left := &eventv1.Until{When: x.Until.When, Creature: x.Until.Creature, Round: x.Until.Round, Turns: x.Until.Turns - 1, Count: x.Until.Count}
				r.AddCondition(id, &eventv1.Condition{Id: x.Id, Name: x.Name, Variant: x.Variant, Source: x.Source, Cause: x.Cause,
					Until: left, Values: x.Values, Rule: x.Rule})
				continue
			}
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

// startTurnEffects ends what lasts until the start of this creature's turn.
func startTurnEffects(r *rules.Resolution, id string) {
	dropReady(r, id, "its time is over")
	expire(r, "its time is over", cite.InitiativeDurationNextTurn, func(_ string, u *eventv1.Until) bool {
		return u.When == untilTurnStart && u.Creature == id
	})
}

// endTurnEffects makes the saving throws due at the end of a turn and ends
// what lasts until then.
func endTurnEffects(r *rules.Resolution, id string) {
	for _, x := range slices.Clone(r.Creature(id).Conditions) {
		ability, dc := saveThatEnds(x)
		if ability == "" || !slices.ContainsFunc(r.Creature(id).Conditions, func(y *eventv1.Condition) bool { return y.Id == x.Id }) {
			continue
		}
		source := r.Creature(x.Source)
		dc -= int32(openExhaustion(source)) // rcr.condition.exhaustion-dc: as it is now
		rolled := rollSave(r, "save-ends/"+id+"/"+x.Id, r.Creature(id), ability, dc, x.Name, source, saveOpts{})
		if rolled.Success() {
			r.RemoveCondition(id, x, "saving throw", cite.BaseFifthEditionFallback)
		}
	}
	expire(r, "its time is over", cite.BaseFifthEditionFallback, func(_ string, u *eventv1.Until) bool {
		return u.When == untilTurnEnd && u.Creature == id
	})
}

func saveThatEnds(x *eventv1.Condition) (ability string, dc int32) {
	for _, key := range rules.SortedKeys(x.Values) {
		if a, ok := strings.CutPrefix(key, saveEnds); ok {
			return a, x.Values[key]
		}
	}
	return "", 0
}

// endBlock ends what lasts until the end of a block of this round.
//
// rcr.initiative.duration-by-block
func endBlock(r *rules.Resolution, b int) {
	if b < 0 {
		return
	}
	expire(r, "its block is over", cite.InitiativeDurationByBlock, func(_ string, u *eventv1.Until) bool {
		return u.When == untilBlock && (u.Round < r.State().Round || u.Round == r.State().Round && int(u.Count) <= b)
	})
}

// endRoundEffects ends what lasts until the end of this round, and counts a
// round off what lasts by the turns of somebody who has none any more.
func endRoundEffects(r *rules.Resolution) {
	s := r.State()
	expire(r, "its time is over", cite.BaseFifthEditionFallback, func(_ string, u *eventv1.Until) bool {
		switch u.When {
		case untilRound:
			return u.Round <= s.Round
		case untilTurnStart, untilTurnEnd:
			return dead(s.Creatures[u.Creature])
		}
		return false
	})
}

// layEffects puts the conditions of an attack, a spell or a power on a target.
// What the sheet makes it immune to does not take.
func layEffects(r *rules.Resolution, source, target *eventv1.Creature, cause string, effects []*eventv1.RcrEffect, save *eventv1.RcrSave) {
	for _, e := range effects {
		c := r.Creature(target.Id)
		if c == nil || dead(c) {
			return
		}
		layEffect(r, source, c, cause, e, save)
	}
}

func layEffect(r *rules.Resolution, source, c *eventv1.Creature, cause string, e *eventv1.RcrEffect, save *eventv1.RcrSave) {
	const rule = cite.BaseFifthEditionFallback
	if named(sheetOf(c).ConditionImmunities, e.Condition) {
		r.Note(r.Audience(rules.FactCondition, e.Condition, c.Id), c.Id, "immune to "+e.Condition, rule)
		return
	}
	if houseKeepsOff(r, c, e.Condition) {
		return
	}
	if e.Condition == condProne {
		setProne(r, c.Id, cause, rule)
		return
	}
	values := map[string]int32{}
	if e.EscapeDc > 0 {
		values["escape_dc"] = e.EscapeDc
	}
	if e.SaveEnds && save != nil {
		values[saveEnds+save.Ability] = fullDC(source, save.Dc)
	}
	if source != nil && cause != "" && concentration(r.Creature(source.Id)) == cause {
		values["concentration"] = 1 // it ends with the concentration on the spell
	}
	temporary(r, source, c.Id, cause, e)
	x := &eventv1.Condition{Name: e.Condition, Variant: e.Variant, Source: source.GetId(), Cause: cause, Values: withChanges(values, e), Rule: rule}
	if e.Condition == condParalyzed && x.Variant == "" {
		x.Variant = variantStricken // rcr.condition.paralyzed-stricken
	}
	if e.Rounds > 0 {
		x.Until = untilNextTurn(r, source.GetId(), e.Rounds)
	}
	addCondition(r, c.Id, x)
}

// addCondition puts a condition on a creature with what follows from it at
// once: disabled paralysis lets it fall, whoever is incapacitated lets go.
//
// rcr.condition.paralyzed-disabled, rcr.condition.replace-base
func addCondition(r *rules.Resolution, id string, x *eventv1.Condition) {
	r.AddCondition(id, x)
	for _, name := range r.Content().Implies(x.Name) {
		if !has(r.Creature(id), name) {
			addCondition(r, id, &eventv1.Condition{Name: name, Source: x.Source, Cause: x.Name, Until: x.Until, Rule: x.Rule})
		}
	}
	keepPace(r, id)
	if x.Name == condParalyzed && x.Variant == variantDisabled {
		setProne(r, id, "disabled paralysis", cite.ConditionParalyzedDisabled)
	}
	if x.Name == condUnconscious {
		setProne(r, id, "unconscious", cite.BaseFifthEditionFallback)
	}
	letGo(r, id)
}

// letGo ends what a creature keeps up when it can do so no more: its grapples
// and its concentration.
func letGo(r *rules.Resolution, id string) {
	if c := r.Creature(id); c == nil || !incapacitated(c) {
		return
	}
	for _, other := range rules.SortedKeys(r.State().Creatures) {
		for _, x := range slices.Clone(r.Creature(other).Conditions) {
			if x.Name == condGrappled && x.Source == id {
				r.RemoveCondition(other, x, "the grappler is incapacitated", cite.ConditionReplaceBase)
			}
		}
	}
	endConcentration(r, id, "incapacitated")
}
