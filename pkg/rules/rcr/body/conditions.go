package body

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Words of Until.when.
const (
	UntilTurnStart = "start-of-turn"
	UntilTurnEnd   = "end-of-turn"
	untilRound     = "round"
	untilBlock     = "block"
)

// SaveEnds is the prefix of the value in a condition that says what saving
// throw at the end of one's turns ends it: "save-ends.wisdom" is the DC before
// the exhaustion of its source.
const SaveEnds = "save-ends."

// AbilityScore is the score itself; a missing one counts as 10.
func AbilityScore(c *eventv1.Creature, ability string) int32 {
	if n, ok := c.GetSheet().GetAbilities()[ability]; ok {
		return n
	}
	return 10
}

// UntilNextTurn is the end of an effect that lasts so many rounds, by the
// table's method: with the block it was made in, or at the start of the user's
// turn, however soon or late that comes.
//
// rcr.initiative.duration-by-block, rcr.initiative.duration-next-turn
func UntilNextTurn(r *rules.Resolution, user string, rounds int32) *eventv1.Until {
	rounds = max(rounds, 1)
	if s := r.State(); Defaults.On(s, cite.InitiativeDurationByBlock) {
		return &eventv1.Until{When: untilBlock, Creature: user, Round: s.Round + rounds, Count: int32(max(0, BlockNow(s)))}
	}
	return &eventv1.Until{When: UntilTurnStart, Creature: user, Turns: rounds}
}

// Expire goes through all conditions and ends those for which over says so.
func Expire(r *rules.Resolution, cause, rule string, over func(bearer string, u *eventv1.Until) bool) {
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if x.Until == nil || Suspended(r.Creature(id), x) || !over(id, x.Until) {
				continue
			}
			if x.Until.Turns > 1 && (x.Until.When == UntilTurnStart || x.Until.When == UntilTurnEnd) {
				left := &eventv1.Until{When: x.Until.When, Creature: x.Until.Creature, Round: x.Until.Round, Turns: x.Until.Turns - 1, Count: x.Until.Count}
				r.AddCondition(id, &eventv1.Condition{Id: x.Id, Name: x.Name, Variant: x.Variant, Source: x.Source, Cause: x.Cause,
					Until: left, Values: x.Values, Rule: x.Rule})
				continue
			}
			r.RemoveCondition(id, x, cause, rule)
		}
	}
}

// Suspended tells whether a condition neither weighs nor runs out for now: poison in
// the body of one that is petrified.
//
// rcr.base.fifth-edition-fallback
func Suspended(c *eventv1.Creature, x *eventv1.Condition) bool {
	return x.Name == CondPoisoned && Has(c, CondPetrified)
}

// putOff has what is suspended last a round longer, where it lasts until a round.
func putOff(r *rules.Resolution) {
	for _, id := range r.CreatureIDs() {
		for _, x := range r.Creature(id).Conditions {
			if x.Until.GetRound() > 0 && Suspended(r.Creature(id), x) {
				u := &eventv1.Until{When: x.Until.When, Creature: x.Until.Creature, Round: x.Until.Round + 1, Turns: x.Until.Turns, Count: x.Until.Count}
				r.AddCondition(id, &eventv1.Condition{Id: x.Id, Name: x.Name, Variant: x.Variant, Source: x.Source, Cause: x.Cause,
					Until: u, Values: x.Values, Rule: x.Rule})
			}
		}
	}
}

// SaveThatEnds is the ability and the DC of the saving throw that ends a condition;
// an empty ability when none does.
func SaveThatEnds(x *eventv1.Condition) (ability string, dc int32) {
	for _, key := range rules.SortedKeys(x.Values) {
		if a, ok := strings.CutPrefix(key, SaveEnds); ok {
			return a, x.Values[key]
		}
	}
	return "", 0
}

// EndBlock ends what lasts until the end of a block of this round.
//
// rcr.initiative.duration-by-block
func EndBlock(r *rules.Resolution, b int) {
	if b < 0 {
		return
	}
	Expire(r, "its block is over", cite.InitiativeDurationByBlock, func(_ string, u *eventv1.Until) bool {
		return u.When == untilBlock && (u.Round < r.State().Round || u.Round == r.State().Round && int(u.Count) <= b)
	})
}

// EndRoundEffects ends what lasts until the end of this round, and counts a
// round off what lasts by the turns of somebody who has none any more.
func EndRoundEffects(r *rules.Resolution) {
	putOff(r)
	s := r.State()
	Expire(r, "its time is over", cite.BaseFifthEditionFallback, func(_ string, u *eventv1.Until) bool {
		switch u.When {
		case untilRound:
			return u.Round <= s.Round
		case UntilTurnStart, UntilTurnEnd:
			return Dead(s.Creatures[u.Creature])
		}
		return false
	})
}
