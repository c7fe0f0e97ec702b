package effects

import (
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Slot is a sort of thing that a pack has.
type Slot int

// The sorts of things.
const (
	Weapons Slot = iota
	Armour
	Items
	Spells
	Feats
	Conditions
	Injuries
	slots
)

// String is the sort as the field of Pack is called.
func (s Slot) String() string {
	return [...]string{"weapons", "armour", "items", "spells", "feats", "conditions", "injuries"}[s]
}

// Entries are the things of a sort in a pack.
func Entries(p *contentv1.Pack, s Slot) []*contentv1.Entry {
	switch s {
	case Weapons:
		return p.GetWeapons()
	case Armour:
		return p.GetArmour()
	case Items:
		return p.GetItems()
	case Spells:
		return p.GetSpells()
	case Feats:
		return p.GetFeats()
	case Conditions:
		return p.GetConditions()
	case Injuries:
		return p.GetInjuries()
	}
	return nil
}

// Book is a rule system's content with packs over it, compiled. A nil Book has
// nothing. It is safe for use by several goroutines.
type Book struct {
	base      Base
	pinned    []Pinned
	things    [slots]map[string]*thing
	rules     []*houseRule
	tables    map[string]*Table
	settings  map[string]string
	conflicts []Conflict
	// asked: kinds of effects that are anywhere in the book, and the triggers.
	asked    [kinds]bool
	triggers map[string]bool
	// ofSlot are the kinds of effects of things of a sort, ofRules those of house rules.
	ofSlot  [slots]kindSet
	ofRules kindSet
	memo    sync.Map
}

// thing is an entry, compiled.
type thing struct {
	slot    Slot
	pack    string
	entry   *contentv1.Entry
	cite    Cite
	data    proto.Message // nil when it has none
	effects []*effect
	kinds   kindSet // of effects
}

// houseRule is a house rule, compiled.
type houseRule struct {
	id      string
	rule    *contentv1.HouseRule
	effects []*effect
}

// Conflict is something that two packs of a book say differently; the later one
// counts.
type Conflict struct {
	// What it is, such as "weapons longsword" or "table wounds row 3".
	What string
	// Under and Over are the names of the packs.
	Under, Over string
}

// Rule is a house rule of a book, for lists of rules and settings.
type Rule struct {
	// ID in full: house.PACK.ID.
	ID string
	// Pack by name.
	Pack string
	// Title and Text for people.
	Title, Text string
	// Toggle: it can be switched by a setting of its id.
	Toggle bool
	// Off until it is switched on.
	Off bool
}

// New lays packs over a base, later ones over earlier ones. It returns a nil
// Book when there are no packs and the base has no content, and an Invalid fault
// with the first problems when something is wrong with one.
func New(base Base, packs ...Pinned) (*Book, error) {
	if len(packs) == 0 && base.Content == nil {
		return nil, nil
	}
	return build(base, packs)
}

// Digests are those of the packs, in the order in which they lie over each
// other.
func (b *Book) Digests() []string {
	if b == nil {
		return nil
	}
	out := make([]string, len(b.pinned))
	for i, p := range b.pinned {
		out[i] = p.Digest
	}
	return out
}

// Conflicts lists what packs of the book say differently.
func (b *Book) Conflicts() []Conflict {
	if b == nil {
		return nil
	}
	return slices.Clone(b.conflicts)
}

// Rules are the house rules, in the order of packs and files.
func (b *Book) Rules() []Rule {
	if b == nil {
		return nil
	}
	out := make([]Rule, 0, len(b.rules))
	for _, h := range b.rules {
		out = append(out, Rule{ID: h.id, Pack: packOf(h.id), Title: h.rule.Title, Text: h.rule.Text, Toggle: h.rule.Toggle, Off: h.rule.Off})
	}
	return out
}

// Settings are the values that the packs give to settings of encounters that
// say nothing of them; it must not be changed.
func (b *Book) Settings() map[string]string {
	if b == nil {
		return nil
	}
	return b.settings
}

// IDs lists the ids of the things of a sort, in order.
func (b *Book) IDs(s Slot) []string {
	if b == nil || s < 0 || s >= slots {
		return nil
	}
	return sortedKeys(b.things[s])
}

// Entry is a thing by its sort and id; nil when there is none. It must not be
// changed.
func (b *Book) Entry(s Slot, id string) *contentv1.Entry {
	if b == nil || s < 0 || s >= slots {
		return nil
	}
	if t := b.things[s][id]; t != nil {
		return t.entry
	}
	return nil
}

// Data is a thing as the system's own message, such as an RcrSpell; nil when
// there is none. It must not be changed.
func (b *Book) Data(s Slot, id string) proto.Message {
	if b == nil || s < 0 || s >= slots {
		return nil
	}
	if t := b.things[s][id]; t != nil {
		return t.data
	}
	return nil
}

// Area is where a spell of that entry takes effect; nil when it has no area.
func (b *Book) Area(spell string) *contentv1.Area { return b.Entry(Spells, spell).GetArea() }

// Implies are the conditions that a condition brings with it, by name.
func (b *Book) Implies(condition string) []string {
	return b.Entry(Conditions, condition).GetImplies()
}

// Cite is the rule id and title of a thing; empty when there is none.
func (b *Book) Cite(s Slot, id string) Cite {
	if b == nil || s < 0 || s >= slots {
		return Cite{}
	}
	if t := b.things[s][id]; t != nil {
		return t.cite
	}
	return Cite{}
}

// Title is the title of a rule or thing that is cited as house.PACK.ID; empty
// when the book has none.
func (b *Book) Title(rule string) string {
	if b == nil {
		return ""
	}
	for _, h := range b.rules {
		if h.id == rule {
			return h.rule.Title
		}
	}
	for s := range slots {
		if t := b.things[s][localID(rule)]; t != nil && t.cite.Rule == rule {
			return t.cite.Title
		}
	}
	return ""
}

// Memo keeps what a system makes of the book, such as its tables read: the first
// call makes it, later ones get the same. On a nil Book it is made each time.
func (b *Book) Memo(key string, make func() any) any {
	if b == nil {
		return make()
	}
	if got, ok := b.memo.Load(key); ok {
		return got
	}
	got, _ := b.memo.LoadOrStore(key, make())
	return got
}

// FeatID is the id of a feat by its id or, whatever the case, its title in words that
// '-' joins; empty when there is none.
func (b *Book) FeatID(name string) string {
	if b == nil {
		return ""
	}
	if t := b.named(Feats, name); t != nil {
		return t.entry.Id
	}
	return ""
}
