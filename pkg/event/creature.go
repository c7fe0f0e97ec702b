package event

import (
	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// subject is the creature that an event about one creature is about.
func subject(e *eventv1.Event) string {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_SheetSet:
		return w.SheetSet.Creature
	case *eventv1.Event_InitiativeSet:
		return w.InitiativeSet.Creature
	case *eventv1.Event_InitiativeCleared:
		return w.InitiativeCleared.Creature
	case *eventv1.Event_HitPoints:
		return w.HitPoints.Creature
	case *eventv1.Event_Life:
		return w.Life.Creature
	case *eventv1.Event_ConditionAdded:
		return w.ConditionAdded.Creature
	case *eventv1.Event_ConditionRemoved:
		return w.ConditionRemoved.Creature
	case *eventv1.Event_InjuryAdded:
		return w.InjuryAdded.Creature
	case *eventv1.Event_InjuryRemoved:
		return w.InjuryRemoved.Creature
	case *eventv1.Event_Moved:
		return w.Moved.Creature
	case *eventv1.Event_Item:
		return w.Item.Creature
	case *eventv1.Event_StandingOrder:
		return w.StandingOrder.Creature
	case *eventv1.Event_Order:
		return w.Order.Order.GetCreature()
	case *eventv1.Event_Controllers:
		return w.Controllers.Creature
	case *eventv1.Event_Learned:
		return w.Learned.About
	case *eventv1.Event_Staged:
		return w.Staged.Creature
	case *eventv1.Event_Relation:
		return w.Relation.Creature
	case *eventv1.Event_RelationEnded:
		return w.RelationEnded.Creature
	case *eventv1.Event_Begun:
		return w.Begun.Creature
	case *eventv1.Event_BegunEnded:
		return w.BegunEnded.Creature
	}
	return ""
}

// foldCreature folds the events that are about one creature.
func foldCreature(s *eventv1.State, e *eventv1.Event) {
	c := s.Creatures[subject(e)]
	if c == nil {
		return // I1: nothing to change
	}
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_SheetSet:
		c.Sheet = w.SheetSet.Sheet
	case *eventv1.Event_Controllers:
		c.Controllers = w.Controllers.Controllers
	case *eventv1.Event_InitiativeSet:
		i := w.InitiativeSet
		c.Initiative = append(dropRound(c.Initiative, i.Round, s.Round),
			&eventv1.Initiative{Round: i.Round, Total: i.Total, Tiebreak: i.Tiebreak})
	case *eventv1.Event_InitiativeCleared:
		c.Initiative = dropRound(c.Initiative, w.InitiativeCleared.Round, s.Round)
	case *eventv1.Event_HitPoints:
		h := w.HitPoints
		c.Hp, c.HpMax, c.HpTemp = proto.Int32(h.Hp), proto.Int32(h.Max), proto.Int32(h.Temp)
	case *eventv1.Event_Life:
		c.Life = w.Life.Status
	case *eventv1.Event_Staged:
		c.Staged, c.KnownTo = w.Staged.Staged, w.Staged.KnownTo
	case *eventv1.Event_Moved:
		c.Position = w.Moved.To
	case *eventv1.Event_Item:
		c.Items[w.Item.Item] = &eventv1.ItemState{Place: w.Item.Place, Values: w.Item.Values, At: w.Item.At, Position: w.Item.Position}
	case *eventv1.Event_StandingOrder:
		c.StandingOrders[w.StandingOrder.Decision] = w.StandingOrder.Order
	case *eventv1.Event_Learned:
		// order-free: a map is copied into a map
		for k, v := range w.Learned.Facts {
			c.Learned[k] = v
		}
	default:
		foldBody(c, e)
	}
}

// foldBody folds conditions and injuries; an event that holds none adds none.
func foldBody(c *eventv1.Creature, e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_ConditionAdded:
		if x := w.ConditionAdded.Condition; x != nil {
			c.Conditions = append(dropCondition(c.Conditions, x.Id), x)
		}
	case *eventv1.Event_ConditionRemoved:
		c.Conditions = dropCondition(c.Conditions, w.ConditionRemoved.Id)
	case *eventv1.Event_InjuryAdded:
		if x := w.InjuryAdded.Injury; x != nil {
			c.Injuries = append(dropInjury(c.Injuries, x.Id), x)
		}
	case *eventv1.Event_InjuryRemoved:
		c.Injuries = dropInjury(c.Injuries, w.InjuryRemoved.Id)
	default:
		foldTies(c, e)
	}
}

// foldTies folds what a creature is to others and what it has begun.
func foldTies(c *eventv1.Creature, e *eventv1.Event) {
	switch w := e.GetWhat().(type) {
	case *eventv1.Event_Relation:
		if x := w.Relation.Relation; x != nil {
			c.Relations = append(dropRelation(c.Relations, x.Kind, x.To), x)
		}
	case *eventv1.Event_RelationEnded:
		c.Relations = none(dropRelation(c.Relations, w.RelationEnded.Kind, w.RelationEnded.To))
	case *eventv1.Event_Begun:
		if x := w.Begun.Begun; x != nil {
			c.Begun = append(dropBegun(c.Begun, x.Id), x)
		}
	case *eventv1.Event_BegunEnded:
		c.Begun = none(dropBegun(c.Begun, w.BegunEnded.Id))
	}
}

// dropRelation leaves out the relation of a kind to a creature; to nobody named
// leaves out those of the kind to all.
func dropRelation(list []*eventv1.Relation, kind, to string) []*eventv1.Relation {
	out := make([]*eventv1.Relation, 0, len(list)+1)
	for _, r := range list {
		if r.Kind != kind || to != "" && r.To != to {
			out = append(out, r)
		}
	}
	return out
}

func dropBegun(list []*eventv1.Begun, id string) []*eventv1.Begun {
	out := make([]*eventv1.Begun, 0, len(list)+1)
	for _, b := range list {
		if b.Id != id {
			out = append(out, b)
		}
	}
	return out
}

// none is a list, nil when it is empty.
func none[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

// dropRound leaves out the entry of a round and those of rounds long past.
func dropRound(list []*eventv1.Initiative, round, now int32) []*eventv1.Initiative {
	out := make([]*eventv1.Initiative, 0, len(list)+1)
	for _, i := range list {
		if i.Round != round && i.Round >= now {
			out = append(out, i)
		}
	}
	return out
}

func dropCondition(list []*eventv1.Condition, id string) []*eventv1.Condition {
	out := make([]*eventv1.Condition, 0, len(list)+1)
	for _, c := range list {
		if c.Id != id {
			out = append(out, c)
		}
	}
	return out
}

func dropInjury(list []*eventv1.Injury, id string) []*eventv1.Injury {
	out := make([]*eventv1.Injury, 0, len(list)+1)
	for _, i := range list {
		if i.Id != id {
			out = append(out, i)
		}
	}
	return out
}
