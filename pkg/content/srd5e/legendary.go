package srd5e

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// legendaryActions is how many a legendary creature of the SRD may take. The
// records do not say it; every stat block of the SRD does.
const legendaryActions = 3

var (
	costPattern     = lazily(`^(.*?) ?\(Costs (\d) Actions\)$`)
	checkPattern    = lazily(`makes a [A-Z]\w+ \(([A-Z][a-z ]+)\) check`)
	movePattern     = lazily(`moves up to (half )?its speed( without provoking opportunity attacks)?`)
	teleportPattern = lazily(`teleports(?:, along with any equipment it is wearing or carrying,)? up to (\d+) (?:feet|ft\.)(?: to an unoccupied space it can see)?`)
	castPattern     = lazily(`casts a (cantrip|spell)(?: from its list of prepared spells, using a spell slot as normal)?`)
	ownPatterns     = []*pattern{lazily(`(?:one|a|or) ([a-z -]+?) attack\b`), lazily(`attack with its ([a-z -]+?)(?: or|\.)`), lazily(`one (unarmed strike)`), lazily(`uses (?:its )?([A-Z][A-Za-z ]+)`)}
	regainPattern   = lazily(`[Tt]he [a-z ]+ regains (\d+) hit points at the start of its turn`)
	stoppedPattern  = lazily(`If the [a-z ]+ takes (` + damageWord + `)(?: or (` + damageWord + `))? damage(?: or [a-z ]+)?, this trait doesn't function at the start of the [a-z ]+'s next turn`)
	onlyPattern     = lazily(`The [a-z ]+ dies only if it starts its turn with 0 hit points and doesn't regenerate`)
	parryPattern    = lazily(`adds (\d+) to its AC against one melee attack that would hit it`)
)

// legendary reads the actions taken at the end of others' turns.
func (m *monster) legendary() {
	all := m.items(m.record, "legendary_actions", object)
	if len(all) == 0 {
		return
	}
	m.rcr.LegendaryActions = legendaryActions
	m.note(m.record.get("legendary_actions"), "how many there are between two turns no record says; the SRD has three", "%d", legendaryActions)
	for _, a := range all {
		name, cost := m.str(a, "name"), int32(0)
		if g := costPattern.FindStringSubmatch(name); g != nil {
			name, cost = g[1], atMost(g[2], legendaryActions)
		}
		desc := m.want(a, "desc", text)
		words := ""
		if desc != nil {
			words = desc.text
		}
		for _, l := range m.legendaryOf(a, name, words, desc) {
			l.Name, l.Cost = m.legendaryName(l.Name), cost
			m.rcr.Legendary = append(m.rcr.Legendary, l)
		}
		a.drop("part of a legendary action that has no field")
	}
}

// legendaryOf finds what a legendary action does: a power of its own, a check,
// movement, or attacks and powers that the creature has, one entry for each.
func (m *monster) legendaryOf(a *value, name, words string, desc *value) []*eventv1.RcrLegendary {
	plain := strings.ToLower(strings.TrimSpace(name))
	p := newProse(words)
	switch {
	case a.get("dc") != nil || healPattern.MatchString(words):
		out := m.powerOf(a, m.unique(a, name), p, "legendary", desc)
		m.rcr.Powers = append(m.rcr.Powers, out)
		m.rest(desc, p)
		return []*eventv1.RcrLegendary{{Name: plain, Power: out.Name}}
	case checkPattern.MatchString(words):
		skill := strings.ToLower(p.cut(checkPattern)[1])
		m.rest(desc, &prose{})
		return []*eventv1.RcrLegendary{{Name: plain, Skill: skill}}
	case movePattern.MatchString(words):
		g := p.cut(movePattern)
		l := &eventv1.RcrLegendary{Name: plain, MovePercent: 100, Unprovoking: g[2] != ""}
		if g[1] != "" {
			l.MovePercent = 50
		}
		m.rest(desc, &prose{})
		return []*eventv1.RcrLegendary{l}
	case teleportPattern.MatchString(words):
		m.rest(desc, &prose{})
		return []*eventv1.RcrLegendary{{Name: plain, TeleportFeet: atMost(p.cut(teleportPattern)[1], 10_000)}}
	case castPattern.MatchString(words):
		l := &eventv1.RcrLegendary{Name: plain, Casts: eventv1.RcrLegendary_CASTS_ANY}
		if p.cut(castPattern)[1] == "cantrip" {
			l.Casts = eventv1.RcrLegendary_CASTS_CANTRIP
		}
		m.rest(desc, &prose{})
		return []*eventv1.RcrLegendary{l}
	}
	if out := m.ownActions(plain, words); len(out) > 0 {
		m.rest(desc, &prose{})
		return out
	}
	m.rest(desc, p)
	return []*eventv1.RcrLegendary{{Name: plain}}
}

