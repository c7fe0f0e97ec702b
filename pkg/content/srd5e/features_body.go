package srd5e

import (
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

var (
	withinPattern  = lazily(`within (\d+) (?:ft\.|feet) of (?:it|the)`)
	forcePattern   = lazily(`DC (\d+) (Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma) saving throw`)
	hurtPattern    = lazily(`\d+ \((\d+d\d+)\) ([a-z]+) damage`)
	breathPattern  = lazily(`^The [a-z ]+ can hold its breath for (\d+) (minute|hour)`)
	standPattern   = lazily(`long jump is up to (\d+) (?:ft\.|feet) and its high jump is up to (\d+) (?:ft\.|feet), with or without a running start`)
	runningPattern = lazily(`^With a 10-foot running start, the [a-z ]+ can long jump up to (\d+) (?:ft\.|feet)`)
)

// bodyFeature reads the numbers of traits of the body, and tells whether it found all
// that the trait needs.
func bodyFeature(f *eventv1.RcrFeature, words string) bool {
	switch f.Name {
	case "hold breath":
		g := breathPattern.FindStringSubmatch(words)
		if g == nil {
			return false
		}
		f.Number = atMost(g[1], 1000)
		if g[2] == "hour" {
			f.Number *= 60
		}
		return true
	case "standing leap":
		g := standPattern.FindStringSubmatch(words)
		if g != nil {
			f.Feet, f.Number = atMost(g[1], 1000), atMost(g[2], 1000)
		}
		return g != nil
	case "running leap":
		g := runningPattern.FindStringSubmatch(words)
		if g != nil {
			f.Feet = atMost(g[1], 1000)
		}
		return g != nil
	case "stench":
		return strings.Contains(words, "poisoned until the start of its next turn") && within(f, words) && forces(f, words)
	case "death burst", "death throes":
		return within(f, words) && forces(f, words) && hurts(f, words)
	case "fire aura":
		return within(f, words) && hurts(f, words)
	case "heated body", "barbed hide":
		return hurts(f, words)
	}
	return false
}

// within reads how far a trait reaches.
func within(f *eventv1.RcrFeature, words string) bool {
	g := withinPattern.FindStringSubmatch(words)
	if g != nil {
		f.Feet = atMost(g[1], 1000)
	}
	return g != nil
}

// forces reads the saving throw that a trait forces.
func forces(f *eventv1.RcrFeature, words string) bool {
	g := forcePattern.FindStringSubmatch(words)
	if g != nil {
		f.Save = &eventv1.RcrSave{Ability: strings.ToLower(g[2]), Dc: atMost(g[1], 99), HalfOnSuccess: strings.Contains(words, "half as much damage")}
	}
	return g != nil
}

// hurts reads the damage that a trait deals.
func hurts(f *eventv1.RcrFeature, words string) bool {
	g := hurtPattern.FindStringSubmatch(words)
	if g != nil {
		f.Dice, f.Type = g[1], g[2]
	}
	return g != nil
}
