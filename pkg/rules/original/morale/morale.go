package morale

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	"github.com/skaldrpg/skald/pkg/rules/original/strike"
	"github.com/skaldrpg/skald/pkg/rules/play/house"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Members lists a group of monsters, the dead among them.
func Members(s *eventv1.State, group string) []string {
	return body.Those(s, func(c *eventv1.Creature) bool { return Member(c, group) })
}

// Member tells whether a creature is of a group of monsters.
func Member(c *eventv1.Creature, group string) bool {
	return body.Monster(c) && body.MoraleGroup(c) == group
}

// Groups lists the groups of monsters in order.
func Groups(s *eventv1.State) []string {
	var list []string
	// order-free: sorted below
	for _, c := range s.Creatures {
		if body.Monster(c) && !slices.Contains(list, body.MoraleGroup(c)) {
			list = append(list, body.MoraleGroup(c))
		}
	}
	slices.Sort(list)
	return list
}

// tally is how a group of monsters stands: how many there are, how many of them dead, and
// how many dead or incapacitated.
type tally struct {
	group             string
	all, deaths, gone int
}

// tallied adds the groups of monsters to a list, in any order. It goes through the creatures
// once: after every deed somebody asks, and hardly ever is anything owed.
func tallied(s *eventv1.State, list []tally) []tally {
	// order-free: they are counted
	for _, c := range s.Creatures {
		if !body.Monster(c) || c.Marks[body.MLeaving] != "" {
			continue
		}
		group := body.MoraleGroup(c)
		at := slices.IndexFunc(list, func(t tally) bool { return t.group == group })
		if at < 0 {
			at, list = len(list), append(list, tally{group: group})
		}
		t := &list[at]
		t.all++
		if body.Dead(c) {
			t.deaths++
		}
		if body.Out(c) || strike.Helpless(c) != nil {
			t.gone++
		}
	}
	return list
}

// owes tells which checks a group owes: after its first death, and when half of it is dead
// or incapacitated, once each.
//
// original.morale.when
func (t tally) owes(s *eventv1.State) (first, half bool) {
	first = t.deaths > 0 && s.Counters[body.CFirst+t.group] == 0
	half = t.gone > 0 && s.Counters[body.CHalf+t.group] == 0 && int64(2*t.gone) >= max(s.Counters[body.CStart+t.group]+s.Counters[body.CUnseen+t.group], int64(t.all))
	return first, half
}

// moraleDue tells which checks a group owes now.
func moraleDue(s *eventv1.State, group string) (first, half bool) {
	for _, t := range tallied(s, nil) {
		if t.group == group {
			return t.owes(s)
		}
	}
	return false, false
}

// moraleOwed tells whether any group owes a check.
func moraleOwed(s *eventv1.State) bool {
	var few [8]tally
	for _, t := range tallied(s, few[:0]) {
		if first, half := t.owes(s); first || half {
			return true
		}
	}
	return false
}

// CheckMorale makes every check that is owed; two causes at one moment are one
// check.
//
// original.morale.when
func CheckMorale(r *rules.Resolution) {
	if !moraleOwed(r.State()) {
		return
	}
	for _, g := range Groups(r.State()) {
		first, half := moraleDue(r.State(), g)
		if first {
			r.Set("", body.CFirst+g, 1, "first death", cite.MoraleWhen)
		}
		if half {
			r.Set("", body.CHalf+g, 1, "half the group is out", cite.MoraleWhen)
		}
		if first || half {
			RollMorale(r, g)
		}
	}
}

// RollMorale rolls a group's morale; two successes and it fights to the death.
//
// original.morale.roll, original.morale.table, original.morale.twice
func RollMorale(r *rules.Resolution, group string) {
	s := r.State()
	target, up, bravest := int32(0), false, ""
	var changed []*eventv1.Modifier
	for _, id := range Members(s, group) {
		if c := s.Creatures[id]; !body.Out(c) && !body.Has(c, body.CondSurrendered) && !body.Has(c, body.CondRouted) {
			up = true
			m := body.SheetOf(c).Morale
			if m == 0 {
				m = 7
			}
			n, mods := number(r, c, m)
			if n > target || bravest == "" {
				target, bravest, changed = max(target, n), id, mods
			}
		}
	}
	if !up || s.Marks[body.MMorale+group] != "" {
		return
	}
	leader := r.Creature(bravest)
	expression, again := house.Again(r, leader, house.PointMorale, effects.Env{Actor: leader}, "2d6")
	rolled := r.Roll(rules.RollSpec{Label: "morale/" + group, Expression: expression, Reason: "morale of " + group,
		Target: &eventv1.TargetNumber{Kind: "morale", Value: target, Modifiers: changed},
		Judge: func(_, total int32) (string, int32) {
			if total <= target {
				return "success", 0
			}
			return "failure", 0
		}, Rules: append([]string{cite.MoraleRoll, cite.MoraleTable}, again...)})
	if rolled.Success() {
		passed := r.Count("", body.CPassed+group) + 1
		r.Set("", body.CPassed+group, passed, "morale held", cite.MoraleTwice)
		if passed >= 2 {
			r.Mark("", body.MMorale+group, "fearless", cite.MoraleTwice)
		}
		return
	}
	answer := r.Ask("morale/"+group, &eventv1.Decision{Name: body.DecMorale, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true,
		Cause: group + " break", Question: "What do they do?", DefaultOption: "flee", Rule: cite.MoraleTable,
		Options: []*eventv1.DecisionOption{{Id: "flee", Text: "Flee"}, {Id: "surrender", Text: "Surrender"}}})
	r.Mark("", body.MMorale+group, answer.Option, cite.MoraleTable)
	condition := body.CondRouted
	if answer.Option == "surrender" {
		condition = body.CondSurrendered
	}
	for _, id := range Members(r.State(), group) {
		if !body.Out(r.Creature(id)) && !house.KeepsOff(r, r.Creature(id), condition) {
			r.AddCondition(id, &eventv1.Condition{Name: condition, Cause: "morale broke", Rule: cite.MoraleTable})
		}
	}
}

