package rulestest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Bounded holds that no number of a sheet may be absurd: every number of the section of
// sheet, and of what lies in its lists, is refused at the least and at the most that a
// field can hold. Free are those that may be anything, and such as are judged as a whole
// under another field, by their paths below the section.
func Bounded(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, free ...string) {
	t.Helper()
	whole := filled(sys, sheet)
	each(t, sys, whole, protoreflect.Int32Kind, "may be any number", free, func(field string) bool {
		return taken(t, sys, whole(), field, protoreflect.ValueOfInt32(math.MinInt32)) || taken(t, sys, whole(), field, protoreflect.ValueOfInt32(math.MaxInt32))
	})
}

// Worded is Bounded for words: each is one that the rules know, so that a slip is refused
// and not passed over, but where free lists it as a name or a text.
func Worded(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, free ...string) {
	t.Helper()
	whole := filled(sys, sheet)
	each(t, sys, whole, protoreflect.StringKind, "may be any word", free, func(field string) bool {
		return taken(t, sys, whole(), field, protoreflect.ValueOfString("no-such"))
	})
}

// filled is a sheet with one of each message and word of its section.
func filled(sys rules.System, sheet func() *eventv1.Sheet) func() *eventv1.Sheet {
	return func() *eventv1.Sheet {
		s := sheet()
		fill(section(sys, s), 4)
		return s
	}
}

func section(sys rules.System, s *eventv1.Sheet) protoreflect.Message {
	m := s.ProtoReflect()
	return m.Mutable(m.Descriptor().Fields().ByName(protoreflect.Name(sys.Info().ID))).Message()
}

// each holds that the fields of a kind are not loose, but for those listed as free.
func each(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, kind protoreflect.Kind, what string, free []string, loose func(field string) bool) {
	t.Helper()
	met := map[string]bool{}
	visit(section(sys, sheet()), sys.Info().ID, kind, func(field string) {
		is := loose(field)
		field = strings.TrimPrefix(field, sys.Info().ID+".")
		listed := slices.Contains(free, field)
		met[field] = true
		switch {
		case is && !listed:
			t.Errorf("%s %s", field, what)
		case !is && listed:
			t.Errorf("%s is listed as free, and is checked", field)
		}
	})
	for _, field := range free {
		if !met[field] {
			t.Errorf("there is no field %s", field)
		}
	}
}

// fill puts one of each message and word into a message, so many deep, where there is none.
func fill(m protoreflect.Message, deep int) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		message := fd.Kind() == protoreflect.MessageKind
		switch {
		case fd.IsMap() || deep == 0 || fd.ContainingOneof() != nil && message:
		case fd.IsList() && fd.Kind() == protoreflect.StringKind:
			if l := m.Mutable(fd).List(); l.Len() == 0 {
				l.Append(protoreflect.ValueOfString(""))
			}
		case fd.IsList() && message:
			l := m.Mutable(fd).List()
			if l.Len() == 0 {
				l.AppendMutable()
			}
			for i := range l.Len() {
				fill(l.Get(i).Message(), deep-1)
			}
		case message:
			fill(m.Mutable(fd).Message(), deep-1)
		}
	}
}

// visit visits the fields of a kind in a message, by their paths: set or not, those of
// messages that are there, and the first of a list.
func visit(m protoreflect.Message, path string, kind protoreflect.Kind, do func(field string)) {
	fds := m.Descriptor().Fields()
	for i := range fds.Len() {
		fd := fds.Get(i)
		at := path + "." + string(fd.Name())
		some := fd.IsList() && m.Get(fd).List().Len() > 0
		switch {
		case fd.IsMap():
		case fd.Kind() == kind && some:
			do(at + "[0]")
		case fd.Kind() == kind && !fd.IsList():
			do(at)
		case fd.Kind() == protoreflect.MessageKind && some:
			visit(m.Get(fd).List().Get(0).Message(), at+"[0]", kind, do)
		case fd.Kind() == protoreflect.MessageKind && !fd.IsList() && m.Has(fd):
			visit(m.Get(fd).Message(), at, kind, do)
		}
	}
}
