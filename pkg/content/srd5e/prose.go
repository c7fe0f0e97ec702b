package srd5e

import (
	"strings"

	eventv1 "github.com/skaldrpg/skald/proto/skald/event/v1"
)

// prose is the text of an action. What is understood is cut out of it, so that
// the rest can go to the report. "ft." becomes "feet" for the sake of the full
// stop, which ends sentences.
type prose struct{ rest string }

// gap stands where something was cut out; no pattern matches across it.
const gap = "\u2026"

var feetWords = strings.NewReplacer("\u2212", "-", "\u2019", "'", " ft.", " feet", "-ft.", "-foot")

func newProse(s string) *prose { return &prose{rest: feetWords.Replace(s)} }

// cut takes the first match out and gives its groups; nil without a match.
func (p *prose) cut(re *pattern) []string {
	at := re.FindStringSubmatchIndex(p.rest)
	if at == nil {
		return nil
	}
	return p.cutAt(at)
}

// cutAt takes out what lies at the place of a match and gives its groups.
func (p *prose) cutAt(at []int) []string {
	groups := make([]string, 0, len(at)/2)
	for i := 0; i < len(at); i += 2 {
		if at[i] < 0 {
			groups = append(groups, "")
			continue
		}
		groups = append(groups, p.rest[at[i]:at[i+1]])
	}
	p.rest = p.rest[:at[0]] + gap + p.rest[at[1]:]
	return groups
}

// lead is cut for a pattern at the very start, without leaving a gap.
func (p *prose) lead(re *pattern) []string {
	at := re.FindStringIndex(p.rest)
	if at == nil || at[0] != 0 {
		return nil
	}
	groups := re.FindStringSubmatch(p.rest)
	p.rest = p.rest[at[1]:]
	return groups
}

var (
	emptyWords = lazily(`(?i)^(?:and|or|the|a|target|creature|it|if the target is a creature)$`)
	letters    = lazily(`\pL|\d`)
)

// left is what was not understood; empty when only joints are left.
func (p *prose) left() string {
	pieces := strings.Split(p.rest, gap)
	speaks := false
	for _, piece := range pieces {
		piece = strings.Trim(piece, " .,;:\n")
		if letters.MatchString(piece) && !emptyWords.MatchString(piece) {
			speaks = true
		}
	}
	if !speaks {
		return ""
	}
	return strings.TrimLeft(strings.Join(strings.Fields(p.rest), " "), " .,;")
}

const (
	damageWord = `(?:acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing|poison|psychic|radiant|slashing|thunder)`
	damageText = `\d+ ?(?:\([^)]*\) ?)?` + damageWord + ` damage`
	damageRun  = damageText + `(?:,? (?:plus|and) ` + damageText + `)*`
)

var (
	damagePattern = lazily(`(\d+) ?(?:\(([^)]*)\) ?)?(` + damageWord + `) damage`)
	dicePattern   = lazily(`^[1-9]\d{0,2}(?:d[1-9]\d{0,2}(?:[+-]\d{1,3})?)?$`)
)

// normalDice writes "2d6 + 5" as "2d6+5".
func normalDice(s string) string { return strings.ReplaceAll(s, " ", "") }

// damages reads the parts of a damage in words; the average before the dice is
// theirs, except that "1 piercing damage" has no dice.
func damages(s string) []*eventv1.RcrDamage {
	var out []*eventv1.RcrDamage
	for _, g := range damagePattern.FindAllStringSubmatch(s, -1) {
		dice := normalDice(g[2])
		if dice == "" {
			dice = g[1]
		}
		if !dicePattern.MatchString(dice) {
			return nil
		}
		out = append(out, &eventv1.RcrDamage{Dice: dice, Type: g[3]})
	}
	return out
}