// CheckMoraleRefused says why the morale of a creature's group is not checked.
//
// original.morale.when
func CheckMoraleRefused(v *strike.Sight) error {
	s, c := v.S, v.C
	switch {
	case c.Sheet == nil || body.SheetOf(c).IsPc:
		return v.Refuse("NO_MONSTER", cite.MoraleWhen, "morale is that of monsters")
	case s.Marks[body.MMorale+body.MoraleGroup(c)] != "":
		return v.Refuse("MORALE_SETTLED", cite.MoraleTwice, "%s: %s", body.MoraleGroup(c), s.Marks[body.MMorale+body.MoraleGroup(c)])
	case body.Out(c):
		return v.Refuse("OUT", cite.MoraleWhen, "%s is out of the fight", c.Name)
	}
	return nil
}

// DoCheckMorale rolls the morale of the actor's whole group.
func DoCheckMorale(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{body.MoraleGroup(c)}}, cite.MoraleWhen)
	RollMorale(r, body.MoraleGroup(c))
	return nil
}

// FaceRefused says why a creature does not turn to a foe.
//
// original.condition.partially-surprised
func FaceRefused(v *strike.Sight, foe *eventv1.Creature) error {
	const rule = cite.ConditionPartiallySurprised
	switch {
	case foe.Side == v.C.Side || body.Dead(foe):
		return v.Refuse("NO_FOE", rule, "there is no foe to face")
	case !body.Is(foe, body.RelFlanks, v.C.Id):
		return v.Refuse("NO_FLANK", rule, "%s is not on the flank of %s", foe.Name, v.C.Name)
	}
	return nil
}

// DoFace has the actor turn to the first target, which is on its flank no longer.
func DoFace(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := take.Targets[0]
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.ConditionPartiallySurprised)
	r.Unrelate(id, body.RelFlanks, c.Id, "faced", cite.ConditionPartiallySurprised)
	return nil
}

// ShieldRefused says why a shield cannot be kept for certain foes any more.
//
// original.defense.shield-two-attackers
func ShieldRefused(v *strike.Sight) error {
	c := v.C
	switch {
	case body.SheetOf(c).ShieldBonus == 0:
		return v.Refuse("NO_SHIELD", cite.DefenseShieldTwoAttackers, "%s has no shield", c.Name)
	case body.Out(c) || strike.Helpless(c) != nil || body.Has(c, body.CondStruggling):
		return v.Refuse("HELPLESS", cite.DefenseShieldTwoAttackers, "%s cannot use a shield", c.Name)
	case body.Surprised(c):
		return v.Refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case len(body.ShieldedFrom(c)) > 0:
		return body.Refuse("SHIELD_USED", cite.DefenseShieldTwoAttackers, "the shield serves against %v this round", body.ShieldedFrom(c))
	}
	return nil
}

// ShieldAgainstRefused says why a shield cannot be kept for a certain foe.
//
// original.defense.shield-two-attackers
func ShieldAgainstRefused(v *strike.Sight, foe *eventv1.Creature) error {
	if foe.Side == v.C.Side || body.Dead(foe) {
		return v.Refuse("NO_FOE", cite.DefenseShieldTwoAttackers, "a shield serves against living foes")
	}
	return nil
}

// DoShield keeps the actor's shield for the targets until the round ends.
func DoShield(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.DefenseShieldTwoAttackers)
	for _, id := range take.Targets {
		body.TieForRound(r, c.Id, body.RelShield, id, cite.DefenseShieldTwoAttackers)
	}
	return nil
}
