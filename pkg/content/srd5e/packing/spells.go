package packing

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/skaldrpg/skald/pkg/dice"
	"github.com/skaldrpg/skald/pkg/limits"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

func (m *maker) spells(list []spell) {
	var out []entry
	for _, s := range list {
		if e, ok := m.spell(s); ok {
			out = append(out, e)
		}
	}
	m.write("spells.yaml", out)
	m.counts = append(m.counts, fmt.Sprintf("%d of %d spells; the others stand below", len(out), len(list)))
}

// spell makes an entry of a spell whose data are structured: one that does damage
// with an attack or a saving throw, or by itself, one that heals, or one that the
// importer of creatures knows by its name.
func (m *maker) spell(s spell) (entry, bool) {
	sp := &eventv1.RcrSpell{Name: strings.ToLower(s.Name), Level: s.Level, CastingTime: castingTime(s.Casting), Concentration: s.Concentration,
		Verbal: slices.Contains(s.Components, "V"), Somatic: slices.Contains(s.Components, "S"), Material: slices.Contains(s.Components, "M"),
		RangeFeet: rangeOf(s), Attack: s.Attack}
	known := m.book[sp.Name]
	if known != nil && known.Level == s.Level {
		sp = proto.CloneOf(known)
		if base := strings.ReplaceAll(s.Healing[strconv.Itoa(int(s.Level))], " ", ""); base == sp.Healing+modWord {
			sp.Healing = base
		}
	} else if !m.does(s, sp) {
		return entry{}, false
	}
	out := entry{ID: s.Index, Title: s.Name, Text: strings.Join(append(slices.Clone(s.Desc), s.Higher...), " "), Data: sp}
	m.area(s, sp, &out)
	if known == nil {
		m.leave("spells", s.Name, "whatever its words say beyond range, area, saving throw, damage and healing")
	}
	return out, true
}

// does fills in what a spell does; false when its record says nothing that can be
// carried out.
func (m *maker) does(s spell, sp *eventv1.RcrSpell) bool {
	if s.DC != nil {
		sp.Save = &eventv1.RcrSave{Ability: ability(s.DC.Type.Index), HalfOnSuccess: s.DC.Success == "half"}
		if s.DC.Success == "other" {
			m.leave("spells", s.Name, "what a success against it brings; it is taken as nothing")
		}
	}
	switch {
	case s.Damage != nil && s.Damage.Type.Index != "" && (s.DC != nil || s.Attack != ""):
		return m.hurts(s, sp)
	case len(s.Healing) > 0:
		return m.heals(s, sp)
	case s.Damage != nil:
		m.leave("spells", s.Name, "not in the pack: its damage comes neither of an attack nor of a saving throw, but as its words say")
	case s.DC != nil:
		m.leave("spells", s.Name, "not in the pack: what a failed saving throw brings stands in its words alone")
	default:
		m.leave("spells", s.Name, "not in the pack: what it does stands in its words alone")
	}
	return false
}

func (m *maker) hurts(s spell, sp *eventv1.RcrSpell) bool {
	table := s.Damage.BySlot
	first := strconv.Itoa(int(s.Level))
	if s.Level == 0 {
		table, first = s.Damage.ByLevel, "1"
	}
	base, ok := m.dice(s, table[first])
	if !ok {
		return false
	}
	sp.Damage = []*eventv1.RcrDamage{{Dice: base, Type: s.Damage.Type.Index}}
	sp.UpcastDice = m.upcast(s, table, base)
	return true
}

func (m *maker) heals(s spell, sp *eventv1.RcrSpell) bool {
	base, ok := m.dice(s, s.Healing[strconv.Itoa(int(s.Level))])
	if !ok {
		return false
	}
	sp.Healing = base
	sp.UpcastDice = m.upcast(s, s.Healing, strings.TrimSuffix(base, modWord))
	if strings.Contains(strings.ToLower(s.Name), "mass") || s.Index == "prayer-of-healing" {
		sp.Targets = 6
	}
	if s.Index == "aid" || s.Index == "false-life" {
		m.leave("spells", s.Name, "not in the pack: it raises the maximum or gives temporary hit points, which its record calls healing")
		return false
	}
	return true
}

// modWord stands for the modifier of the caster's ability, which is put in when a
// sheet takes the spell.
const modWord = "+MOD"

