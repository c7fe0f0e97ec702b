package strike

import (
	"github.com/skaldrpg/skald/pkg/content/celesia/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/celesia/answers"
	"github.com/skaldrpg/skald/pkg/rules/celesia/body"
	"github.com/skaldrpg/skald/pkg/rules/spoken"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// UnseenActs is what a coup de grace on a totally concealed foe takes.
//
// celesia.attack.coup-total-concealment
const UnseenActs = 6

// refuseCoup: only a helpless or pinned opponent, in melee or, with what shoots,
// adjacent, and none that is immune to critical hits, as far as that is known.
//
// celesia.attack.coup-eligibility, celesia.attack.coup-crit-immune
func refuseCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := RefuseAttack(s, c, take); err != nil {
		return err
	}
	w := body.WeaponOf(c, take.Item)
	if w.Kind == body.KindThrown || w.Kind == body.KindNaturalRanged {
		return body.Refuse("NO_COUP", cite.AttackCoupEligibility, "no coup de grace is made with %s", w.Name)
	}
	t := s.Creatures[body.Target(take)]
	if t == nil {
		return nil
	}
	feet, _ := body.Apart(take, c, t)
	switch {
	case !Helpless(t) && !body.Has(t, body.CondPinned):
		return body.Refuse("NOT_HELPLESS", cite.AttackCoupEligibility, "%s is neither helpless nor pinned", t.Name)
	case body.Immune(t, body.ImmuneCritical):
		return body.Refuse("IMMUNE", cite.AttackCoupCritImmune, "%s is immune to critical hits", t.Name)
	case body.Ranged(w) && feet > 5:
		return body.Refuse("OUT_OF_REACH", cite.AttackCoupEligibility, "a ranged weapon needs an adjacent target")
	}
	return nil
}

// ConcealedTotally is the fact concealment by which a target is not seen at all.
const ConcealedTotally = "total"

// unseen tells whether a target has total concealment: as stated, or invisible.
func unseen(t *eventv1.Creature, take *eventv1.TakeAction) bool {
	if stated := spoken.Word(take.GetFacts(), "concealment"); stated != "" {
		return stated == ConcealedTotally
	}
	return body.Has(t, body.CondInvisible)
}

// RefuseSeenCoup says why no coup de grace can be made on a foe in sight; one with
// total concealment takes UnseenActs.
func RefuseSeenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && unseen(t, take) {
		return body.Refuse("UNSEEN", cite.AttackCoupTotalConcealment, "%s is not seen: that takes %d acts", t.Name, UnseenActs)
	}
	return nil
}

// RefuseUnseenCoup says why no coup de grace can be made on a foe with total
// concealment; one in plain sight is refused.
func RefuseUnseenCoup(s *eventv1.State, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := refuseCoup(s, c, take); err != nil {
		return err
	}
	if t := s.Creatures[body.Target(take)]; t != nil && !unseen(t, take) {
		return body.Refuse("SEEN", cite.AttackCoupTotalConcealment, "%s is in plain sight", t.Name)
	}
	return nil
}

// UnseenCost is what is left of the turn, up to the acts that it takes: they
// follow each other over as many turns as it needs.
func UnseenCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(UnseenActs, int32(c.Counters[body.CActs])))
}

// FinishCost is how many acts the coup de grace still takes, no more than the turn
// has left and at least 1.
func FinishCost(c *eventv1.Creature, _ *eventv1.TakeAction) int32 {
	return max(1, min(answers.ActsLeft(answers.BegunByID(c, answers.BegunCoup)), int32(c.Counters[body.CActs])))
}

// SetCoup tells how far a coup de grace has come, which everyone sees.
func SetCoup(r *rules.Resolution, coming *eventv1.TakeAction, done int32) {
	r.Emit(event.Everyone(), &eventv1.BegunSet{Creature: coming.Creature, Begun: &eventv1.Begun{Id: answers.BegunCoup, Kind: body.BegunUnderway, Action: coming,
		Done: done, Needed: UnseenActs, Counter: body.CActs, Rule: cite.AttackCoupTotalConcealment}}, cite.AttackCoupTotalConcealment)
}

// RefuseFinishCoup: it must be under way, and still possible.
func RefuseFinishCoup(s *eventv1.State, c *eventv1.Creature, _ *eventv1.TakeAction) error {
	take := answers.BegunByID(c, answers.BegunCoup).GetAction()
	if take == nil {
		return body.Refuse("NOTHING_UNDER_WAY", cite.AttackCoupTotalConcealment, "%s feels for nobody", c.Name)
	}
	if body.Dead(s.Creatures[body.Target(take)]) {
		return body.Refuse("TARGET_DEAD", cite.AttackCoupTotalConcealment, "the foe is dead or gone")
	}
	return refuseCoup(s, c, take)
}
