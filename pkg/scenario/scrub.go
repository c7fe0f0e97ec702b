package scenario

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// scrubber takes out of messages what differs from run to run although the same was
// decided: times, secrets of the dice and what they commit to, the versions of the
// program, and ids that were drawn. An id becomes the number at which it was first
// met, so that it still matters which of two is meant.
type scrubber struct{ met map[string]string }

func newScrubber() *scrubber { return &scrubber{met: map[string]string{}} }

// drawn are ids that hang on the run: those of fights and tables, of decisions and of
// contests.
var drawn = regexp.MustCompile(`\b(?:[0-9a-f]{16}|[0-9a-f]{12})\b`)

// passing are fields that say when, by which build, or where in a record.
var passing = []protoreflect.Name{"system_version", "engine_version", "content_digest", "cursor", "unix_millis", "due_unix_millis",
	"deadline_unix_millis", "secret_due_unix_millis"}

func (s *scrubber) text(t string) string {
	if len(t) < 12 || !strings.ContainsAny(t, "0123456789") {
		return t
	}
	return drawn.ReplaceAllStringFunc(t, func(id string) string {
		if s.met[id] == "" {
			s.met[id] = "id" + strconv.Itoa(len(s.met)+1)
		}
		return s.met[id]
	})
}

// message scrubs a message in place, its fields in the order of their numbers.
func (s *scrubber) message(m protoreflect.Message) {
	var set []protoreflect.FieldDescriptor
	m.Range(func(fd protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		set = append(set, fd)
		return true
	})
	slices.SortFunc(set, func(a, b protoreflect.FieldDescriptor) int { return int(a.Number() - b.Number()) })
	for _, fd := range set {
		switch {
		case slices.Contains(passing, fd.Name()), valueKind(fd) == protoreflect.BytesKind:
			m.Clear(fd)
		case fd.IsMap():
			s.entries(m.Mutable(fd).Map(), fd)
		case fd.IsList():
			l := m.Mutable(fd).List()
			for i := range l.Len() {
				if v, changed := s.value(fd, l.Get(i)); changed {
					l.Set(i, v)
				}
			}
		default:
			if v, changed := s.value(fd, m.Get(fd)); changed {
				m.Set(fd, v)
			}
		}
	}
}

// entries scrubs a map by its keys in order: an id among them was met before, in the
// event that made it.
func (s *scrubber) entries(m protoreflect.Map, fd protoreflect.FieldDescriptor) {
	var keys []protoreflect.MapKey
	m.Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
		keys = append(keys, k)
		return true
	})
	slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range keys {
		v, changed := s.value(fd.MapValue(), m.Get(k))
		if key := s.text(k.String()); fd.MapKey().Kind() == protoreflect.StringKind && key != k.String() {
			m.Clear(k)
			k, changed = protoreflect.ValueOfString(key).MapKey(), true
		}
		if changed {
			m.Set(k, v)
		}
	}
}

// value scrubs a single value; changed tells whether it has to be put back.
func (s *scrubber) value(fd protoreflect.FieldDescriptor, v protoreflect.Value) (out protoreflect.Value, changed bool) {
	switch fd.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		s.message(v.Message())
	case protoreflect.StringKind:
		if t := s.text(v.String()); t != v.String() {
			return protoreflect.ValueOfString(t), true
		}
	}
	return v, false
}

// valueKind is the kind of a field's values.
func valueKind(fd protoreflect.FieldDescriptor) protoreflect.Kind {
	if fd.IsMap() {
		return fd.MapValue().Kind()
	}
	return fd.Kind()
}
