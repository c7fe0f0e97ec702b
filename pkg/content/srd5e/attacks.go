package srd5e

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	attackPattern = lazily(`^\s*(Melee or Ranged|Melee|Ranged) (Weapon|Spell) Attack: \+?(-?\d+) to hit`)
	reachPattern  = lazily(`^,? ?reach (\d+) feet(?: or)?`)
	rangePattern  = lazily(`^,? ?(?:or )?(?:ranged? )(\d+)(?:/(\d+))? feet`)
	targetPattern = lazily(`^, one (target|creature|[^.:]*)\. Hit: ?`)
	plainHit      = lazily(`^, [^.:]*\. ?Hit: ?|^\. ?Hit: ?`)
	asidePattern  = lazily(`^ (\([^)]*\))`)

	hitPattern     = lazily(`^(` + damageText + `)`)
	plusPattern    = lazily(`^,? plus (` + damageText + `)`)
	twoHandPattern = lazily(`^,?(?: or)? (` + damageText + `) if (?:used|wielded) with two hands(?: to make a melee attack)?`)
)

// actions reads attacks and powers; multiattacks wait until all are known.
func (m *monster) actions() {
	for _, a := range m.items(m.record, "actions", object) {
		if isMultiattack(a) {
			continue
		}
		name := m.str(a, "name")
		desc := m.want(a, "desc", text)
		if a.get("attack_bonus") != nil && desc != nil && attackPattern.MatchString(feetWords.Replace(desc.text)) {
			m.attack(a, name, desc)
			continue
		}
		m.power(a, name, desc, "action")
	}
}

// unique keeps names of attacks and powers apart, since a sheet asks for it.
func (m *monster) unique(v *value, name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	taken := func(n string) bool {
		return slices.ContainsFunc(m.rcr.Attacks, func(a *eventv1.RcrAttack) bool { return a.Name == n }) ||
			slices.ContainsFunc(m.rcr.Powers, func(p *eventv1.RcrPower) bool { return p.Name == n })
	}
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s %d", name, i)
	}
	if out != name {
		m.note(v, "a second action of the same name", "%s", out)
	}
	if _, there := m.names[plainName(name)]; !there {
		m.names[plainName(name)] = out
	}
	return out
}

func (m *monster) attack(v *value, name string, desc *value) {
	a := &eventv1.RcrAttack{Name: m.unique(v, name), Bonus: m.integer(v, "attack_bonus", -20, 50)}
	p := newProse(desc.text)
	aside := m.header(a, v, p)
	main, twoHanded := hit(p)
	r := rider{self: m.self()}
	r.read(p)
	m.damageOf(a, v, main, twoHanded, &r)
	m.recordSave(v, &r, desc)
	a.Save, a.SaveDamage, a.Effects = r.save, r.damage, r.effects
	a.Usage = m.usage(v)
	arm(a)
	if a.Spell || m.magicWeapons() {
		a.Magical = true
	}
	if rest := strings.TrimSpace(aside + " " + p.left()); rest != "" {
		desc.partly("words of an attack beyond the fields of a sheet", rest)
	}
	v.drop("part of an attack that has no field")
	m.rcr.Attacks = append(m.rcr.Attacks, a)
}

// self is the words of the creature's name, by which its texts speak of it.
func (m *monster) self() []string {
	return strings.FieldsFunc(strings.ToLower(m.out.Name), func(r rune) bool { return r == ' ' || r == ',' })
}

// header reads up to "Hit:" and gives back what it could not use.
func (m *monster) header(a *eventv1.RcrAttack, v *value, p *prose) string {
	var aside []string
	g := p.lead(attackPattern)
	a.Spell = g[2] == "Spell"
	if n, err := parseInt(g[3]); err != nil || int32(n) != a.Bonus {
		m.note(v.get("desc"), "the text has another attack bonus than the record; the record's is used", "%s against %d", g[3], a.Bonus)
	}
	if extra := p.lead(asidePattern); extra != nil {
		aside = append(aside, extra[1])
	}
	if reach := p.lead(reachPattern); reach != nil && g[1] != "Ranged" {
		a.ReachFeet = atMost(reach[1], 10_000)
		if a.ReachFeet == 0 {
			// A swarm reaches only its own space; 0 would mean no melee attack.
			a.ReachFeet = 5
			m.note(v.get("desc"), "reach 0 is written as 5", "reach 0 feet")
		}
	}
	if far := p.lead(rangePattern); far != nil && g[1] != "Melee" {
		a.RangeFeet, a.LongRangeFeet = atMost(far[1], 10_000), atMost(far[2], 10_000)
	}
	if a.ReachFeet == 0 && a.RangeFeet == 0 {
		m.bad(v.get("desc"), "attack %q without reach or range", excerpt(a.Name))
	}
	if whom := p.lead(targetPattern); whom != nil {
		if whom[1] != "target" && whom[1] != "creature" {
			aside = append(aside, "one "+whom[1])
		}
	} else if whom := p.lead(plainHit); whom != nil {
		aside = append(aside, strings.Trim(whom[0], " ,"))
	}
	return strings.Join(aside, "; ")
}

func atMost(s string, most int) int32 {
	n, err := parseInt(s)
	if err != nil || n > most {
		return 0
	}
	return int32(n)
}

