package effects

import (
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// each calls do for every effect of a kind that is active on a creature, whose
// point fits and whose condition holds.
func (b *Book) each(c *eventv1.Creature, env *Env, kind Kind, point string, do func(*effect, *scene)) {
	b.visit(c, env, func(e *effect, s *scene) {
		if e.kind == kind && reaches(e.point, point) && b.counts(e, env) && e.when.holds(s) {
			do(e, s)
		}
	})
}

// plain tells whether the book, without packs, has nothing for a creature: most have
// no feats, and are asked about again and again.
func (b *Book) plain(c *eventv1.Creature) bool {
	if b.base.Support.Plain == nil || len(b.pinned) > 0 || !b.base.Support.Plain(c.GetSheet()) {
		return false
	}
	for _, k := range c.GetConditions() {
		if b.things[Conditions][k.Name] != nil {
			return false
		}
	}
	return true
}

// counts tells whether the rule of the book that an effect is by is in force.
func (b *Book) counts(e *effect, env *Env) bool {
	return !e.own || b.base.Support.InForce == nil || b.base.Support.InForce(env.State, e.cite.Rule)
}

// reaches tells whether what an effect is aimed at is a point, or the whole that
// it is a part of.
func reaches(to, point string) bool {
	return to == point || len(point) > len(to) && point[len(to)] == '/' && strings.HasPrefix(point, to)
}

// visit calls do for every effect that stands on something that a creature has,
// and for what auras bring it: house rules, feats, what it wears, what it holds,
// the spell that it casts, conditions, injuries, then the auras of all.
func (b *Book) visit(c *eventv1.Creature, env *Env, do func(*effect, *scene)) {
	if b.plain(c) {
		return
	}
	s := &scene{book: b, env: env, self: c, base: env.base}
	b.own(c, env, func(e *effect) {
		if e.kind != KindAura {
			do(e, s)
		}
	})
	if !b.asked[KindAura] || c == nil {
		return
	}
	creatures := env.State.GetCreatures()
	for _, id := range sortedKeys(creatures) {
		b.reached(c, creatures[id], env, do)
	}
}

// reached calls do for the effects of the auras of source that reach c.
func (b *Book) reached(c, source *eventv1.Creature, env *Env, do func(*effect, *scene)) {
	s := &scene{book: b, env: env, self: source, source: source}
	b.own(source, env, func(e *effect) {
		if e.kind != KindAura || !e.when.holds(s) {
			return
		}
		feet, ok := e.number(s, 0)
		if !ok || !e.concerns(source, c) || c.Id != source.Id && !within(apart(c, source), feet) {
			return
		}
		at := &scene{book: b, env: env, self: c, source: source, base: env.base}
		for _, n := range e.nested {
			do(n, at)
		}
	})
}

func within(apart, feet int32) bool { return apart >= 0 && apart <= feet }

// concerns tells whether an aura is for a creature.
func (e *effect) concerns(source, c *eventv1.Creature) bool {
	switch e.src.GetAura().Who {
	case "allies":
		return c.Side == source.Side
	case "enemies":
		return c.Side != source.Side
	case "others":
		return c.Id != source.Id
	}
	return true
}

func (b *Book) auras(c *eventv1.Creature, env Env) []Aura {
	var out []Aura
	s := &scene{book: b, env: &env, self: c, source: c}
	b.own(c, &env, func(e *effect) {
		if e.kind != KindAura || !e.when.holds(s) {
			return
		}
		if feet, ok := e.number(s, 0); ok {
			out = append(out, Aura{Cite: e.cite, Source: c.Id, Feet: feet, Who: e.src.GetAura().Who})
		}
	})
	return out
}

// own calls do for every effect on what a creature has.
func (b *Book) own(c *eventv1.Creature, env *Env, do func(*effect)) {
	for _, h := range b.rules {
		if b.on(h, env.State) {
			all(h.effects, do)
		}
	}
	if c == nil {
		return
	}
	if len(b.things[Feats]) > 0 {
		b.feats(c.Sheet, do)
	}
	for _, id := range c.Sheet.GetWears() {
		if t := b.things[Armour][id]; t != nil && inHand(c, id) {
			all(t.effects, do)
		} else if t := b.things[Items][id]; t != nil && inHand(c, id) {
			all(t.effects, do)
		}
	}
	b.carried(c, env, do)
	if env.SpellUse != "" && env.Actor.GetId() == c.Id {
		if t := b.things[Spells][env.SpellUse]; t != nil {
			all(t.effects, do)
		}
	}
	for _, k := range c.Conditions {
		if t := b.things[Conditions][k.Name]; t != nil {
			all(t.effects, do)
		}
	}
	for _, k := range c.Injuries {
		if t := b.things[Injuries][k.Kind]; t != nil {
			all(t.effects, do)
		}
	}
}

// feats calls do for the effects of the feats of a sheet, of each feat once.
func (b *Book) feats(sheet *eventv1.Sheet, do func(*effect)) {
	var few [4]*thing
	seen := few[:0]
	one := func(name string) {
		if t := b.named(Feats, name); t != nil && !slices.Contains(seen, t) {
			seen = append(seen, t)
			all(t.effects, do)
		}
	}
	if b.base.Support.Feat == nil {
		for _, name := range featsOf(sheet) {
			one(name)
		}
		return
	}
	for _, name := range sheet.GetFeats() {
		one(name)
	}
	for i := 0; ; i++ {
		name, ok := b.base.Support.Feat(sheet, i)
		if !ok {
			return
		}
		one(name)
	}
}

func all(effects []*effect, do func(*effect)) {
	for _, e := range effects {
		do(e)
	}
}

// on tells whether a house rule is in force.
func (b *Book) on(h *houseRule, state *eventv1.State) bool {
	if !h.rule.Toggle {
		return true
	}
	if v, said := state.GetSettings()[h.id]; said {
		return v == "on"
	}
	if v, said := b.settings[h.id]; said {
		return v == "on"
	}
	return !h.rule.Off
}

// named finds a thing by its id or, whatever the case, its title.
func (b *Book) named(s Slot, name string) *thing {
	if t := b.things[s][name]; t != nil {
		return t
	}
	return b.plainNamed(s, name)
}

// plainNamed finds a thing by a name as an id, without memory of its own for most names.
func (b *Book) plainNamed(s Slot, name string) *thing {
	var room [64]byte
	id := room[:0]
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= utf8.RuneSelf || len(id) == len(room) || c < ' ':
			return b.things[s][identifier(name)]
		case c == ' ' && len(id) == 0:
			continue // before the name
		case c == ' ':
			c = '-'
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		id = append(id, c)
	}
	for i := len(name); i > 0 && name[i-1] == ' '; i-- {
		id = id[:max(0, len(id)-1)] // behind it
	}
	return b.things[s][string(id)]
}

