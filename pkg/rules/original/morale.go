package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// monster tells whether a creature is one of those who stand or break by groups.
func monster(c *eventv1.Creature) bool { return c.Sheet != nil && !sheetOf(c).IsPc }

// members lists a group of monsters, the dead among them.
func members(s *eventv1.State, group string) []string {
	return those(s, func(c *eventv1.Creature) bool { return monster(c) && moraleGroup(c) == group })
}

// strength is how many of a group are there, and how many of them unseen.
func strength(s *eventv1.State, group string) (all, staged int) {
	// order-free: they are counted
	for _, c := range s.Creatures {
		if c.Marks[mLeaving] == "" && monster(c) && moraleGroup(c) == group {
			if all++; c.Staged {
				staged++
			}
		}
	}
	return all, staged
}

// unseen tells whether all of a group that there are are there unseen.
func unseen(s *eventv1.State, group string) bool {
	all, staged := strength(s, group)
	return staged > 0 && staged == all
}

// groups lists the groups of monsters in order.
func groups(s *eventv1.State) []string {
	var list []string
	// order-free: sorted below
	for _, c := range s.Creatures {
		if c.Marks[mLeaving] == "" && monster(c) && !slices.Contains(list, moraleGroup(c)) {
			list = append(list, moraleGroup(c))
		}
	}
	slices.Sort(list)
	return list
}

// moraleDue tells whether a group owes a check: after its first death, and
// when half of it is dead or incapacitated, once each.
//
// original.morale.when
func moraleDue(s *eventv1.State, group string) (first, half bool) {
	deaths, gone := 0, 0
	for _, id := range members(s, group) {
		c := s.Creatures[id]
		if dead(c) {
			deaths++
		}
		if out(c) || helpless(c) != nil {
			gone++
		}
	}
	first = deaths > 0 && s.Counters[cFirst+group] == 0
	half = s.Counters[cHalf+group] == 0 && gone > 0 && int64(2*gone) >= max(s.Counters[cStart+group]+s.Counters[cUnseen+group], int64(len(members(s, group))))
	return first, half
}

// moraleAsked tells whether any monster is down or helpless whose group has not made
// both its checks: without one nobody owes any.
func moraleAsked(s *eventv1.State) bool {
	// order-free: any one is enough
	for _, c := range s.Creatures {
		if (out(c) || helpless(c) != nil) && !sheetOf(c).IsPc {
			if g := moraleGroup(c); s.Counters[cFirst+g] == 0 || s.Counters[cHalf+g] == 0 {
				return true
			}
		}
	}
	return false
}

// checkMorale makes every check that is owed; two causes at one moment are one
// check.
//
// original.morale.when
func checkMorale(r *rules.Resolution) {
	if !moraleAsked(r.State()) {
		return
	}
	for _, g := range groups(r.State()) {
		first, half := moraleDue(r.State(), g)
		if first {
			r.Set("", cFirst+g, 1, "first death", cite.MoraleWhen)
		}
		if half {
			r.Set("", cHalf+g, 1, "half the group is out", cite.MoraleWhen)
		}
		if first || half {
			rollMorale(r, g)
		}
	}
}

// rollMorale rolls a group's morale; two successes and it fights to the death.
//
// original.morale.roll, original.morale.table, original.morale.twice
func rollMorale(r *rules.Resolution, group string) {
	s := r.State()
	target, up := int32(0), false
	for _, id := range members(s, group) {
		if c := s.Creatures[id]; !out(c) && !has(c, condSurrendered) && !has(c, condRouted) {
			up = true
			m := sheetOf(c).Morale
			if m == 0 {
				m = 7
			}
			target = max(target, m)
		}
	}
	if !up || s.Marks[mMorale+group] != "" {
		return
	}
	rolled := r.Roll(rules.RollSpec{Label: "morale/" + group, Expression: "2d6", Reason: "morale of " + group,
		Target: &eventv1.TargetNumber{Kind: "morale", Value: target},
		Judge: func(_, total int32) (string, int32) {
			if total <= target {
				return "success", 0
			}
			return "failure", 0
		}, Rules: []string{cite.MoraleRoll, cite.MoraleTable}})
	if rolled.Success() {
		passed := r.Count("", cPassed+group) + 1
		r.Set("", cPassed+group, passed, "morale held", cite.MoraleTwice)
		if passed >= 2 {
			r.Mark("", mMorale+group, "fearless", cite.MoraleTwice)
		}
		return
	}
	answer := r.Ask("morale/"+group, &eventv1.Decision{Name: decMorale, Kind: eventv1.DecisionKind_DECISION_KIND_OPTION, GmOnly: true,
		Cause: group + " break", Question: "What do they do?", DefaultOption: "flee", Rule: cite.MoraleTable,
		Options: []*eventv1.DecisionOption{{Id: "flee", Text: "Flee"}, {Id: "surrender", Text: "Surrender"}}})
	r.Mark("", mMorale+group, answer.Option, cite.MoraleTable)
	condition := condRouted
	if answer.Option == "surrender" {
		condition = condSurrendered
	}
	for _, id := range members(r.State(), group) {
		if !out(r.Creature(id)) {
			r.AddCondition(id, &eventv1.Condition{Name: condition, Cause: "morale broke", Rule: cite.MoraleTable})
		}
	}
}