// hit reads the damage that opens the text of a hit: parts joined by "plus",
// and in place of the first part another "if used with two hands".
func hit(p *prose) (main, twoHanded []*eventv1.RcrDamage) {
	g := p.lead(hitPattern)
	if g == nil {
		return nil, nil
	}
	first, hands := damages(g[1]), []*eventv1.RcrDamage(nil)
	var plus []*eventv1.RcrDamage
	for {
		if g := p.lead(plusPattern); g != nil {
			plus = append(plus, damages(g[1])...)
		} else if g := p.lead(twoHandPattern); g != nil && hands == nil {
			hands = damages(g[1])
		} else {
			break
		}
	}
	if hands != nil {
		twoHanded = slices.Concat(hands, plus)
	}
	return slices.Concat(first, plus), twoHanded
}

// damageOf settles the damage of an attack between its text and its record. The
// text is trusted on what happens when; the record fills in where it is silent.
func (m *monster) damageOf(a *eventv1.RcrAttack, v *value, main, twoHanded []*eventv1.RcrDamage, r *rider) {
	recorded, both := m.recorded(v)
	a.Damage, a.TwoHandedDamage = main, twoHanded
	if len(main) == 0 && len(r.damage) == 0 {
		for _, part := range recorded {
			a.Damage = append(a.Damage, part.damage)
			m.dealt(part.from)
		}
	}
	if len(twoHanded) == 0 && both != nil && len(a.Damage) > 0 {
		a.TwoHandedDamage = append([]*eventv1.RcrDamage{both.damage}, a.Damage[1:]...)
	}
	rest := slices.Concat(a.Damage, r.damage)
	for _, part := range recorded {
		at := slices.IndexFunc(rest, func(d *eventv1.RcrDamage) bool { return proto.Equal(d, part.damage) })
		switch {
		case at >= 0:
			rest = slices.Delete(rest, at, at+1)
			m.dealt(part.from)
		case part.optional && len(a.Damage) == 1:
			// "lightning or thunder damage": the text names no single type.
			a.Damage = append(a.Damage, part.damage)
			m.dealt(part.from)
			m.note(part.from, "the first of the damages to choose from is used", "%s %s", part.damage.Dice, part.damage.Type)
		default:
			part.from.drop("damage that the text does not deal with the hit")
		}
	}
	if both != nil && slices.ContainsFunc(a.TwoHandedDamage, func(d *eventv1.RcrDamage) bool { return proto.Equal(d, both.damage) }) {
		m.dealt(both.from)
	} else if len(twoHanded) > 0 {
		m.note(v, "damage with two hands that only the text has", "%s %s", twoHanded[0].Dice, twoHanded[0].Type)
	}
	for _, d := range rest {
		m.note(v, "damage that only the text has", "%s %s", d.Dice, d.Type)
	}
}

// part is one part of the damage in a record.
type part struct {
	damage   *eventv1.RcrDamage
	from     *value
	optional bool
}

// recorded reads the damage list of an action. Where there is a choice the
// first stands, and one for two hands comes back beside.
func (m *monster) recorded(v *value) (parts []part, both *part) {
	for _, d := range m.items(v, "damage", object) {
		if d.get("choose") == nil {
			if got, ok := m.damage(d); ok {
				parts = append(parts, part{got, d, false})
			}
			continue
		}
		options := m.items(m.want(d, "from", object), "options", object)
		for i, o := range options {
			got, ok := m.damage(o)
			if !ok {
				continue
			}
			notes := ""
			if n := o.get("notes"); n != nil {
				notes = strings.ToLower(n.text)
			}
			switch {
			case i == 0:
				parts = append(parts, part{got, o, notes == ""})
				m.constants(d)
			case strings.HasPrefix(notes, "two hand") && both == nil:
				both = &part{got, o, false}
			default:
				o.drop("another damage to choose from")
			}
		}
	}
	return parts, both
}

// constants marks the words that only say that there is a choice of one.
func (m *monster) constants(v *value) {
	for _, c := range []struct {
		at   *value
		want string
	}{{v.get("choose"), "1"}, {v.get("type"), "damage"}, {v.get("type"), "attack"}, {v.get("type"), "action"}, {v.get("from").get("option_set_type"), "options_array"}} {
		if c.at != nil && c.at.text == c.want {
			c.at.use()
		}
	}
}

// damage reads one damage object without marking it: whether it is used is
// settled against the text.
func (m *monster) damage(v *value) (*eventv1.RcrDamage, bool) {
	dice, kind := m.str(v, "damage_dice"), m.str(m.need(v, "damage_type", object), "index")
	if dice == "" || kind == "" {
		return nil, false
	}
	if dice = normalDice(dice); !dicePattern.MatchString(dice) {
		m.bad(v.get("damage_dice"), "want dice such as 2d6+3, got %q", excerpt(dice))
		return nil, false
	}
	if !slices.Contains(damageTypes, kind) {
		m.bad(v.get("damage_type").get("index"), "not a damage type: %q", excerpt(kind))
		return nil, false
	}
	v.get("damage_dice").fate, v.get("damage_type").get("index").fate = untouched, untouched
	return &eventv1.RcrDamage{Dice: dice, Type: kind}, true
}

// dealt marks a damage object that is on the sheet: dice and type, and the
// words that say no more than those.
func (m *monster) dealt(v *value) {
	v.get("damage_dice").use()
	m.reference(v.get("damage_type"))
	if kind := v.get("option_type"); kind != nil && kind.text == "damage" {
		kind.use()
	}
	if notes := v.get("notes"); notes != nil && (notes.text == "One handed" || notes.text == "Two handed") {
		notes.use()
	}
}

// magicWeapons tells whether a trait makes the creature's weapons magical.
func (m *monster) magicWeapons() bool {
	for _, t := range m.record.get("special_abilities").all() {
		if d := t.get("desc"); d != nil && strings.Contains(d.text, "weapon attacks are magical") {
			return true
		}
	}
	return false
}
