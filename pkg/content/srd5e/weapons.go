package srd5e

import (
	"slices"
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// weapons are the manufactured weapons by name with their properties. A name
// matches when it ends in one of these; anything else is a natural attack.
var weapons = map[string]string{
	"club": "one-handed light", "dagger": "one-handed light finesse thrown", "greatclub": "two-handed",
	"handaxe": "one-handed light thrown", "javelin": "one-handed thrown", "light hammer": "one-handed light thrown",
	"mace": "one-handed", "quarterstaff": "one-handed versatile", "staff": "one-handed versatile",
	"sickle": "one-handed light", "spear": "one-handed thrown versatile", "light crossbow": "two-handed ammunition reload",
	"dart": "one-handed finesse thrown", "shortbow": "two-handed ammunition", "sling": "one-handed ammunition",
	"battleaxe": "one-handed versatile", "flail": "one-handed", "glaive": "two-handed heavy reach",
	"greataxe": "two-handed heavy", "greatsword": "two-handed heavy", "halberd": "two-handed heavy reach",
	"lance": "one-handed reach", "longsword": "one-handed versatile", "maul": "two-handed heavy",
	"morningstar": "one-handed", "pike": "two-handed heavy reach", "rapier": "one-handed finesse",
	"scimitar": "one-handed light finesse", "shortsword": "one-handed light finesse", "trident": "one-handed thrown versatile",
	"war pick": "one-handed", "warhammer": "one-handed versatile", "whip": "one-handed finesse reach",
	"blowgun": "one-handed ammunition reload", "hand crossbow": "one-handed light ammunition reload",
	"heavy crossbow": "two-handed heavy ammunition reload", "longbow": "two-handed heavy ammunition", "net": "one-handed thrown",
	"heavy club": "one-handed", "bone club": "one-handed", "harpoon": "one-handed thrown", "fork": "one-handed",
	"sword": "one-handed", "axe": "one-handed", "rock": "one-handed thrown", "spiked shield": "one-handed", "shield bash": "one-handed",
}

var bracketPattern = lazily(`\s*\([^)]*\)`)

// plainName is a name without brackets, in lower case.
func plainName(name string) string {
	return strings.ToLower(strings.TrimSpace(bracketPattern.ReplaceAllString(name, "")))
}

// weapon finds the longest weapon that a name ends in.
func weapon(name string) (string, bool) {
	words := strings.Fields(plainName(name))
	for i := range words {
		if tail := strings.Join(words[i:], " "); weapons[tail] != "" {
			return tail, true
		}
	}
	return "", false
}

// arm settles whether an attack is natural and which properties it has.
func arm(a *eventv1.RcrAttack) {
	kind, made := weapon(a.Name)
	if a.Spell || !made {
		a.Natural = true
		return
	}
	for _, p := range strings.Fields(weapons[kind]) {
		if p == "versatile" && len(a.TwoHandedDamage) == 0 || p == "thrown" && a.RangeFeet == 0 {
			continue
		}
		a.Properties = append(a.Properties, p)
	}
	if a.ReachFeet > 0 && a.RangeFeet > 0 && !slices.Contains(a.Properties, "thrown") {
		a.Properties = append(a.Properties, "thrown")
	}
	if len(a.TwoHandedDamage) > 0 && !slices.Contains(a.Properties, "versatile") {
		a.Properties = append(a.Properties, "versatile")
	}
}

// hands puts the first weapon in the main hand; in the other a weapon made of a
// shield, or one that a multiattack uses together with the first; the rest are
// stowed. A record does not say.
func (m *monster) hands() {
	main := false
	for _, a := range m.rcr.Attacks {
		kind, _ := weapon(a.Name)
		switch {
		case a.Natural:
		case kind == "spiked shield" || kind == "shield bash":
			a.Hand = "off"
		case !main:
			main, a.Hand = true, "main"
		default:
			a.Hand = "stowed"
		}
	}
	m.secondHand()
}

func (m *monster) secondHand() {
	inHand := map[string]*eventv1.RcrAttack{}
	byName := map[string]*eventv1.RcrAttack{}
	for _, a := range m.rcr.Attacks {
		byName[a.Name] = a
		if a.Hand != "" && inHand[a.Hand] == nil {
			inHand[a.Hand] = a
		}
	}
	main := inHand["main"]
	if main == nil || inHand["off"] != nil || slices.Contains(main.Properties, "two-handed") || m.rcr.Shield != eventv1.RcrSheet_SHIELD_UNSPECIFIED {
		return
	}
	for _, way := range m.rcr.Multiattack {
		if !slices.ContainsFunc(way.Parts, func(p *eventv1.RcrMultiattackPart) bool { return p.Name == main.Name }) {
			continue
		}
		for _, p := range way.Parts {
			if a := byName[p.Name]; a != nil && a.Hand == "stowed" && a.ReachFeet > 0 && slices.Contains(a.Properties, "one-handed") {
				a.Hand = "off"
				return
			}
		}
	}
}
