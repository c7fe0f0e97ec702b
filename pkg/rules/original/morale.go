package original

import (
	"slices"

	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// members lists a group of monsters, the dead among them.
func members(s *eventv1.State, group string) []string {
	var ids []string
	for _, id := range present(s) {
		if c := s.Creatures[id]; !sheetOf(c).IsPc && c.Sheet != nil && moraleGroup(c) == group {
			ids = append(ids, id)
		}
	}
	return ids
}

// stagedOf lists the members of a group that are there unseen.
func stagedOf(s *eventv1.State, group string) []string {
	return slices.DeleteFunc(members(s, group), func(id string) bool { return !s.Creatures[id].Staged })
}

// unseen tells whether all of a group that there are are there unseen.
func unseen(s *eventv1.State, group string) bool {
	n := len(stagedOf(s, group))
	return n > 0 && n == len(members(s, group))
}

// groups lists the groups of monsters in order.
func groups(s *eventv1.State) []string {
	var list []string
	for _, id := range present(s) {
		if c := s.Creatures[id]; !sheetOf(c).IsPc && c.Sheet != nil && !slices.Contains(list, moraleGroup(c)) {
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

// checkMorale makes every check that is owed; two causes at one moment are one
// check.
//
// original.morale.when
func checkMorale(r *rules.Resolution) {
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
func tableActions() []*action {
	return []*action{
		{id: actCheckMorale, title: "Check morale after a great upset", anytime: true, do: doCheckMorale,
			options: func(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
				return []*eventv1.Option{option("", checkMoraleRefused(s, c))}
			}},
		reactionAction(),
		{id: "face", title: "Turn to a flanking foe", options: faceOptions, do: doFace},
		{id: "shield", title: "Name the two foes the shield is for", anytime: true, options: shieldOptions, do: doShield},
	}
}

// checkMoraleRefused says why the morale of a creature's group is not checked.
//
// original.morale.when
func checkMoraleRefused(s *eventv1.State, c *eventv1.Creature) error {
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
	if err := checkMoraleRefused(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Notes: []string{moraleGroup(c)}}, cite.MoraleWhen)
	rollMorale(r, moraleGroup(c))
	return nil
}

// faceOptions lists the foes on a creature's flank.
//
// original.condition.partially-surprised
func faceOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	return []*eventv1.Option{targeted("", foes(s, c), func(id string) error { return faceRefused(c, s.Creatures[id]) })}
}

func faceRefused(c, foe *eventv1.Creature) error {
	const rule = cite.ConditionPartiallySurprised
	switch {
	case foe == nil || foe.Side == c.Side || dead(foe):
		return refuse("NO_FOE", rule, "there is no foe to face")
	case c.Marks[mFlank+foe.Id] == "":
		return refuse("NO_FLANK", rule, "%s is not on the flank of %s", foe.Name, c.Name)
	}
	return nil
}

func doFace(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	id, err := oneTarget(take)
	if err != nil {
		return err
	}
	if err := faceRefused(c, r.Creature(id)); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.ConditionPartiallySurprised)
	r.Mark(c.Id, mFlank+id, "", cite.ConditionPartiallySurprised)
	return nil
}

// shieldRefused says why a shield cannot be kept for certain foes any more.
//
// original.defense.shield-two-attackers
func shieldRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case sheetOf(c).ShieldBonus == 0:
		return refuse("NO_SHIELD", cite.DefenseShieldTwoAttackers, "%s has no shield", c.Name)
	case out(c) || helpless(c) != nil || has(c, condStruggling):
		return refuse("HELPLESS", cite.DefenseShieldTwoAttackers, "%s cannot use a shield", c.Name)
	case surprised(s, c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case len(shieldedFrom(s, c)) > 0:
		return refuse("SHIELD_USED", cite.DefenseShieldTwoAttackers, "the shield serves against %v this round", shieldedFrom(s, c))
	}
	return nil
}

// shieldAgainstRefused says why a shield cannot be kept for a certain foe.
//
// original.defense.shield-two-attackers
func shieldAgainstRefused(s *eventv1.State, c, foe *eventv1.Creature) error {
	if err := shieldRefused(s, c); err != nil {
		return err
	}
	if foe == nil || foe.Side == c.Side || dead(foe) {
		return refuse("NO_FOE", cite.DefenseShieldTwoAttackers, "a shield serves against living foes")
	}
	return nil
}

func shieldOptions(s *eventv1.State, c *eventv1.Creature) []*eventv1.Option {
	o := targeted("", foes(s, c), func(id string) error { return shieldAgainstRefused(s, c, s.Creatures[id]) })
	o.MaximumTargets = max(1, min(2, int32(len(o.Targets))))
	return []*eventv1.Option{o}
}

func doShield(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := shieldRefused(r.State(), c); err != nil {
		return err
	}
	if n := len(take.Targets); n < 1 || n > 2 {
		return fault.Field("take.targets", "one or two, not %d", n)
	}
	list := ""
	for i, id := range take.Targets {
		if err := shieldAgainstRefused(r.State(), c, r.Creature(id)); err != nil {
			return err
		}
		if slices.Contains(take.Targets[:i], id) {
			return fault.Field("take.targets["+itoa(i)+"]", "%q is named twice", id)
		}
		if i > 0 {
			list += ","
		}
		list += id
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action, Targets: take.Targets}, cite.DefenseShieldTwoAttackers)
	r.Mark(c.Id, mShield, itoa(r.State().Round)+":"+list, cite.DefenseShieldTwoAttackers)
	return nil
}
