package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// is tells whether one creature is of a kind to another.
func is(c *eventv1.Creature, kind, to string) bool { return rules.RelationTo(c, kind, to) != nil }

// tie makes a creature of a kind to another unless it is.
func tie(r *rules.Resolution, id, kind, to, rule string) {
	if !is(r.Creature(id), kind, to) {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Rule: rule}, rule)
	}
}

// tieNow makes a creature of a kind to another in this round, in place of what it
// was to it in an earlier one.
func tieNow(r *rules.Resolution, id, kind, to, rule string) {
	if x := rules.RelationTo(r.Creature(id), kind, to); x == nil || x.Round != r.State().Round {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Round: r.State().Round, Rule: rule}, rule)
	}
}

// tieForRound is tieNow for what is over with the round.
func tieForRound(r *rules.Resolution, id, kind, to, rule string) {
	if !is(r.Creature(id), kind, to) {
		r.Relate(id, &eventv1.Relation{Kind: kind, To: to, Round: r.State().Round, Until: thisRound(r), Rule: rule}, rule)
	}
}

// only makes a creature of a kind to one other alone.
func only(r *rules.Resolution, id, kind, to, rule string) {
	x := rules.RelationTo(r.Creature(id), kind, "")
	if x != nil && x.To == to {
		return
	}
	if x != nil {
		r.Unrelate(id, kind, "", "another", rule)
	}
	tie(r, id, kind, to, rule)
}

// holding is the foe that a creature holds; empty for none.
func holding(c *eventv1.Creature) string { return rules.RelationTo(c, relHolds, "").GetTo() }

// thisRound is the end of what holds to the end of this round.
func thisRound(r *rules.Resolution) *eventv1.Until {
	return &eventv1.Until{When: untilRound, Round: r.State().Round}
}

// during lays a condition on a creature for the rest of this round.
func during(r *rules.Resolution, id, name, rule string) { inflict(r, id, name, thisRound(r), rule) }

// inflict lays a condition on a creature; one that lasts as long stays. Without an
// end it lasts until something ends it.
func inflict(r *rules.Resolution, id, name string, until *eventv1.Until, rule string) {
	if x := conditionOf(r.Creature(id), name); x != nil {
		if x.Until == nil || until != nil && x.Until.Round >= until.Round {
			return
		}
		r.RemoveCondition(id, x, "lasts longer", rule)
	}
	r.AddCondition(id, &eventv1.Condition{Name: name, Until: until, Rule: rule})
}

// lift takes a condition off a creature, by whatever and however often it was laid.
func lift(r *rules.Resolution, id, name, rule string) {
	for x := conditionOf(r.Creature(id), name); x != nil; x = conditionOf(r.Creature(id), name) {
		r.RemoveCondition(id, x, "over", rule)
	}
}

// expire ends what lasted to the end of an earlier round.
func expire(r *rules.Resolution, id string, round int32) {
	over := func(u *eventv1.Until) bool { return u.GetWhen() == untilRound && u.Round < round }
	c := r.Creature(id)
	for _, x := range slices.Clone(c.Conditions) {
		if over(x.Until) {
			r.RemoveCondition(id, x, "it is over", x.Rule)
		}
	}
	for _, x := range slices.Clone(c.Relations) {
		if over(x.Until) {
			r.Unrelate(id, x.Kind, x.To, "the round is over", x.Rule)
		}
	}
	for _, b := range slices.Clone(c.Begun) {
		if over(b.Until) {
			r.EndBegun(id, b.Kind, "the round is over", b.Rule)
		}
	}
}
