package strike

import (
	"github.com/skaldrpg/skald/pkg/content/original/cite"
	"github.com/skaldrpg/skald/pkg/event"
	"github.com/skaldrpg/skald/pkg/rules"
	"github.com/skaldrpg/skald/pkg/rules/original/body"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// ParryRefused says why a creature may not parry: at any time of the round
// before it has attacked it may.
//
// original.action.parry
func ParryRefused(v *Sight) error {
	c := v.C
	switch {
	case body.Out(c) || Helpless(c) != nil:
		return v.Refuse("HELPLESS", cite.ActionParry, "%s cannot defend itself", c.Name)
	case body.Surprised(c):
		return v.Refuse("SURPRISED", cite.SurpriseFreeRound, "%s is surprised", c.Name)
	case body.Has(c, body.CondStruggling):
		return v.Refuse("STRUGGLING", cite.GrappleTieStruggling, "%s cannot use a weapon in a hold", c.Name)
	case c.Counters[body.CAttacks] > 0:
		return v.Refuse("NO_ATTACK", cite.ActionParry, "%s has attacked this round", c.Name)
	}
	if err := body.TooSwift(c); err != nil {
		return err
	}
	if !body.Stumbled(v.S, c) {
		return v.barred()
	}
	// original.fumble.table: who stumbled cannot attack; it can defend itself.
	return barred(v.S, c, v.Unread, body.CondStumbled)
}

// DoParry has the actor parry until the round ends; it stands still no more.
func DoParry(r *rules.Resolution, c *eventv1.Creature, take *eventv1.TakeAction) error {
	r.Emit(event.Everyone(), &eventv1.ActionTaken{Creature: c.Id, Action: take.Action}, cite.ActionParry)
	body.During(r, c.Id, body.CondParrying, cite.ActionParry)
	Stirs(r, c.Id)
	return nil
}
