package rcr

import (
	"slices"
	"strings"
	"testing"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/rcr/body"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A list of a sheet holds as many entries as there may be, and not one more.
func TestLongLists(t *testing.T) {
	for _, list := range []string{"attacks", "spells", "powers", "items", "resources", "skills", "multiattack", "features", "bonds", "training"} {
		for n, want := range map[int]bool{body.MaxEntries: false, body.MaxEntries + 1: true} {
			s := fighter("a", "party")
			m := s.GetRcr().ProtoReflect()
			field := m.Descriptor().Fields().ByName(protoreflect.Name(list))
			if field == nil {
				t.Fatalf("there is no list %s", list)
			}
			entries := m.Mutable(field).List()
			for entries.Len() < n {
				if field.Kind() == protoreflect.MessageKind {
					entries.AppendMutable()
				} else {
					entries.Append(protoreflect.ValueOfString("x"))
				}
			}
			long := slices.ContainsFunc((System{}).CheckSheet(s), func(v fault.Violation) bool {
				return v.Field == "sheet.rcr."+list && strings.Contains(v.Description, "at most 200")
			})
			if long != want {
				t.Errorf("%d entries of %s: too many %v", n, list, long)
			}
		}
	}
}
