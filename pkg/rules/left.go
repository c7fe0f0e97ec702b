package rules

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/rules/effects"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// ThingLeaver is a system whose content may name things that no code decides.
type ThingLeaver interface {
	// LeftOfThing says of a thing of content, as the system's own message, what no code
	// decides; the fields are those of the thing.
	LeftOfThing(thing proto.Message) []fault.Violation
}

// LeftInPack lists what the things and the creatures of a pack have that no code of the
// system decides; book is the pack laid over the system's own content. Nothing is wrong
// with them. The fields begin with the sort and the id of the thing, as in
// "weapons[net].properties".
func LeftInPack(sys System, book *effects.Book, p *contentv1.Pack) []fault.Violation {
	var out []fault.Violation
	if l, ok := sys.(ThingLeaver); ok {
		for slot := effects.Weapons; slot <= effects.Injuries; slot++ {
			for _, e := range effects.Entries(p, slot) {
				data := book.Data(slot, e.Id)
				if data == nil {
					continue
				}
				for _, v := range l.LeftOfThing(data) {
					out = append(out, fault.Violation{Field: slot.String() + "[" + e.Id + "]." + v.Field, Description: v.Description})
				}
			}
		}
	}
	for _, m := range p.GetMonsters() {
		sheet := proto.CloneOf(m)
		if book.Resolve(sheet) != nil {
			continue // the check of the pack says what is wrong
		}
		for _, v := range LeftToPeople(sys, book, sheet) {
			out = append(out, fault.Violation{Field: "monsters[" + m.Id + "]." + strings.TrimPrefix(v.Field, "sheet."), Description: v.Description})
		}
	}
	return out
}
