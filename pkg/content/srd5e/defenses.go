package srd5e

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var damageTypes = []string{"acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing",
	"poison", "psychic", "radiant", "slashing", "thunder"}

func (m *monster) defenses() {
	m.rcr.Resistances = m.defense("damage_resistances")
	m.rcr.Immunities = m.defense("damage_immunities")
	m.rcr.Vulnerabilities = m.defense("damage_vulnerabilities")
	for _, ref := range m.items(m.record, "condition_immunities", object) {
		m.rcr.ConditionImmunities = append(m.rcr.ConditionImmunities, m.str(ref, "index"))
		m.reference(ref)
	}
}

func (m *monster) defense(key string) []*eventv1.RcrDefense {
	var out []*eventv1.RcrDefense
	for _, v := range m.items(m.record, key, text) {
		entries := defense(v.text)
		if len(entries) == 0 {
			v.drop("not by damage type, or only against what a sheet cannot tell apart")
			continue
		}
		v.fate = used
		out = append(out, entries...)
	}
	return out
}

var fromPattern = lazily(`^([a-z, ]+?)(?: damage)? from (nonmagical|non-magical) (?:weapons|attacks)(.*)$`)

// defense reads a damage type, or several "from nonmagical weapons that aren't
// silvered". None comes back for what would do more than the words say.
func defense(words string) []*eventv1.RcrDefense {
	lower := strings.ToLower(strings.TrimSpace(words))
	if slices.Contains(damageTypes, lower) {
		return []*eventv1.RcrDefense{{Type: lower}}
	}
	match := fromPattern.FindStringSubmatch(lower)
	if match == nil {
		return nil
	}
	var out []*eventv1.RcrDefense
	for _, word := range strings.FieldsFunc(match[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		if word == "and" || word == "or" {
			continue
		}
		if !slices.Contains(damageTypes, word) {
			return nil
		}
		out = append(out, &eventv1.RcrDefense{Type: word, NonmagicalOnly: true, Note: words,
			ExceptSilvered: strings.Contains(match[3], "silvered"), ExceptAdamantine: strings.Contains(match[3], "adamantine")})
	}
	return out
}
