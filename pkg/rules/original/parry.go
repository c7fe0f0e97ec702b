package original

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// parryRefused says why a creature may not parry: at any time of the round
// before it has attacked it may.
//
// original.action.parry
func parryRefused(s *eventv1.State, c *eventv1.Creature) error {
	switch {
	case out(c) || helpless(c) != nil:
		return refuse("HELPLESS", cite.ActionParry, "%s cannot defend itself", c.Name)
	case surprised(s, c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case has(c, condStruggling):
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", c.Name)
	case c.Counters[cAttacks] > 0:
		return refuse("NO_ATTACK", cite.ActionParry, "%s has attacked this round", c.Name)
	}
	if err := tooSwift(s, c); err != nil {
		return err
	}
	return barred(s, c)
}

func doParry(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	if err := parryRefused(r.State(), c); err != nil {
		return err
	}
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionParry)
	r.Mark(c.Id, mParrying, itoa(r.State().Round), cite.ActionParry)
	stirs(r, c.Id)
	return nil
}
