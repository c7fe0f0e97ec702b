package body

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Is tells whether one creature is of a kind to another.
func Is(c *eventv1.Creature, kind, to string) bool { return rules.RelationTo(c, kind, to) != nil }

// Tie makes a creature of a kind to another unless it is.
func Tie(r *rules.Resolution, id, kind, to, rule string) {
	if !Is(r.Creature(id), kind, to) {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Rule: rule}, rule)
	}
}

// TieNow makes a creature of a kind to another in this round, in place of what it
// was to it in an earlier one.
func TieNow(r *rules.Resolution, id, kind, to, rule string) {
	if x := rules.RelationTo(r.Creature(id), kind, to); x == nil || x.Round != r.State().Round {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Round: r.State().Round, Rule: rule}, rule)
	}
}

// TieForRound is tieNow for what is over with the round.
func TieForRound(r *rules.Resolution, id, kind, to, rule string) {
	if !Is(r.Creature(id), kind, to) {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Round: r.State().Round, Until: ThisRound(r), Rule: rule}, rule)
	}
}

// Only makes a creature of a kind to one other alone.
func Only(r *rules.Resolution, id, kind, to, rule string) {
	x := rules.RelationTo(r.Creature(id), kind, "")
	if x != nil && x.To == to {
		return
	}
	if x != nil {
		r.Unrelate(id, kind, "", "another", rule)
	}
	Tie(r, id, kind, to, rule)
}

// Holding is the foe that a creature holds; empty for none.
func Holding(c *eventv1.Creature) string { return rules.RelationTo(c, RelHolds, "").GetTo() }

// ThisRound is the end of what holds to the end of this round.
func ThisRound(r *rules.Resolution) *eventv1.Until {
	return &eventv1.Until{When: UntilRound, Round: r.State().Round}
}

// During lays a condition on a creature for the rest of this round.
func During(r *rules.Resolution, id, name, rule string) { Inflict(r, id, name, ThisRound(r), rule) }

// doings are conditions that say what a creature does: nothing keeps them off.
var doings = []string{CondRan, CondSwift, CondCharging, CondWithdrawing, CondParrying, CondFleeing, CondMounted}

// Inflict lays a condition on a creature; one that lasts as long stays. Without an
// end it lasts until something ends it.
func Inflict(r *rules.Resolution, id, name string, until *eventv1.Until, rule string) {
	if !slices.Contains(doings, name) && house.KeepsOff(r, r.Creature(id), name) {
		return
	}
	if x := ConditionOf(r.Creature(id), name); x != nil {
		if x.Until == nil || until != nil && x.Until.Round >= until.Round {
			return
		}
		r.RemoveCondition(id, x, "lasts longer", rule)
	}
	r.AddCondition(id, &eventv1.Condition{Name: name, Until: until, Rule: rule})
}

// Lift takes a condition off a creature, by whatever and however often it was laid.
func Lift(r *rules.Resolution, id, name, rule string) {
	for x := ConditionOf(r.Creature(id), name); x != nil; x = ConditionOf(r.Creature(id), name) {
		r.RemoveCondition(id, x, "over", rule)
	}
}

// Expire ends what lasted to the end of an earlier round.
func Expire(r *rules.Resolution, id string, round int32) {
	over := func(u *eventv1.Until) bool { return u.GetWhen() == UntilRound && u.Round < round }
	c := r.Creature(id)
	for _, x := range c.Conditions {
		if over(x.Until) {
			r.RemoveCondition(id, x, "it is over", x.Rule)
		}
	}
	for _, x := range c.Relations {
		if over(x.Until) {
			r.Unrelate(id, x.Kind, x.To, "the round is over", x.Rule)
		}
	}
	for _, b := range c.Begun {
		if over(b.Until) {
			r.EndBegun(id, b.Kind, "the round is over", b.Rule)
		}
	}
}
