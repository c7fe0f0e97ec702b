package render

import (
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/text"
)

// Safe is a message whose texts may stand on a line of a terminal, for those who
// print parts of it by themselves; everything else in this package does that to
// what it is given.
func Safe[M proto.Message](m M) M { return safe(m) }

// safe is a message whose texts may stand on a line of a terminal: what may not
// is written as a visible escape (see text.Escape). So no name, note or reason
// can end a line, make one of its own, or speak to the terminal. The message
// itself is not changed, and comes back as it is when nothing is to be done,
// which is nearly always.
func safe[M proto.Message](m M) M { return safeBy(m, text.Escape) }

// safeLines is safe for texts of several lines: line ends stay.
func safeLines[M proto.Message](m M) M { return safeBy(m, text.EscapeLines) }

func safeBy[M proto.Message](m M, escape func(string) string) M {
	if !m.ProtoReflect().IsValid() || !unsafe(m.ProtoReflect(), escape) {
		return m
	}
	out := proto.CloneOf(m)
	rewrite(out.ProtoReflect(), escape)
	return out
}

// safeAll is safe for each of several.
func safeAll[M proto.Message](all []M) []M {
	out := make([]M, len(all))
	for i, m := range all {
		out[i] = safe(m)
	}
	return out
}

// unsafe tells whether any text of a message would be written otherwise.
func unsafe(m protoreflect.Message, escape func(string) string) bool {
	found := false
	each := func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch fd.Kind() {
		case protoreflect.StringKind:
			found = found || escape(v.String()) != v.String()
		case protoreflect.MessageKind, protoreflect.GroupKind:
			found = found || unsafe(v.Message(), escape)
		}
		return !found
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				if fd.MapKey().Kind() == protoreflect.StringKind && escape(k.String()) != k.String() {
					found = true
				}
				return each(fd.MapValue(), v)
			})
		case fd.IsList():
			for i := 0; i < v.List().Len() && !found; i++ {
				each(fd, v.List().Get(i))
			}
		default:
			each(fd, v)
		}
		return !found
	})
	return found
}

// rewrite escapes every text of a message in place.
func rewrite(m protoreflect.Message, escape func(string) string) {
	value := func(fd protoreflect.FieldDescriptor, v protoreflect.Value) (protoreflect.Value, bool) {
		switch fd.Kind() {
		case protoreflect.StringKind:
			return protoreflect.ValueOfString(escape(v.String())), true
		case protoreflect.MessageKind, protoreflect.GroupKind:
			rewrite(v.Message(), escape)
		}
		return v, false
	}
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case fd.IsMap():
			rewriteMap(fd, v.Map(), value, escape)
		case fd.IsList():
			for i := range v.List().Len() {
				if changed, ok := value(fd, v.List().Get(i)); ok {
					v.List().Set(i, changed)
				}
			}
		default:
			if changed, ok := value(fd, v); ok {
				m.Set(fd, changed)
			}
		}
		return true
	})
}

func rewriteMap(fd protoreflect.FieldDescriptor, m protoreflect.Map, value func(protoreflect.FieldDescriptor, protoreflect.Value) (protoreflect.Value, bool), escape func(string) string) {
	type entry struct {
		key protoreflect.MapKey
		v   protoreflect.Value
	}
	var all []entry
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		all = append(all, entry{k, v})
		return true
	})
	for _, e := range all {
		key := e.key
		if fd.MapKey().Kind() == protoreflect.StringKind {
			key = protoreflect.ValueOfString(escape(e.key.String())).MapKey()
		}
		v, _ := value(fd.MapValue(), e.v)
		if key.String() != e.key.String() {
			m.Clear(e.key)
		}
		m.Set(key, v)
	}
}

// safe is a style whose names may stand on a line.
func (st Style) safe() Style {
	for _, name := range st.Names { // order-free: whether there is any
		if text.Escape(name) != name {
			names := make(map[string]string, len(st.Names))
			for id, name := range st.Names { // order-free: a map again
				names[id] = text.Escape(name)
			}
			st.Names = names
			break
		}
	}
	return st
}
