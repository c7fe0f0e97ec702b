package effects

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/fault"
	"github.com/skaldrpg/skald/pkg/limits"
	contentv1 "github.com/skaldrpg/skald/proto/skald/content/v1"
)

// Check says what is wrong with a pack over a base; nothing means that New takes
// it. Problems come in the order of the pack's fields.
func Check(base Base, pack *contentv1.Pack) []Problem {
	b := empty(base)
	if base.Content != nil {
		if problems := b.lay(base.Content, true); len(problems) > 0 {
			return problems
		}
	}
	if problems := b.lay(pack, false); len(problems) > 0 {
		return problems
	}
	return b.checkTables()
}

func empty(base Base) *Book {
	b := &Book{base: base, tables: map[string]*Table{}, settings: map[string]string{}, triggers: map[string]bool{}}
	for s := range slots {
		b.things[s] = map[string]*thing{}
	}
	return b
}

func build(base Base, packs []Pinned) (*Book, error) {
	b := empty(base)
	if base.Content != nil {
		if err := asFault(base.Content.Name, b.lay(base.Content, true)); err != nil {
			return nil, err
		}
	}
	if len(packs) > limits.Packs {
		return nil, fault.Limit("packs of an encounter", limits.Packs, int64(len(packs)))
	}
	names := map[string]bool{}
	for i, p := range packs {
		if names[p.Pack.GetName()] {
			return nil, fault.Field(fmt.Sprintf("packs[%d]", i), "a pack of the name %q is there already", p.Pack.GetName())
		}
		names[p.Pack.GetName()] = true
		if err := asFault(p.Pack.GetName(), b.lay(p.Pack, false)); err != nil {
			return nil, err
		}
		b.pinned = append(b.pinned, p)
	}
	if err := asFault("packs", b.checkTables()); err != nil {
		return nil, err
	}
	return b, nil
}

// asFault makes an error of problems; nil when there are none.
func asFault(pack string, problems []Problem) error {
	var out []fault.Violation
	for _, p := range problems[:min(len(problems), 20)] {
		out = append(out, fault.Violation{Field: pack + "." + p.Field, Description: p.Text})
	}
	return fault.Fields(out)
}

var idPattern = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidID tells whether a word can name a pack or a thing of one: lower-case
// letters and digits in groups that '-' joins, at most limits.IDBytes.
func ValidID(id string) bool { return len(id) <= limits.IDBytes && idPattern.MatchString(id) }

// lay puts a pack over the book. The book's own content has the system's name
// and cites nothing of its own.
func (b *Book) lay(pack *contentv1.Pack, own bool) []Problem {
	k := &compiler{base: b.base, pack: pack.GetName(), settings: b.knowsSetting(pack), own: own}
	if !own {
		k.head(pack)
	}
	k.conds = append(slices.Clone(b.base.Support.Conditions), sortedKeys(b.things[Conditions])...)
	for _, c := range pack.GetConditions() {
		k.conds = append(k.conds, c.Id)
	}
	if b.base.Support.Conditions == nil {
		k.conds = nil
	}
	k.book = b
	laid := make([][]*thing, slots)
	for s := range slots {
		laid[s] = k.things(s, pack, own)
	}
	rules := k.houseRules(pack)
	k.monsters(pack)
	tables := k.tables(pack)
	k.packSettings(pack)
	if k.cost > limits.PackCost {
		k.wrong("", "its expressions may cost %d steps in all; at most %d", k.cost, limits.PackCost)
	}
	if k.effects > limits.PackEffects {
		k.wrong("", "%d effects; at most %d", k.effects, limits.PackEffects)
	}
	if len(k.problems) > 0 {
		return k.problems
	}
	b.take(pack, laid, rules, tables)
	return nil
}

// take keeps what was compiled.
func (b *Book) take(pack *contentv1.Pack, laid [][]*thing, rules []*houseRule, tables []*Table) {
	for s := range slots {
		for _, t := range laid[s] {
			if under := b.things[s][t.entry.Id]; under != nil {
				b.conflicts = append(b.conflicts, Conflict{What: s.String() + " " + t.entry.Id, Under: under.pack, Over: pack.Name})
			}
			t.kinds = kindsOf(t.effects)
			b.things[s][t.entry.Id] = t
			b.ofSlot[s] |= t.kinds
			b.note(t.effects)
		}
	}
	for _, h := range rules {
		b.rules = append(b.rules, h)
		b.ofRules |= kindsOf(h.effects)
		b.note(h.effects)
	}
	for _, t := range tables {
		b.overlay(pack.Name, t)
	}
	for _, id := range sortedKeys(pack.GetSettings()) {
		if was, ok := b.settings[id]; ok && was != pack.Settings[id] {
			b.conflicts = append(b.conflicts, Conflict{What: "setting " + id, Under: "an earlier pack", Over: pack.Name})
		}
		b.settings[id] = pack.Settings[id]
	}
}

