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
func setWhat(e *eventv1.Event, what proto.Message) bool {
	m := what.ProtoReflect()
	f, ok := vocabulary[m.Descriptor().FullName()]
	if ok {
		e.ProtoReflect().Set(f, protoreflect.ValueOfMessage(m))
	}
	return ok
}