// rest reports what of the words of a legendary action was not understood.
func (m *monster) rest(desc *value, p *prose) {
	if rest := p.left(); desc != nil && rest != "" {
		desc.partly("words of a legendary action beyond the fields of a sheet", rest)
	}
}

// ownActions finds the attacks and powers of the creature that words name.
func (m *monster) ownActions(name, words string) []*eventv1.RcrLegendary {
	var found []string
	for _, re := range ownPatterns {
		for _, g := range re.FindAllStringSubmatch(words, -1) {
			if known := m.names[plainName(g[1])]; known != "" && !slices.Contains(found, known) {
				found = append(found, known)
			}
		}
	}
	var out []*eventv1.RcrLegendary
	for _, known := range found {
		l := &eventv1.RcrLegendary{Name: name}
		if len(found) > 1 {
			l.Name = name + ": " + known
		}
		if slices.ContainsFunc(m.rcr.Attacks, func(a *eventv1.RcrAttack) bool { return a.Name == known }) {
			l.Attack = known
		} else {
			l.Power = known
		}
		out = append(out, l)
	}
	return out
}

// legendaryName keeps names of legendary actions apart.
func (m *monster) legendaryName(name string) string {
	taken := func(n string) bool {
		return slices.ContainsFunc(m.rcr.Legendary, func(l *eventv1.RcrLegendary) bool { return l.Name == n })
	}
	out := name
	for i := '2'; taken(out); i++ {
		out = name + " " + string(i)
	}
	return out
}

// regeneration reads a trait that gives hit points back at the start of turns.
func (m *monster) regeneration(name string, desc *value) bool {
	if name != "Regeneration" || desc == nil || m.rcr.Regeneration != nil {
		return false
	}
	p := newProse(desc.text)
	g := p.cut(regainPattern)
	if g == nil {
		return false
	}
	out := &eventv1.RcrRegeneration{Amount: atMost(g[1], 10_000)}
	if stops := p.cut(stoppedPattern); stops != nil {
		for _, kind := range stops[1:] {
			if kind != "" {
				out.StoppedBy = append(out.StoppedBy, kind)
			}
		}
	}
	out.AtZero = p.cut(onlyPattern) != nil
	m.rcr.Regeneration = out
	desc.fate = used
	if rest := p.left(); rest != "" {
		desc.partly("words of regeneration beyond the fields of a sheet", rest)
	}
	return true
}

// parry reads a reaction that raises the armour class against one attack.
func (m *monster) parry(a *value, name string, desc *value) bool {
	if desc == nil {
		return false
	}
	p := newProse(desc.text)
	g := p.cut(parryPattern)
	if g == nil {
		return false
	}
	m.rcr.Powers = append(m.rcr.Powers, &eventv1.RcrPower{Name: m.unique(a, name), Cost: "reaction",
		Effects: []*eventv1.RcrEffect{{Condition: "parrying", Once: true, Changes: map[string]int32{"armor-class": atMost(g[1], 99)}}}})
	desc.fate = used
	if rest := p.left(); rest != "" {
		desc.partly("words of a parry beyond the fields of a sheet", rest)
	}
	return true
}
