package render

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/text"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// called is a message with what people are called in the place of their ids, which
// stand behind it in brackets. Without names it is the message itself.
func called[M proto.Message](persons map[string]string, m M) M {
	if len(persons) == 0 {
		return m
	}
	out := proto.Clone(m)
	rename(persons, out.ProtoReflect())
	return out.(M) //nolint:forcetypeassert // it is a clone
}

func rename(persons map[string]string, m protoreflect.Message) {
	if p, ok := m.Interface().(*eventv1.Principal); ok {
		if name := persons[p.Name]; name != "" && p.Name != "" {
			p.Name = text.Escape(name) + " [" + p.Name + "]"
		}
		return
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.Message() == nil:
		case fd.IsMap():
			if fd.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					rename(persons, v.Message())
					return true
				})
			}
		case fd.IsList():
			for i := range v.List().Len() {
				rename(persons, v.List().Get(i).Message())
			}
		default:
			rename(persons, v.Message())
		}
		return true
	})
}
