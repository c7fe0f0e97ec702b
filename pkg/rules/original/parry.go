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
func parryRefused(v *sight) error {
	c := v.c
	switch {
	case out(c) || helpless(c) != nil:
		return refuse("HELPLESS", cite.ActionParry, "%s cannot defend itself", c.Name)
	case surprised(c):
		return refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case has(c, condStruggling):
		return refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", c.Name)
	case c.Counters[cAttacks] > 0:
		return refuse("NO_ATTACK", cite.ActionParry, "%s has attacked this round", c.Name)
	}
	if err := tooSwift(c); err != nil {
		return err
	}
	return v.barred()
}

func doParry(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionParry)
	during(r, c.Id, condParrying, cite.ActionParry)
	stirs(r, c.Id)
	return nil
}
