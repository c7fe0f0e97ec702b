package rules

import (
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Bookkeeper is a system some of whose relations, things begun and conditions only
// keep its books: who was in whose reach, what was declared beside the action that says
// so. A log for people leaves them out unless it is asked for all.
type Bookkeeper interface {
	// KeepsBooks tells whether a relation or a thing begun of a kind, or a condition or
	// a phase of a name, is of that sort. It must not depend on the fight: that would tell of it.
	KeepsBooks(kind FactKind, name string) bool
}

// markBooks marks an event that only keeps the books of the system, before it is folded.
func (r *Resolution) markBooks(e *eventv1.Event) {
	keeper, ok := r.sys.(Bookkeeper)
	if !ok {
		return
	}
	switch w := e.What.(type) {
	case *eventv1.Event_Relation:
		e.Bookkeeping = keeper.KeepsBooks(FactRelation, w.Relation.Relation.GetKind())
	case *eventv1.Event_RelationEnded:
		e.Bookkeeping = keeper.KeepsBooks(FactRelation, w.RelationEnded.Kind)
	case *eventv1.Event_Begun:
		e.Bookkeeping = keeper.KeepsBooks(FactBegun, w.Begun.Begun.GetKind())
	case *eventv1.Event_BegunEnded:
		e.Bookkeeping = keeper.KeepsBooks(FactBegun, begunKind(r.Creature(w.BegunEnded.Creature), w.BegunEnded.Id))
	case *eventv1.Event_PhaseStarted:
		e.Bookkeeping = keeper.KeepsBooks(FactPhase, w.PhaseStarted.Phase)
	case *eventv1.Event_ConditionAdded:
		e.Bookkeeping = keeper.KeepsBooks(FactCondition, w.ConditionAdded.Condition.GetName())
	case *eventv1.Event_ConditionRemoved:
		e.Bookkeeping = keeper.KeepsBooks(FactCondition, w.ConditionRemoved.Name)
	}
}

// begunKind is the kind of what a creature has begun under an id.
func begunKind(c *eventv1.Creature, id string) string {
	for _, b := range c.GetBegun() {
		if b.Id == id {
			return b.Kind
		}
	}
	return id
}
