package event

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// vocabulary finds the field of Event that holds a message by its name.
var vocabulary = func() map[protoreflect.FullName]protoreflect.FieldDescriptor {
	fields := (&eventv1.Event{}).ProtoReflect().Descriptor().Oneofs().ByName("what").Fields()
	out := make(map[protoreflect.FullName]protoreflect.FieldDescriptor, fields.Len())
	for i := range fields.Len() {
		out[fields.Get(i).Message().FullName()] = fields.Get(i)
	}
	return out
}()

// holding is an event with the wrapping of what it holds, made at once.
type holding[W any] struct {
	event eventv1.Event
	what  W
}

// with is an event that holds a message; nil when it is not in the vocabulary. What most
// events hold is put there without reflection.
func with(what proto.Message) *eventv1.Event {
	switch m := what.(type) {
	case *eventv1.Roll:
		e := &holding[eventv1.Event_Roll]{}
		e.what.Roll, e.event.What = m, &e.what
		return &e.event
	case *eventv1.Attack:
		e := &holding[eventv1.Event_Attack]{}
		e.what.Attack, e.event.What = m, &e.what
		return &e.event
	case *eventv1.Damage:
		e := &holding[eventv1.Event_Damage]{}
		e.what.Damage, e.event.What = m, &e.what
		return &e.event
	case *eventv1.Healing:
		e := &holding[eventv1.Event_Healing]{}
		e.what.Healing, e.event.What = m, &e.what
		return &e.event
	case *eventv1.HitPoints:
		e := &holding[eventv1.Event_HitPoints]{}
		e.what.HitPoints, e.event.What = m, &e.what
		return &e.event
	case *eventv1.LifeChanged:
		e := &holding[eventv1.Event_Life]{}
		e.what.Life, e.event.What = m, &e.what
		return &e.event
	case *eventv1.CounterSet:
		e := &holding[eventv1.Event_Counter]{}
		e.what.Counter, e.event.What = m, &e.what
		return &e.event
	case *eventv1.MarkSet:
		e := &holding[eventv1.Event_Mark]{}
		e.what.Mark, e.event.What = m, &e.what
		return &e.event
	case *eventv1.ConditionAdded:
		e := &holding[eventv1.Event_ConditionAdded]{}
		e.what.ConditionAdded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.ConditionRemoved:
		e := &holding[eventv1.Event_ConditionRemoved]{}
		e.what.ConditionRemoved, e.event.What = m, &e.what
		return &e.event
	case *eventv1.InjuryAdded:
		e := &holding[eventv1.Event_InjuryAdded]{}
		e.what.InjuryAdded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.Moved:
		e := &holding[eventv1.Event_Moved]{}
		e.what.Moved, e.event.What = m, &e.what
		return &e.event
	case *eventv1.ItemChanged:
		e := &holding[eventv1.Event_Item]{}
		e.what.Item, e.event.What = m, &e.what
		return &e.event
	case *eventv1.ActionTaken:
		e := &holding[eventv1.Event_Action]{}
		e.what.Action, e.event.What = m, &e.what
		return &e.event
	case *eventv1.TurnStarted:
		e := &holding[eventv1.Event_TurnStarted]{}
		e.what.TurnStarted, e.event.What = m, &e.what
		return &e.event
	case *eventv1.TurnEnded:
		e := &holding[eventv1.Event_TurnEnded]{}
		e.what.TurnEnded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.DecisionRequested:
		e := &holding[eventv1.Event_DecisionRequested]{}
		e.what.DecisionRequested, e.event.What = m, &e.what
		return &e.event
	case *eventv1.DecisionAnswered:
		e := &holding[eventv1.Event_DecisionAnswered]{}
		e.what.DecisionAnswered, e.event.What = m, &e.what
		return &e.event
	case *eventv1.TaskSet:
		e := &holding[eventv1.Event_Task]{}
		e.what.Task, e.event.What = m, &e.what
		return &e.event
	case *eventv1.TaskEnded:
		e := &holding[eventv1.Event_TaskEnded]{}
		e.what.TaskEnded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.RoundStarted:
		e := &holding[eventv1.Event_RoundStarted]{}
		e.what.RoundStarted, e.event.What = m, &e.what
		return &e.event
	case *eventv1.RoundEnded:
		e := &holding[eventv1.Event_RoundEnded]{}
		e.what.RoundEnded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.PhaseStarted:
		e := &holding[eventv1.Event_PhaseStarted]{}
		e.what.PhaseStarted, e.event.What = m, &e.what
		return &e.event
	case *eventv1.InitiativeSet:
		e := &holding[eventv1.Event_InitiativeSet]{}
		e.what.InitiativeSet, e.event.What = m, &e.what
		return &e.event
	case *eventv1.InitiativeCleared:
		e := &holding[eventv1.Event_InitiativeCleared]{}
		e.what.InitiativeCleared, e.event.What = m, &e.what
		return &e.event
	case *eventv1.InjuryRemoved:
		e := &holding[eventv1.Event_InjuryRemoved]{}
		e.what.InjuryRemoved, e.event.What = m, &e.what
		return &e.event
	case *eventv1.RelationSet:
		e := &holding[eventv1.Event_Relation]{}
		e.what.Relation, e.event.What = m, &e.what
		return &e.event
	case *eventv1.RelationEnded:
		e := &holding[eventv1.Event_RelationEnded]{}
		e.what.RelationEnded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.BegunSet:
		e := &holding[eventv1.Event_Begun]{}
		e.what.Begun, e.event.What = m, &e.what
		return &e.event
	case *eventv1.BegunEnded:
		e := &holding[eventv1.Event_BegunEnded]{}
		e.what.BegunEnded, e.event.What = m, &e.what
		return &e.event
	case *eventv1.Note:
		e := &holding[eventv1.Event_Note]{}
		e.what.Note, e.event.What = m, &e.what
		return &e.event
	}
	return byName(what)
}

func byName(what proto.Message) *eventv1.Event {
	m := what.ProtoReflect()
	f, ok := vocabulary[m.Descriptor().FullName()]
	if !ok {
		return nil
	}
	e := &eventv1.Event{}
	e.ProtoReflect().Set(f, protoreflect.ValueOfMessage(m))
	return e
}
