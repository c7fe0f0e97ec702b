package saddle

import (
	"strings"

	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/celesia/magic"
	"github.com/skaldrpg/skald/pkg/rules/celesia/maneuvers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/mending"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// HadTurn tells whether a creature has had its turn of the present round.
func HadTurn(s *eventv1.State, c *eventv1.Creature) bool {
	if s.Round == 0 {
		return c.Marks[body.MActed] != ""
	}
	return c.Counters[body.CTurn] == int64(s.Round)
}

// ReactionsOf is how many reactions a completed turn brings.
//
// celesia.turn.one-reaction, celesia.feat.combat-reflexes
func ReactionsOf(c *eventv1.Creature) int32 {
	if body.Feature(c, body.FeatCombatReflexes) {
		return 1 + body.Bonus(c, "dexterity")
	}
	return 1
}

// TurnBegins ends what lasts until the start of a turn.
//
// celesia.turn.one-reaction, celesia.action.ready-expiry
func TurnBegins(r *rules.Resolution, id string) {
	Unbrace(r, id)
	maneuvers.HoldBreath(r, id)
	Expire(r, id, "start-of-turn")
	magic.FadeSpells(r, id)
	body.Lift(r, id, body.CondFlatFooted, "its turn has come", cite.ConditionFlatFooted)
	r.Set(id, body.CReactions, 0, "its own turn", cite.TurnOneReaction)
	mending.Forget(r, id, "its next turn has come")
	for _, n := range []string{body.CSpent, body.CEscapes, body.CLoads, body.CMulti} {
		r.Set(id, n, 0, "the turn begins")
	}
	for _, m := range rules.SortedKeys(r.Creature(id).Marks) {
		if m == body.MBegun || m == body.MExtra || m == body.MKept || m == body.MDragging || m == body.MRuled || m == body.MHadTurn || strings.HasPrefix(m, body.MLimb) || strings.HasPrefix(m, body.MDone) {
			r.Mark(id, m, "")
		}
	}
}

// Expire ends the conditions that last until the start or end of a creature's
// turn, on everybody.
func Expire(r *rules.Resolution, id, when string) {
	expire(r, id, when, func(*eventv1.Condition) bool { return true })
}

// Outlived counts down what content laid for turns of those who have none any more:
// the dead, and those who are gone.
func Outlived(r *rules.Resolution) {
	ours := func(x *eventv1.Condition) bool { return strings.HasPrefix(x.Rule, effects.HousePrefix) }
	waits := map[string]bool{}
	// order-free: a set is filled
	for _, c := range r.State().Creatures {
		for _, x := range c.Conditions {
			if who := x.Until.GetCreature(); who != "" && ours(x) && body.Dead(r.Creature(who)) {
				waits[who] = true
			}
		}
	}
	for _, who := range rules.SortedKeys(waits) {
		for _, when := range []string{"start-of-turn", "end-of-turn"} {
			expire(r, who, when, ours)
		}
	}
}

// expire is Expire for the conditions that which names.
func expire(r *rules.Resolution, id, when string, which func(x *eventv1.Condition) bool) {
	for _, other := range r.CreatureIDs() {
		for _, x := range r.Creature(other).Conditions {
			u := x.Until
			if u.GetWhen() != when || u.Creature != id || !which(x) {
				continue
			}
			if u.Turns > 1 {
				later := &eventv1.Condition{Id: x.Id, Name: x.Name, Variant: x.Variant, Source: x.Source, Cause: x.Cause,
					Until: &eventv1.Until{When: when, Creature: id, Turns: u.Turns - 1}, Values: x.Values, Rule: x.Rule}
				r.AddCondition(other, later)
				continue
			}
			r.RemoveCondition(other, x, "its time is over", x.Rule)
		}
	}
}
