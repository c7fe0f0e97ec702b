package srd5e

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var abilities = []string{"strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"}

func parseInt(s string) (int, error) { return strconv.Atoi(s) }

// ability is the full name of "str", "STR" or "Strength"; empty if none.
func ability(s string) string {
	s = strings.ToLower(s)
	for _, a := range abilities {
		if s == a || s == a[:3] {
			return a
		}
	}
	return ""
}

func (m *monster) modifier(ability string) int32 {
	score := m.out.Abilities[ability]
	if score < 10 {
		score-- // division goes towards zero, the rule goes down
	}
	return (score - 10) / 2
}

func (m *monster) core() {
	m.out.Id = m.str(m.record, "index")
	if !indexPattern.MatchString(m.out.Id) && m.out.Id != "" {
		m.bad(m.record.get("index"), "want letters, digits, '-' and '_', got %q", excerpt(m.out.Id))
		m.out.Id = ""
	}
	m.out.Name = m.str(m.record, "name")
	m.out.Size = strings.ToLower(m.str(m.record, "size"))
	m.rcr.CreatureType = strings.ToLower(m.str(m.record, "type"))
	m.out.Abilities = map[string]int32{}
	for _, a := range abilities {
		m.out.Abilities[a] = m.integer(m.record, a, 0, 99)
	}
	m.rcr.ProficiencyBonus = m.integer(m.record, "proficiency_bonus", 0, 20)
	m.rcr.ChallengeRating = m.challengeRating()
}

// challengeRating writes 0.125, 0.25 and 0.5 as printed in a stat block.
func (m *monster) challengeRating() string {
	v := m.need(m.record, "challenge_rating", number)
	if v == nil {
		return ""
	}
	fractions := map[string]string{"0.125": "1/8", "0.25": "1/4", "0.5": "1/2"}
	if s, ok := fractions[v.text]; ok {
		return s
	}
	n := m.bounded(v, 0, 30)
	if want := max(2, 2+(n-1)/4); want != m.rcr.ProficiencyBonus {
		m.note(v, "the proficiency bonus is not that of the challenge rating", "challenge rating %d, proficiency bonus %d", n, m.rcr.ProficiencyBonus)
	}
	return strconv.Itoa(int(n))
}

// armor takes the first armour class, or a later one for armour that the
// creature wears: "natural 15, with shield 17" is printed as 17.
func (m *monster) armor() {
	entries := m.items(m.record, "armor_class", object)
	if len(entries) == 0 {
		m.need(m.record, "armor_class", list)
		m.bad(m.record, "armor_class: want at least one entry")
		return
	}
	chosen := entries[0]
	for _, e := range entries[1:] {
		if kind := e.get("type"); kind != nil && kind.text == "armor" {
			chosen = e
		}
	}
	for _, e := range entries {
		if e != chosen {
			m.integer(e, "value", 1, 99)
			m.unread(e, "another armour class, by equipment, spell or condition")
		}
	}
	m.rcr.ArmorClass = m.integer(chosen, "value", 1, 99)
	var pieces []string
	for _, piece := range m.items(chosen, "armor", object) {
		if index := piece.get("index"); index != nil {
			pieces = append(pieces, index.text)
		}
		if index := piece.get("index"); index != nil && index.text == "shield" {
			m.rcr.Shield = eventv1.RcrSheet_SHIELD_SHIELD
			m.reference(piece)
		}
	}
	if kind := chosen.get("type"); kind != nil {
		m.madeOf(kind.text, pieces)
	}
	chosen.drop("where the armour class comes from has no field")
}

var (
	hitDicePattern = lazily(`^([1-9]\d{0,3})d([1-9]\d{0,2})$`)
	feetPattern    = lazily(`^(\d{1,5}) ?(?:ft\.|feet)\s*(.*)$`)
)

func (m *monster) hitPoints() {
	m.out.HitPoints = m.integer(m.record, "hit_points", 1, 100_000)
	dice := m.str(m.record, "hit_dice")
	match := hitDicePattern.FindStringSubmatch(dice)
	if match == nil {
		if dice != "" {
			m.bad(m.record.get("hit_dice"), "want dice such as 2d6, got %q", excerpt(dice))
		}
		return
	}
	total, _ := parseInt(match[1])
	size, _ := parseInt(match[2])
	m.rcr.HitDice = []*eventv1.RcrHitDice{{Size: int32(size), Total: int32(total)}}
	if roll := m.want(m.record, "hit_points_roll", text); roll != nil {
		want := dice
		if bonus := int(m.modifier("constitution")) * total; bonus != 0 {
			want += fmt.Sprintf("%+d", bonus)
		}
		if normalDice(roll.text) != want {
			roll.partly("the roll is not hit dice and Constitution, so it has no field", roll.text)
		}
	}
}

func (m *monster) speeds() {
	m.out.Speeds = map[string]int32{}
	speed := m.need(m.record, "speed", object)
	if speed == nil {
		return
	}
	for i, mode := range speed.keys {
		v := speed.items[i]
		switch {
		case v.kind == null:
		case mode == "hover":
			v.drop("hovering has no field")
		case slices.Contains([]string{"walk", "climb", "swim", "fly", "burrow"}, mode):
			m.out.Speeds[mode] = m.feet(speed, mode)
		default:
			v.drop("not a mode of moving that a sheet knows")
		}
	}
}

