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

// setWhat puts the message into the event; false when it is not in the vocabulary.
// What most events hold is put there without reflection.
func setWhat(e *eventv1.Event, what proto.Message) bool {
	switch m := what.(type) {
	case *eventv1.Roll:
		e.What = &eventv1.Event_Roll{Roll: m}
	case *eventv1.Attack:
		e.What = &eventv1.Event_Attack{Attack: m}
	case *eventv1.Damage:
		e.What = &eventv1.Event_Damage{Damage: m}
	case *eventv1.Healing:
		e.What = &eventv1.Event_Healing{Healing: m}
	case *eventv1.HitPoints:
		e.What = &eventv1.Event_HitPoints{HitPoints: m}
	case *eventv1.LifeChanged:
		e.What = &eventv1.Event_Life{Life: m}
	case *eventv1.CounterSet:
		e.What = &eventv1.Event_Counter{Counter: m}
	case *eventv1.MarkSet:
		e.What = &eventv1.Event_Mark{Mark: m}
	case *eventv1.ConditionAdded:
		e.What = &eventv1.Event_ConditionAdded{ConditionAdded: m}
	case *eventv1.ConditionRemoved:
		e.What = &eventv1.Event_ConditionRemoved{ConditionRemoved: m}
	case *eventv1.InjuryAdded:
		e.What = &eventv1.Event_InjuryAdded{InjuryAdded: m}
	case *eventv1.Moved:
		e.What = &eventv1.Event_Moved{Moved: m}
	case *eventv1.ItemChanged:
		e.What = &eventv1.Event_Item{Item: m}
	case *eventv1.ActionTaken:
		e.What = &eventv1.Event_Action{Action: m}
	case *eventv1.TurnStarted:
		e.What = &eventv1.Event_TurnStarted{TurnStarted: m}
	case *eventv1.TurnEnded:
		e.What = &eventv1.Event_TurnEnded{TurnEnded: m}
	case *eventv1.DecisionRequested:
		e.What = &eventv1.Event_DecisionRequested{DecisionRequested: m}
	case *eventv1.DecisionAnswered:
		e.What = &eventv1.Event_DecisionAnswered{DecisionAnswered: m}
	case *eventv1.TaskSet:
		e.What = &eventv1.Event_Task{Task: m}
	case *eventv1.TaskEnded:
		e.What = &eventv1.Event_TaskEnded{TaskEnded: m}
	case *eventv1.RoundStarted:
		e.What = &eventv1.Event_RoundStarted{RoundStarted: m}
	case *eventv1.RoundEnded:
		e.What = &eventv1.Event_RoundEnded{RoundEnded: m}
	case *eventv1.PhaseStarted:
		e.What = &eventv1.Event_PhaseStarted{PhaseStarted: m}
	case *eventv1.InitiativeSet:
		e.What = &eventv1.Event_InitiativeSet{InitiativeSet: m}
	case *eventv1.InitiativeCleared:
		e.What = &eventv1.Event_InitiativeCleared{InitiativeCleared: m}
	case *eventv1.InjuryRemoved:
		e.What = &eventv1.Event_InjuryRemoved{InjuryRemoved: m}
	case *eventv1.RelationSet:
		e.What = &eventv1.Event_Relation{Relation: m}
	case *eventv1.RelationEnded:
		e.What = &eventv1.Event_RelationEnded{RelationEnded: m}
	case *eventv1.BegunSet:
		e.What = &eventv1.Event_Begun{Begun: m}
	case *eventv1.BegunEnded:
		e.What = &eventv1.Event_BegunEnded{BegunEnded: m}
	case *eventv1.Note:
		e.What = &eventv1.Event_Note{Note: m}
	default:
		return setByName(e, what)
	}
	return true
}

func setByName(e *eventv1.Event, what proto.Message) bool {
	m := what.ProtoReflect()
	f, ok := vocabulary[m.Descriptor().FullName()]
	if ok {
		e.ProtoReflect().Set(f, protoreflect.ValueOfMessage(m))
	}
	return ok
}
