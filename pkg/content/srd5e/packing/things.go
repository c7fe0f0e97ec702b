package packing

import (
	"fmt"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// properties of weapons as sheets call them; those that are empty mean nothing in
// a fight by these rules.
var properties = map[string]string{"two-handed": "two-handed", "light": "light", "finesse": "finesse", "heavy": "heavy", "thrown": "thrown",
	"reach": "reach", "versatile": "versatile", "ammunition": "ammunition", "loading": "reload", "monk": "", "special": ""}

// inOrder is the order of properties on sheets.
var inOrder = []string{"one-handed", "two-handed", "versatile", "light", "finesse", "heavy", "thrown", "reach", "ammunition", "reload"}

func (m *maker) weapons(things []equipment) {
	var out []entry
	for _, e := range things {
		if e.Category.Index == "weapon" {
			out = append(out, m.weapon(e))
		}
	}
	m.write("weapons.yaml", out)
	m.counts = append(m.counts, fmt.Sprintf("%d weapons", len(out)))
}

func (m *maker) weapon(e equipment) entry {
	a := &eventv1.RcrAttack{Name: plainName(e.Name)}
	out := entry{ID: e.Index, Title: e.Name, Text: strings.Join(e.Special, " ")}
	if e.Range == "Melee" {
		a.ReachFeet = e.Reach.Normal
		a.RangeFeet, a.LongRangeFeet = e.Thrown.Normal, e.Thrown.Long
	} else {
		a.RangeFeet, a.LongRangeFeet = e.Reach.Normal, e.Reach.Long
	}
	both := false
	for _, p := range e.Properties {
		word, known := properties[p.Index]
		switch {
		case !known:
			m.leave("weapons", e.Name, "the property %s", p.Name)
		case p.Index == "monk":
			m.leave("weapons", e.Name, "that a monk may fight with it as with a bare hand")
		case word != "":
			a.Properties = append(a.Properties, word)
		}
		both = both || p.Index == "two-handed"
		if p.Index == "reach" {
			a.ReachFeet += 5
		}
	}
	if !both {
		a.Properties = append(a.Properties, "one-handed")
	}
	slices.SortFunc(a.Properties, func(x, y string) int { return slices.Index(inOrder, x) - slices.Index(inOrder, y) })
	a.Damage, a.TwoHandedDamage = partsOf(e.Damage), partsOf(e.TwoHanded)
	out.Data = a
	switch e.Index {
	case "lance":
		out.Effects = []effect{{When: "distance >= 0 && distance <= 5", Edge: &edge{To: "attack/melee", Direction: "disadvantage"}}}
		m.leave("weapons", e.Name, "that it takes two hands on foot: sheets do not know who rides")
	case "net":
		out.Effects = []effect{{When: `!(target.size in ["huge", "gargantuan"])`, Trigger: "hit", Condition: &laid{Condition: "restrained"}}}
		m.leave("weapons", e.Name, "how one gets out of it (Strength DC 10, or 5 slashing damage to it), creatures without form, and the one attack with it")
	default:
		if len(e.Special) > 0 {
			m.leave("weapons", e.Name, "what is special about it: %s", strings.Join(e.Special, " "))
		}
	}
	return out
}

func partsOf(d *damage) []*eventv1.RcrDamage {
	if d == nil {
		return nil
	}
	return []*eventv1.RcrDamage{{Dice: d.Dice, Type: d.Type.Index}}
}

// plainName is a name as sheets have it: "Crossbow, light" is a light crossbow.
func plainName(name string) string {
	if first, second, cut := strings.Cut(name, ", "); cut {
		name = second + " " + first
	}
	return strings.ToLower(name)
}

func (m *maker) armour(things []equipment) {
	var out []entry
	for _, e := range things {
		if e.Category.Index == "armor" {
			out = append(out, m.worn(e))
		}
	}
	m.write("armour.yaml", out)
	m.counts = append(m.counts, fmt.Sprintf("%d pieces of armour", len(out)))
}

func (m *maker) worn(e equipment) entry {
	out := entry{ID: e.Index, Title: e.Name}
	amount := fmt.Sprint(e.Armor.Base)
	switch {
	case e.ArmorCategory == "Shield":
		out.Data = &eventv1.RcrSheet{Shield: eventv1.RcrSheet_SHIELD_SHIELD}
		out.Effects = []effect{{Modifier: &modifier{To: "armor-class", Amount: amount, Kind: "shield"}}}
	case e.Armor.Dexterity && e.Armor.Most != nil:
		amount += fmt.Sprintf(` + min(self.mod("dexterity"), %d)`, *e.Armor.Most)
	case e.Armor.Dexterity:
		amount += ` + self.mod("dexterity")`
	}
	if e.ArmorCategory != "Shield" {
		out.Effects = []effect{{Set: &set{Value: "armor-class", Amount: amount}}}
	}
	if e.Stealth {
		out.Effects = append(out.Effects, effect{Edge: &edge{To: "check/stealth", Direction: "disadvantage"}})
	}
	if e.Strength > 0 {
		out.Effects = append(out.Effects, effect{When: fmt.Sprintf(`self.score("strength") < %d`, e.Strength), Speed: &speed{Mode: "walk", Feet: "feet - 10"}})
	}
	return out
}

// decidedElsewhere are conditions that rcr counts and does not lay.
var decidedElsewhere = []string{"exhaustion"}

func (m *maker) conditions(list []condition) {
	var out []entry
	for _, c := range list {
		if slices.Contains(decidedElsewhere, c.Index) {
			m.leave("conditions", c.Name, "it is a number of levels in this system, not a condition")
			continue
		}
		out = append(out, entry{ID: c.Index, Title: c.Name, Text: strings.Join(c.Desc, " ")})
	}
	m.write("conditions.yaml", out)
	m.counts = append(m.counts, fmt.Sprintf("%d conditions in words: what they do is decided by the system's own rules under the same names", len(out)))
}
