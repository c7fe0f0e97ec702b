package rpc

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/text"
)

// among begin the names of the calls of services among themselves, and of the
// proof of recorded rolls: they carry what is on record, which may be older than
// the rule of what a text may have. CheckSheet lists what is wrong instead of
// refusing it.
var among = []string{
	"/skald.dice.v1.TapeService/",
	"/skald.injury.v1.AssessmentService/",
	"/skald.dice.v1.DiceService/Verify",
	"/skald.rules.v1.RulesService/CheckSheet",
	"/skald.encounter.v1.ContentService/CheckSheet",
}

// kinds are the fields that are more than a line of text, by full name.
var kinds = map[protoreflect.FullName]func(string) error{
	"skald.event.v1.Sheet.name":               name,
	"skald.event.v1.Sheet.side":               name,
	"skald.event.v1.Sheet.controllers":        name,
	"skald.event.v1.Sheet.attribution":        anyLength,
	"skald.event.v1.EditCreature.controllers": name,
	"skald.event.v1.Principal.name":           name,
	"skald.dice.v1.RollRequest.expression":    text.Notation,
	"skald.dice.v1.OddsRequest.expression":    text.Notation,
}

// unseen is a name that JavaScript readers can not have in a map: whatever goes by it
// would not be there for them. Records of builds that took it are read as they are.
const unseen = "__proto__"

var errUnseen = fmt.Errorf("nothing may be called %s: readers in JavaScript could not see it", unseen)

// gone are the fields by which something that has the name can be removed.
var gone = map[protoreflect.FullName]bool{"skald.event.v1.RemoveCreature.creature": true}

// seen says what is wrong with a name that is given in a command or a sheet.
func seen(fd protoreflect.FieldDescriptor, s string) error {
	if s != unseen || gone[fd.FullName()] {
		return nil
	}
	switch fd.ParentFile().Package() {
	case "skald.event.v1", "skald.content.v1", "google.protobuf":
		return errUnseen
	}
	return nil
}

// name leaves it to the rules whether a name may be missing.
func name(s string) error {
	if s == "" {
		return nil
	}
	return text.Name(s)
}

func line(s string) error { return text.Line(s, limits.LineBytes) }

// anyLength is for texts that only the size of the whole bounds.
func anyLength(s string) error { return text.Line(s, len(s)) }

func requestID(s string) error { return text.Line(s, limits.RequestIDBytes) }

// checkText refuses a request with texts that may not be (see package text),
// naming each field.
func checkText(method string, v any) error {
	m, ok := v.(proto.Message)
	if !ok || slices.ContainsFunc(among, func(begin string) bool { return strings.HasPrefix(method, begin) }) || strings.HasPrefix(method, "/grpc.") {
		return nil
	}
	var found []fault.Violation
	textsOf(m.ProtoReflect(), "", func(field string, err error) bool {
		found = append(found, fault.Violation{Field: field, Description: err.Error()})
		return len(found) < maxViolations
	})
	return fault.Fields(found)
}

// CheckTexts is the check that a server makes of every request, for those who
// read such messages from elsewhere. Field names begin with the prefix.
func CheckTexts(prefix string, m proto.Message) []fault.Violation {
	var found []fault.Violation
	textsOf(m.ProtoReflect(), prefix, func(field string, err error) bool {
		found = append(found, fault.Violation{Field: field, Description: err.Error()})
		return true
	})
	return found
}

// CheckNames says of a pack what can not be called so, as CheckTexts does of
// messages whose every text is a line.
func CheckNames(m proto.Message) []fault.Violation {
	var found []fault.Violation
	textsOf(m.ProtoReflect(), "", func(field string, err error) bool {
		if errors.Is(err, errUnseen) {
			found = append(found, fault.Violation{Field: field, Description: err.Error()})
		}
		return true
	})
	return found
}

// textsOf tells of every text that may not be, until told to stop.
func textsOf(m protoreflect.Message, prefix string, bad func(field string, err error) bool) bool {
	switch m.Descriptor().FullName() {
	case "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue":
		return textsOfValue(m, strings.TrimSuffix(prefix, "."), bad)
	}
	going := true
	fields := m.Descriptor().Fields()
	for i := 0; i < fields.Len() && going; i++ {
		fd := fields.Get(i)
		if !m.Has(fd) {
			continue
		}
		going = textsOfField(fd, m.Get(fd), prefix+string(fd.Name()), bad)
	}
	return going
}

func textsOfField(fd protoreflect.FieldDescriptor, v protoreflect.Value, at string, bad func(string, error) bool) bool {
	switch {
	case fd.IsMap():
		return textsOfMap(fd, v.Map(), at, bad)
	case fd.IsList():
		for i := range v.List().Len() {
			if !textOf(fd, v.List().Get(i), fmt.Sprintf("%s[%d]", at, i), bad) {
				return false
			}
		}
		return true
	}
	return textOf(fd, v, at, bad)
}

func textsOfMap(fd protoreflect.FieldDescriptor, m protoreflect.Map, at string, bad func(string, error) bool) bool {
	entries := map[string]protoreflect.Value{}
	m.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		entries[k.String()] = v
		return true
	})
	for _, k := range slices.Sorted(maps.Keys(entries)) {
		if fd.MapKey().Kind() == protoreflect.StringKind {
			if err := cmp.Or(line(k), seen(fd, k)); err != nil {
				if !bad(at, fmt.Errorf("the name %q: %w", text.Escape(k), err)) {
					return false
				}
				continue
			}
		}
		if !textOf(fd.MapValue(), entries[k], at+"."+k, bad) {
			return false
		}
	}
	return true
}

func textOf(fd protoreflect.FieldDescriptor, v protoreflect.Value, at string, bad func(string, error) bool) bool {
	switch fd.Kind() {
	case protoreflect.StringKind:
		check := kinds[fd.FullName()]
		switch {
		case check == nil && fd.Name() == "request_id":
			check = requestID
		case check == nil:
			check = line
		}
		if err := cmp.Or(check(v.String()), seen(fd, v.String())); err != nil {
			return bad(at, err)
		}
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return textsOf(v.Message(), at+".", bad)
	}
	return true
}

// textsOfValue goes through JSON as messages hold it, naming what is in it as
// the JSON would.
func textsOfValue(m protoreflect.Message, at string, bad func(string, error) bool) bool {
	going := true
	m.Range(func(fd protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		going = textsOfField(fd, v, strings.TrimSuffix(at, "."), bad)
		return going
	})
	return going
}