// identifier is a name as an id: in lower case, with '-' for spaces.
func identifier(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "-")
}

// carried calls do for the effects of weapons and things that a sheet took from
// content. What a weapon does for its own blows counts with it alone; all else
// counts while it is in hand.
func (b *Book) carried(c *eventv1.Creature, env *Env, do func(*effect)) {
	if len(b.things[Weapons]) == 0 && len(b.things[Items]) == 0 {
		return
	}
	m := section(c.Sheet)
	if m == nil {
		return
	}
	for _, f := range planOf(m.Descriptor()) {
		list := m.Get(f.list).List()
		for i := range list.Len() {
			it := list.Get(i).Message()
			use := it.Get(f.use).String()
			if use == "" || f.slot == Spells {
				continue
			}
			t, name := b.things[f.slot][use], it.Get(f.name).String()
			if t == nil {
				continue
			}
			inUse, ready := env.Weapon.Name == name, inHand(c, name)
			for _, e := range t.effects {
				if e.ofBlow && inUse || !e.ofBlow && ready {
					do(e)
				}
			}
		}
	}
}

// away are the places where a thing does nothing for its owner.
var away = []string{"stowed", "pack", "dropped", "ground", "gone", "broken", "lost", "taken", "away"}

func inHand(c *eventv1.Creature, item string) bool {
	return !slices.Contains(away, c.Items[item].GetPlace())
}

// listPlan is a list of a section whose elements can be taken from content.
type listPlan struct {
	list, use, name protoreflect.FieldDescriptor
	slot            Slot
}

// planOf lists them in the order of their fields.
func planOf(section protoreflect.MessageDescriptor) []listPlan {
	if got, ok := plans.Load(section.FullName()); ok {
		return got.([]listPlan)
	}
	var out []listPlan
	fields := section.Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !f.IsList() || f.Message() == nil {
			continue
		}
		if slot, use := slotOf(f.Message()); use != nil {
			out = append(out, listPlan{list: f, use: use, name: f.Message().Fields().ByName("name"), slot: slot})
		}
	}
	plans.Store(section.FullName(), out)
	return out
}

// slotOf is the sort of thing that a message of a sheet is, by its name, and its field that
// says which of them; nil when it cannot be taken from content. One that can has a name.
func slotOf(m protoreflect.MessageDescriptor) (Slot, protoreflect.FieldDescriptor) {
	name, use := string(m.Name()), m.Fields().ByName("use")
	for _, s := range []struct {
		end  string
		slot Slot
	}{{"Attack", Weapons}, {"Weapon", Weapons}, {"Spell", Spells}, {"Item", Items}, {"Thing", Items}, {"Potion", Items}} {
		if strings.HasSuffix(name, s.end) {
			return s.slot, use
		}
	}
	return 0, nil
}