// feet reads "60 ft." and reports what follows, as in "60 ft. (blind beyond
// this radius)".
func (m *monster) feet(v *value, key string) int32 {
	got := m.need(v, key, text)
	if got == nil {
		return 0
	}
	match := feetPattern.FindStringSubmatch(got.text)
	if match == nil {
		m.bad(got, "want feet such as \"30 ft.\", got %q", excerpt(got.text))
		return 0
	}
	if match[2] != "" {
		got.partly("words beside the number of feet", match[2])
	}
	n, _ := parseInt(match[1])
	return int32(n)
}

func (m *monster) proficiencies() {
	for _, p := range m.items(m.record, "proficiencies", object) {
		ref := m.need(p, "proficiency", object)
		index := m.str(ref, "index")
		bonus := m.integer(p, "value", -50, 100)
		m.reference(ref)
		if short, ok := strings.CutPrefix(index, "saving-throw-"); ok && ability(short) != "" {
			if m.rcr.Saves == nil {
				m.rcr.Saves = map[string]int32{}
			}
			if _, twice := m.rcr.Saves[ability(short)]; twice {
				m.unread(p, "given twice")
				continue
			}
			m.rcr.Saves[ability(short)] = bonus
			continue
		}
		name, ok := strings.CutPrefix(index, "skill-")
		name = strings.ReplaceAll(name, "-", " ")
		known := slices.ContainsFunc(m.rcr.Skills, func(s *eventv1.RcrSkill) bool { return s.Name == name })
		if !ok || known {
			m.unread(p, "a proficiency that has no field or was given already")
			continue
		}
		m.rcr.Skills = append(m.rcr.Skills, &eventv1.RcrSkill{Name: name, Bonus: bonus, Proficient: true})
	}
}

// unread takes back the marks below v, when it turns out to have no place.
func (m *monster) unread(v *value, reason string) {
	v.leaves(func(leaf *value) { leaf.fate, leaf.rest = dropped, ""; leaf.reason = reason })
}

// reference marks {index, name, url} as used: name and url say the same as
// index. When they do not they are left for the report.
func (m *monster) reference(ref *value) {
	index := ref.get("index")
	if index == nil || index.kind != text {
		return
	}
	index.fate = used
	if url := ref.get("url"); url != nil {
		if address(url.text, index.text) {
			url.use()
		} else {
			url.drop("does not agree with the index beside it")
		}
	}
	if name := ref.get("name"); name != nil {
		plain := strings.NewReplacer("saving throw: ", "saving-throw-", "skill: ", "skill-", " ", "-", "'", "", ",", "").Replace(strings.ToLower(name.text))
		if plain == index.text {
			name.use()
		} else {
			name.drop("does not agree with the index beside it")
		}
	}
}

// address tells whether a url is that of the index.
func address(url, index string) bool {
	return strings.HasPrefix(url, "/api/") && strings.HasSuffix(url, "/"+index)
}

func (m *monster) senses() {
	senses := m.want(m.record, "senses", object)
	if senses == nil {
		return
	}
	for i, name := range senses.keys {
		v := senses.items[i]
		switch {
		case v.kind == null:
		case name == "passive_perception":
			m.rcr.PassivePerception = m.integer(senses, name, 0, 99)
		case slices.Contains([]string{"blindsight", "darkvision", "tremorsense", "truesight"}, name):
			if m.rcr.Senses == nil {
				m.rcr.Senses = map[string]int32{}
			}
			m.rcr.Senses[name] = m.feet(senses, name)
		default:
			v.drop("not a sense that a sheet knows")
		}
	}
}

var telepathyPattern = lazily(`,? ?(telepathy \d+ ft\.(?: \([^)]*\))?)$`)

// languages splits at commas, except that "understands Abyssal, Common, and
// Infernal but can't speak" is one entry.
func (m *monster) languages() {
	v := m.want(m.record, "languages", text)
	if v == nil {
		return
	}
	rest := strings.TrimSpace(v.text)
	var last []string
	if match := telepathyPattern.FindStringSubmatchIndex(rest); match != nil {
		last = append(last, rest[match[2]:match[3]])
		rest = rest[:match[0]]
	}
	if at := strings.Index(rest, "understands"); at >= 0 {
		last = append([]string{strings.TrimSpace(rest[at:])}, last...)
		rest = rest[:at]
	}
	for _, part := range append(strings.Split(rest, ","), last...) {
		if part = strings.TrimSpace(part); part != "" && part != "-" && part != "\u2014" {
			m.rcr.Languages = append(m.rcr.Languages, part)
		}
	}
}

// trait adds a trait once where the rules know it. Of others the name goes to the
// report, unless something else on the sheet has it.
func (m *monster) trait(v *value, elsewhere bool) {
	if v == nil {
		return
	}
	name := traitName(v.text)
	switch {
	case slices.Contains(Traits(), name):
		if !slices.Contains(m.rcr.Traits, name) {
			m.rcr.Traits = append(m.rcr.Traits, name)
		}
	case !elsewhere:
		m.unread(v, "a trait that the rules do not decide")
	}
}

// leftovers gives the reasons for the fields that no sheet has.
func (m *monster) leftovers() {
	reasons := map[string]string{
		"alignment": "a sheet has no alignment", "subtype": "a sheet has no subtype", "image": "a sheet has no picture",
		"url": "the address of the record", "xp": "a sheet has no experience points", "desc": "a sheet has no description",
		"forms": "other forms are sheets of their own",
	}
	for i, key := range m.record.keys {
		if reason := reasons[key]; reason != "" {
			m.record.items[i].drop(reason)
		}
	}
}
