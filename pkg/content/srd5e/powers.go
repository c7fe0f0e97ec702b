package srd5e

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	healPattern  = lazily(`(?:magically )?regains (\d+) ?(?:\(([^)]*)\) )?hit points`)
	touchPattern = lazily(`touches (?:another|a) creature`)
	areaOf       = lazily(`(?:in an? )?(\d+)-foot[ -](?:cone|line|radius)`)
	lineOf       = lazily(`line (?:of \w+ )?that is (\d+) feet long(?: and \d+ feet wide)?`)
	withinOf     = lazily(`(?:within|touches[^.]* within) (\d+) feet(?: of (?:it|her|him)\b)?`)
	upToOf       = lazily(`up to (\d+) feet`)
	spacePattern = lazily(`space (?:that is )?$`)
	areaPattern  = lazily(`(?i)\b(?:each|any) (?:non-undead |living )?(?:creature|humanoid)|\beach of those creatures|one or more creatures`)
	threePattern = lazily(`creates three bolts`)
)

// power reads an action that is no attack. Every such action becomes a power,
// since it can be used and a multiattack may name it.
func (m *monster) power(v *value, name string, desc *value, cost string) {
	if options := v.get("options"); options != nil && desc != nil {
		m.choices(v, m.items(m.want(options, "from", object), "options", object), desc, options)
		return
	}
	if several := v.get("attacks"); several != nil && desc != nil {
		m.choices(v, m.items(v, "attacks", object), desc, several)
		return
	}
	p := newProse("")
	if desc != nil {
		p = newProse(desc.text)
	}
	out := m.powerOf(v, m.unique(v, name), p, cost, desc)
	out.Usage = m.usage(v)
	if rest := p.left(); rest != "" {
		desc.partly("words of a power beyond the fields of a sheet", rest)
	}
	v.drop("part of a power that has no field")
	m.rcr.Powers = append(m.rcr.Powers, out)
}

// choices reads an action that is one of several powers, such as the breaths of
// a metallic dragon, or several in turn. The text has a paragraph for each.
func (m *monster) choices(v *value, options []*value, desc, set *value) {
	m.constants(set)
	paragraphs := strings.Split(desc.text, "\n")
	usage := m.usage(v)
	switch {
	case usage == nil:
	case int(usage.Uses) == len(options):
		usage.Uses = 1 // each once: the roars of an androsphinx
		m.note(v, "one action of several powers: each has one of the uses", "%s", m.str(v, "name"))
	default:
		usage.Shared = strings.ToLower(strings.TrimSpace(m.str(v, "name"))) // one or the other: the breaths of a dragon
	}
	for _, o := range options {
		name := m.str(o, "name")
		var words []string
		for i, paragraph := range paragraphs {
			if rest, ok := strings.CutPrefix(paragraph, name+". "); ok && name != "" {
				words, paragraphs[i] = append(words, rest), ""
			}
		}
		p := newProse(strings.Join(words, "\n"))
		out := m.powerOf(o, m.unique(o, name), p, "action", desc)
		if out.RangeFeet == 0 {
			out.RangeFeet = reach(&prose{rest: feetWords.Replace(paragraphs[0])})
		}
		if usage != nil {
			out.Usage = proto.Clone(usage).(*eventv1.RcrUsage)
		}
		if kind := o.get("option_type"); kind != nil && kind.text == "breath" {
			kind.use()
		}
		o.drop("part of a power that has no field")
		paragraphs = append(paragraphs, p.left())
		m.rcr.Powers = append(m.rcr.Powers, out)
	}
	m.str(v, "name")
	if rest := strings.TrimSpace(strings.Join(paragraphs, " ")); rest != "" {
		desc.partly("words of a power beyond the fields of a sheet", rest)
	}
	v.drop("part of a power that has no field")
}

func (m *monster) powerOf(v *value, name string, p *prose, cost string, desc *value) *eventv1.RcrPower {
	out := &eventv1.RcrPower{Name: name, Cost: cost}
	whole := p.rest
	if areaPattern.MatchString(whole) {
		out.Targets = AreaTargets
	} else if threePattern.MatchString(whole) {
		out.Targets = 3
	}
	r := rider{self: m.self()}
	r.read(p)
	if r.save == nil && v.get("dc") != nil {
		m.recordSave(v, &r, desc)
		if r.save != nil {
			r.failure(p)
		}
	}
	if g := p.cut(healPattern); g != nil {
		if out.Healing = normalDice(g[2]); out.Healing == "" {
			out.Healing = g[1]
		}
	}
	out.RangeFeet = reach(p)
	if p.cut(touchPattern) != nil && out.RangeFeet == 0 {
		out.RangeFeet = 5
	}
	m.powerDamage(v, &r, whole)
	m.recordSave(v, &r, desc)
	out.Save, out.Damage, out.Effects = r.save, r.damage, r.effects
	return out
}

