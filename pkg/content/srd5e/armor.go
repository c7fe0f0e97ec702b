package srd5e

import eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"

// suit is what a piece of armour gives: a number, and so much of the Dexterity modifier
// at most.
type suit struct {
	name            string
	base, dexterity int32
}

// unarmoured is the part of those who wear nothing.
const unarmoured = "unarmoured"

// suits are the armours of the System Reference Document by the index of the records.
var suits = map[string]suit{
	"padded-armor": {"padded armour", 11, 99}, "leather-armor": {"leather armour", 11, 99}, "studded-leather-armor": {"studded leather", 12, 99},
	"hide-armor": {"hide armour", 12, 2}, "chain-shirt": {"chain shirt", 13, 2}, "scale-mail": {"scale mail", 14, 2},
	"breastplate": {"breastplate", 14, 2}, "half-plate-armor": {"half plate", 15, 2},
	"ring-mail": {"ring mail", 14, 0}, "chain-mail": {"chain mail", 16, 0}, "splint-armor": {"splint armour", 17, 0}, "plate-armor": {"plate armour", 18, 0},
}

// madeOf says what the armour class is made of, where the parts of the record come to
// it: armour, Dexterity, a shield, a natural hide.
func (m *monster) madeOf(kind string, pieces []string) {
	dexterity := m.modifier("dexterity")
	worn, shield := suit{base: 10, dexterity: 99, name: unarmoured}, int32(0)
	for _, index := range pieces {
		s, known := suits[index]
		switch {
		case index == "shield":
			shield = 2
		case known && worn.name == unarmoured:
			worn = s
		default:
			return // not of the document, or two at once
		}
	}
	var parts []*eventv1.SheetPart
	add := func(source string, value int32) {
		if value != 0 {
			parts = append(parts, &eventv1.SheetPart{Source: source, Value: value})
		}
	}
	add(worn.name, worn.base)
	dexterity = min(dexterity, worn.dexterity)
	if worn.dexterity > 0 {
		add("Dexterity", dexterity)
	} else {
		dexterity = 0
	}
	rest := m.rcr.ArmorClass - worn.base - dexterity - shield
	switch {
	case kind == "natural" && worn.name == unarmoured && rest > 0:
		add("natural armour", rest)
	case rest != 0:
		return
	}
	add("shield", shield)
	if len(parts) > 1 {
		m.out.MadeOf = append(m.out.MadeOf, &eventv1.SheetNumber{Number: "armor-class", Parts: parts})
	}
}