// dice reads dice; false when they are none.
func (m *maker) dice(s spell, text string) (string, bool) {
	text = strings.ReplaceAll(text, " ", "")
	if _, err := dice.Parse(strings.TrimSuffix(text, modWord)); err != nil {
		m.leave("spells", s.Name, "not in the pack: %q are no dice", text)
		return "", false
	}
	return text, true
}

// upcast is what a slot one level higher adds, where that is the same for each.
func (m *maker) upcast(s spell, table map[string]string, base string) string {
	if s.Level == 0 || len(table) < 2 {
		return ""
	}
	next := strings.TrimSuffix(strings.ReplaceAll(table[strconv.Itoa(int(s.Level)+1)], " ", ""), modWord)
	n, die, ok := splitDice(strings.TrimSuffix(base, modWord))
	n2, die2, ok2 := splitDice(next)
	switch {
	case ok && ok2 && die == die2 && n2 > n:
		return fmt.Sprintf("%d%s", n2-n, die)
	case ok && ok2 && die == die2 && n2 == n:
		m.leave("spells", s.Name, "how it grows with the slot (not by one step for each level)")
	default:
		if a, err := strconv.Atoi(base); err == nil {
			if b, err := strconv.Atoi(next); err == nil && b > a {
				return strconv.Itoa(b - a)
			}
		}
		m.leave("spells", s.Name, "how it grows with the slot")
	}
	return ""
}

// splitDice takes "8d6" apart.
func splitDice(text string) (n int, die string, ok bool) {
	count, rest, found := strings.Cut(text, "d")
	n, err := strconv.Atoi(count)
	if !found || err != nil {
		return 0, "", false
	}
	return n, "d" + rest, true
}

// filled finds the words of an area that takes everybody in it; radius its
// radius, which a record of a cylinder gives as its height; zone those of one
// that takes whoever comes into it.
var (
	filled = regexp.MustCompile(`(?i)each creature (in|within|under) `)
	radius = regexp.MustCompile(`(?i)([0-9]+)[- ]foot[- ]radius`)
	zone   = regexp.MustCompile(`(?i)(when|if) (a|the|an?y?) [a-z ]*(creature|cloud|area|wall)`)
)

// arranged are spells whose area is put together as the caster likes.
var arranged = []string{"fire-storm", "meteor-swarm", "storm-of-vengeance"}

// area gives a spell the area of its record, where that takes everybody in it and
// does not lie about the caster.
func (m *maker) area(s spell, sp *eventv1.RcrSpell, out *entry) {
	if s.Area == nil {
		return
	}
	words, size := strings.Join(s.Desc, " "), s.Area.Size
	aimed := s.Area.Type == "cone" || s.Area.Type == "line"
	if found := radius.FindStringSubmatch(words); found != nil && s.Area.Type == "cylinder" {
		if n, err := strconv.ParseInt(found[1], 10, 32); err == nil && int32(n) != size {
			m.leave("spells", s.Name, "its record has a cylinder of %d feet, its words a radius of %d: the words count", size, n)
			size = int32(n)
		}
	}
	if (s.Range == "Self") == aimed && filled.MatchString(words) && !slices.Contains(arranged, s.Index) {
		sp.Targets = 0 // whoever is in the area
		out.Area = &area{Shape: s.Area.Type, Feet: size}
		return
	}
	if filled.MatchString(words) || zone.MatchString(words) {
		sp.Targets = max(sp.Targets, limits.Creatures)
		m.leave("spells", s.Name, "its area (%s of %d feet): it lies about the caster, is put together as the caster likes, or takes whoever comes into it; who is in it is named as a target", s.Area.Type, size)
		return
	}
	m.leave("spells", s.Name, "its area (%s of %d feet), in which it does not take everybody", s.Area.Type, size)
}

func castingTime(text string) string {
	switch text {
	case "1 action":
		return "action"
	case "1 bonus action":
		return "bonus"
	case "1 reaction":
		return "reaction"
	}
	return "longer"
}

// rangeOf is the range in feet; an area that begins at the caster reaches as far
// as it is long.
func rangeOf(s spell) int32 {
	if n, found := strings.CutSuffix(s.Range, " feet"); found {
		if feet, err := strconv.ParseInt(n, 10, 32); err == nil {
			return int32(feet)
		}
	}
	switch {
	case s.Range == "1 mile":
		return 5280
	case s.Range == "Self" && s.Area != nil:
		return s.Area.Size
	}
	return 0
}

func ability(short string) string {
	return map[string]string{"str": "strength", "dex": "dexterity", "con": "constitution", "int": "intelligence", "wis": "wisdom", "cha": "charisma"}[short]
}
