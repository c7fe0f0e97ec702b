package rulestest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/rules"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Borders holds that a number of a sheet is taken at its least and its most, and
// refused one beyond either. A field is named by its path below the sheet, such as
// "basic.weapons[0].spares" or "speeds[walk]", or below the system's section of it, such as
// "body.hands"; sheet makes one in which it lies.
func Borders(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, rows map[string][2]int32) {
	t.Helper()
	for _, field := range rules.SortedKeys(rows) {
		least, most := rows[field][0], rows[field][1]
		for _, n := range []int32{least - 1, least, most, most + 1} {
			good := least <= n && n <= most
			if got := taken(t, sys, sheet(), field, protoreflect.ValueOfInt32(n)); got != good {
				t.Errorf("%s of %d is taken: %v, want %v", field, n, got, good)
			}
		}
	}
}

// Numbers holds that a field takes some numbers, each of which has a neighbour that it
// refuses: one below the first and the last but what is listed, one above the last.
func Numbers(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, field string, good ...int32) {
	t.Helper()
	last := len(good) - 1
	for _, n := range []int32{good[0] - 1, good[last-1] - 1, good[last] + 1} {
		if !slices.Contains(good, n) && taken(t, sys, sheet(), field, protoreflect.ValueOfInt32(n)) {
			t.Errorf("%s of %d is taken", field, n)
		}
	}
	for _, n := range good {
		if !taken(t, sys, sheet(), field, protoreflect.ValueOfInt32(n)) {
			t.Errorf("%s of %d is refused", field, n)
		}
	}
}

// SheetWords holds that each of the words of a field is taken, and any other refused; none
// but where the list holds an empty one.
func SheetWords(t *testing.T, sys rules.System, sheet func() *eventv1.Sheet, rows map[string][]string) {
	t.Helper()
	for _, field := range rules.SortedKeys(rows) {
		words := append(slices.Clone(rows[field]), "no-such")
		if !slices.Contains(words, "") {
			words = append(words, "")
		}
		for i, word := range words {
			if got, good := taken(t, sys, sheet(), field, protoreflect.ValueOfString(word)), i < len(rows[field]); got != good {
				t.Errorf("%s of %q is taken: %v, want %v", field, word, got, good)
			}
		}
	}
}

// taken tells whether a sheet with a field set has nothing wrong there.
func taken(t *testing.T, sys rules.System, sheet *eventv1.Sheet, field string, value protoreflect.Value) bool {
	t.Helper()
	if first := strings.FieldsFunc(field, func(r rune) bool { return r == '.' || r == '[' })[0]; sheet.ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(first)) == nil {
		field = sys.Info().ID + "." + field
	}
	put(t, sheet.ProtoReflect(), field, value)
	for _, v := range sys.CheckSheet(sheet) {
		if v.Field == "sheet."+field {
			return false
		}
	}
	return true
}

// put sets a field by its path.
func put(t *testing.T, m protoreflect.Message, path string, value protoreflect.Value) {
	t.Helper()
	step, rest, deeper := strings.Cut(path, ".")
	name, key, keyed := strings.Cut(strings.TrimSuffix(step, "]"), "[")
	field := m.Descriptor().Fields().ByName(protoreflect.Name(name))
	switch at, _ := strconv.Atoi(key); {
	case field == nil:
		t.Fatalf("no field %s", path)
	case !keyed && !deeper:
		m.Set(field, value)
	case !keyed:
		put(t, m.Mutable(field).Message(), rest, value)
	case field.IsMap():
		m.Mutable(field).Map().Set(protoreflect.ValueOfString(key).MapKey(), value)
	case at >= m.Get(field).List().Len():
		t.Fatalf("%s: the sheet has %d", path, m.Get(field).List().Len())
	case deeper:
		put(t, m.Mutable(field).List().Get(at).Message(), rest, value)
	default:
		m.Mutable(field).List().Set(at, value)
	}
}
