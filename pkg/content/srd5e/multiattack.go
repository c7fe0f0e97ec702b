package srd5e

import (
	"fmt"
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// isMultiattack tells an action that is made of other actions.
func isMultiattack(a *value) bool {
	if kind := a.get("multiattack_type"); kind != nil {
		return true
	}
	name := a.get("name")
	return name != nil && strings.EqualFold(name.text, "multiattack")
}

func (m *monster) multiattacks() {
	for _, a := range m.record.get("actions").all() {
		if a.kind != object || !isMultiattack(a) {
			continue
		}
		name := m.str(a, "name")
		if kind := a.get("multiattack_type"); kind != nil && (kind.text == "actions" || kind.text == "action_options") && a.get(kind.text) != nil {
			kind.use()
		}
		before := len(m.rcr.Multiattack)
		if list := a.get("actions"); list != nil {
			m.ways(m.items(a, "actions", object))
		}
		if options := m.want(a, "action_options", object); options != nil {
			m.constants(options)
			for _, o := range m.items(m.want(options, "from", object), "options", object) {
				m.option(o)
			}
		}
		if desc := m.want(a, "desc", text); desc != nil {
			reason := "words of a multiattack; its structure is used"
			if len(m.rcr.Multiattack) == before {
				reason = "a multiattack without structure"
			}
			desc.partly(reason, desc.text)
		}
		if !strings.EqualFold(name, "multiattack") {
			m.note(a, "a multiattack under another name", "%s", name)
		}
		a.drop("part of a multiattack that has no field")
	}
}

// option reads one of the ways to choose from: several actions, or one.
func (m *monster) option(o *value) {
	kind := m.str(o, "option_type")
	switch kind {
	case "multiple":
		m.ways(m.items(o, "items", object))
	case "action":
		m.ways([]*value{o})
	default:
		m.unread(o, "a kind of choice that the importer does not know")
		return
	}
	o.drop("part of a multiattack that has no field")
}

var randomCount = lazily(`^1d([2-9])$`)

// ways adds the way that the parts make, or several where the number of times
// is rolled.
func (m *monster) ways(parts []*value) {
	way := &eventv1.RcrMultiattack{}
	most := 1
	for _, part := range parts {
		name, ok := m.partName(part)
		if !ok {
			m.unread(part, "a multiattack with what is neither attack nor power")
			continue
		}
		count, rolled := m.count(part)
		most = max(most, rolled)
		m.mode(part, name)
		if kind := part.get("option_type"); kind != nil && kind.text == "action" {
			kind.use()
		}
		way.Parts = append(way.Parts, &eventv1.RcrMultiattackPart{Name: name, Count: count})
		part.drop("part of a multiattack that has no field")
	}
	if len(way.Parts) == 0 {
		return
	}
	for n := 1; n <= most; n++ {
		next := &eventv1.RcrMultiattack{}
		var words []string
		for _, p := range way.Parts {
			count := p.Count
			if count == 0 {
				count = int32(n)
			}
			next.Parts = append(next.Parts, &eventv1.RcrMultiattackPart{Name: p.Name, Count: count})
			words = append(words, fmt.Sprintf("%d %s", count, p.Name))
		}
		next.Name = strings.Join(words, ", ")
		if slices.ContainsFunc(m.rcr.Multiattack, func(o *eventv1.RcrMultiattack) bool { return o.Name == next.Name }) {
			m.note(parts[0], "a way of attacking that is there already, but for the mode of an attack", "%s", next.Name)
			continue
		}
		m.rcr.Multiattack = append(m.rcr.Multiattack, next)
	}
}

// partName finds the attack or power of a part. Records differ from themselves
// in brackets, such as "Claw" for "Claw (Oni Form Only)", and in plurals.
func (m *monster) partName(part *value) (string, bool) {
	name := plainName(m.str(part, "action_name"))
	for _, try := range []string{name, name + "s", strings.TrimSuffix(name, "s")} {
		if known := m.names[try]; known != "" {
			return known, true
		}
	}
	return "", false
}

var heads = lazily(`has (two|three|four|five|six|seven|eight|nine|ten) heads`)

// count reads a number, a number in quotes, "1d4", or "Number of Heads"; 0
// with the number of sides means that the number of times is rolled.
func (m *monster) count(part *value) (count int32, sides int) {
	v := part.get("count")
	if v == nil || v.kind != number && v.kind != text {
		m.bad(part, "count: want a number")
		return 1, 1
	}
	v.fate = used
	if n, err := parseInt(v.text); err == nil {
		if n < 1 || n > 100 {
			m.bad(v, "want a number from 1 to 100, got %d", n)
			n = 1
		}
		return int32(n), 1
	}
	if g := randomCount.FindStringSubmatch(v.text); g != nil {
		sides, _ := parseInt(g[1])
		m.note(v, "a rolled number of attacks becomes one way for each number", "%s", v.text)
		return 0, sides
	}
	for _, t := range m.record.get("special_abilities").all() {
		desc := t.get("desc")
		if desc == nil || v.text != "Number of Heads" {
			continue
		}
		if g := heads.FindStringSubmatch(desc.text); g != nil {
			numbers := []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
			n := int32(slices.Index(numbers, g[1]) + 2)
			m.note(v, "one attack for each head that the creature starts with", "%d", n)
			return n, 1
		}
	}
	m.bad(v, "want a number of times, got %q", excerpt(v.text))
	return 1, 1
}

// mode uses the word "melee" or "ranged" of a part when the attack has that
// mode only; otherwise which of its modes is meant goes to the report.
func (m *monster) mode(part *value, name string) {
	kind := part.get("type")
	if kind == nil {
		return
	}
	for _, a := range m.rcr.Attacks {
		if a.Name != name {
			continue
		}
		if kind.text == "melee" && a.RangeFeet == 0 || kind.text == "ranged" && a.ReachFeet == 0 {
			kind.use()
			return
		}
		kind.drop("a multiattack does not say in which mode an attack is made")
		return
	}
	if kind.text == "ability" {
		kind.use()
		return
	}
	kind.drop("another kind of action than its name says")
}
