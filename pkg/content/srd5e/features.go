package srd5e

import (
	"slices"
	"strings"

	"github.com/skaldrpg/skald/pkg/content/rcr"
	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// Traits lists the names of traits that imported sheets may have: those that sheets
// may name at all, decided or not. What no code decides, a check of the sheet says.
func Traits() []string {
	all, _ := rcr.Traits()
	var out []string
	for _, t := range all {
		out = append(out, t.Name)
	}
	return out
}

// traitName is the name of a trait as sheets have it: in lower case, without what
// stands in brackets.
func traitName(name string) string {
	return strings.ReplaceAll(plainName(name), "\u2019", "'")
}

var (
	runPattern       = lazily(`moves at least (\d+) (?:ft\.|feet) straight toward a (?:target|creature) and then hits it with (?:an?|its) ([a-z ]+?)(?: attack)? on the same turn`)
	extraPattern     = lazily(`extra \d+ \((\d+d\d+)\)(?: ([a-z]+))? damage`)
	downPattern      = lazily(`DC (\d+) (Strength|Dexterity|Constitution) saving throw or be (?:[a-z0-9 ]+ and )?knocked prone`)
	followPattern    = lazily(`can make (?:one|another) ([a-z ]+?) attack against it as a bonus action`)
	shrugPattern     = lazily(`takes (\d+) damage or less`)
	onRampagePattern = lazily(`make an? ([a-z ]+?) attack`)
)

// feature reads the numbers of a trait that the rules go by, and tells whether it
// found any.
func (m *monster) feature(name string, desc *value) bool {
	if desc == nil || desc.kind != text {
		return false
	}
	f := &eventv1.RcrFeature{Name: traitName(name)}
	read := false
	switch f.Name {
	case "charge", "pounce", "trampling charge":
		read = m.runUp(f, desc.text)
	case "relentless":
		if g := shrugPattern.FindStringSubmatch(desc.text); g != nil {
			f.Number, read = atMost(g[1], 1_000_000), true
		}
	case "sneak attack", "surprise attack", "martial advantage":
		if g := extraPattern.FindStringSubmatch(desc.text); g != nil {
			f.Dice, read = g[1], true
		}
	case "rampage":
		if g := onRampagePattern.FindStringSubmatch(desc.text); g != nil && m.attackCalled(g[1]) != "" {
			f.Attack, read = m.attackCalled(g[1]), true
		}
	default:
		read = bodyFeature(f, desc.text)
	}
	if !read || slices.ContainsFunc(m.rcr.Features, func(o *eventv1.RcrFeature) bool { return o.Name == f.Name }) {
		return false
	}
	m.rcr.Features = append(m.rcr.Features, f)
	desc.partly("words of a trait; its numbers are used", desc.text)
	return true
}

// runUp reads what comes of a run that ends in an attack.
func (m *monster) runUp(f *eventv1.RcrFeature, words string) bool {
	g := runPattern.FindStringSubmatch(words)
	if g == nil || m.attackCalled(g[2]) == "" {
		return false
	}
	f.Feet, f.Attack = atMost(g[1], 1000), m.attackCalled(g[2])
	if g := extraPattern.FindStringSubmatch(words); g != nil {
		f.Dice, f.Type = g[1], g[2]
	}
	if g := downPattern.FindStringSubmatch(words); g != nil {
		f.Save = &eventv1.RcrSave{Ability: strings.ToLower(g[2]), Dc: atMost(g[1], 99)}
	}
	if g := followPattern.FindStringSubmatch(words); g != nil {
		f.Follow = m.attackCalled(g[1])
	}
	return true
}

// attackCalled is the attack of the sheet that words name; empty for none.
func (m *monster) attackCalled(words string) string {
	for _, try := range []string{words, strings.TrimSuffix(words, "s")} {
		name := m.names[plainName(try)]
		if slices.ContainsFunc(m.rcr.Attacks, func(a *eventv1.RcrAttack) bool { return a.Name == name }) {
			return name
		}
	}
	return ""
}