// tableActions are what the table decides beside the fight itself.
func tableActions() []*play.Action {
	return []*play.Action{
		{ID: actCheckMorale, Title: "Check morale after a great upset", Rule: cite.MoraleWhen, Group: play.GroupReferee, Anytime: true, Referee: true,
			Refuse: asSeen(checkMoraleRefused), Do: deed(doCheckMorale)},
		reactionAction(),
		{ID: "face", Title: "Turn to a flanking foe", Rule: cite.ConditionPartiallySurprised, Group: play.GroupDefend, Least: 1, Most: 1, Candidates: foesAt,
			RefuseTarget: ofTarget(faceRefused), Do: deed(doFace)},
		{ID: "shield", Title: "Name the two foes the shield is for", Rule: cite.DefenseShieldTwoAttackers, Group: play.GroupDefend, Anytime: true, Least: 1, Most: 2,
			Candidates: foesAt, Refuse: asSeen(shieldRefused), RefuseTarget: ofTarget(shieldAgainstRefused), Do: deed(doShield)},
	}
}

// checkMoraleRefused says why the morale of a creature's group is not checked.
//
// original.morale.when
func checkMoraleRefused(v *sight) error {
	s, c := v.s, v.c
	switch {
	case s.Status != eventv1.State_STATUS_STARTED:
		return refuse("NOT_STARTED", cite.MoraleWhen, "there is no fight")
	case c.Sheet == nil || sheetOf(c).IsPc:
		return refuse("NO_MONSTER", cite.MoraleWhen, "morale is that of monsters")
	case s.Marks[mMorale+moraleGroup(c)] != "":
		return refuse("MORALE_SETTLED", cite.MoraleTwice, "%s: %s", moraleGroup(c), s.Marks[mMorale+moraleGroup(c)])
	case out(c):
		return refuse("OUT", cite.MoraleWhen, "%s is out of the fight", c.Name)
	}
	return nil
}

func doCheckMorale(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{moraleGroup(c)}}, cite.MoraleWhen)
	rollMorale(r, moraleGroup(c))
	return nil
}

// faceRefused says why a creature does not turn to a foe.
//
// original.condition.partially-surprised
func faceRefused(v *sight, foe *eventv1.Creature) error {
	const rule = cite.ConditionPartiallySurprised
	switch {
	case foe == nil || foe.Side == v.c.Side || dead(foe):
		return refuse("NO_FOE", rule, "there is no foe to face")
	case !is(foe, relFlanks, v.c.Id):
		return refuse("NO_FLANK", rule, "%s is not on the flank of %s", foe.Name, v.c.Name)
	}
	return nil
}

func doFace(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id := take.Targets[0]
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.ConditionPartiallySurprised)
	r.Unrelate(id, relFlanks, c.Id, "faced", cite.ConditionPartiallySurprised)
	return nil
}

// shieldRefused says why a shield cannot be kept for certain foes any more.
//
// original.defense.shield-two-attackers
func shieldRefused(v *sight) error {
	c := v.c
	switch {
	case sheetOf(c).ShieldBonus == 0:
		return refuse("NO_SHIELD", cite.DefenseShieldTwoAttackers, "%s has no shield", c.Name)
	case out(c) || helpless(c) != nil || has(c, condStruggling):
		return refuse("HELPLESS", cite.DefenseShieldTwoAttackers, "%s cannot use a shield", c.Name)
	case surprised(c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case len(shieldedFrom(c)) > 0:
		return refuse("SHIELD_USED", cite.DefenseShieldTwoAttackers, "the shield serves against %v this round", shieldedFrom(c))
	}
	return nil
}

// shieldAgainstRefused says why a shield cannot be kept for a certain foe.
//
// original.defense.shield-two-attackers
func shieldAgainstRefused(v *sight, foe *eventv1.Creature) error {
	if foe == nil || foe.Side == v.c.Side || dead(foe) {
		return refuse("NO_FOE", cite.DefenseShieldTwoAttackers, "a shield serves against living foes")
	}
	return nil
}

func doShield(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.DefenseShieldTwoAttackers)
	for _, id := range take.Targets {
		tieForRound(r, c.Id, relShield, id, cite.DefenseShieldTwoAttackers)
	}
	return nil
}
