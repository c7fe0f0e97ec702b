package srd5e

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// abilitiesAndReactions reads special abilities, of which the name becomes a
// trait where the rules know it, and reactions, which become powers when they
// force a saving throw.
func (m *monster) abilitiesAndReactions() {
	for _, a := range m.items(m.record, "special_abilities", object) {
		name := m.str(a, "name")
		if casting := m.want(a, "spellcasting", object); casting != nil {
			m.spellcasting(casting)
		}
		counted := m.counted(a, name)
		if m.regeneration(name, m.want(a, "desc", text)) {
			a.drop("part of a trait that has no field")
			continue
		}
		if m.feature(name, m.want(a, "desc", text)) {
			a.get("name").fate = used
			a.drop("part of a trait that has no field")
			continue
		}
		m.trait(a.get("name"), counted)
		if d := a.get("desc"); d != nil {
			d.fate = untouched
		}
		a.get("desc").drop("words of a trait have no field")
		a.drop("part of a trait that has no field")
	}
	for _, a := range m.items(m.record, "reactions", object) {
		name := m.str(a, "name")
		if a.get("dc") != nil {
			m.power(a, name, m.want(a, "desc", text), "reaction")
			continue
		}
		if m.parry(a, name, a.get("desc")) {
			a.drop("part of a reaction that has no field")
			continue
		}
		m.trait(a.get("name"), false)
		a.drop("part of a reaction that has no field")
	}
}

// counted makes a resource of a trait with a limit of use, and tells whether it
// has.
func (m *monster) counted(a *value, name string) bool {
	u := m.usage(a)
	if u == nil || u.Uses == 0 {
		return false
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if slices.ContainsFunc(m.rcr.Resources, func(r *eventv1.RcrResource) bool { return r.Name == name }) {
		m.unread(a.get("usage"), "a second resource of the same name")
		return true
	}
	recharge := u.Recharge
	switch recharge {
	case "day":
		recharge = "long rest"
		m.note(a.get("usage"), "so many a day is read as so many a long rest", "%d", u.Uses)
	case "recharge":
		m.unread(a.get("usage"), "a trait that comes back on a roll")
		return false
	}
	m.rcr.Resources = append(m.rcr.Resources, &eventv1.RcrResource{Name: name, Current: u.Uses, Max: u.Uses, Recharge: recharge})
	return true
}

// spellcasting reads DC, attack bonus, slots and spells. A second way of
// casting with other numbers keeps its spells only.
func (m *monster) spellcasting(v *value) {
	if dc := v.get("dc"); dc != nil {
		m.once(v, "dc", &m.rcr.SpellDc)
	}
	if bonus := v.get("modifier"); bonus != nil {
		m.once(v, "modifier", &m.rcr.SpellAttackBonus)
	}
	// Level and ability stand on the sheet only in what spells make of them.
	caster, modifier := int32(0), int32(0)
	if level := v.get("level"); level != nil {
		caster = atMost(level.text, 30)
	}
	if ref := m.want(v, "ability", object); ref != nil {
		if index := ref.get("index"); index != nil && ability(index.text) != "" {
			modifier = m.modifier(ability(index.text))
		}
		ref.drop("the ability of a caster has no field")
	}
	m.slots(v)
	var verbal, somatic, material bool
	for _, c := range m.items(v, "components_required", text) {
		switch c.text {
		case "V":
			verbal = true
		case "S":
			somatic = true
		case "M":
			material = true
		default:
			continue
		}
		c.use()
	}
	m.note(v, "each spell has the components that the caster's spells may need", "verbal %t, somatic %t, material %t", verbal, somatic, material)
	for _, s := range m.items(v, "spells", object) {
		name := strings.ToLower(strings.TrimSpace(m.str(s, "name")))
		level := m.integer(s, "level", 0, 9)
		if url := s.get("url"); url != nil && address(url.text, strings.NewReplacer(" ", "-", "/", "-", "'", "").Replace(name)) {
			url.use()
		}
		if slices.ContainsFunc(m.rcr.Spells, func(o *eventv1.RcrSpell) bool { return o.Name == name }) {
			m.unread(s, "a spell given twice")
			continue
		}
		m.rcr.Spells = append(m.rcr.Spells, m.known(&eventv1.RcrSpell{Name: name, Level: level, Verbal: verbal, Somatic: somatic, Material: material,
			Innate: s.get("usage") != nil, Usage: m.usage(s)}, caster, modifier))
		s.drop("how a spell may be cast beyond its slots has no field")
	}
	v.drop("part of spellcasting that has no field")
}

func (m *monster) once(v *value, key string, to *int32) {
	n := m.integer(v, key, -20, 99)
	if *to == 0 || *to == n {
		*to = n
		return
	}
	m.unread(v.get(key), "a second way of casting with another number")
}

func (m *monster) slots(v *value) {
	slots := m.want(v, "slots", object)
	if slots == nil {
		return
	}
	if len(m.rcr.SpellSlots) > 0 {
		m.unread(slots, "a second set of spell slots")
		return
	}
	for level := range 9 {
		key := string(rune('1' + level))
		if slots.get(key) == nil {
			continue
		}
		for len(m.rcr.SpellSlots) <= level {
			m.rcr.SpellSlots = append(m.rcr.SpellSlots, 0)
		}
		m.rcr.SpellSlots[level] = m.integer(slots, key, 0, 100)
	}
	slots.drop("not a level of spells")
}
