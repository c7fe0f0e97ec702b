package celesia

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/play"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// begunCoup is the id under which a coup de grace on an unseen foe is under way.
const begunCoup = "coup-de-grace"

// unseenActs is what a coup de grace on a totally concealed foe takes.
//
// celesia.attack.coup-total-concealment
const unseenActs = 6

// coupActions are the coup de grace and, in two parts, that on an unseen foe.
func coupActions() []*action {
	return []*action{
		{Action: play.Action{ID: "coup-de-grace", Title: "Coup de grace", Rule: cite.AttackCoupEligibility, Group: play.GroupAttack, Trigger: "attack", Costs: acts(3),
			Items: ways(weaponNames), Least: 1, Most: 1, Refuse: bars(refuseSeenCoup), RefuseTarget: aimed(refuseSeenCoup),
			Fields: attackFields, Check: judged(checkNature), Do: done(doCoup)}, provoke: always},
		{Action: play.Action{ID: "coup-unseen", Title: "Coup de grace on an unseen foe", Rule: cite.AttackCoupTotalConcealment, Group: play.GroupAttack,
			Trigger: "attack", CostOf: priced(unseenCost), Items: ways(weaponNames), Least: 1, Most: 1, Traits: whole, Refuse: bars(refuseUnseenCoup),
			RefuseTarget: aimed(refuseUnseenCoup), Fields: attackFields, Check: judged(checkNature), Do: paid(doUnseenCoup)}, provoke: always, spans: spanning},
		{Action: play.Action{ID: "finish-coup", Title: "Go on with the coup de grace", Rule: cite.AttackCoupTotalConcealment, Group: play.GroupAttack, Trigger: "attack",
			CostOf: priced(finishCost), Traits: task, Refuse: bars(refuseFinishCoup), Do: paid(doFinishCoup)}},
	}
}

// refuseCoup: only a helpless or pinned opponent, in melee or, with what shoots,
// adjacent, and none that is immune to critical hits, as far as that is known.
//
// celesia.attack.coup-eligibility, celesia.attack.coup-crit-immune
func refuseCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseAttack(s, c, take); err != nil {
		return err
	}
	w := weaponOf(c, take.Item)
	if w.Kind == kindThrown || w.Kind == kindNaturalRanged {
		return refuse("NO_COUP", cite.AttackCoupEligibility, "no coup de grace is made with %s", w.Name)
	}
	t := s.Creatures[target(take)]
	if t == nil {
		return nil
	}
	feet, known := apart(take, c, t)
	switch {
	case !helpless(t) && !has(t, condPinned):
		return refuse("NOT_HELPLESS", cite.AttackCoupEligibility, "%s is neither helpless nor pinned", t.Name)
	case immune(t, immuneCritical):
		return refuse("IMMUNE", cite.AttackCoupCritImmune, "%s is immune to critical hits", t.Name)
	case ranged(w) && known && feet > 5:
		return refuse("OUT_OF_REACH", cite.AttackCoupEligibility, "a ranged weapon needs an adjacent target")
	}
	return nil
}

// concealedTotally is the fact concealment by which a target is not seen at all.
const concealedTotally = "total"

// unseen tells whether a target has total concealment: as stated, or invisible.
func unseen(t *eventv1.Creature, take *eventv1.TakeAction) bool {
	if stated := spoken.Word(take.GetFacts(), "concealment"); stated != "" {
		return stated == concealedTotally
	}
	return has(t, condInvisible)
}

func refuseSeenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && unseen(t, take) {
		return refuse("UNSEEN", cite.AttackCoupTotalConcealment, "%s is not seen: that takes %d acts", t.Name, unseenActs)
	}
	return nil
}

func refuseUnseenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[target(take)]; t != nil && !unseen(t, take) {
		return refuse("SEEN", cite.AttackCoupTotalConcealment, "%s is in plain sight", t.Name)
	}
	return nil
}

// unseenCost is what is left of the turn, up to the acts that it takes: they
// follow each other over as many turns as it needs.
func unseenCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(unseenActs, int32(c.Counters[cActs])))
}

func finishCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(actsLeft(begunByID(c, begunCoup)), int32(c.Counters[cActs])))
}

// doCoup always hits, always critically.
//
// celesia.attack.coup-auto-critical
func doCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	w, t := weaponOf(c, take.Item), r.Creature(target(take))
	a := attack{by: c.Id, target: t.Id, weapon: w, label: "coup", take: take}
	r.Emit(event.Everyone(), &eventv1.Attack{Attacker: c.Id, Target: t.Id, Weapon: w.Name, Outcome: "critical", Note: "coup de grace: no roll"},
		cite.AttackCoupAutoCritical)
	harm(r, a, 0, true, deedCoup)
	return nil
}

// doUnseenCoup begins to feel for the foe.
//
// celesia.attack.coup-total-concealment
func doUnseenCoup(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction, acts int32) error {
	if acts >= unseenActs {
		return doCoup(r, c, take)
	}
	coming := &eventv1.TakeAction{Creature: c.Id, Action: "coup-de-grace", Item: take.Item, Targets: []string{target(take)}}
	if spoken.Word(take.GetParameters(), "damage") == natureNonlethal {
		coming.Parameters = paramStruct("damage", natureNonlethal)
	}
	setCoup(r, coming, acts)
	return nil
}

// setCoup tells how far a coup de grace has come, which everyone sees.
func setCoup(r *rules.Resolution, coming *eventv1.TakeAction, done int32) {
	r.Emit(event.Everyone(), &eventv1.BegunSet{Creature: coming.Creature, Begun: &eventv1.Begun{Id: begunCoup, Kind: begunUnderway, Action: coming,
		Done: done, Needed: unseenActs, Counter: cActs, Rule: cite.AttackCoupTotalConcealment}}, cite.AttackCoupTotalConcealment)
}

// endCoup ends a coup de grace under way, if there is one.
func endCoup(r *rules.Resolution, id, outcome string) {
	if begunByID(r.Creature(id), begunCoup) != nil {
		r.Emit(event.Everyone(), &eventv1.BegunEnded{Creature: id, Id: begunCoup, Outcome: outcome}, cite.AttackCoupTotalConcealment)
	}
}

// refuseFinishCoup: it must be under way, and still possible.
func refuseFinishCoup(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	take := begunByID(c, begunCoup).GetAction()
	if take == nil {
		return refuse("NOTHING_UNDER_WAY", cite.AttackCoupTotalConcealment, "%s feels for nobody", c.Name)
	}
	if dead(s.Creatures[target(take)]) {
		return refuse("TARGET_DEAD", cite.AttackCoupTotalConcealment, "the foe is dead or gone")
	}
	return refuseCoup(s, c, take)
}

// doFinishCoup puts further acts in; the blow falls with the last.
//
// celesia.attack.coup-total-concealment
func doFinishCoup(r *rules.Resolution, c *eventv1.Creature, _ *eventv1.TakeAction, acts int32) error {
	b := begunByID(c, begunCoup)
	if done := b.Done + acts; done < b.Needed {
		setCoup(r, b.Action, done)
		return nil
	}
	endCoup(r, c.Id, "done")
	return doCoup(r, r.Creature(c.Id), b.Action)
}