// note remembers which kinds and triggers there are.
func (b *Book) note(effects []*effect) {
	for _, e := range effects {
		b.asked[e.kind] = true
		if e.src.Trigger != "" {
			b.triggers[e.src.Trigger] = true
		}
		if e.kind == KindAura {
			b.note(e.nested)
		}
	}
}

// head checks what a pack says of itself.
func (k *compiler) head(p *contentv1.Pack) {
	switch {
	case !ValidID(p.GetName()):
		k.wrong("name", "%q is no name: lower-case letters and digits in groups that '-' joins, at most %d bytes", p.GetName(), limits.IDBytes)
	case p.Name == k.base.System:
		k.wrong("name", "%q is the name of the rule system's own book", p.Name)
	}
	if p.GetSystem() != k.base.System {
		k.wrong("system", "it is for the system %q, not %q", p.GetSystem(), k.base.System)
	}
	for _, t := range []struct{ field, text string }{{"version", p.GetVersion()}, {"title", p.GetTitle()}} {
		if t.text == "" {
			k.wrong(t.field, "missing")
		}
	}
}

// houseRules compiles the house rules of a pack.
func (k *compiler) houseRules(p *contentv1.Pack) []*houseRule {
	var out []*houseRule
	seen := map[string]bool{}
	if n := len(p.GetRules()); n > limits.PackEntries {
		k.wrong("rules", "%d house rules; at most %d", n, limits.PackEntries)
		return nil
	}
	for i, r := range p.GetRules() {
		field := fmt.Sprintf("rules[%d]", i)
		k.identity(field, r.Id, seen)
		if r.Title == "" {
			k.wrong(field+".title", "missing")
		}
		if r.Off && !r.Toggle {
			k.wrong(field+".off", "only a toggle can be off")
		}
		h := &houseRule{id: houseID(p.Name, r.Id), rule: r}
		h.effects = k.list(field+".effects", r.Effects, scope{cite: Cite{Rule: h.id, Title: r.Title}, slot: -1})
		out = append(out, h)
	}
	return out
}

// identity checks an id and that it is the only one.
func (k *compiler) identity(field, id string, seen map[string]bool) {
	switch {
	case !ValidID(id):
		k.wrong(field+".id", "%q is no id: lower-case letters and digits in groups that '-' joins, at most %d bytes", id, limits.IDBytes)
	case seen[id]:
		k.wrong(field+".id", "%q is there twice", id)
	}
	seen[id] = true
}

// HousePrefix begins the ids of house rules and of what packs have.
const HousePrefix = "house."

func houseID(pack, id string) string { return HousePrefix + pack + "." + id }

// packOf is the pack of a house id; localID is what follows it.
func packOf(rule string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(rule, HousePrefix), ".")
	return name
}

func localID(rule string) string {
	_, id, _ := strings.Cut(strings.TrimPrefix(rule, HousePrefix), ".")
	return id
}

// knowsSetting tells which settings expressions may read: the system's and the
// toggles of this pack and those under it.
func (b *Book) knowsSetting(pack *contentv1.Pack) func(string) bool {
	return func(id string) bool {
		if _, ok := b.base.Settings[id]; ok {
			return true
		}
		return b.toggle(id) || slices.ContainsFunc(pack.GetRules(), func(r *contentv1.HouseRule) bool {
			return r.Toggle && houseID(pack.Name, r.Id) == id
		})
	}
}

func (b *Book) toggle(id string) bool {
	return slices.ContainsFunc(b.rules, func(h *houseRule) bool { return h.rule.Toggle && h.id == id })
}

// packSettings checks the values that a pack gives to settings.
func (k *compiler) packSettings(p *contentv1.Pack) {
	for _, id := range sortedKeys(p.GetSettings()) {
		field, value := "settings."+id, p.Settings[id]
		switch values, known := k.base.Values[id]; {
		case k.house(p, id):
			k.unknown(field, "value", value, []string{"on", "off"})
		case !known:
			k.problems = append(k.problems, Problem{Field: field, Text: fmt.Sprintf("there is no setting %q", id), Got: id, Known: sortedKeys(k.base.Values)})
		case len(values) > 0:
			k.unknown(field, "value", value, values)
		default:
			if x, err := number(value, nil); err != nil || !x.constant {
				k.wrong(field, "must be a whole number, not %q", value)
			}
		}
	}
}

// house tells whether a setting is a toggle of the pack or of one under it.
func (k *compiler) house(p *contentv1.Pack, id string) bool {
	return strings.HasPrefix(id, HousePrefix) && k.settings(id)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	// order-free: sorted below
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
