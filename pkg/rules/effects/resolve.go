package effects

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	"github.com/skaldrpg/skald/pkg/near"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Resolve fills what a sheet takes from content: weapons, spells and things with
// `use`, and what is worn. What the sheet says itself stands. The sheet is
// changed in place; a reference to something that there is not is an Invalid
// fault that names the field, such as "sheet.rcr.attacks[2].use".
func (b *Book) Resolve(sheet *eventv1.Sheet) error {
	if err := b.monster(sheet); err != nil {
		return err
	}
	sec := section(sheet)
	if sec == nil {
		return nil
	}
	r := newResolver(b, sheet)
	r.all()
	return fault.Fields(r.wrong)
}

func newResolver(b *Book, sheet *eventv1.Sheet) *resolver {
	m := sheet.ProtoReflect()
	return &resolver{book: b, sheet: sheet, system: string(m.WhichOneof(m.Descriptor().Oneofs().ByName("section")).Name())}
}

// all fills whatever the sheet takes.
func (r *resolver) all() {
	sec := section(r.sheet)
	r.message("sheet."+r.system, sec)
	r.worn(sec)
}

// Resolve is the method of the same name: for a sheet and a Book that may be
// nil.
func Resolve(sheet *eventv1.Sheet, book *Book) error { return book.Resolve(sheet) }

// Refers tells whether a sheet takes anything from content.
func Refers(sheet *eventv1.Sheet) bool {
	if len(sheet.GetWears()) > 0 || sheet.GetUse() != "" {
		return true
	}
	sec := section(sheet)
	return sec != nil && refers(sec)
}

func refers(m protoreflect.Message) bool {
	found := false
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Name() == "use":
			found = true
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				found = found || refers(v.List().Get(i).Message())
			}
		default:
			found = refers(v.Message())
		}
		return !found
	})
	return found
}

// Forget takes the references off a sheet that was resolved: it says all by itself,
// and nothing of the content that it came from counts for it any more.
func Forget(sheet *eventv1.Sheet) {
	sheet.Wears = nil
	if sec := section(sheet); sec != nil {
		forget(sec)
	}
}

func forget(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Name() == "use":
			m.Clear(f)
		case f.Message() == nil || f.IsMap():
		case f.IsList():
			for i := range v.List().Len() {
				forget(v.List().Get(i).Message())
			}
		default:
			forget(v.Message())
		}
		return true
	})
}

type resolver struct {
	book   *Book
	sheet  *eventv1.Sheet
	system string
	wrong  []fault.Violation
	lost   []Reference
}

// Reference is what a sheet takes from content: its field, the sort of thing and its
// id.
type Reference struct {
	Field string
	Slot  Slot
	ID    string
}

// Lacks lists the references of a sheet that lead nowhere; the sheet is not changed.
func (b *Book) Lacks(sheet *eventv1.Sheet) []Reference {
	sec := section(sheet)
	if sec == nil || !Refers(sheet) {
		return nil
	}
	r := newResolver(b, proto.Clone(sheet).(*eventv1.Sheet))
	r.all()
	return r.lost
}

// message fills what is in the lists and messages of a message, however deep.
func (r *resolver) message(path string, m protoreflect.Message) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if f.Message() == nil || f.IsMap() || !m.Has(f) {
			continue
		}
		at := path + "." + string(f.Name())
		if !f.IsList() {
			r.one(at, m.Mutable(f).Message())
			continue
		}
		list := m.Mutable(f).List()
		for j := range list.Len() {
			r.one(fmt.Sprintf("%s[%d]", at, j), list.Get(j).Message())
		}
	}
}

// one fills one thing, if it refers to content, and what is in it.
func (r *resolver) one(path string, m protoreflect.Message) {
	if slot, use := slotOf(m.Descriptor()); use != nil && m.Get(use).String() != "" {
		r.fill(path, slot, m, m.Get(use).String())
	}
	r.message(path, m)
}

func (r *resolver) fill(path string, slot Slot, m protoreflect.Message, id string) {
	var t *thing
	if r.book != nil {
		t = r.book.things[slot][id]
	}
	if r.book == nil && spelledOut(m) {
		return
	}
	if t == nil || t.data != nil && t.data.ProtoReflect().Descriptor() != m.Descriptor() {
		r.missing(path+".use", slot, id)
		return
	}
	given := proto.Clone(m.Interface())
	if t.data != nil {
		full := Over(t.data, m.Interface()).ProtoReflect()
		proto.Reset(m.Interface())
		proto.Merge(m.Interface(), full.Interface())
	}
	if name := m.Descriptor().Fields().ByName("name"); m.Get(name).String() == "" {
		m.Set(name, protoreflect.ValueOfString(titleOf(t.entry)))
	}
	many := m.Descriptor().Fields().ByName("targets")
	if t.entry.Area != nil && many != nil && !m.Has(many) {
		m.Set(many, protoreflect.ValueOfInt32(limits.Creatures)) // whoever is in the area
	}
	if fit := r.book.base.Support.Fit; fit != nil {
		fit(r.sheet, given, m.Interface())
	}
}

// spelledOut tells whether a thing says more than what it is called and where it
// is: one that was filled before can do without the content that it came from.
func spelledOut(m protoreflect.Message) bool {
	more := false
	m.Range(func(f protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		more = f.Name() != "use" && f.Name() != "name" && f.Name() != "hand"
		return !more
	})
	return more
}

func (r *resolver) missing(field string, slot Slot, id string) {
	hint := ""
	r.lost = append(r.lost, Reference{Field: field, Slot: slot, ID: id})
	if r.book != nil {
		hint = near.DidYouMean(id, sortedKeys(r.book.things[slot]))
	}
	r.wrong = append(r.wrong, fault.Violation{Field: field, Description: fmt.Sprintf("there is nothing %q among the %s of the content%s", id, slot, hint)})
}

// worn fills fields of the section from armour that is worn, where the sheet
// does not say them.
func (r *resolver) worn(sec protoreflect.Message) {
	for i, id := range r.sheet.Wears {
		var t *thing
		if r.book != nil {
			if t = r.book.things[Armour][id]; t == nil {
				t = r.book.things[Items][id]
			}
		}
		if t == nil {
			r.missing(fmt.Sprintf("sheet.wears[%d]", i), Armour, id)
			continue
		}
		if t.slot != Armour || t.data == nil {
			continue
		}
		t.data.ProtoReflect().Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
			if !sec.Has(f) {
				sec.Set(f, proto.Clone(t.data).ProtoReflect().Get(f))
			}
			return true
		})
	}
}