// reach is the longest of the distances that a text gives for its effect: a
// cylinder of 5 feet on a point within 120 feet reaches 120. Where creatures
// end up, such as "a space within 5 feet", does not count.
func reach(p *prose) int32 {
	var best []int
	longest := int32(0)
	for i, re := range []*pattern{areaOf, lineOf, withinOf, upToOf} {
		if i == 3 && best != nil {
			break
		}
		for _, at := range re.FindAllStringSubmatchIndex(p.rest, -1) {
			feet := atMost(p.rest[at[2]:at[3]], 10_000)
			if feet > longest && !spacePattern.MatchString(p.rest[:at[0]]) {
				best, longest = at, feet
			}
		}
	}
	if best != nil {
		p.cutAt(best)
	}
	return longest
}

var laterPattern = lazily(`^[^.]*(?:start|end) of (?:each|its)`)

// powerDamage settles the damage of a power between text and record.
func (m *monster) powerDamage(v *value, r *rider, whole string) {
	recorded, _ := m.recorded(v)
	spoken := len(r.damage) > 0
	rest := slices.Clone(r.damage)
	for _, part := range recorded {
		at := slices.IndexFunc(rest, func(d *eventv1.RcrDamage) bool { return proto.Equal(d, part.damage) })
		if at >= 0 {
			rest = slices.Delete(rest, at, at+1)
			m.dealt(part.from)
			continue
		}
		if spoken || later(whole, part.damage) {
			part.from.drop("damage that the text does not deal at once")
			continue
		}
		r.damage = append(r.damage, part.damage)
		m.dealt(part.from)
	}
	for _, d := range rest {
		m.note(v, "damage that only the text has", "%s %s", d.Dice, d.Type)
	}
}

// later tells whether the text deals the damage at the start or end of turns.
func later(whole string, damage *eventv1.RcrDamage) bool {
	for _, at := range damagePattern.FindAllStringIndex(whole, -1) {
		found := damages(whole[at[0]:at[1]])
		if len(found) == 1 && proto.Equal(found[0], damage) {
			return laterPattern.MatchString(whole[at[1]:])
		}
	}
	return false
}

// recordSave holds the saving throw of the text against that of the record,
// which stands beside the action or beside one part of its damage.
func (m *monster) recordSave(v *value, r *rider, desc *value) {
	at := []*value{v.get("dc")}
	for _, d := range v.get("damage").all() {
		at = append(at, d.get("dc"))
	}
	for _, dc := range at {
		if dc == nil {
			continue
		}
		kind := m.need(dc, "dc_type", object)
		save := &eventv1.RcrSave{Ability: ability(m.str(kind, "index")), Dc: 0}
		if dc.get("dc_value") != nil {
			save.Dc = m.integer(dc, "dc_value", 1, 99)
		}
		if save.Ability == "" && kind.get("index") != nil {
			m.bad(kind.get("index"), "not an ability: %q", excerpt(kind.get("index").text))
		}
		m.reference(kind)
		if r.save == nil {
			r.save = save
			if desc != nil {
				m.note(dc, "a saving throw that the text does not put the same way", "DC %d %s", save.Dc, save.Ability)
			}
			if kind := success(dc); kind != nil {
				kind.use()
				save.HalfOnSuccess = kind.text == "half"
			}
			continue
		}
		m.holdAgainst(dc, save, r)
	}
}

// success is what a success on a saving throw does, if it is a word that is
// known; otherwise it is left for the report.
func success(dc *value) *value {
	if s := dc.get("success_type"); s != nil && (s.text == "none" || s.text == "half") {
		return s
	}
	return nil
}

func (m *monster) holdAgainst(dc *value, save *eventv1.RcrSave, r *rider) {
	if save.Dc != r.save.Dc || save.Ability != r.save.Ability {
		m.unread(dc, "another saving throw than the text's, which is used")
		return
	}
	kind := success(dc)
	if kind == nil {
		return
	}
	kind.use()
	half := kind.text == "half"
	switch {
	case half == r.save.HalfOnSuccess:
	case half:
		r.save.HalfOnSuccess = true
		m.note(kind, "half damage on a success only by the record", "half")
	default:
		kind.fate = untouched
		kind.drop("the text halves the damage on a success, and is used")
	}
}

// usage reads how often something can be used.
func (m *monster) usage(v *value) *eventv1.RcrUsage {
	u := m.want(v, "usage", object)
	if u == nil {
		return nil
	}
	kind := m.str(u, "type")
	switch kind {
	case "per day":
		return &eventv1.RcrUsage{Uses: m.integer(u, "times", 1, 100), Recharge: "day"}
	case "recharge on roll":
		dice := m.str(u, "dice")
		if dice != "1d6" {
			m.unread(u, "a recharge that is not on a d6")
			return nil
		}
		return &eventv1.RcrUsage{Uses: 1, Recharge: "recharge", RechargeFrom: m.integer(u, "min_value", 1, 6)}
	case "recharge after rest":
		out := &eventv1.RcrUsage{Uses: 1, Recharge: "long rest"}
		if u.get("times") != nil {
			out.Uses = m.integer(u, "times", 1, 100)
		}
		for _, rest := range m.items(u, "rest_types", text) {
			switch rest.text {
			case "short":
				out.Recharge = "short rest"
				rest.use()
			case "long": // a long rest brings back what a short one does
				rest.use()
			}
		}
		return out
	case "at will":
		return nil
	}
	m.unread(u, "a limit of use that a sheet does not know")
	return nil
}
