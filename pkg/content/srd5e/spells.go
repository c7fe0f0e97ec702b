package srd5e

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/sheet"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

//go:embed spells.yaml
var spellText []byte

// Spellbook is spells by their lower-case name.
type Spellbook map[string]*eventv1.RcrSpell

// Spells are the spells that the importer knows by name; they must not be
// changed.
func Spells() (Spellbook, error) { return spellbook() }

// spellbook is the spells that the importer knows by name.
var spellbook = sync.OnceValues(func() (map[string]*eventv1.RcrSpell, error) {
	s, err := sheet.Parse(spellText)
	if err != nil {
		return nil, err
	}
	out := map[string]*eventv1.RcrSpell{}
	for _, sp := range s.GetRcr().GetSpells() {
		out[sp.Name] = sp
	}
	return out, nil
})

// known gives a spell what it does when the importer knows it: by its name and
// level. It has those of its components that the record's caster needs. Cantrips
// grow with the caster's level, healing by its modifier.
func (m *monster) known(sp *eventv1.RcrSpell, caster, modifier int32) *eventv1.RcrSpell {
	book, err := spellbook()
	if err != nil || book[sp.Name] == nil || book[sp.Name].Level != sp.Level {
		return sp
	}
	out, ok := proto.Clone(book[sp.Name]).(*eventv1.RcrSpell)
	if !ok {
		return sp
	}
	out.Innate, out.Usage = sp.Innate, sp.Usage
	out.Verbal, out.Somatic, out.Material = out.Verbal && sp.Verbal, out.Somatic && sp.Somatic, out.Material && sp.Material
	if out.Name == "mage armor" {
		out.Effects = []*eventv1.RcrEffect{{Condition: "armored", Changes: map[string]int32{"armor-class-at-least": 13 + m.modifier("dexterity")}}}
	}
	if out.Level == 0 {
		for _, d := range out.Damage {
			d.Dice = tier(caster) + strings.TrimPrefix(d.Dice, "1")
		}
	}
	switch {
	case out.Healing == "" || modifier == 0:
	case modifier > 0:
		out.Healing += "+" + strconv.Itoa(int(modifier))
	default:
		out.Healing += strconv.Itoa(int(modifier))
	}
	return out
}

// tier is how many dice a cantrip has: one more from the fifth, the eleventh and
// the seventeenth level on.
func tier(level int32) string {
	switch {
	case level >= 17:
		return "4"
	case level >= 11:
		return "3"
	case level >= 5:
		return "2"
	}
	return "1"
}
